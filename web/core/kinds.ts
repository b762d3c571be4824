import { CoreError } from './errors.ts';
import type { Matrix } from './matrix.ts';

/**
 * A kind says what an argument must be. It returns the value in the form that
 * the wasm module takes, or throws a CoreError; everything is checked here
 * because a JavaScript exception that unwinds C++ frames leaks their handles.
 */
export type Kind = (name: string, value: unknown) => unknown;

/** An argument that callers give in the trailing options object. */
export interface Optional {
  readonly kind: Kind;
  readonly fallback: unknown;
}

export const optional = (kind: Kind, fallback?: unknown): Optional => ({ kind, fallback });

/** A C++ struct of options, whose fields callers give in the trailing object; an absent one keeps its C++ default. */
export interface Options {
  readonly fields: Readonly<Record<string, Optional>>;
}

export const options = (kinds: Readonly<Record<string, Kind>>): Options => ({
  fields: Object.fromEntries(Object.entries(kinds).map(([key, kind]) => [key, optional(kind)])),
});

const referenceLimit = 2 ** 22;

const invalid = (name: string, what: string): CoreError =>
  new CoreError('invalid-argument', `invalid-argument: ${name} is not ${what}`);

const tooLarge = (name: string): CoreError =>
  new CoreError('too-large', `too-large: ${name} would hold more than ${referenceLimit} numbers`);

function size(name: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw invalid(name, 'a size');
  return value;
}

export const matrix: Kind = (name, value): Matrix => {
  if (typeof value !== 'object' || value === null) throw invalid(name, 'a matrix');
  const { rows, cols, data } = value as Partial<Matrix>;
  if (!(data instanceof Float64Array)) throw invalid(`${name}.data`, 'a Float64Array');
  const count = size(`${name}.rows`, rows) * size(`${name}.cols`, cols);
  if (count > referenceLimit || rows! > referenceLimit || cols! > referenceLimit) throw tooLarge(name);
  if (data.length !== count)
    throw new CoreError('shape-mismatch', `shape-mismatch: ${name}.data holds ${data.length} numbers, not ${rows} times ${cols}`);
  return { rows: rows!, cols: cols!, data };
};

export const number: Kind = (name, value): number => {
  if (typeof value !== 'number') throw invalid(name, 'a number');
  if (!Number.isFinite(value)) throw new CoreError('not-finite', `not-finite: ${name} is ${value}`);
  return value;
};

/** A number that may be infinite, or NaN: the C++ function knows which of them it can take. */
export const anyNumber: Kind = (name, value): number => {
  if (typeof value !== 'number') throw invalid(name, 'a number');
  return value;
};

/** Any integer that a double holds exactly, for counters. */
export const count: Kind = (name, value): number => {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw invalid(name, 'an integer');
  if (!Number.isSafeInteger(value)) throw new CoreError('too-large', `too-large: ${name} is over 2^53`);
  return value;
};

/** An integer of 32 bits, with its sign. */
export const integer: Kind = (name, value): number => {
  const whole = count(name, value) as number;
  if (Math.abs(whole) >= 2 ** 31) throw new CoreError('too-large', `too-large: ${name} is ${whole}`);
  return whole;
};

/** An integer of 32 bits without a sign. */
export const seed: Kind = (name, value): number => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= 2 ** 32)
    throw invalid(name, 'an integer from 0 to 4294967295');
  return value;
};

export const flag: Kind = (name, value): boolean => {
  if (typeof value !== 'boolean') throw invalid(name, 'true or false');
  return value;
};

export const text: Kind = (name, value): string => {
  if (typeof value !== 'string') throw invalid(name, 'a text');
  return value;
};

export const choice =
  (...words: readonly string[]): Kind =>
  (name, value): string => {
    if (typeof value !== 'string' || !words.includes(value)) throw invalid(name, `one of ${words.join(', ')}`);
    return value;
  };

function elements(name: string, value: unknown): ArrayLike<unknown> {
  if (!Array.isArray(value) && !(value instanceof Float64Array) && !(value instanceof Int32Array))
    throw invalid(name, 'a list of numbers');
  if (value.length > referenceLimit) throw tooLarge(name);
  return value;
}

/** Infinities and NaN pass: the C++ function knows which of them it can take. */
export const numbers: Kind = (name, value): Float64Array => {
  if (value instanceof Float64Array && value.length <= referenceLimit) return value;
  return Float64Array.from(elements(name, value), (x, i) => {
    if (typeof x !== 'number') throw invalid(`${name}[${i}]`, 'a number');
    return x;
  });
};

export const integers: Kind = (name, value): Int32Array =>
  Int32Array.from(elements(name, value), (x, i) => integer(`${name}[${i}]`, x) as number);

export const list =
  (kind: Kind): Kind =>
  (name, value): unknown[] => {
    if (!Array.isArray(value)) throw invalid(name, 'a list');
    if (value.length > referenceLimit) throw tooLarge(name);
    return Array.from(value, (x, i) => kind(`${name}[${i}]`, x));
  };

/** An object with these fields; an unknown one is refused, so that a misspelt option is not lost in silence. */
export const record =
  (fields: Readonly<Record<string, Kind | Optional>>): Kind =>
  (name, value): Record<string, unknown> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(name, 'an object');
    for (const key of Object.keys(value))
      if (!Object.hasOwn(fields, key)) throw new CoreError('invalid-argument', `invalid-argument: ${name} has no ${key}`);
    const out: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(fields)) {
      const given = (value as Record<string, unknown>)[key];
      if (typeof field === 'function') out[key] = field(`${name}.${key}`, given);
      else if (given !== undefined) out[key] = field.kind(`${name}.${key}`, given);
      else if (field.fallback !== undefined) out[key] = field.fallback;
    }
    return out;
  };
