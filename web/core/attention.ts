import type { Facade } from './facade.ts';
import { flag, integer, matrix, options } from './kinds.ts';
import type { Mask } from './mask.ts';
import type { Matrix } from './matrix.ts';

export interface AttentionOptions {
  /** queries × keys of 0 and 1; absent: hides nothing. */
  mask?: Mask;
  /** Also hide every key that lies after the query. */
  causal?: boolean;
  /** The place of the first query, for `causal`; default 0. */
  queryOffset?: number;
  /** Divide the scores by √d; default true. */
  scaled?: boolean;
  /** queries × keys, added to the scores. */
  bias?: Matrix;
}

export interface AttentionTrace {
  /** −Infinity where hidden. */
  readonly scores: Matrix;
  readonly weights: Matrix;
  readonly output: Matrix;
  /** One flag a row: it sees nothing, and its weights and output are zeros. */
  readonly fullyMasked: readonly boolean[];
}

export interface AttentionGradients {
  readonly dWeights: Matrix;
  readonly dScores: Matrix;
  readonly dQ: Matrix;
  readonly dK: Matrix;
  readonly dV: Matrix;
}

export interface Tally {
  readonly multiplications: number;
  readonly additions: number;
  readonly divisions: number;
  readonly exponentials: number;
}

/** Details: cpp/include/attn/attention.hpp */
export interface AttentionCore {
  /** softmax(q·kᵀ/√d)·v with every intermediate. */
  attention(q: Matrix, k: Matrix, v: Matrix, options?: AttentionOptions): AttentionTrace;
  /** The rows first … first + count − 1 of the same, bit for bit. */
  attentionRows(q: Matrix, k: Matrix, v: Matrix, first: number, count: number, options?: AttentionOptions): AttentionTrace;
  attentionGradients(q: Matrix, k: Matrix, v: Matrix, dOutput: Matrix, options?: AttentionOptions): AttentionGradients;
  /** Counted by running attention on n queries, m keys, width d, values of width dV. */
  attentionOperations(n: number, m: number, d: number, dV: number): Tally;
}

export const attentionKinds = { mask: matrix, causal: flag, queryOffset: integer, scaled: flag, bias: matrix };

export const attention: Facade<AttentionCore> = {
  attention: { q: matrix, k: matrix, v: matrix, options: options(attentionKinds) },
  attentionRows: { q: matrix, k: matrix, v: matrix, first: integer, count: integer, options: options(attentionKinds) },
  attentionGradients: { q: matrix, k: matrix, v: matrix, dOutput: matrix, options: options(attentionKinds) },
  attentionOperations: { n: integer, m: integer, d: integer, dV: integer },
};
