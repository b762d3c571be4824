import type { Problem } from './types.ts';

export type Parsed<T> = { ok: true; value: T } | { ok: false; problem: Problem };

/** A paste longer than this is refused before it is split. */
export const MAX_PASTE = 100_000;
const MAX_TOKEN = 12;
const MAX_SHOWN = 12;

const good = <T>(value: T): Parsed<T> => ({ ok: true, value });
const bad = (code: string, slots: Problem['slots'] = {}): { ok: false; problem: Problem } => ({
  ok: false,
  problem: { code, slots },
});

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const THOUSANDS = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?(?:e[+-]?\d+)?$/i;
const NOT_FINITE = /^[+-]?(?:nan|inf(?:inity)?|∞|無限大?|无限大?|無窮大?|无穷大?)$/i;

/**
 * What a Chinese input method types, as ASCII: full-width digits, letters,
 * signs and points, and the several characters that look like a minus. Not
 * Unicode's NFKC, which would read 3² as 32.
 */
export function halfWidth(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
    .replace(/[\u2010-\u2013\u2212\ufe63]/g, '-')
    .replace(/(?<=\d)。(?=\d)/g, '.')
    .replace(/[\u00a0\u3000]/g, ' ');
}

/** What was typed, as far as a complaint quotes it. */
export function shown(text: string): string {
  const chars = [...text.trim()];
  return chars.length > MAX_SHOWN ? chars.slice(0, MAX_SHOWN).join('') + '…' : chars.join('');
}

/** One number, alone in its field or cell: commas can only be thousands separators. */
export function parseNumber(text: string, min = -Infinity, max = Infinity): Parsed<number> {
  const t = halfWidth(text).trim();
  if (t === '') return bad('empty');
  if (NOT_FINITE.test(t)) return bad('not-finite', { text: shown(text) });
  if (/^[+-]?[\d.]+\s*%$/.test(t)) return bad('percent', { text: shown(text) });
  if (!NUMBER.test(t) && !THOUSANDS.test(t)) return bad('not-a-number', { text: shown(text) });
  const value = Number(t.replaceAll(',', ''));
  if (!Number.isFinite(value)) return bad('not-finite', { text: shown(text) });
  if (value < min || value > max) return bad('range', { text: shown(text), min: String(min), max: String(max) });
  return good(value);
}

/**
 * The cells of one row. A tab means a copied spreadsheet row, whose commas are
 * thousands separators; otherwise commas, semicolons, 、 and spaces separate.
 */
function cellsOf(text: string): string[] {
  if (text.includes('\t')) return text.trimEnd().split('\t');
  const t = halfWidth(text).replace(/[[\]{}()]/g, ' ').trim().replace(/[,;、]$/, '');
  const quoted: string[] = [];
  const bare = t.replace(/"([^"]*)"/g, (_, inner: string) => ` \u0000${quoted.push(inner) - 1}\u0000 `);
  return bare
    .split(/[,;、]/)
    .flatMap((piece) => (piece.trim() === '' ? [''] : piece.trim().split(/\s+/)))
    .map((cell) => cell.replace(/^\u0000(\d+)\u0000$/, (_, i: string) => quoted[Number(i)]!));
}

/** One row of a matrix. Problems name the place in the row as `col`, counted from 1. */
export function parseRow(text: string, limit: number, maxCols: number): Parsed<number[]> {
  if (text.length > MAX_PASTE) return bad('too-long');
  if (text.trim() === '') return bad('empty-row');
  const cells = cellsOf(text.replaceAll('\u0000', ' '));
  if (cells.length > maxCols) return bad('too-many-cols', { got: String(cells.length), max: String(maxCols) });
  const row: number[] = [];
  for (const [i, cell] of cells.entries()) {
    const parsed = parseNumber(cell, -limit, limit);
    if (!parsed.ok) {
      const { code, slots } = parsed.problem;
      return bad(`row-${code}`, { ...slots, col: String(i + 1) });
    }
    row.push(parsed.value);
  }
  return good(row);
}

export type MatrixProblem = Problem & { row: number };

/** Row texts to a matrix; a problem names its row (from 0) and, in its slots, `row` from 1. */
export function parseRows(
  texts: string[],
  limit: number,
  maxCols: number,
): { ok: true; value: number[][] } | { ok: false; problem: MatrixProblem } {
  const rows: number[][] = [];
  const fail = (problem: Problem, row: number) => ({
    ok: false as const,
    problem: { code: problem.code, slots: { ...problem.slots, row: String(row + 1) }, row },
  });
  for (const [i, text] of texts.entries()) {
    const parsed = parseRow(text, limit, maxCols);
    if (!parsed.ok) return fail(parsed.problem, i);
    if (i > 0 && parsed.value.length !== rows[0]!.length) {
      const slots = { got: String(parsed.value.length), want: String(rows[0]!.length) };
      return fail({ code: 'ragged', slots }, i);
    }
    rows.push(parsed.value);
  }
  return { ok: true, value: rows };
}

/** Without the spaces at both ends; a tab there parts cells and stays. */
function trimSpaces(line: string): string {
  const isSpace = (i: number) => line[i] === ' ' || line[i] === '\u3000';
  let [start, end] = [0, line.length];
  while (start < end && isSpace(start)) start++;
  while (start < end && isSpace(end - 1)) end--;
  return line.slice(start, end);
}

/** A list of lists with each inner list on a line of its own. */
function listsApart(text: string): string {
  const [first, ...rest] = text.split(']');
  const pieces = rest.map((piece) => {
    const after = piece.trimStart();
    const next = /^[,;，]/.test(after) ? after.slice(1).trimStart() : after;
    return next.startsWith('[') ? `\n${next.slice(1)}` : `]${piece}`;
  });
  return first + pieces.join('');
}

/** A pasted block (CSV, TSV, spaces, or a list of lists) to one text a row. */
export function parsePaste(text: string, maxRows: number): Parsed<string[]> {
  if (text.length > MAX_PASTE) return bad('too-long');
  const lines = listsApart(text)
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map(trimSpaces)
    .filter((line) => line.trim() !== '' && !/^[[\],\s]+$/.test(line));
  if (lines.length === 0) return bad('empty-paste');
  if (lines.length > maxRows) return bad('too-many-rows', { got: String(lines.length), max: String(maxRows) });
  return good(lines.map((line) => (line.includes('\t') ? line : line.replace(/[[\]]/g, ' ').trim())));
}

/** Old places 1 to `count`, each once, as indices from 0; short ones may be written without a gap. */
export function parseOrder(text: string, count: number): Parsed<number[]> {
  const pieces = halfWidth(text.slice(0, MAX_PASTE)).split(/[\s,;、]+/).filter((piece) => piece !== '');
  const [only] = pieces;
  const places = pieces.length === 1 && count <= 9 && only!.length === count ? [...only!] : pieces;
  const order = places.map((piece) => (/^\d{1,3}$/.test(piece) ? Number(piece) - 1 : -1));
  const whole = order.length === count && new Set(order).size === count && order.every((i) => i >= 0 && i < count);
  return whole ? good(order) : bad('order', { count: String(count) });
}

/** What a spreadsheet has beside its numbers: a line of titles on top, a column of names in front. */
export interface PastedTable {
  rows: string[];
  titles: boolean;
  names: string[] | null;
}

const isWord = (cell: string): boolean => {
  const parsed = parseNumber(cell);
  return !parsed.ok && parsed.problem.code === 'not-a-number';
};

/** Takes titles and names away from lines of which each has something left. */
export function withoutTitles(lines: string[]): PastedTable {
  const cells = lines.map((line) => cellsOf(line.replaceAll('\u0000', ' ')));
  const titles = cells.length > 1 && cells[0]!.every((cell) => cell.trim() === '' || isWord(cell)) && cells[0]!.some(isWord) && cells.slice(1).some((line) => !line.every(isWord));
  const [rows, under] = titles ? [lines.slice(1), cells.slice(1)] : [lines, cells];
  if (!under.every((line) => line.length > 1 && isWord(line[0]!))) return { rows, titles, names: null };
  return { rows: under.map((line) => line.slice(1).join('\t')), titles, names: under.map((line) => line[0]!.trim()) };
}

/** Marks that can be seen only on or between others, and letters that are blank. */
const UNSEEN = /[\u200d\p{M}\u115f\u1160\u3164\uffa0\u2800]/gu;

/** A list of words, separated by spaces, commas, semicolons, line ends or 、. */
export function parseTokens(text: string, min: number, max: number, longest = MAX_TOKEN): Parsed<string[]> {
  if (text.length > MAX_PASTE) return bad('too-long');
  const tokens = text
    .replace(/\p{Cc}/gu, ' ')
    // Invisible, or able to turn the text around it; the joiner holds emoji together.
    .replace(/(?!\u200d)\p{Cf}/gu, '')
    .split(/[\s,;，、；]+/)
    .filter((token) => token.replace(UNSEEN, '') !== '');
  if (tokens.length < min) return bad('too-few-tokens', { got: String(tokens.length), min: String(min) });
  if (tokens.length > max) return bad('too-many-tokens', { got: String(tokens.length), max: String(max) });
  const long = tokens.find((token) => [...token].length > longest);
  if (long !== undefined) return bad('long-token', { text: shown(long), max: String(longest) });
  return good(tokens);
}
