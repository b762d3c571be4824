import type { Facade } from './facade.ts';
import { integers, matrix, number, options } from './kinds.ts';
import type { Matrix } from './matrix.ts';

export interface Assignment {
  /** By ascending row, counted from 0. */
  readonly pairs: readonly { readonly row: number; readonly col: number }[];
  readonly cost: number;
}

export interface DetrCost {
  readonly l1: Matrix;
  readonly iou: Matrix;
  readonly giou: Matrix;
  readonly cost: Matrix;
}

/** Details: cpp/include/attn/matching.hpp */
export interface MatchingCore {
  matchPairs(cost: Matrix): Assignment;
  matchGreedily(cost: Matrix): Assignment;
  /** Boxes are rows of centre x, centre y, width, height; the weights default to 1, 5 and 2. */
  detrCost(
    boxes: Matrix,
    probabilities: Matrix,
    targets: Matrix,
    labels: ArrayLike<number>,
    options?: { classWeight?: number; l1?: number; giou?: number },
  ): DetrCost;
}

export const matching: Facade<MatchingCore> = {
  matchPairs: { cost: matrix },
  matchGreedily: { cost: matrix },
  detrCost: {
    boxes: matrix,
    probabilities: matrix,
    targets: matrix,
    labels: integers,
    weights: options({ classWeight: number, l1: number, giou: number }),
  },
};
