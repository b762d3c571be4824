import type { Facade } from './facade.ts';
import { choice, integer, number, optional } from './kinds.ts';
import type { Matrix } from './matrix.ts';

/** Details: cpp/include/attn/alibi.hpp */
export interface AlibiCore {
  /** The two rules part when `heads` is no power of two; default 'released'. */
  alibiSlopes(heads: number, options?: { rule?: 'paper' | 'released' }): Float64Array;
  /** n × n, −Infinity in the future; default form 'distance'. */
  alibiBias(slope: number, n: number, options?: { form?: 'distance' | 'shifted' }): Matrix;
  /** 1 × (i + 1), for equal content scores. */
  alibiWeights(slope: number, i: number): Matrix;
  /** Where a weight has fallen to `share` (default 0.01) of the nearest one. */
  alibiReach(slope: number, options?: { share?: number }): number;
}

export const alibi: Facade<AlibiCore> = {
  alibiSlopes: { heads: integer, rule: optional(choice('paper', 'released'), 'released') },
  alibiBias: { slope: number, n: integer, form: optional(choice('distance', 'shifted'), 'distance') },
  alibiWeights: { slope: number, i: integer },
  alibiReach: { slope: number, share: optional(number, 0.01) },
};
