import { CoreError } from './errors.ts';

/** Dense and row-major: `data[i * cols + j]` is row i, column j. */
export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float64Array;
}

/** Lists of rows to a matrix; refuses ragged rows. */
export function matrix(rows: readonly (readonly number[])[]): Matrix {
  const cols = rows[0]?.length ?? 0;
  const data = new Float64Array(rows.length * cols);
  rows.forEach((row, i) => {
    if (row.length !== cols)
      throw new CoreError('shape-mismatch', `row ${i + 1} has ${row.length} numbers, row 1 has ${cols}`);
    data.set(row, i * cols);
  });
  return { rows: rows.length, cols, data };
}

export function rowsOf(m: Matrix): number[][] {
  return Array.from({ length: m.rows }, (_, i) => Array.from(m.data.subarray(i * m.cols, (i + 1) * m.cols)));
}
