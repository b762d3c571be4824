import { scientific } from './format.ts';
import { phrase } from './template.ts';
import type { Axis, Words } from './types.ts';
import { decimal } from './units.ts';

const SMALL = 0.001;
const LARGE = 1e6;
/** Below this two decimals would say too little. */
const FINE = 0.1;

/** A number of any size as it is spoken, with `units.small` and `units.large` of the lab's words for powers of ten. */
export function amount(x: number, words: Words): string {
  const size = Math.abs(x);
  if (size === 0 || (size >= SMALL && size < LARGE)) return decimal(x, size < FINE ? 4 : 2);
  const { mantissa, exponent } = scientific(x);
  const slots = { m: mantissa, e: String(Math.abs(exponent)) };
  return phrase(words, { key: exponent < 0 ? 'units.small' : 'units.large', slots });
}

/** The same for a cell of a table, where four decimals tell more; undefined where they tell enough. */
export function cellAmount(x: number, words: Words): string | undefined {
  const size = Math.abs(x);
  return size === 0 || (size >= SMALL && size < LARGE) ? undefined : amount(x, words);
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A power of ten on an axis, where it is only seen. */
const powerOfTen = (exponent: number): string =>
  exponent === 0
    ? '1'
    : exponent === 1
      ? '10'
      : `10${exponent < 0 ? '⁻' : ''}${[...String(Math.abs(exponent))].map((digit) => RAISED[Number(digit)]).join('')}`;

/** A number of any size on an axis. */
export function powerMark(x: number): string {
  const { mantissa, exponent } = scientific(x);
  return `${mantissa}×${powerOfTen(exponent)}`;
}

const tenTo = (exponent: number): number => Number(`1e${exponent}`);

const MOST_TICKS = 5;

/** A logarithmic axis from one power of ten to another that holds all these positive values. */
export function powersAxis(values: number[], title: Axis['title']): Axis {
  const exponents = values.map((x) => scientific(x, 6).exponent);
  const low = Math.min(...exponents);
  const high = Math.max(low + 1, ...values.map((x, i) => (x > tenTo(exponents[i]!) ? exponents[i]! + 1 : exponents[i]!)));
  const step = Math.ceil((high - low) / (MOST_TICKS - 1));
  const ticks: Axis['ticks'] = [];
  for (let exponent = low; exponent <= high; exponent += step) ticks.push({ at: tenTo(exponent), text: powerOfTen(exponent) });
  return { title, min: tenTo(low), max: tenTo(high), log: true, ticks };
}

/** Places to draw from 0 to `last`: whole numbers, evenly spread. */
export function spread(last: number, count: number): number[] {
  const places = Array.from({ length: count + 1 }, (_, i) => Math.round((i * last) / count));
  return [...new Set(places)];
}

/** Whether some values would lie on the floor of a linear axis that begins at 0. */
export const isWide = (values: number[]): boolean => Math.min(...values) < 0.01 || Math.max(...values) > 100;
