import type { Tensor } from './fast.ts';

/** Numbers that an operand may hold. */
export const MOST = 2 ** 24;

/** `count` rows from `first` on, sharing their numbers with the whole. */
export const rowsOf = ({ cols, data }: Tensor, first: number, count: number): Tensor => ({
  rows: count,
  cols,
  data: data.subarray(first * cols, (first + count) * cols),
});

/** `count` columns from `first` on; the tensor itself when those are all. */
export function columnsOf(whole: Tensor, first: number, count: number): Tensor {
  const { rows, cols, data } = whole;
  if (count === cols) return whole;
  const to = new Float32Array(rows * count);
  for (let i = 0; i < rows; i++) to.set(data.subarray(i * cols + first, i * cols + first + count), i * count);
  return { rows, cols: count, data: to };
}

/** Heads `first` … first + count − 1 of `heads` that stand side by side, now one below the other. */
export function headsOf(whole: Tensor, heads: number, first: number, count: number): Tensor {
  if (heads === 1) return whole;
  const { rows, cols, data } = whole;
  const width = cols / heads;
  const to = new Float32Array(count * rows * width);
  for (let t = 0, at = 0; t < count; t++)
    for (let from = (first + t) * width; from < data.length; from += cols, at += width) to.set(data.subarray(from, from + width), at);
  return { rows: count * rows, cols: width, data: to };
}

/** `count` heads that stand one below the other, each by itself. */
export function apart(heads: Tensor, count: number): Tensor[] {
  const rows = heads.rows / count;
  return Array.from({ length: count }, (_, t) => rowsOf(heads, t * rows, rows));
}

export function sideBySide(parts: readonly Tensor[]): Tensor {
  if (parts.length === 1) return parts[0]!;
  const rows = parts[0]!.rows;
  const cols = parts.reduce((sum, part) => sum + part.cols, 0);
  const data = new Float32Array(rows * cols);
  let first = 0;
  for (const part of parts) {
    for (let i = 0; i < rows; i++) data.set(part.data.subarray(i * part.cols, (i + 1) * part.cols), i * cols + first);
    first += part.cols;
  }
  return { rows, cols, data };
}

export function transposed({ rows, cols, data }: Tensor): Tensor {
  const to = new Float32Array(data.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) to[j * rows + i] = data[i * cols + j]!;
  return { rows: cols, cols: rows, data: to };
}
