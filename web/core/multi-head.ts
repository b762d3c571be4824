import { attentionKinds, type AttentionOptions, type AttentionTrace } from './attention.ts';
import type { Facade } from './facade.ts';
import { count, integer, matrix, numbers, options, record } from './kinds.ts';
import type { Matrix } from './matrix.ts';

/** Head t owns the columns t·d_k … (t + 1)·d_k − 1 of wQ and wK, and likewise of wV. */
export interface MultiHeadWeights {
  readonly wQ: Matrix;
  readonly wK: Matrix;
  readonly wV: Matrix;
  readonly wO: Matrix;
}

export interface MultiHeadOptions extends AttentionOptions {
  /** What to look at; absent: x itself. */
  memory?: Matrix;
  /** One factor a head; absent: all are 1. */
  gates?: ArrayLike<number>;
}

export interface MultiHeadTrace {
  /** Before their gates. */
  readonly heads: readonly AttentionTrace[];
  /** heads × rows, in nats. */
  readonly entropy: Matrix;
  readonly concat: Matrix;
  readonly output: Matrix;
}

export interface MultiHeadCost {
  readonly headWidth: number;
  readonly parameters: number;
  readonly parametersWithBias: number;
  readonly scoreEntries: number;
  readonly scoreMultiplyAdds: number;
}

/** Details: cpp/include/attn/multi_head.hpp */
export interface MultiHeadCore {
  multiHead(x: Matrix, weights: MultiHeadWeights, heads: number, options?: MultiHeadOptions): MultiHeadTrace;
  multiHeadCost(n: number, dModel: number, heads: number): MultiHeadCost;
}

export const multiHeadWeightsKind = record({ wQ: matrix, wK: matrix, wV: matrix, wO: matrix });

export const multiHead: Facade<MultiHeadCore> = {
  multiHead: {
    x: matrix,
    weights: multiHeadWeightsKind,
    heads: integer,
    options: options({ ...attentionKinds, memory: matrix, gates: numbers }),
  },
  multiHeadCost: { n: count, dModel: count, heads: count },
};
