import type { Facade } from './facade.ts';
import { integers, matrix } from './kinds.ts';
import type { Matrix } from './matrix.ts';

/** Plain matrix arithmetic. Details: cpp/include/attn/matrix.hpp */
export interface LinearCore {
  product(a: Matrix, b: Matrix): Matrix;
  transpose(m: Matrix): Matrix;
  /** Largest |a − b|; two equal infinities are 0 apart. */
  maxGap(a: Matrix, b: Matrix): number;
  /** Largest |m − mᵀ|. */
  symmetryGap(m: Matrix): number;
  frobeniusNorm(m: Matrix): number;
  /** 1 × cols. */
  meanRow(m: Matrix): Matrix;
  /** Row i of the result is row order[i] of m. */
  permutedRows(m: Matrix, order: ArrayLike<number>): Matrix;
}

export const linear: Facade<LinearCore> = {
  product: { a: matrix, b: matrix },
  transpose: { m: matrix },
  maxGap: { a: matrix, b: matrix },
  symmetryGap: { m: matrix },
  frobeniusNorm: { m: matrix },
  meanRow: { m: matrix },
  permutedRows: { m: matrix, order: integers },
};
