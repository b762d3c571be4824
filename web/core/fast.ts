import { CoreError } from './errors.ts';
import { makeFunctions, type Facade, type RawModule } from './facade.ts';
import { choice, flag, integer, number, optional, options, record, type Kind } from './kinds.ts';
import { MOST } from './tensor.ts';

/** Dense and row-major, as Matrix, in float32: the form of the fast module. */
export interface Tensor {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float32Array;
}

/** queries × keys of 0 (hidden) and 1. */
export interface FastMask {
  readonly rows: number;
  readonly cols: number;
  readonly data: Uint8Array;
}

/** Key j stands at place j, query i at place queryOffset + i. */
export interface FastAttentionOptions {
  /** Default 1. */
  heads?: number;
  /** 'stacked': below each other in the rows, h·n × d and h·m × d; a tenth faster. Default 'sideBySide'. */
  layout?: 'sideBySide' | 'stacked';
  /** Hide every key that lies after the query. */
  causal?: boolean;
  queryOffset?: number;
  /** Divide the scores by √d; default true. */
  scaled?: boolean;
  /** One of 0 (padding) and 1 a key. */
  realKeys?: Uint8Array;
  mask?: FastMask;
  /** One slope a head: minus slope times distance is added to the scores. */
  alibiSlopes?: Float32Array;
  /** Defaults: interleaved, 10000, 1. */
  rotary?: { layout?: 'interleaved' | 'halfSplit'; base?: number; positionScale?: number };
}

export interface FastAttention {
  readonly output: Tensor;
  /** queries × heads: the largest score, in units of log₂ e; for the gradients. */
  readonly largest: Tensor;
  /** queries × heads: the sum that the weights were divided by. */
  readonly sum: Tensor;
  /** One of 0 and 1 a query; 1: it sees nothing, and its output is zeros. */
  readonly fullyMasked: Uint8Array;
}

/** Details: cpp/include/attn/fast/*.hpp */
export interface Fast {
  /** softmax(q·kᵀ/√d)·v of every head, in tiles. */
  attention(q: Tensor, k: Tensor, v: Tensor, options?: FastAttentionOptions): FastAttention;
  /** `forward`: what `attention` returned for the same operands and options. */
  attentionGradients(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    forward: FastAttention,
    dOutput: Tensor,
    options?: FastAttentionOptions,
  ): { readonly dQ: Tensor; readonly dK: Tensor; readonly dV: Tensor };
  /** Bytes that `attention` holds at most beside operands and output. */
  attentionScratchBytes(d: number, dV: number): number;
  /** x·w + b. */
  linear(x: Tensor, w: Tensor, options?: { b?: Float32Array }): Tensor;
  linearGradients(x: Tensor, w: Tensor, dOutput: Tensor): { readonly dX: Tensor; readonly dW: Tensor; readonly dB: Float32Array };
  /** Each row by itself; epsilon defaults to 1e-5. */
  layerNorm(x: Tensor, options?: { gamma?: Float32Array; beta?: Float32Array; epsilon?: number }): Tensor;
  /** The exact GELU, element by element. */
  gelu(x: Tensor): Tensor;
  geluTanh(x: Tensor): Tensor;
  softmaxRows(scores: Tensor, options?: { temperature?: number }): Tensor;
}

const invalid = (name: string, what: string): CoreError => new CoreError('invalid-argument', `invalid-argument: ${name} is not ${what}`);
const tooLarge = (name: string): CoreError => new CoreError('too-large', `too-large: ${name} would hold more than ${MOST} numbers`);

type Typed = typeof Float32Array | typeof Uint8Array;

const listOf =
  (type: Typed): Kind =>
  (name, value) => {
    if (!(value instanceof type)) throw invalid(name, `a ${type.name}`);
    if (value.length > MOST) throw tooLarge(name);
    return value;
  };

/** A record of rows, columns and a typed array that fills them. */
const tableOf =
  (type: Typed): Kind =>
  (name, value) => {
    if (typeof value !== 'object' || value === null) throw invalid(name, 'a tensor');
    const { rows, cols, data } = value as Partial<Tensor>;
    const size = (key: string, count: unknown): number => {
      if (typeof count !== 'number' || !Number.isInteger(count) || count < 0) throw invalid(`${name}.${key}`, 'a size');
      if (count > MOST) throw tooLarge(name);
      return count;
    };
    const count = size('rows', rows) * size('cols', cols);
    if (count > MOST) throw tooLarge(name);
    const list = listOf(type)(`${name}.data`, data) as Float32Array;
    if (list.length !== count)
      throw new CoreError('shape-mismatch', `shape-mismatch: ${name}.data holds ${list.length} numbers, not ${rows} times ${cols}`);
    return { rows, cols, data: list };
  };

const tensor = tableOf(Float32Array);
const floats = listOf(Float32Array);
const bytes = listOf(Uint8Array);

const attentionOptions = options({
  heads: integer,
  layout: choice('sideBySide', 'stacked'),
  causal: flag,
  queryOffset: integer,
  scaled: flag,
  realKeys: bytes,
  mask: tableOf(Uint8Array),
  alibiSlopes: floats,
  rotary: record({ layout: optional(choice('interleaved', 'halfSplit')), base: optional(number), positionScale: optional(number) }),
});

const forwardKind = record({ output: tensor, largest: tensor, sum: tensor, fullyMasked: bytes });

export const fast: Facade<Fast> = {
  attention: { q: tensor, k: tensor, v: tensor, options: attentionOptions },
  attentionGradients: { q: tensor, k: tensor, v: tensor, forward: forwardKind, dOutput: tensor, options: attentionOptions },
  attentionScratchBytes: { d: integer, dV: integer },
  linear: { x: tensor, w: tensor, b: optional(floats) },
  linearGradients: { x: tensor, w: tensor, dOutput: tensor },
  layerNorm: { x: tensor, gamma: optional(floats), beta: optional(floats), epsilon: optional(number, 1e-5) },
  gelu: { x: tensor },
  geluTanh: { x: tensor },
  softmaxRows: { scores: tensor, temperature: optional(number, 1) },
};

export function makeFast(raw: RawModule): Fast {
  return makeFunctions(raw, fast) as unknown as Fast;
}

/** Lists of rows to a tensor; refuses ragged rows. */
export function tensorOf(rows: readonly (readonly number[])[]): Tensor {
  const cols = rows[0]?.length ?? 0;
  const data = new Float32Array(rows.length * cols);
  rows.forEach((row, i) => {
    if (row.length !== cols) throw new CoreError('shape-mismatch', `row ${i + 1} has ${row.length} numbers, row 1 has ${cols}`);
    data.set(row, i * cols);
  });
  return { rows: rows.length, cols, data };
}
