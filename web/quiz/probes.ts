import { callNamed, facade, type Core } from '../core/core.ts';
import { museum, type Museum } from '../core/museum.ts';
import { inGroups } from '../site/transforms/numbers.ts';
import type { Option, Probe, ProbeArgument, ProbeCall, Question } from './types.ts';

const functions = { ...facade, ...museum };

export interface ProbeResult {
  question: string;
  /** `probe[0]` or `options[2].probe[0]`. */
  field: string;
  probe: Probe;
  got: number;
  agrees: boolean;
}

export class ProbeError extends Error {
  constructor(
    readonly result: ProbeResult,
    reason: string,
  ) {
    super(`${result.question}: ${result.field}: ${reason}`);
    this.name = 'ProbeError';
  }
}

/** Every probe of a question with its place. */
export function probesOf(question: Question): { field: string; probe: Probe }[] {
  return [
    ...question.probes.map((probe, i) => ({ field: `probe[${i}]`, probe })),
    ...question.options.flatMap((option, o) =>
      option.probes.map((probe, i) => ({ field: `options[${o}].probe[${i}]`, probe })),
    ),
  ];
}

/**
 * Asks the core about every number of every question.
 * @throws ProbeError at the first probe that disagrees or cannot be evaluated
 */
export function checkProbes(questions: Iterable<Question>, core: Core): ProbeResult[] {
  const results: ProbeResult[] = [];
  for (const question of questions) {
    for (const { field, probe } of probesOf(question)) {
      const result: ProbeResult = { question: question.id, field, probe, got: NaN, agrees: false };
      try {
        result.got = evaluate(probe, core);
      } catch (cause) {
        throw new ProbeError(result, cause instanceof Error ? cause.message : String(cause));
      }
      result.agrees = Math.abs(result.got - probe.expect) <= probe.tolerance;
      if (!result.agrees) throw new ProbeError(result, `the core says ${result.got}, the bank says ${probe.expect}`);
      results.push(result);
    }
  }
  return results;
}

export function evaluate(probe: ProbeCall, core: Core): number {
  const value = run(probe, core);
  if (typeof value !== 'number') throw new Error(`${probe.call} ${probe.path ?? ''} is not a number`);
  return value;
}

function run(call: ProbeCall, core: Core): unknown {
  const args = Object.fromEntries(Object.entries(call.args).map(([name, value]) => [name, argument(value, core)]));
  return follow(callNamed(core, call.call, args, functions), call.path);
}

/** What a step shows, row by row. */
function rowsFrom(value: unknown): number[][] {
  const m = value as { rows?: number; cols?: number; data?: ArrayLike<number> };
  if (typeof value === 'number') return [[value]];
  if (m.data && m.rows && m.cols !== undefined) {
    const all = Array.from(m.data);
    return Array.from({ length: m.rows }, (_, row) => all.slice(row * m.cols!, (row + 1) * m.cols!));
  }
  if (value instanceof Float64Array || Array.isArray(value)) return [Array.from(value as ArrayLike<number>)];
  throw new Error('the result is neither a number nor a list nor a matrix');
}

/** The numbers of a step as they are read: rows are parted by a semicolon. */
function inWords(call: ProbeCall, core: Core, digits: number): string {
  const rows = rowsFrom(run(call, core));
  if (!rows.flat().every(Number.isFinite)) throw new Error(`${call.call} gives a number that is not finite`);
  // A zero has no sign when it is read.
  const shown = (x: number) => inGroups(x.toFixed(digits).replace(/^-(0(?:\.0*)?)$/, '$1'));
  return rows.map((row) => row.map(shown).join('、')).join('；');
}

/** A label is heard whole. */
const longestStep = 40;

/**
 * The question with the numbers of its steps, which the core or the museum computes.
 * @throws Error when the broken step reads like a sound one, or a label gets too long
 */
export function withNumbers(question: Question, core: Core & Partial<Museum>): Question {
  if (question.kind !== 'diagnose') return question;
  const digits = question.digits ?? 0;
  const options = question.options.map((option) => {
    const step: Option = { ...option };
    const refuse = (why: string) => new Error(`${question.id}: ${option.text}: ${why}`);
    try {
      step.numbers = inWords(option.shows!, core, digits);
      if (option.should) step.sound = inWords(option.should, core, digits);
    } catch (cause) {
      throw refuse((cause as Error).message);
    }
    if (step.sound === step.numbers) throw refuse('is said to be broken, but its numbers are the right ones');
    if ([...`${option.text}：${step.numbers}`].length > longestStep) throw refuse(`${step.numbers} makes a long label`);
    return step;
  });
  return { ...question, options };
}

function argument(value: ProbeArgument, core: Core): unknown {
  if (isCall(value)) return run(value, core);
  if (Array.isArray(value)) return value.map((item) => argument(item, core));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, argument(inner, core)]));
  return value;
}

function isCall(value: ProbeArgument): value is ProbeCall {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    typeof (value as ProbeCall).call === 'string'
  );
}

/** `weights.0,1` is row 0, column 1 of the field weights; `2` is the third of a list. */
function follow(value: unknown, path: string | undefined): unknown {
  if (path === undefined) return value;
  let here = value;
  for (const step of path.split('.')) {
    const place = /^(\d+)(?:,(\d+))?$/.exec(step);
    if (place?.[2] !== undefined) {
      const m = here as { rows: number; cols: number; data: Float64Array };
      const [row, col] = [Number(place[1]), Number(place[2])];
      if (!(m?.data instanceof Float64Array) || row >= m.rows || col >= m.cols)
        throw new Error(`there is no ${step} in ${path}`);
      here = m.data[row * m.cols + col];
    } else {
      here = (here as Record<string, unknown> | undefined)?.[step];
    }
    if (here === undefined) throw new Error(`there is no ${step} in ${path}`);
  }
  return here;
}

/** Decimals quoted in a text: 0.711 of 「得到 0.711」, with the digits that were shown; names such as GPT-3.5 are none. */
export function quotedNumbers(text: string): { value: number; half: number; shown: string }[] {
  return [...text.matchAll(/(?<![A-Za-z\d.]|[A-Za-z]-)-?\d+\.(\d+)/g)].map((match) => ({
    value: Number(match[0]),
    half: 0.5 * 10 ** -(match[1] ?? '').length,
    shown: match[0],
  }));
}

/**
 * Decimals in the text of a question that nothing proves: neither a probe's
 * value, nor a number that a probe starts from, nor a figure of a source.
 * An option's own text may only lean on the option's own probes, or on the key.
 */
export function unprovedNumbers(question: Question): { field: string; shown: string }[] {
  const figures = question.sources.flatMap((s) => s.figures);
  const steps = question.options.flatMap(({ shows, numbers, sound }) => [
    ...(shows ? numbersOf(shows) : []),
    ...quotedNumbers(`${numbers} ${sound}`).map(({ value }) => value),
  ]);
  const everywhere = [...figures, ...steps, ...probesOf(question).flatMap(({ probe }) => numbersOf(probe))];
  const unproved: { field: string; shown: string }[] = [];
  const check = (field: string, text: string, proved: number[]) => {
    for (const { value, half, shown } of quotedNumbers(text)) {
      if (!proved.some((p) => Math.abs(p - value) <= half * (1 + 1e-9))) unproved.push({ field, shown });
    }
  };
  question.prompt.forEach((text, i) => check(`prompt[${i}]`, text, everywhere));
  question.answer.forEach((text, i) => check(`answer[${i}]`, text, everywhere));
  question.wrong.forEach((w, i) => check(`wrong[${i}]`, w.answer + w.why, everywhere));
  check('legend', question.legend, everywhere);
  question.items.forEach((text, i) => check(`items[${i}]`, text, everywhere));
  check('point', question.point, everywhere);
  question.options.forEach((option: Option, i) => {
    const own = option.probes.length > 0 ? option.probes : question.probes;
    check(
      `options[${i}].text`,
      option.text,
      own.map((p) => p.expect),
    );
    check(`options[${i}].why`, option.why, everywhere);
  });
  return unproved;
}

function numbersOf(value: Probe | ProbeArgument): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'tolerance' ? [] : numbersOf(inner as ProbeArgument),
  );
}
