import type { Core } from '../core/core.ts';
import type { Mask } from '../core/mask.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import { fixed, place, plain } from './kit/format.ts';
import { rowSums } from './kit/matrices.ts';
import { word } from './kit/template.ts';
import type { FieldProblem, Lab, Message, View } from './kit/types.ts';
import { bytes, people } from './kit/units.ts';

type Kind = 'causal' | 'none' | 'strict' | 'after';

interface Values {
  kind: Kind;
  amount: number;
  future: number[][];
  row: number;
  length: number;
  tokens: string[];
  x: number[][];
  wq: number[][];
  wk: number[][];
  wv: number[][];
}

interface Pass {
  scores: Matrix;
  /** What softmax gave, before anything is set to 0 afterwards. */
  shares: Matrix;
  weights: Matrix;
  output: Matrix;
  v: Matrix;
  fullyMasked: readonly boolean[];
}

export interface CausalMaskResult {
  mask: Mask;
  before: Pass;
  /** The same with another last token. */
  after: Pass;
  /** The largest change of each row of the output. */
  changes: number[];
  /** The largest change of a row before the last: what leaked. */
  leak: number;
  sums: number[];
  visible: number;
  /** Output made token by token with a cache, and keys made on the way. */
  cached: Matrix;
  causal: Matrix;
  withoutCache: number;
  cacheBytes: number;
}

const MAX_TOKENS = 8;
const MAX_WIDTH = 8;
/** For the price of a cache: the base model of 2017. */
const LAYERS = 6;
const WIDTH = 512;

const NOTHING: Matrix = { rows: 0, cols: 0, data: new Float64Array() };

/** A strictly lower triangle is the causal one moved down by a row. */
function maskOf(core: Core, kind: Kind, n: number): Mask {
  const causal = core.causalMask(n, n);
  if (kind === 'none') return matrix(Array.from({ length: n }, () => Array<number>(n).fill(1)));
  return kind === 'strict' ? matrix([Array<number>(n).fill(0), ...rowsOf(causal).slice(0, -1)]) : causal;
}

function pass(core: Core, values: Values, x: Matrix, mask: Mask): Pass {
  const [q, k, v] = [values.wq, values.wk, values.wv].map((w) => core.project(x, matrix(w))) as [Matrix, Matrix, Matrix];
  if (values.kind !== 'after') {
    const trace = core.attention(q, k, v, { mask });
    return { ...trace, shares: trace.weights, v };
  }
  const trace = core.attention(q, k, v);
  const weights = core.zeroedWeights(trace.weights, mask);
  return { ...trace, shares: trace.weights, weights, output: core.product(weights, v), v };
}

/** One token after another, each with the keys and values of those before it. */
function withCache(core: Core, values: Values, x: Matrix): Matrix {
  let [keys, cached] = [NOTHING, NOTHING];
  const rows = rowsOf(x).map((row) => {
    const token = matrix([row]);
    const [q, k, v] = [values.wq, values.wk, values.wv].map((w) => core.project(token, matrix(w))) as [Matrix, Matrix, Matrix];
    const step = core.cacheStep(keys, cached, q, k, v);
    [keys, cached] = [step.keys, step.values];
    return [...step.trace.output.data];
  });
  return matrix(rows);
}

const rowGap = (core: Core, a: number[], b: number[]): number => core.maxGap(matrix([a]), matrix([b]));
const early = (m: Matrix): Matrix => matrix(rowsOf(m).slice(0, -1));
const width = (m: number[][]): number => m[0]!.length;

const isTight = (kind: Kind): boolean => kind === 'causal' || kind === 'strict';

export const lab: Lab<Values, CausalMaskResult> = {
  stem: 'causal-mask',
  inputs: [
    { kind: 'choice', name: 'kind', options: ['causal', 'none', 'strict', 'after'], initial: 'causal' },
    {
      kind: 'slider',
      name: 'amount',
      min: 0,
      max: 1,
      stops: [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
      initial: 1,
      named: [0, 1],
      judge: (v) => (v === 0 ? 'none' : v === 1 ? 'whole' : 'part'),
    },
    { kind: 'item', name: 'row', of: 'tokens', initial: 0 },
    { kind: 'slider', name: 'length', min: 1, max: 2_000_000, stops: [1, 4, 16, 64, 256, 512, 1024, 2048, 4096, 8192, 32768, 131072, 524288, 2_000_000], initial: 4096, whole: true },
    { kind: 'tokens', name: 'tokens', min: 2, max: MAX_TOKENS },
    {
      kind: 'matrix',
      name: 'x',
      initial: [[1, 0, 1], [0, 2, 0], [1, 1, 0], [0, 0, 1]],
      rows: { tokens: 'tokens' },
      maxCols: MAX_WIDTH,
      limit: 100,
    },
    { kind: 'matrix', name: 'wq', initial: [[1, 0], [0, 1], [1, -1]], rows: { widthOf: 'x' }, maxCols: MAX_WIDTH, limit: 100, folded: true },
    { kind: 'matrix', name: 'wk', initial: [[0, 1], [1, 0], [1, 1]], rows: { widthOf: 'x' }, maxCols: MAX_WIDTH, limit: 100, folded: true },
    { kind: 'matrix', name: 'wv', initial: [[1, 2], [0, 1], [3, 0]], rows: { widthOf: 'x' }, maxCols: MAX_WIDTH, limit: 100, folded: true },
    { kind: 'matrix', name: 'future', initial: [[9], [-9], [5]], rows: { widthOf: 'x' }, maxCols: 1, limit: 100, folded: true },
  ],
  presets: [
    { id: 'causal', raw: () => ({}) },
    { id: 'none', raw: () => ({ kind: 'none' }) },
    { id: 'after', raw: () => ({ kind: 'after' }) },
    { id: 'strict', raw: () => ({ kind: 'strict' }) },
    {
      id: 'flat',
      raw: () => ({ x: ['1, 0, 0', '0, 1, 0', '0, 1, 0', '0, 1, 0'], wq: ['0, 0', '0, 0', '0, 0'], wv: ['1, 0', '0, 0', '0, 0'], row: '3' }),
    },
  ],
  predict: {
    kind: 'choice',
    options: ['stays', 'moves'],
    judge: (guess, values, r) => ({
      key: `${guess}.${r.changes[0] === 0 ? 'stayed' : 'moved'}`,
      slots: { token: values.tokens[0]!, c: fixed(r.changes[0]!) },
    }),
  },
  fits({ x, wq, wk, wv, future }): FieldProblem | null {
    for (const [field, w] of Object.entries({ wq, wk, wv, future })) {
      if (w.length !== width(x)) return { field, code: 'rows', slots: { got: String(w.length), want: String(width(x)) } };
    }
    if (width(wk) !== width(wq)) return { field: 'wk', code: 'widths', slots: { k: String(width(wk)), q: String(width(wq)) } };
    return null;
  },
  run(core, values) {
    const x = matrix(values.x);
    const n = x.rows;
    const last = values.x[n - 1]!;
    const future = values.future.map(([value]) => value!);
    const mixed = core.product(matrix([[1 - values.amount, values.amount]]), matrix([last, future]));
    const changed = matrix([...values.x.slice(0, -1), [...mixed.data]]);
    const mask = maskOf(core, values.kind, n);
    const before = pass(core, values, x, mask);
    const after = pass(core, values, changed, mask);
    const [old, now] = [rowsOf(before.output), rowsOf(after.output)];
    return {
      mask,
      before,
      after,
      changes: old.map((row, i) => rowGap(core, row, now[i]!)),
      leak: core.maxGap(early(before.output), early(after.output)),
      sums: rowSums(core, before.weights),
      visible: core.visiblePairs(mask),
      cached: withCache(core, values, x),
      causal: pass(core, { ...values, kind: 'causal' }, x, maskOf(core, 'causal', n)).output,
      withoutCache: core.causalPairs(values.length),
      cacheBytes: core.kvCacheBytes(LAYERS, values.length, WIDTH, 'float16'),
    };
  },
  view(values, r, words): View {
    const { tokens, kind, row } = values;
    const n = tokens.length;
    const weights = rowsOf(r.before.weights);
    const scores = rowsOf(r.before.scores);
    const visible = rowsOf(r.mask);
    const hidden = visible.map((line) => line.map((seen) => seen === 0));
    const slots = { k: String(n), c: fixed(r.leak), token: tokens[n - 1]!, first: tokens[0]!, sum: fixed(r.sums[row]!), i: place(row), name: tokens[row]! };
    const verdict = r.leak > 0 ? 'leaks' : 'tight';
    const sums: Message[] = r.before.fullyMasked[row]
      ? [{ key: 'facts.blind', slots }]
      : [{ key: kind === 'after' ? 'facts.sum-after' : 'facts.sum', slots }];
    return {
      state: { key: `state.${kind}.${verdict}`, slots },
      say: { key: `say.${verdict}`, slots },
      facts: [
        { key: `facts.test.${verdict}`, slots },
        ...sums,
        { key: 'facts.pairs', slots: { n: String(n), v: String(r.visible) } },
        {
          key: 'facts.cache',
          slots: { n: plain(values.length), m: people(values.length, words), p: people(r.withoutCache, words), b: bytes(r.cacheBytes, words) },
        },
      ],
      picture: {
        kind: 'magnitudes',
        label: { key: `picture.label.${verdict}`, slots },
        scale: 'linear',
        bars: tokens.map((token, i) => ({
          name: { key: i === n - 1 ? 'picture.changed' : 'picture.earlier', slots: { i: place(i), token } },
          value: r.changes[i]!,
          text: fixed(r.changes[i]!),
          strong: i < n - 1,
        })),
      },
      tables: [
        {
          id: 'weights',
          caption: { key: 'tables.weights.caption' },
          corner: { key: 'tables.corner' },
          rows: tokens,
          cols: tokens,
          cells: weights,
          shade: 'share',
          texts: visible.map((line) => line.map((seen) => (seen === 0 ? word(words, 'hidden') : undefined))),
          masked: hidden,
        },
        {
          id: 'output',
          caption: { key: 'tables.output.caption' },
          corner: { key: 'tables.corner' },
          rows: tokens,
          cols: [
            ...rowsOf(r.before.output)[0]!.map((_, j) => ({ key: 'tables.output.before', slots: { j: place(j) } })),
            ...rowsOf(r.after.output)[0]!.map((_, j) => ({ key: 'tables.output.after', slots: { j: place(j) } })),
            { key: 'tables.output.change' },
          ],
          cells: tokens.map((_, i) => [...rowsOf(r.before.output)[i]!, ...rowsOf(r.after.output)[i]!, r.changes[i]!]),
        },
      ],
      more: {
        summary: { key: 'tables.more' },
        tables: [
          {
            id: 'scores',
            caption: { key: 'tables.scores.caption' },
            corner: { key: 'tables.corner' },
            rows: tokens,
            cols: tokens,
            cells: scores,
            texts: scores.map((line) => line.map((score) => (score === -Infinity ? word(words, 'minus') : undefined))),
            masked: kind === 'after' ? hidden.map((line) => line.map(() => false)) : hidden,
          },
        ],
      },
      sound: {
        button: { key: 'sound.button', slots },
        intro: { key: 'sound.intro', slots: { ...slots, n: String(n) } },
        values: weights[row]!,
      },
    };
  },
  checks: [
    {
      // What softmax gave adds up to 1 in every row that sees anything.
      key: 'sum',
      limit: 1e-12,
      residual: (core, _, { before }) =>
        core.maxGap(
          matrix(rowSums(core, before.shares).map((sum) => [sum])),
          matrix(before.fullyMasked.map((blind) => [blind ? 0 : 1])),
        ),
    },
    { key: 'hidden', limit: 0, residual: (core, _, { before, mask }) => core.maxGap(core.zeroedWeights(before.weights, mask), before.weights) },
    { key: 'mix', limit: 1e-9, residual: (core, _, { before }) => core.maxGap(core.product(before.weights, before.v), before.output) },
    // A mask before softmax promises that nothing leaks; without one, or after softmax, nothing is promised.
    { key: 'promise', limit: 0, residual: (_, { kind }, { leak }) => (isTight(kind) ? leak : 0) },
    { key: 'cache', limit: 0, residual: (core, _, { cached, causal }) => core.maxGap(cached, causal) },
    {
      key: 'pairs',
      limit: 0,
      residual: (core, { length }, { withoutCache }) => core.maxGap(matrix([[core.attentionPairs(length, true)]]), matrix([[withoutCache]])),
    },
  ],
  code: [
    { file: 'cpp/src/mask.cpp', region: 'causal_mask' },
    { file: 'cpp/src/mask.cpp', region: 'masked_scores' },
    { file: 'cpp/src/kv_cache.cpp', region: 'cache_step' },
  ],
};
