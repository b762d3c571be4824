import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import type { Museum } from '../core/museum.ts';
import { fixed, place, plain } from './kit/format.ts';
import { rowSums } from './kit/matrices.ts';
import { word } from './kit/template.ts';
import type { FieldProblem, Header, Lab, Message, Slots, Table, View, Words } from './kit/types.ts';
import { exhibits, newest, type Exhibit, type Shown } from './museum/exhibits.ts';

interface Values {
  exhibit: string;
  diagnosis: string;
  tokens: string[];
  pads: number;
  heads: number;
  x: number[][];
}

export interface MuseumResult extends Shown {
  /** The first cell, row by row, that reads differently. */
  first: { row: number; col: number } | null;
  /** How many cells read differently. */
  different: number;
  /** The largest difference in the cells before the first one. */
  before: number;
  /** What the first row of the broken version adds up to. */
  sum: number;
}

const MAX_TOKENS = 8;
const MAX_WIDTH = 8;
const MAX_HEADS = 16;
/** Differences up to this are rounding. */
const EQUAL = 1e-9;
/** Cells are compared as they read in the tables. */
const DIGITS = 4;
/** Half a unit of the last digit of either number. */
const UNSEEN = 1e-4;

const ids = exhibits.map(({ id }) => id);
const chosen = (values: Values): Exhibit => exhibits.find(({ id }) => id === values.exhibit)!;
const reads = (x: number): string => fixed(x, DIGITS);

function run(core: Core, values: Values): MuseumResult {
  const shown = chosen(values).show(core as Core & Museum, { x: matrix(values.x), pads: values.pads, heads: values.heads });
  const { right, wrong } = shown;
  const places = [...right.data.keys()].filter((i) => reads(right.data[i]!) !== reads(wrong.data[i]!));
  const at = places[0] ?? right.data.length;
  const start = (m: Matrix): Matrix => ({ rows: 1, cols: at, data: m.data.slice(0, at) });
  return {
    ...shown,
    first: places.length > 0 ? { row: Math.floor(at / right.cols), col: at % right.cols } : null,
    different: places.length,
    before: core.maxGap(start(right), start(wrong)),
    sum: rowSums(core, wrong)[0]!,
  };
}

function rowNames({ rows }: Exhibit, { tokens, heads }: Values): Header[] {
  if (rows === 'mean') return [{ key: 'tables.mean' }];
  if (rows === 'heads') return Array.from({ length: heads }, (_, i) => ({ key: 'tables.head', slots: { i: place(i) } }));
  return rows === 'last' ? tokens.slice(tokens.length - newest(tokens.length)) : tokens;
}

function colNames({ cols }: Exhibit, { tokens, x }: Values): Header[] {
  if (cols === 'tokens') return tokens;
  if (cols === 'slope') return [{ key: 'tables.slope' }];
  return x[0]!.map((_, j) => ({ key: 'tables.cell', slots: { j: place(j) } }));
}

function table(id: 'wrong' | 'right', m: Matrix, values: Values, words: Words): Table {
  const exhibit = chosen(values);
  return {
    id,
    caption: { key: `tables.${id}.caption`, slots: { what: word(words, `exhibits.${exhibit.id}.what`) } },
    corner: { key: `tables.corner.${exhibit.rows}` },
    rows: rowNames(exhibit, values),
    cols: colNames(exhibit, values),
    cells: rowsOf(m),
    shade: exhibit.share ? 'share' : 'signed',
    digits: Array.from({ length: m.cols }, () => DIGITS),
  };
}

type Verdict = 'open' | 'hit' | 'miss';

function verdict({ diagnosis, exhibit }: Values): Verdict {
  if (diagnosis === 'none') return 'open';
  return diagnosis === exhibit ? 'hit' : 'miss';
}

/** The verdict first; the cause only once it is found, and where it hides also when nothing can be seen. */
function facts(values: Values, r: MuseumResult, slots: Slots): Message[] {
  const { exhibit } = values;
  const said = verdict(values);
  return [
    { key: `facts.${said}`, slots },
    ...(said === 'hit' ? [{ key: `exhibits.${exhibit}.why` }] : []),
    ...(said === 'hit' || !r.first ? [{ key: `exhibits.${exhibit}.hidden` }] : []),
    { key: 'facts.alarm', slots: { ...slots, a: reads(r.rightAlarm), b: reads(r.wrongAlarm) } },
    ...(r.first ? [{ key: 'facts.count', slots }] : []),
  ];
}

/** Shades need numbers from 0 to 1. */
function grids(r: MuseumResult): { right: number[][]; wrong: number[][] } {
  const top = Math.max(...[...r.right.data, ...r.wrong.data].map(Math.abs), 1e-300);
  const shaded = (m: Matrix): number[][] => rowsOf(m).map((row) => row.map((value) => value / top));
  return { right: shaded(r.right), wrong: shaded(r.wrong) };
}

function fits(values: Values): FieldProblem | null {
  const { multiple = 1, least = 1 } = chosen(values);
  const width = values.x[0]!.length;
  const slots = { got: plain(width), want: plain(Math.max(multiple, least)) };
  if (values.pads >= values.tokens.length) return { field: 'pads', code: 'pads', slots: { n: plain(values.tokens.length) } };
  if (width % multiple !== 0) return { field: 'x', code: 'multiple', slots };
  return width < least ? { field: 'x', code: 'least', slots } : null;
}

export const lab: Lab<Values, MuseumResult> = {
  stem: 'museum',
  module: 'museum',
  inputs: [
    { kind: 'choice', name: 'exhibit', options: ids, initial: 'axis', drop: true },
    { kind: 'choice', name: 'diagnosis', options: ['none', ...[...ids].sort()], initial: 'none', drop: true },
    { kind: 'tokens', name: 'tokens', min: 2, max: MAX_TOKENS },
    {
      kind: 'matrix',
      name: 'x',
      initial: [[1, -1, 0, 0], [2, 0, 1, -1], [0, 2, -1, 1], [1, 1, 2, 0]],
      rows: { tokens: 'tokens' },
      maxCols: MAX_WIDTH,
      limit: 10,
      folded: true,
    },
    { kind: 'slider', name: 'pads', min: 0, max: MAX_TOKENS - 1, stops: [0, 1, 2, 3, 4, 5, 6, 7], initial: 1, whole: true },
    {
      kind: 'slider',
      name: 'heads',
      min: 1,
      max: MAX_HEADS,
      stops: Array.from({ length: MAX_HEADS }, (_, i) => i + 1),
      initial: 6,
      whole: true,
      named: [6, 8],
    },
  ],
  presets: [
    { id: 'axis', raw: () => ({}) },
    { id: 'pads', raw: () => ({ exhibit: 'billion', diagnosis: 'billion', pads: '2' }) },
    { id: 'unseen', raw: () => ({ exhibit: 'slopes', heads: '8' }) },
    { id: 'miss', raw: () => ({ exhibit: 'late', diagnosis: 'axis' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['axis', 'late', 'width', 'billion'],
    judge: (guess, _, r) => ({ key: guess, slots: { s: fixed(r.sum) } }),
  },
  fits,
  run,
  view(values, r, words): View {
    const said = verdict(values);
    const { row, col } = r.first ?? { row: 0, col: 0 };
    const option = (list: string, id: string): string => word(words, `inputs.${list}.options.${id}`);
    const slots: Slots = {
      symptom: option('exhibit', values.exhibit),
      fault: option('diagnosis', values.diagnosis),
      sign: values.diagnosis === 'none' ? '' : option('exhibit', values.diagnosis),
      check: word(words, `exhibits.${values.exhibit}.check`),
      i: place(row),
      j: place(col),
      w: reads(rowsOf(r.wrong)[row]![col]!),
      r: reads(rowsOf(r.right)[row]![col]!),
      k: plain(r.different),
      n: plain(r.right.data.length),
    };
    const seen = r.first ? 'differ' : 'same';
    const { right, wrong } = grids(r);
    return {
      state: { key: `state.${seen}`, slots },
      say: { key: said === 'open' ? `say-${seen}` : `say-${said}`, slots },
      facts: facts(values, r, slots),
      picture: {
        kind: 'grids',
        label: { key: `picture.${seen}`, slots },
        grids: [
          { name: { key: 'picture.wrong' }, cells: wrong, strong: true },
          { name: { key: 'picture.right' }, cells: right },
        ],
        row,
      },
      tables: [table('wrong', r.wrong, values, words), table('right', r.right, values, words)],
    };
  },
  checks: [
    { key: 'right', limit: EQUAL, residual: (_, __, r) => r.rightAlarm },
    { key: 'before', limit: UNSEEN, residual: (_, __, r) => r.before },
    {
      key: 'shape',
      limit: 0,
      residual: (_, __, r) => Math.abs(r.right.rows - r.wrong.rows) + Math.abs(r.right.cols - r.wrong.cols),
    },
  ],
  code: [
    { file: 'cpp/museum/attention.cpp', region: 'softmax_over_columns' },
    { file: 'cpp/museum/attention.cpp', region: 'attention_masked_late' },
    { file: 'cpp/museum/attention.cpp', region: 'attention_minus_billion' },
    { file: 'cpp/museum/attention.cpp', region: 'multi_head_model_scale' },
    { file: 'cpp/museum/positions.cpp', region: 'sinusoidal_by_parity' },
    { file: 'cpp/museum/positions.cpp', region: 'rotate_across_heads' },
    { file: 'cpp/museum/attention.cpp', region: 'attention_without_offset' },
    { file: 'cpp/museum/attention.cpp', region: 'attention_averaged_blocks' },
    { file: 'cpp/museum/layers.cpp', region: 'layer_norm_sample' },
    { file: 'cpp/museum/layers.cpp', region: 'encoder_layer_swapped' },
    { file: 'cpp/museum/layers.cpp', region: 'mean_row_padded' },
    { file: 'cpp/museum/positions.cpp', region: 'alibi_slopes_one_formula' },
  ],
};
