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

/** Two matrices of one shape, each times its factor, added: a product with two scaled identities. */
function combination(core: Core, a: Matrix, b: Matrix, factor: number): Matrix {
  const beside = matrix(rowsOf(a).map((row, i) => [...row, ...b.data.subarray(i * b.cols, (i + 1) * b.cols)]));
  const identity = (x: number) => Array.from({ length: a.cols }, (_, i) => Array.from({ length: a.cols }, (__, j) => (i === j ? x : 0)));
  return core.product(beside, matrix([...identity(1), ...identity(factor)]));
}

export const sumOf = (core: Core, a: Matrix, b: Matrix): Matrix => combination(core, a, b, 1);

export const differenceOf = (core: Core, a: Matrix, b: Matrix): Matrix => combination(core, a, b, -1);

/** Columns first … first + count − 1. */
export function columns(m: Matrix, first: number, count: number): Matrix {
  return matrix(rowsOf(m).map((row) => row.slice(first, first + count)));
}

/** The same rows from the last to the first. */
export function reversed(m: Matrix): Matrix {
  return matrix(rowsOf(m).reverse());
}
