/** A table shows at most this many rows and columns at once. */
export const WINDOW = 12;

/** Where the visible part of a table starts. */
export interface Corner {
  row: number;
  col: number;
}

export interface Span {
  start: number;
  end: number;
}

/** The pages that `count` rows or columns are cut into. */
export function pages(count: number): Span[] {
  const spans: Span[] = [];
  for (let start = 0; start < count; start += WINDOW) spans.push({ start, end: Math.min(start + WINDOW, count) });
  return spans;
}

/** The page that holds place `at`; the last one when there is no such place. */
export function pageAt(count: number, at: number): Span {
  const spans = pages(count);
  return spans.find((span) => at < span.end) ?? spans[spans.length - 1]!;
}

/** The first cell that holds the largest (or smallest) number. */
export function extreme(cells: number[][], which: 'largest' | 'smallest'): { row: number; col: number } {
  const best = { row: 0, col: 0 };
  for (const [row, line] of cells.entries()) {
    for (const [col, x] of line.entries()) {
      const current = cells[best.row]![best.col]!;
      if (which === 'largest' ? x > current : x < current) Object.assign(best, { row, col });
    }
  }
  return best;
}

/** The next hidden cell after a place, row by row, and from the start again after the last; null when none is hidden. */
export function nextMasked(masked: boolean[][], after: Corner | null): Corner | null {
  const places = masked.flatMap((line, row) => line.flatMap((hidden, col) => (hidden ? [{ row, col }] : [])));
  const later = after && places.find(({ row, col }) => row > after.row || (row === after.row && col > after.col));
  return later ?? places[0] ?? null;
}

/** Places of the largest value of a line, none when all are equal. */
export function peaks(line: number[]): number[] {
  const top = Math.max(...line);
  const places = line.flatMap((x, i) => (x === top ? [i] : []));
  return places.length === line.length ? [] : places;
}
