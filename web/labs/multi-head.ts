import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import type { MultiHeadCost, MultiHeadTrace, MultiHeadWeights } from '../core/multi-head.ts';
import { fixed, place, plain } from './kit/format.ts';
import { columns, rowSumError } from './kit/matrices.ts';
import type { FieldProblem, Lab, Message, View } from './kit/types.ts';
import { people } from './kit/units.ts';
import { peaks } from './kit/window.ts';

interface Values {
  heads: number;
  d: string;
  n: number;
  tokens: string[];
  row: number;
  head: number;
  seed: number;
}

export interface MultiHeadResult {
  x: Matrix;
  weights: MultiHeadWeights;
  trace: MultiHeadTrace;
  cost: MultiHeadCost;
  /** The same model with each number of heads of the table. */
  costs: MultiHeadCost[];
  /** Multiply-adds of all heads' query–key products in the small example, counted while they ran. */
  counted: number;
  /** All weights of the small example. */
  entries: number;
}

const HEADS = [1, 2, 4, 8, 16];
/** Width of the small example. */
const WIDTH = 16;
/** Keeps random queries and keys about as large as the input. */
const SCALE = 0.25;

function random(core: Core, seed: number, rows: number, cols: number, scale: number): Matrix {
  const data = core.normals(seed, rows * cols).map((x) => x * scale);
  return { rows, cols, data };
}

/** A run with twice the width counts the query–key products once more, and nothing else. */
function countedScores(core: Core, n: number, dk: number): number {
  const count = (width: number) => core.attentionOperations(n, n, width, dk).multiplications;
  return count(2 * dk) - count(dk);
}

/** A space on the sides where the text has a digit, none beside Chinese. */
const spaced = (text: string): string => text.replace(/^(?=\d)|(?<=\d)$/g, ' ');

/** The head that is looked at; the last one when there are fewer. */
const headOf = ({ head, heads }: Values): number => Math.min(head, heads) - 1;

const headNames = (heads: number): Message[] =>
  Array.from({ length: heads }, (_, t) => ({ key: 'tables.head', slots: { i: place(t) } }));

function lookSentence(values: Values, row: number[], t: number): Message {
  const [top] = peaks(row);
  const slots = { i: place(t), token: values.tokens[values.row]! };
  if (top === undefined) return { key: 'facts.look-even', slots: { ...slots, w: fixed(row[0]!) } };
  return { key: top === values.row ? 'facts.look-self' : 'facts.look', slots: { ...slots, top: values.tokens[top]!, w: fixed(row[top]!) } };
}

/** Which head looks most narrowly from the chosen token, and which most widely. */
function focus(values: Values, entropy: Matrix): Message[] {
  const of = rowsOf(entropy).map((line) => line[values.row]!);
  const [low, high] = [Math.min(...of), Math.max(...of)];
  if (fixed(low) === fixed(high)) return [];
  const slots = { token: values.tokens[values.row]!, a: place(of.indexOf(low)), x: fixed(low), b: place(of.indexOf(high)), y: fixed(high) };
  return [{ key: 'facts.focus', slots }];
}

export const lab: Lab<Values, MultiHeadResult> = {
  stem: 'multi-head',
  inputs: [
    { kind: 'slider', name: 'heads', min: 1, max: 16, stops: HEADS, initial: 8, whole: true, named: [1, 8, 16] },
    { kind: 'choice', name: 'd', options: ['64', '128', '256', '512', '768', '1024'], initial: '512' },
    {
      kind: 'slider',
      name: 'n',
      min: 1,
      max: 16384,
      stops: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384],
      initial: 1024,
      whole: true,
    },
    { kind: 'tokens', name: 'tokens', min: 1, max: 8 },
    { kind: 'item', name: 'row', of: 'tokens', initial: 0 },
    { kind: 'slider', name: 'head', min: 1, max: 16, stops: Array.from({ length: 16 }, (_, i) => i + 1), initial: 1, whole: true },
    { kind: 'slider', name: 'seed', min: 1, max: 40, stops: Array.from({ length: 40 }, (_, i) => i + 1), initial: 1, whole: true },
  ],
  presets: [
    { id: 'eight', raw: () => ({}) },
    { id: 'one', raw: () => ({ heads: '1' }) },
    { id: 'sixteen', raw: () => ({ heads: '16' }) },
    { id: 'large', raw: () => ({ heads: '16', d: '1024', n: '4096' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['parameters', 'multiply-adds', 'entries', 'all'],
    judge: (guess, _, { costs }) => {
      const [one, , , eight] = costs as [MultiHeadCost, MultiHeadCost, MultiHeadCost, MultiHeadCost];
      return { key: guess, slots: { r: plain(eight.scoreEntries / one.scoreEntries), p: plain(eight.parameters), dk: plain(eight.headWidth) } };
    },
  },
  fits({ heads }): FieldProblem | null {
    return HEADS.includes(heads) ? null : { field: 'heads', code: 'divide', slots: { h: plain(heads) } };
  },
  run(core, values) {
    const { heads, n, seed } = values;
    const d = Number(values.d);
    const rows = values.tokens.length;
    const x = random(core, seed, rows, WIDTH, 1);
    const square = (k: number) => random(core, seed * 10 + k, WIDTH, WIDTH, SCALE);
    const weights = { wQ: square(1), wK: square(2), wV: square(3), wO: square(4) };
    const trace = core.multiHead(x, weights, heads);
    return {
      x,
      weights,
      trace,
      cost: core.multiHeadCost(n, d, heads),
      costs: HEADS.map((h) => core.multiHeadCost(n, d, h)),
      counted: heads * countedScores(core, rows, WIDTH / heads),
      entries: trace.heads.reduce((sum, head) => sum + head.weights.data.length, 0),
    };
  },
  view(values, r, words): View {
    const { heads, tokens, row } = values;
    const { cost, costs, trace } = r;
    const head = headOf(values);
    const slots = {
      h: plain(heads),
      dk: plain(cost.headWidth),
      p: spaced(people(cost.parameters, words)),
      m: spaced(people(cost.scoreMultiplyAdds, words)),
      w: spaced(people(cost.scoreEntries, words)),
    };
    const rows = trace.heads.map(({ weights }) => rowsOf(weights)[row]!);
    const here = { i: place(head), token: tokens[row]!, n: plain(tokens.length) };
    return {
      state: { key: heads === 1 ? 'state.one' : 'state.many', slots },
      say: { key: heads === 1 ? 'say-one' : 'say', slots },
      facts: [
        { key: 'facts.rank', slots },
        ...(values.head > heads ? [{ key: 'facts.fewer', slots: { h: plain(heads) } }] : []),
        ...focus(values, trace.entropy),
        { key: 'facts.bleu' },
        { key: 'facts.published' },
      ],
      lines: { heading: { key: 'facts.lines', slots: here }, sentences: rows.map((line, t) => lookSentence(values, line, t)) },
      picture: {
        kind: 'grids',
        label: { key: 'picture.label', slots: { h: plain(heads), token: tokens[row]! } },
        grids: trace.heads.map(({ weights }, t) => ({
          name: { key: 'picture.head', slots: { i: place(t) } },
          cells: rowsOf(weights),
          strong: t === head,
        })),
        row,
      },
      tables: [
        {
          id: 'costs',
          caption: { key: 'tables.costs.caption', slots: { d: values.d, n: plain(values.n) } },
          corner: { key: 'tables.costs.corner' },
          rows: HEADS.map((h) => ({ key: 'tables.costs.heads', slots: { h: plain(h) } })),
          cols: ['width', 'parameters', 'multiply-adds', 'entries'].map((key) => ({ key: `tables.costs.${key}` })),
          cells: costs.map((c) => [c.headWidth, c.parameters, c.scoreMultiplyAdds, c.scoreEntries]),
          digits: [0, 0, 0, 0],
        },
        {
          id: 'looks',
          caption: { key: 'tables.looks.caption', slots: here },
          corner: { key: 'tables.looks.corner' },
          rows: headNames(heads),
          cols: tokens,
          cells: rows,
          shade: 'share',
          mark: 'row',
        },
        {
          id: 'weights',
          caption: { key: 'tables.weights.caption', slots: here },
          corner: { key: 'tables.corner' },
          rows: tokens,
          cols: tokens,
          cells: rowsOf(trace.heads[head]!.weights),
          shade: 'share',
          mark: 'row',
        },
      ],
      more: {
        summary: { key: 'tables.more' },
        tables: [
          {
            id: 'concat',
            caption: { key: 'tables.concat.caption', slots: { dk: plain(WIDTH / heads) } },
            corner: { key: 'tables.corner' },
            rows: tokens,
            cols: Array.from({ length: WIDTH }, (_, j) => ({ key: 'tables.dim', slots: { j: place(j) } })),
            cells: rowsOf(trace.concat),
          },
          {
            id: 'entropy',
            caption: { key: 'tables.entropy.caption' },
            corner: { key: 'tables.looks.corner' },
            rows: headNames(heads),
            cols: tokens,
            cells: rowsOf(trace.entropy),
          },
        ],
      },
      sound: {
        button: { key: 'sound.button', slots: here },
        intro: { key: 'sound.intro', slots: here },
        values: rows[head]!,
      },
    };
  },
  checks: [
    { key: 'sum', limit: 1e-12, residual: (core, _, r) => Math.max(...r.trace.heads.map(({ weights }) => rowSumError(core, weights))) },
    { key: 'width', limit: 0, residual: (_, v, r) => Math.abs(r.cost.headWidth * v.heads - Number(v.d)) },
    { key: 'parameters', limit: 0, residual: (_, __, r) => Math.abs(r.cost.parameters - r.costs[0]!.parameters) },
    {
      key: 'counted',
      limit: 0,
      residual: (core, v, r) => Math.abs(r.counted - core.multiHeadCost(v.tokens.length, WIDTH, v.heads).scoreMultiplyAdds),
    },
    {
      key: 'entries',
      limit: 0,
      residual: (core, v, r) => Math.abs(r.entries - core.multiHeadCost(v.tokens.length, WIDTH, v.heads).scoreEntries),
    },
    {
      // Each head alone, on its own columns: what is joined are outputs, not weights.
      key: 'concat',
      limit: 1e-12,
      residual(core, v, { x, weights: { wQ, wK, wV }, trace }) {
        const width = WIDTH / v.heads;
        const gaps = trace.heads.map((_, t) => {
          const own = (w: Matrix) => core.project(x, columns(w, t * width, width));
          const joined = trace.concat.cols === WIDTH ? columns(trace.concat, t * width, width) : matrix([[NaN]]);
          return joined.cols === width ? core.maxGap(core.attention(own(wQ), own(wK), own(wV)).output, joined) : Infinity;
        });
        return Math.max(...gaps);
      },
    },
  ],
  code: [{ file: 'cpp/src/multi_head.cpp', region: 'multi_head' }],
};
