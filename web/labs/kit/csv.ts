const NEEDS_QUOTES = /[",\r\n]/;
const FORMULA = /^[=+@\t\r]|^-(?![\d.])/;

/** One CSV cell. A word that a spreadsheet would run as a formula gets a quote mark in front. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The whole table, exact values, whatever part of it is on the screen. */
export function csv(corner: string, cols: string[], rows: string[], cells: number[][]): string {
  const lines = [[corner, ...cols], ...rows.map((name, i) => [name, ...cells[i]!])];
  return lines.map((line) => line.map(cell).join(',') + '\r\n').join('');
}
