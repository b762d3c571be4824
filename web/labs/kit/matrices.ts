import type { Core } from '../../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../../core/matrix.ts';

/** The sum of each row, as a product with a column of ones. */
export function rowSums(core: Core, m: Matrix): number[] {
  const ones = matrix(Array.from({ length: m.cols }, () => [1]));
  return rowsOf(core.product(m, ones)).map((row) => row[0]!);
}

/** How far the worst row is from adding up to 1. */
export function rowSumError(core: Core, m: Matrix): number {
  const sums = rowSums(core, m).map((sum) => [sum]);
  return core.maxGap(matrix(sums), matrix(sums.map(() => [1])));
}

/** The smallest entry when it is below 0, as a positive number; 0 when none is. */
export function negativePart(m: Matrix): number {
  return -Math.min(0, ...m.data);
}

/** The same rows from the last to the first. */
export function reversed(m: Matrix): Matrix {
  return matrix(rowsOf(m).reverse());
}
