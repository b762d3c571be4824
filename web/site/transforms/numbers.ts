import type MarkdownIt from 'markdown-it';
import { joined } from '../../labs/kit/units.ts';
import { eachInline, fault, type Env } from './env.ts';

/** Calls a function of the core by name, with named arguments. */
export type CallCore = (name: string, args: Record<string, unknown>) => unknown;

const FORM = /\{\{\s*core\s+(\w+)\s+(\{.*?\})\s*\|\s*(\d+)\s*(?:\|\s*([^|{}]+?)\s*)?\}\}/;
/** A form, or what an author meant to be one: up to the first braces that close. */
const START = new RegExp(`^(?:${FORM.source}|\\{\\{\\s*core\\b.*?\\}\\})`);
const isMatrix = (
  value: unknown,
): value is { rows: number; cols: number; data: ArrayLike<number> } =>
  typeof value === 'object' && value !== null && 'rows' in value && 'data' in value;

/** One number of a result: `weights.0,1`, `0,1`, `entropy`, or nothing. */
export function pick(result: unknown, path = ''): number {
  let at: unknown = result;
  for (const part of path === '' ? [] : path.split('.')) {
    const [row, col] = part.split(',').map(Number);
    if (isMatrix(at)) {
      const inside =
        Number.isInteger(row) &&
        Number.isInteger(col) &&
        row! >= 0 &&
        row! < at.rows &&
        col! >= 0 &&
        col! < at.cols;
      at = inside ? at.data[row! * at.cols + col!] : undefined;
    } else at = (at as Record<string, unknown> | undefined)?.[part];
  }
  if (typeof at !== 'number' || !Number.isFinite(at))
    throw new Error(
      path ? `there is no number at "${path}"` : 'the result is not a finite number; give a path',
    );
  return at;
}

/** Significant digits; an integer that they hold stays one. Never an exponent. */
export function significant(value: number, digits: number): string {
  const text = value.toPrecision(digits);
  const rounded = Number(text);
  if (Number.isInteger(rounded) && Math.abs(value - rounded) < 1e-9)
    return String(rounded === 0 ? 0 : rounded);
  if (!text.includes('e')) return text;
  return rounded.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
}

/** `{{ core NAME {arguments} | digits | path }}` as text. */
export function evaluate(form: string, call: CallCore): string {
  const found = FORM.exec(form);
  if (!found) throw new Error('a computed number is written {{ core NAME {…} | digits | path }}');
  const [, name = '', json = '', digits = '', path] = found;
  let args: Record<string, unknown>;
  try {
    args = JSON.parse(json);
  } catch {
    throw new Error(`the arguments of ${name} are not JSON`);
  }
  return significant(pick(call(name, args), path), Number(digits));
}

const GROUPS = ['', '萬', '億'];
/** From here on digits in a row can no longer be taken in at once. */
const LONG = 1_000_000;

/** A long whole number in groups of four, as people say it: 「1677 萬 7216」. */
export function inGroups(text: string): string {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < LONG) return text;
  const parts = [value % 1e4, Math.floor(value / 1e4) % 1e4, Math.floor(value / 1e8)];
  return joined(parts, (i) => GROUPS[i]!);
}

export function numbers(md: MarkdownIt, call: CallCore): void {
  md.inline.ruler.before('escape', 'core_number', (state, silent) => {
    const form = START.exec(state.src.slice(state.pos))?.[0];
    if (form === undefined) return false;
    if (!silent) state.push('core_number', '', 0).content = form;
    state.pos += form.length;
    return true;
  });
  md.core.ruler.push('core_number', (state) => {
    eachInline(state, (token, line) => {
      if (token.type !== 'core_number') return;
      try {
        token.content = inGroups(evaluate(token.content, call));
      } catch (error) {
        throw fault(state.env as Env, line, `${token.content}: ${(error as Error).message}`);
      }
    });
  });
  md.renderer.rules['core_number'] = (tokens, index) => tokens[index]!.content;
}
