import type { Facade } from './facade.ts';
import { choice, integer, integers, matrix, optional } from './kinds.ts';
import type { Matrix } from './matrix.ts';

/** Details: cpp/include/attn/learned_position.hpp */
export interface LearnedPositionCore {
  learnedLookup(table: Matrix, positions: ArrayLike<number>): Matrix;
  interpolatePositions(table: Matrix, length: number): Matrix;
  /** Default: a length beyond the table is refused. */
  learnedPositions(table: Matrix, length: number, options?: { beyond?: 'refuse' | 'interpolate' }): Matrix;
}

export const learnedPosition: Facade<LearnedPositionCore> = {
  learnedLookup: { table: matrix, positions: integers },
  interpolatePositions: { table: matrix, length: integer },
  learnedPositions: { table: matrix, length: integer, beyond: optional(choice('refuse', 'interpolate'), 'refuse') },
};
