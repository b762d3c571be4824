import type { Facade } from './facade.ts';
import { count, flag, integer, list, matrix, optional } from './kinds.ts';
import type { Matrix } from './matrix.ts';

/** queries × keys of 0 and 1: 1 where the query may look at the key. 0 × 0 hides nothing. */
export type Mask = Matrix;

/** Details: cpp/include/attn/mask.hpp */
export interface MaskCore {
  /** Query i stands at place queryOffset + i and sees the keys up to its own place. */
  causalMask(queries: number, keys: number, options?: { queryOffset?: number }): Mask;
  /** `realKeys`: false for padding. */
  paddingMask(queries: number, realKeys: readonly boolean[]): Mask;
  combinedMask(a: Mask, b: Mask): Mask;
  visiblePairs(mask: Mask): number;
  /** n (n + 1) / 2. */
  causalPairs(n: number): number;
  /** −Infinity where the mask is 0: before softmax. */
  maskedScores(scores: Matrix, mask: Mask): Matrix;
  /** 0 where the mask is 0: the mistake of masking after softmax. */
  zeroedWeights(weights: Matrix, mask: Mask): Matrix;
}

export const mask: Facade<MaskCore> = {
  causalMask: { queries: integer, keys: integer, queryOffset: optional(integer, 0) },
  paddingMask: { queries: integer, realKeys: list(flag) },
  combinedMask: { a: matrix, b: matrix },
  visiblePairs: { mask: matrix },
  causalPairs: { n: count },
  maskedScores: { scores: matrix, mask: matrix },
  zeroedWeights: { weights: matrix, mask: matrix },
};
