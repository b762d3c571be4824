import { CoreError } from './errors.ts';
import type { Facade } from './facade.ts';
import { choice, integer, matrix, number, numbers, optional, record, type Kind } from './kinds.ts';
import type { Matrix } from './matrix.ts';

/** What a set of scores leaves behind. All masked: max −Infinity, sum 0, output zeros. */
export interface SoftmaxState {
  /** m */
  readonly max: number;
  /** ℓ = Σ exp(score − m) */
  readonly sum: number;
  /** o, the weighted mean of the values. */
  readonly output: ArrayLike<number>;
}

export interface OnlineScan {
  /** m after each score. */
  readonly max: Float64Array;
  /** ℓ after each score. */
  readonly sum: Float64Array;
  readonly logSumExp: number;
  readonly fullyMasked: boolean;
}

export type MergeOrder = 'forward' | 'backward' | 'pairwise';

export interface BlockwiseSoftmax {
  readonly blocks: readonly SoftmaxState[];
  /** The result of each merge, in time. */
  readonly merges: readonly SoftmaxState[];
  readonly merged: SoftmaxState;
  /** The same scores in one piece. */
  readonly whole: SoftmaxState;
  /** Largest |merged.output − whole.output|. */
  readonly gap: number;
  readonly weights: Float64Array;
  /** The mistake to avoid: each block's own softmax, averaged over the blocks. */
  readonly averagedWeights: Float64Array;
  readonly averagedOutput: Float64Array;
  readonly fullyMasked: boolean;
}

/** A score of −Infinity is masked. Details: cpp/include/attn/online_softmax.hpp */
export interface OnlineSoftmaxCore {
  onlineScan(scores: ArrayLike<number>): OnlineScan;
  /** `v`: one row per score. */
  blockState(scores: ArrayLike<number>, v: Matrix): SoftmaxState;
  mergeStates(a: SoftmaxState, b: SoftmaxState): SoftmaxState;
  /** Blocks of `block` scores, merged; order 'forward' unless given. */
  blockwiseSoftmax(scores: ArrayLike<number>, v: Matrix, block: number, options?: { order?: MergeOrder }): BlockwiseSoftmax;
}

const maximum: Kind = (name, value): number => {
  if (typeof value !== 'number') throw new CoreError('invalid-argument', `invalid-argument: ${name} is not a number`);
  return value;
};

const state = record({ max: maximum, sum: number, output: numbers });

export const onlineSoftmax: Facade<OnlineSoftmaxCore> = {
  onlineScan: { scores: numbers },
  blockState: { scores: numbers, v: matrix },
  mergeStates: { a: state, b: state },
  blockwiseSoftmax: {
    scores: numbers,
    v: matrix,
    block: integer,
    order: optional(choice('forward', 'backward', 'pairwise'), 'forward'),
  },
};
