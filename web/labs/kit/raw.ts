import { isTooFine, place, plain, rowText } from './format.ts';
import { readImage } from './image-text.ts';
import { halfWidth, parseNumber, parseOrder, parsePaste, parseRow, parseRows, parseTokens, shown, withoutTitles } from './parse.ts';
import { list, phrase } from './template.ts';
import type {
  FieldProblem,
  Input,
  Lab,
  MatrixInput,
  OrderInput,
  Problem,
  Raw,
  SliderInput,
  TokensInput,
  Values,
  Words,
} from './types.ts';

export type Reading = { values: Values } | { problems: FieldProblem[] };

export function inputNamed<K extends Input['kind']>(lab: Lab, name: string, kind: K): Extract<Input, { kind: K }> {
  const input = lab.inputs.find((i) => i.name === name && i.kind === kind);
  if (!input) throw new Error(`lab ${lab.stem} has no ${kind} "${name}"`);
  return input as Extract<Input, { kind: K }>;
}

/** The text of a field that holds one text. */
export function textOf(raw: Raw, name: string): string {
  const text = raw[name];
  return typeof text === 'string' ? text : '';
}

/** The row texts of a matrix, with those that are out of use at the moment. */
function rowsKept(raw: Raw, name: string): string[] {
  const rows = raw[name];
  return Array.isArray(rows) ? rows : [];
}

const orderText = (order: number[]): string => order.map(place).join('、');

export function defaults(lab: Lab, words: Words): Raw {
  const raw: Raw = {};
  for (const input of lab.inputs) {
    if (input.kind === 'slider') {
      if (!input.edits) raw[input.name] = plain(input.initial);
    } else if (input.kind === 'matrix') raw[input.name] = input.initial.map(rowText);
    else if (input.kind === 'tokens') raw[input.name] = list(words, `inputs.${input.name}.initial`).join('、');
    else if (input.kind === 'order') raw[input.name] = orderText(input.initial);
    else if (input.kind === 'image') raw[input.name] = '';
    else raw[input.name] = String(input.initial);
  }
  return raw;
}

/** The tokens as far as they can be read, for labels and row counts. */
export function tokensSoFar(lab: Lab, raw: Raw, name: string): string[] {
  const input: TokensInput = inputNamed(lab, name, 'tokens');
  const parsed = parseTokens(textOf(raw, name), 0, Infinity, input.longest);
  const tokens = parsed.ok ? parsed.value.slice(0, input.max) : [];
  while (tokens.length < input.min) tokens.push(String(tokens.length + 1));
  return tokens;
}

function widthSoFar(lab: Lab, raw: Raw, name: string): number | null {
  const input = inputNamed(lab, name, 'matrix');
  const count = 'tokens' in input.rows ? tokensSoFar(lab, raw, input.rows.tokens).length : Infinity;
  for (const text of rowsKept(raw, name).slice(0, count)) {
    const row = parseRow(text, input.limit, input.maxCols);
    if (row.ok) return row.value.length;
  }
  return null;
}

function rowCount(lab: Lab, raw: Raw, input: MatrixInput): number {
  if ('tokens' in input.rows) return tokensSoFar(lab, raw, input.rows.tokens).length;
  return widthSoFar(lab, raw, input.rows.widthOf) ?? rowsKept(raw, input.name).length;
}

/** The row texts of a matrix that count at present. */
export function rowsInUse(lab: Lab, raw: Raw, input: MatrixInput): string[] {
  return rowsKept(raw, input.name).slice(0, rowCount(lab, raw, input));
}

/** An order of another number of tokens: those that are gone leave it, new ones come last. */
function reordered(text: string, count: number): string {
  const places = halfWidth(text).match(/\d+/g) ?? [];
  const old = parseOrder(text, places.length);
  if (!old.ok || old.value.length === count) return text;
  const kept = old.value.filter((i) => i < count);
  while (kept.length < count) kept.push(kept.length);
  return orderText(kept);
}

/** A list that is refused leaves the order alone: it comes back when the list does. */
function orderSoFar(lab: Lab, raw: Raw, { name, of }: OrderInput): string {
  const { min, max } = inputNamed(lab, of, 'tokens');
  const tokens = parseTokens(textOf(raw, of), min, max);
  return tokens.ok ? reordered(textOf(raw, name), tokens.value.length) : textOf(raw, name);
}

/**
 * Gives every matrix as many rows as its shape asks for, and every order as many places.
 * New rows are zeros unless the matrix says otherwise; rows that fall out of use are kept
 * behind, so that they come back as typed.
 */
export function reshape(lab: Lab, raw: Raw): Raw {
  const next = { ...raw };
  for (const input of lab.inputs) {
    if (input.kind === 'order') next[input.name] = orderSoFar(lab, next, input);
    if (input.kind !== 'matrix') continue;
    const rows = rowsKept(next, input.name);
    const count = rowCount(lab, next, input);
    if (rows.length >= count) continue;
    const width = widthSoFar(lab, next, input.name) ?? 1;
    const added = rowText(Array<number>(width).fill(input.fill ?? 0));
    next[input.name] = [...rows, ...Array<string>(count - rows.length).fill(added)];
  }
  return next;
}

/** The index an item input points at, inside the list as it is now. */
export function itemIndex(lab: Lab, raw: Raw, name: string): number {
  const input = inputNamed(lab, name, 'item');
  const count = tokensSoFar(lab, raw, input.of).length;
  const parsed = parseNumber(textOf(raw, name), 0, count - 1);
  return parsed.ok && Number.isInteger(parsed.value) ? parsed.value : Math.min(input.initial, count - 1);
}

/** What the number box of a slider says: its own text, or the row that it edits. */
export function sliderText(lab: Lab, raw: Raw, input: SliderInput): string {
  if (!input.edits) return textOf(raw, input.name);
  return rowsKept(raw, input.edits.matrix)[itemIndex(lab, raw, input.edits.row)] ?? '';
}

export function setSlider(lab: Lab, raw: Raw, input: SliderInput, text: string): Raw {
  if (!input.edits) return { ...raw, [input.name]: text };
  const rows = [...rowsKept(raw, input.edits.matrix)];
  rows[itemIndex(lab, raw, input.edits.row)] = text;
  return { ...raw, [input.edits.matrix]: rows };
}

/** One stage on or back, or to the first (`by` 0); null where there is none. */
export function stepped(lab: Lab, raw: Raw, name: string, by: number): Raw | null {
  const input = inputNamed(lab, name, 'step');
  const reading = read(lab, raw);
  if (!('values' in reading)) return null;
  const here = reading.values[name] as number;
  const next = by === 0 ? 0 : here + by;
  return next === here || next < 0 || next >= input.count(reading.values) ? null : { ...raw, [name]: String(next) };
}

/** The picked token one place earlier or later; null at the end of the list. */
export function moved(lab: Lab, raw: Raw, name: string, by: number): Raw | null {
  const input = inputNamed(lab, name, 'order');
  const parsed = parseOrder(textOf(raw, name), tokensSoFar(lab, raw, input.of).length);
  if (!parsed.ok) return null;
  const order = [...parsed.value];
  const from = order.indexOf(itemIndex(lab, raw, input.pick));
  const to = from + by;
  if (to < 0 || to >= order.length) return null;
  [order[from], order[to]] = [order[to]!, order[from]!];
  return { ...raw, [name]: orderText(order) };
}

export function setRow(raw: Raw, name: string, row: number, text: string): Raw {
  const rows = [...rowsKept(raw, name)];
  rows[row] = text;
  return { ...raw, [name]: rows };
}

/** Reads every field; the problems are all listed, each at its place. */
export function read(lab: Lab, raw: Raw): Reading {
  const values: Values = {};
  const problems: FieldProblem[] = [];
  const refuse = (field: string, problem: Problem, row?: number) =>
    problems.push({ ...problem, field, ...(row === undefined ? {} : { row }) });

  for (const input of lab.inputs) {
    const text = textOf(raw, input.name);
    if (input.kind === 'slider') {
      if (input.edits) continue;
      const parsed = parseNumber(text, input.min, input.max);
      if (!parsed.ok) refuse(input.name, parsed.problem);
      else if (isTooFine(parsed.value)) refuse(input.name, { code: 'too-fine', slots: { text: shown(text) } });
      else if (input.whole && !Number.isInteger(parsed.value)) refuse(input.name, { code: 'not-whole', slots: { text: shown(text) } });
      else values[input.name] = parsed.value;
    } else if (input.kind === 'matrix') {
      const parsed = parseRows(rowsInUse(lab, raw, input), input.limit, input.maxCols);
      if (parsed.ok) values[input.name] = parsed.value;
      else refuse(input.name, parsed.problem, parsed.problem.row);
    } else if (input.kind === 'tokens') {
      const parsed = parseTokens(text, input.min, input.max, input.longest);
      if (parsed.ok) values[input.name] = parsed.value;
      else refuse(input.name, parsed.problem);
    } else if (input.kind === 'order') {
      const parsed = parseOrder(text, tokensSoFar(lab, raw, input.of).length);
      if (parsed.ok) values[input.name] = parsed.value;
      else refuse(input.name, parsed.problem);
    } else if (input.kind === 'image') {
      const image = text === '' ? input.example : (readImage(text, input.side)?.rgb ?? null);
      if (image) values[input.name] = image;
      else refuse(input.name, { code: 'image-broken', slots: {} });
    } else if (input.kind === 'step') {
      const stage = parseNumber(text, 0);
      values[input.name] = stage.ok && Number.isInteger(stage.value) ? stage.value : input.initial;
    } else if (input.kind === 'choice') {
      values[input.name] = input.options.includes(text) ? text : input.initial;
    } else values[input.name] = itemIndex(lab, raw, input.name);
  }
  if (problems.length > 0) return { problems };
  const misfit = lab.fits?.(values) ?? null;
  for (const input of misfit ? [] : lab.inputs) {
    if (input.kind === 'step') values[input.name] = Math.min(values[input.name] as number, input.count(values) - 1);
  }
  return misfit ? { problems: [misfit] } : { values };
}

export interface Pasted {
  ok: true;
  raw: Raw;
  rows: number;
  /** A line of titles was left out. */
  titles: boolean;
  /** What became of a column of names in the block. */
  names: 'none' | 'taken' | 'skipped';
  /** Names that have no row any more. */
  dropped: string[];
}

/** The rows of a block that can all be read, or the first reason why not. */
function pastedRows(text: string, input: MatrixInput, max: number, min: number) {
  const parsed = parsePaste(text, Math.max(max, 1000));
  if (!parsed.ok) return parsed;
  const lines = parsed.value;
  if (input.maxCols === 1 && lines.length === 1) {
    const across = parseRow(lines[0]!, input.limit, max);
    if (across.ok && across.value.length >= min) {
      return { ok: true as const, rows: across.value.map(plain), titles: false, names: null };
    }
  }
  const table = withoutTitles(lines);
  const read = parseRows(table.rows, input.limit, input.maxCols);
  if (!read.ok) return read;
  return { ok: true as const, ...table, rows: table.names ? read.value.map(rowText) : table.rows };
}

/**
 * A pasted block becomes the rows of a matrix, once all of it can be read. Rows
 * that belong to tokens bring their tokens with them: names in the block take
 * the place of the old ones, missing names are made up, surplus names dropped.
 */
export function paste(lab: Lab, raw: Raw, name: string, text: string, words: Words): Pasted | { ok: false; problem: Problem } {
  const input = inputNamed(lab, name, 'matrix');
  const owner = 'tokens' in input.rows ? inputNamed(lab, input.rows.tokens, 'tokens') : null;
  const max = owner ? owner.max : rowCount(lab, raw, input);
  const block = pastedRows(text, input, max, owner ? owner.min : max);
  if (!block.ok) return block;
  const { rows, titles } = block;
  const refuse = (code: string, slots: Problem['slots']) => ({ ok: false as const, problem: { code, slots: { got: String(rows.length), ...slots } } });
  if (owner && rows.length > owner.max) return refuse('too-many-rows', { max: String(owner.max) });
  if (owner && rows.length < owner.min) return refuse('too-few-rows', { min: String(owner.min) });
  if (!owner && rows.length !== max) return refuse('paste-rows', { want: String(max) });
  const next: Raw = { ...raw, [name]: rows };
  const done: Pasted = { ok: true, raw: next, rows: rows.length, titles, names: block.names ? 'skipped' : 'none', dropped: [] };
  if (owner) {
    const old = tokensSoFar(lab, raw, owner.name);
    const given = parseTokens((block.names ?? []).join('、'), 0, owner.max);
    const tokens = given.ok && given.value.length === rows.length ? given.value : old.slice(0, rows.length);
    if (tokens === (given.ok && given.value)) done.names = 'taken';
    else done.dropped = old.slice(rows.length);
    while (tokens.length < rows.length) {
      tokens.push(phrase(words, { key: `inputs.${owner.name}.more`, slots: { i: String(tokens.length + 1) } }));
    }
    next[owner.name] = tokens.join('、');
  }
  return { ...done, raw: reshape(lab, next) };
}
