import type { AttentionTrace } from '../core/attention.ts';
import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import { fixed, place, plain } from './kit/format.ts';
import { columns, rowSumError, sumOf } from './kit/matrices.ts';
import type { FieldProblem, Header, Lab, Message, Table, View } from './kit/types.ts';

interface Values {
  tokens: string[];
  pick: number;
  /** Which token stands at each place afterwards. */
  order: number[];
  position: 'off' | 'on';
  mask: 'off' | 'causal';
  pool: 'each' | 'mean';
  x: number[][];
  wq: number[][];
  wk: number[][];
  wv: number[][];
}

export interface PermutationResult {
  shuffled: Matrix;
  before: AttentionTrace;
  after: AttentionTrace;
  /** The weights of the shuffled input under the causal mask, whether the lab has it on or not. */
  masked: Matrix;
  meanBefore: Matrix;
  meanAfter: Matrix;
  /** Each token's output against its own output before. */
  tokenGap: number;
  /** The output at each place against the one that was there before. */
  placeGap: number;
  meanGap: number;
}

const MAX_TOKENS = 8;
const MAX_WIDTH = 16;
/** Differences up to this are rounding. */
const EQUAL = 1e-9;
/** A longer list of names is left to the table. */
const LONGEST_LIST = 20;

const width = (m: number[][]) => m[0]!.length;

/** Codes of the places 0 … n − 1, as wide as the input; they come in pairs, so an odd width leaves one out. */
function codes(core: Core, n: number, wide: number): Matrix {
  return columns(core.sinusoidalTable(n, wide + (wide % 2)), 0, wide);
}

function attend(core: Core, v: Values, x: Matrix): AttentionTrace {
  const placed = v.position === 'on' ? sumOf(core, x, codes(core, x.rows, x.cols)) : x;
  const [q, k, value] = [v.wq, v.wk, v.wv].map((w) => core.project(placed, matrix(w))) as [Matrix, Matrix, Matrix];
  return core.attention(q, k, value, { causal: v.mask === 'causal' });
}

const inverse = (order: number[]): number[] => order.map((_, i) => order.indexOf(i));

function outcome(r: PermutationResult): 'same' | 'moved' | 'new' {
  if (r.tokenGap > EQUAL) return 'new';
  return r.placeGap > EQUAL ? 'moved' : 'same';
}

function cause(v: Values): string {
  if (v.position === 'on') return v.mask === 'causal' ? 'both' : 'position';
  return 'mask';
}

function outputTable(id: 'before' | 'after', v: Values, trace: AttentionTrace, mean: Matrix, names: Header[]): Table {
  const each = v.pool === 'each';
  const m = each ? trace.output : mean;
  return {
    id,
    caption: { key: each ? `tables.${id}.caption` : `tables.${id}.mean` },
    corner: { key: 'tables.corner' },
    rows: each ? names : [{ key: 'tables.mean' }],
    cols: Array.from({ length: m.cols }, (_, j) => ({ key: 'tables.dim', slots: { j: place(j) } })),
    cells: rowsOf(m),
  };
}

const placed = (tokens: string[]): Message[] => tokens.map((token, i) => ({ key: 'tables.place', slots: { i: place(i), token } }));

export const lab: Lab<Values, PermutationResult> = {
  stem: 'permutation',
  inputs: [
    { kind: 'tokens', name: 'tokens', min: 2, max: MAX_TOKENS },
    { kind: 'item', name: 'pick', of: 'tokens', initial: 0 },
    { kind: 'order', name: 'order', of: 'tokens', pick: 'pick', initial: [2, 0, 3, 1] },
    { kind: 'choice', name: 'position', options: ['off', 'on'], initial: 'off' },
    { kind: 'choice', name: 'mask', options: ['off', 'causal'], initial: 'off' },
    { kind: 'choice', name: 'pool', options: ['each', 'mean'], initial: 'each' },
    {
      kind: 'matrix',
      name: 'x',
      initial: [[1, 0, 1], [0, 2, 0], [1, 1, 0], [0, 0, 1]],
      rows: { tokens: 'tokens' },
      maxCols: MAX_WIDTH,
      limit: 100,
      folded: true,
    },
    { kind: 'matrix', name: 'wq', initial: [[1, 0], [0, 1], [1, -1]], rows: { widthOf: 'x' }, maxCols: MAX_WIDTH, limit: 100, folded: true },
    { kind: 'matrix', name: 'wk', initial: [[0, 1], [1, 0], [1, 1]], rows: { widthOf: 'x' }, maxCols: MAX_WIDTH, limit: 100, folded: true },
    { kind: 'matrix', name: 'wv', initial: [[1, 2], [0, 1], [3, 0]], rows: { widthOf: 'x' }, maxCols: MAX_WIDTH, limit: 100, folded: true },
  ],
  presets: [
    { id: 'bare', raw: () => ({}) },
    { id: 'mask', raw: () => ({ mask: 'causal' }) },
    { id: 'position', raw: () => ({ position: 'on' }) },
    { id: 'mean', raw: () => ({ pool: 'mean' }) },
    { id: 'still', raw: () => ({ order: '1、2、3、4' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['same', 'moved', 'new'],
    judge: (guess, _, r) => ({ key: `${guess}.${outcome(r)}`, slots: { a: fixed(r.tokenGap), b: fixed(r.placeGap) } }),
  },
  fits({ x, wq, wk, wv }): FieldProblem | null {
    for (const [field, w] of Object.entries({ wq, wk, wv })) {
      if (w.length !== width(x)) return { field, code: 'rows', slots: { got: plain(w.length), want: plain(width(x)) } };
    }
    if (width(wk) !== width(wq)) return { field: 'wk', code: 'widths', slots: { k: plain(width(wk)), q: plain(width(wq)) } };
    return null;
  },
  run(core, values) {
    const x = matrix(values.x);
    const shuffled = core.permutedRows(x, values.order);
    const before = attend(core, values, x);
    const after = attend(core, values, shuffled);
    const meanBefore = core.meanRow(before.output);
    const meanAfter = core.meanRow(after.output);
    return {
      shuffled,
      before,
      after,
      masked: attend(core, { ...values, mask: 'causal' }, shuffled).weights,
      meanBefore,
      meanAfter,
      tokenGap: core.maxGap(core.permutedRows(before.output, values.order), after.output),
      placeGap: core.maxGap(before.output, after.output),
      meanGap: core.maxGap(meanBefore, meanAfter),
    };
  },
  view(values, r): View {
    const { tokens, order, pick } = values;
    const moved = order.map((i) => tokens[i]!);
    const list = moved.join('、');
    const slots = {
      list,
      n: plain(tokens.length),
      a: fixed(r.tokenGap),
      b: fixed(r.placeGap),
      c: fixed(r.meanGap),
      token: tokens[pick]!,
      i: place(pick),
      j: place(order.indexOf(pick)),
    };
    const still = order.every((i, at) => i === at);
    const kind = outcome(r);
    const wide = width(values.x);
    const odd = values.position === 'on' && wide % 2 === 1;
    const key = still ? 'state.still' : values.pool === 'mean' ? 'state.mean' : list.length > LONGEST_LIST ? 'state.many' : 'state.each';
    return {
      state: { key, slots },
      say: { key: still ? 'say-still' : values.pool === 'mean' ? 'say-mean' : 'say', slots },
      facts: [
        { key: kind === 'new' ? `facts.new.${cause(values)}` : `facts.${kind}` },
        { key: r.meanGap > EQUAL ? 'facts.mean-changed' : 'facts.mean-same' },
        ...(slots.i === slots.j ? [] : [{ key: 'facts.went', slots }]),
        ...(odd ? [{ key: 'facts.odd', slots: { w: plain(wide) } }] : []),
      ],
      picture: {
        kind: 'links',
        label: { key: still ? 'picture.still' : 'picture.label', slots },
        before: tokens,
        order,
        beforeTitle: { key: 'picture.before' },
        afterTitle: { key: 'picture.after' },
        strong: pick,
      },
      tables: [
        {
          id: 'gaps',
          caption: { key: 'tables.gaps.caption' },
          corner: { key: 'tables.gaps.corner' },
          rows: ['token', 'place', 'mean'].map((way) => ({ key: `tables.gaps.${way}` })),
          cols: [{ key: 'tables.gaps.gap' }],
          cells: [[r.tokenGap], [r.placeGap], [r.meanGap]],
        },
        outputTable('before', values, r.before, r.meanBefore, placed(tokens)),
        outputTable('after', values, r.after, r.meanAfter, placed(moved)),
      ],
      more: {
        summary: { key: 'tables.more' },
        tables: [
          { trace: r.before, id: 'weights-before', names: tokens },
          { trace: r.after, id: 'weights-after', names: moved },
        ].map(({ trace, id, names }) => ({
          id,
          caption: { key: `tables.${id}.caption` },
          corner: { key: 'tables.word' },
          rows: names,
          cols: names,
          cells: rowsOf(trace.weights),
          shade: 'share',
          mark: 'row',
          masked: names.map((_, i) => names.map((__, j) => values.mask === 'causal' && j > i)),
        })),
      },
    };
  },
  checks: [
    {
      key: 'sum',
      limit: 1e-12,
      residual: (core, _, r) => Math.max(rowSumError(core, r.before.weights), rowSumError(core, r.after.weights)),
    },
    {
      key: 'back',
      limit: 0,
      residual: (core, v, r) => core.maxGap(core.permutedRows(r.shuffled, inverse(v.order)), matrix(v.x)),
    },
    {
      // Promised without codes and mask alone; they are there to break it.
      key: 'equivariant',
      limit: EQUAL,
      residual: (core, v, r) => core.maxGap(core.permutedRows(attend(core, bare(v), matrix(v.x)).output, v.order), bareAfter(core, v, r)),
    },
    {
      key: 'mean',
      limit: EQUAL,
      residual: (core, v, r) => core.maxGap(core.meanRow(attend(core, bare(v), matrix(v.x)).output), core.meanRow(bareAfter(core, v, r))),
    },
    {
      key: 'leak',
      limit: 0,
      residual: (_, __, r) => Math.max(0, ...rowsOf(r.masked).flatMap((row, i) => row.slice(i + 1)).map(Math.abs)),
    },
  ],
  code: [
    { file: 'cpp/src/attention_passes.hpp', region: 'scaled_scores' },
    { file: 'cpp/src/attention_passes.hpp', region: 'weighted_values' },
    { file: 'cpp/src/mask.cpp', region: 'causal_mask' },
  ],
};

const bare = (v: Values): Values => ({ ...v, position: 'off', mask: 'off' });

function bareAfter(core: Core, v: Values, r: PermutationResult): Matrix {
  return v.position === 'off' && v.mask === 'off' ? r.after.output : attend(core, bare(v), r.shuffled).output;
}
