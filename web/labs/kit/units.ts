import { fixed, plain } from './format.ts';
import { phrase, word } from './template.ts';
import type { Words } from './types.ts';

const GROUP = 10_000;
const GROUP_NAMES = ['', 'e4', 'e8', 'e12'];
/** So many groups are said; the rest is rounded away. */
const SAID = 2;

/** A whole number in groups of four digits, the lowest first. */
function groups(x: number): number[] {
  const found: number[] = [];
  for (let rest = x; rest > 0 || found.length === 0; rest = Math.floor(rest / GROUP)) found.push(rest % GROUP);
  return found;
}

/** The groups that are not 0, the highest first, each with its name. */
export const joined = (parts: number[], nameOf: (group: number) => string): string =>
  parts
    .map((part, i) => (part === 0 ? '' : i === 0 ? plain(part) : `${plain(part)} ${nameOf(i)}`))
    .filter((part) => part !== '')
    .reverse()
    .join(' ');

/**
 * A whole number as people say it, with the units of the lab's words: 「1677 萬
 * 7216」; with 「約」 when it would take more than two groups of four digits.
 */
export function people(x: number, words: Words): string {
  let parts = groups(x);
  const extra = Math.max(0, parts.length - SAID);
  const scale = GROUP_NAMES.slice(1, extra + 1).reduce((size) => size * GROUP, 1);
  const rounded = Math.round(x / scale) * scale;
  parts = groups(rounded);
  const count = joined(parts, (i) => word(words, `units.${GROUP_NAMES[i]!}`));
  if (count === '') return '0';
  return rounded === x ? count : phrase(words, { key: 'units.about', slots: { count } });
}

const BYTE_UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Bytes in the largest unit that leaves at least 1; 1 KiB is 1024 bytes. */
export function bytes(x: number, words: Words): string {
  if (x < 1024) return phrase(words, { key: 'units.bytes', slots: { count: plain(x) } });
  let amount = x / 1024;
  let unit = 0;
  while (amount >= 1024 && unit < BYTE_UNITS.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${decimal(amount)} ${BYTE_UNITS[unit]}`;
}

/** At most so many decimals, and none that are 0. */
export function decimal(x: number, digits = 2): string {
  return plain(Number(fixed(x, digits)));
}

/** An amount measured in another as its unit. */
export function times(amount: number, unit: number): number {
  return amount / unit;
}
