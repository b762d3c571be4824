const MINUS_ZERO = /^-(0(?:\.0+)?)$/;

/** A fixed number of decimals, with an ASCII minus and never "-0.00". */
export function fixed(x: number, digits = 2): string {
  return x.toFixed(digits).replace(MINUS_ZERO, '$1');
}

/** Mantissa and exponent, for a sentence that says 「1.1 乘以 10 的負 16 次方」. */
export function scientific(x: number, digits = 1): { mantissa: string; exponent: number } {
  const [mantissa, exponent] = x.toExponential(digits).split('e') as [string, string];
  return { mantissa, exponent: Number(exponent) };
}

/** As short as the value allows: 1, 0.5, 2.94; for labels and fields. */
export function plain(x: number): string {
  return String(Object.is(x, -0) ? 0 : x);
}

/** Without an exponent a number this small is all zeros; nobody can say it. */
const FINEST = 1e-6;

/** Too close to 0 to be said, and not 0. */
export const isTooFine = (x: number): boolean => x !== 0 && Math.abs(x) < FINEST;

const GROUPED_FROM = 10_000;

/** As in a table: large numbers have their thousands set apart. */
export function grouped(x: number, digits: number): string {
  const [whole, ...rest] = fixed(x, digits).split('.') as [string, ...string[]];
  const parted = Math.abs(x) < GROUPED_FROM ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return [parted, ...rest].join('.');
}

/** A share of the whole in percent. */
export function percent(share: number): string {
  return `${fixed(share * 100, 0)}%`;
}

/** A place as people count. */
export function place(index: number): string {
  return String(index + 1);
}

/** Numbers in a row of speech, joined by 、. */
export function numbers(xs: number[], digits = 2): string {
  return xs.map((x) => fixed(x, digits)).join('、');
}

/** How a row is written into its text field. */
export function rowText(row: number[]): string {
  return row.map(plain).join(', ');
}
