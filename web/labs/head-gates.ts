import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import type { MultiHeadTrace } from '../core/multi-head.ts';
import { fixed, numbers, place, plain } from './kit/format.ts';
import { columns, differenceOf, rowSumError } from './kit/matrices.ts';
import { phrase } from './kit/template.ts';
import type { FieldProblem, Lab, Message, Table, View } from './kit/types.ts';

interface Values {
  heads: string[];
  head: number;
  gates: number[][];
  tokens: string[];
  x: number[][];
  wq: number[][];
  wk: number[][];
  wv: number[][];
  wo: number[][];
}

export interface HeadGatesResult {
  /** Every gate at 1. */
  open: MultiHeadTrace;
  now: MultiHeadTrace;
  /** How far the output is from the open one. */
  change: number;
  /** Each head off and the others open, and how far that output is from the open one. */
  offs: MultiHeadTrace[];
  alone: number[];
}

/** The gates one by one are said up to this number of heads. */
const FEW = 4;
const MAX_HEADS = 16;
const MAX_WIDTH = 16;
/** Differences up to this are rounding. */
const EQUAL = 1e-9;

const width = (m: number[][]) => m[0]!.length;
const gatesOf = (values: Values) => values.gates.map((row) => row[0]!);

function attend(core: Core, v: Values, gates?: number[]): MultiHeadTrace {
  const weights = { wQ: matrix(v.wq), wK: matrix(v.wk), wV: matrix(v.wv), wO: matrix(v.wo) };
  return core.multiHead(matrix(v.x), weights, v.heads.length, gates ? { gates } : {});
}

const changeOf = (core: Core, a: Matrix, b: Matrix): number => core.frobeniusNorm(differenceOf(core, a, b));

/** Which of the first two heads matters more when it is off. */
function outcome({ alone }: HeadGatesResult): string {
  const [first, second = 0] = alone as [number, number?];
  return Math.abs(first - second) <= EQUAL ? 'same' : first > second ? 'first' : 'second';
}

function state(values: Values, r: HeadGatesResult): Message {
  const gates = gatesOf(values);
  const { heads, head } = values;
  const most = r.alone.indexOf(Math.max(...r.alone));
  const least = r.alone.indexOf(Math.min(...r.alone));
  const slots = { n: plain(heads.length), c: fixed(r.change), head: heads[head]!, x: fixed(r.alone[head]!) };
  if (gates.every((g) => g === 1)) {
    const ends = { a: heads[most]!, y: fixed(r.alone[most]!), b: heads[least]!, z: fixed(r.alone[least]!) };
    return heads.length === 1 ? { key: 'state.single', slots } : { key: 'state.open', slots: { ...slots, ...ends } };
  }
  if (heads.length <= FEW) return { key: 'state.few', slots: { ...slots, g: numbers(gates) } };
  return { key: 'state.many', slots: { ...slots, k: plain(gates.filter((g) => g < 1).length) } };
}

function seeded(core: Core, seed: number, rows: number, scale: number): string[] {
  const numbersOf = core.normals(seed, rows * MAX_WIDTH);
  return Array.from({ length: rows }, (_, i) =>
    Array.from(numbersOf.subarray(i * MAX_WIDTH, (i + 1) * MAX_WIDTH), (x) => (x * scale).toFixed(2)).join(', '),
  );
}

function grid(id: string, rows: string[], m: Matrix, extra: Partial<Table> = {}): Table {
  return {
    id,
    caption: { key: `tables.${id}.caption` },
    corner: { key: 'tables.corner' },
    rows,
    cols: Array.from({ length: m.cols }, (_, j) => ({ key: 'tables.dim', slots: { j: place(j) } })),
    cells: rowsOf(m),
    ...extra,
  };
}

export const lab: Lab<Values, HeadGatesResult> = {
  stem: 'head-gates',
  inputs: [
    { kind: 'tokens', name: 'heads', min: 1, max: MAX_HEADS },
    { kind: 'item', name: 'head', of: 'heads', initial: 0 },
    {
      kind: 'slider',
      name: 'gate',
      min: 0,
      max: 1,
      stops: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
      initial: 1,
      named: [0, 1],
      judge: (g) => (g === 0 ? 'off' : g === 1 ? 'on' : 'part'),
      edits: { matrix: 'gates', row: 'head' },
    },
    { kind: 'matrix', name: 'gates', initial: [[1], [1]], rows: { tokens: 'heads' }, maxCols: 1, limit: 1, fill: 1 },
    { kind: 'tokens', name: 'tokens', min: 1, max: 12 },
    {
      kind: 'matrix',
      name: 'x',
      initial: [[1, 0, 2, 1], [0, 1, 1, 0], [2, 1, 0, 1]],
      rows: { tokens: 'tokens' },
      maxCols: MAX_WIDTH,
      limit: 100,
      folded: true,
    },
    {
      kind: 'matrix',
      name: 'wq',
      initial: [[0.5, 0, 1, 0], [0, 0.5, 0, 1], [1, 0, -0.5, 0], [0, 1, 0, -0.5]],
      rows: { widthOf: 'x' },
      maxCols: MAX_WIDTH,
      limit: 100,
      folded: true,
    },
    {
      kind: 'matrix',
      name: 'wk',
      initial: [[1, 0, 0, 0.5], [0, 1, 0.5, 0], [0, 0.5, 1, 0], [0.5, 0, 0, 1]],
      rows: { widthOf: 'x' },
      maxCols: MAX_WIDTH,
      limit: 100,
      folded: true,
    },
    {
      kind: 'matrix',
      name: 'wv',
      initial: [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]],
      rows: { widthOf: 'x' },
      maxCols: MAX_WIDTH,
      limit: 100,
      folded: true,
    },
    {
      kind: 'matrix',
      name: 'wo',
      initial: [[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 2]],
      rows: { widthOf: 'wv' },
      maxCols: MAX_WIDTH,
      limit: 100,
      folded: true,
    },
  ],
  presets: [
    { id: 'open', raw: () => ({}) },
    { id: 'first', raw: () => ({ gates: ['0', '1'] }) },
    { id: 'second', raw: () => ({ gates: ['1', '0'], head: '1' }) },
    {
      id: 'sixteen',
      raw: (core, words) => ({
        heads: Array.from({ length: MAX_HEADS }, (_, i) => phrase(words, { key: 'inputs.heads.more', slots: { i: place(i) } })).join('、'),
        gates: Array<string>(MAX_HEADS).fill('1'),
        x: seeded(core, 1, 3, 1),
        wq: seeded(core, 2, MAX_WIDTH, 0.25),
        wk: seeded(core, 3, MAX_WIDTH, 0.25),
        wv: seeded(core, 4, MAX_WIDTH, 0.25),
        wo: seeded(core, 5, MAX_WIDTH, 0.25),
      }),
    },
  ],
  predict: {
    kind: 'choice',
    options: ['first', 'second', 'same'],
    judge: (guess, values, r) => ({
      key: `${guess}.${outcome(r)}`,
      slots: { x: fixed(r.alone[0]!), y: fixed(r.alone[1] ?? 0), a: values.heads[0]!, b: values.heads[1] ?? '' },
    }),
  },
  fits(v): FieldProblem | null {
    const count = v.heads.length;
    const bad = gatesOf(v).findIndex((g) => g < 0);
    if (bad >= 0) return { field: 'gates', row: bad, code: 'gate', slots: { g: plain(gatesOf(v)[bad]!) } };
    const wanted = { wq: width(v.x), wk: width(v.x), wv: width(v.x), wo: width(v.wv) };
    for (const [field, want] of Object.entries(wanted)) {
      const got = v[field as keyof typeof wanted].length;
      if (got !== want) return { field, code: 'rows', slots: { got: plain(got), want: plain(want) } };
    }
    if (width(v.wk) !== width(v.wq)) return { field: 'wk', code: 'widths', slots: { k: plain(width(v.wk)), q: plain(width(v.wq)) } };
    for (const field of ['wq', 'wv'] as const) {
      if (width(v[field]) % count !== 0) return { field: 'heads', code: 'divide', slots: { h: plain(count), w: plain(width(v[field])) } };
    }
    return null;
  },
  run(core, values) {
    const open = attend(core, values);
    const now = attend(core, values, gatesOf(values));
    const offs = values.heads.map((_, t) => attend(core, values, values.heads.map((__, i) => (i === t ? 0 : 1))));
    return {
      open,
      now,
      offs,
      change: changeOf(core, now.output, open.output),
      alone: offs.map(({ output }) => changeOf(core, output, open.output)),
    };
  },
  view(values, r): View {
    const { heads, head, tokens } = values;
    const gates = gatesOf(values);
    const most = r.alone.indexOf(Math.max(...r.alone));
    const slots = { head: heads[head]!, c: fixed(r.change), x: fixed(r.alone[head]!), n: plain(heads.length), most: heads[most]!, y: fixed(r.alone[most]!) };
    return {
      state: state(values, r),
      say: { key: 'say', slots },
      facts: ['norm', 'weights', 'voita', 'michel', 'layer', 'published'].map((key) => ({ key: `facts.${key}` })),
      picture: {
        kind: 'bars',
        label: { key: 'picture.label', slots },
        bars: heads.map((name, t) => ({ name, score: gates[t]!, weight: r.alone[t]! })),
        scoreTitle: { key: 'picture.gate' },
        weightTitle: { key: 'picture.change' },
        full: Math.max(...r.alone) || 1,
      },
      tables: [
        {
          id: 'changes',
          caption: { key: 'tables.changes.caption' },
          corner: { key: 'tables.changes.corner' },
          rows: heads,
          cols: [{ key: 'tables.changes.gate' }, { key: 'tables.changes.change' }],
          cells: heads.map((_, t) => [gates[t]!, r.alone[t]!]),
          digits: [2, 4],
        },
        grid('output', tokens, r.now.output),
        grid('weights', tokens, r.now.heads[head]!.weights, {
          caption: { key: 'tables.weights.caption', slots },
          cols: tokens,
          shade: 'share',
          mark: 'row',
        }),
      ],
      more: {
        summary: { key: 'tables.more' },
        tables: [grid('concat', tokens, r.now.concat), grid('open', tokens, r.open.output)],
      },
      sound: {
        button: { key: 'sound.button' },
        intro: { key: 'sound.intro', slots },
        values: r.alone,
        range: [0, Math.max(...r.alone) || 1],
      },
    };
  },
  checks: [
    { key: 'sum', limit: 1e-12, residual: (core, _, r) => Math.max(...r.now.heads.map(({ weights }) => rowSumError(core, weights))) },
    {
      key: 'ones',
      limit: 0,
      residual: (core, v, r) => core.maxGap(attend(core, v, v.heads.map(() => 1)).output, r.open.output),
    },
    {
      key: 'untouched',
      limit: 0,
      residual: (core, _, r) => Math.max(...r.now.heads.map(({ weights }, t) => core.maxGap(weights, r.open.heads[t]!.weights))),
    },
    {
      // The output is linear in the gates, so gates g − 1 give the difference itself.
      key: 'linear',
      limit: 1e-6,
      residual: (core, v, r) => Math.abs(core.frobeniusNorm(attend(core, v, gatesOf(v).map((g) => g - 1)).output) - r.change),
    },
    {
      key: 'closed',
      limit: 0,
      residual: (_, __, r) =>
        Math.max(
          ...r.offs.flatMap(({ concat }, t) => {
            const own = concat.cols / r.offs.length;
            return [...columns(concat, t * own, own).data].map(Math.abs);
          }),
        ),
    },
  ],
  code: [{ file: 'cpp/src/multi_head.cpp', region: 'multi_head' }],
};
