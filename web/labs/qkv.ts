import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import { fixed, numbers, place } from './kit/format.ts';
import { negativePart, reversed, rowSumError, rowSums } from './kit/matrices.ts';
import type { FieldProblem, Lab, Message, Table, View } from './kit/types.ts';
import { extreme, peaks } from './kit/window.ts';

interface Values {
  tokens: string[];
  x: number[][];
  wq: number[][];
  wk: number[][];
  wv: number[][];
  row: number;
}

export interface QkvResult {
  q: Matrix;
  k: Matrix;
  v: Matrix;
  scores: Matrix;
  weights: Matrix;
  output: Matrix;
  sums: number[];
  /** Multiply-adds of the query–key products, counted while they ran. */
  multiplyAdds: number;
}

const MAX_TOKENS = 24;
const MAX_WIDTH = 16;
/** Up to this many numbers of the output are said one by one. */
const FEW = 4;

const dims = (count: number): Message[] =>
  Array.from({ length: count }, (_, j) => ({ key: 'tables.dim', slots: { j: place(j) } }));

/** Where a row of weights looks most; the first place when several are equal. */
export function favourite(row: number[]): number {
  return peaks(row)[0] ?? 0;
}

function rowSentence(tokens: string[], row: number[], i: number): Message {
  const top = peaks(row);
  const token = tokens[i]!;
  if (top.length === 0) return { key: 'facts.row-even', slots: { i: place(i), token, w: fixed(row[0]!) } };
  const slots = { i: place(i), token, top: tokens[top[0]!]!, w: fixed(row[top[0]!]!) };
  if (top.length > 1) return { key: 'facts.row-tied', slots: { ...slots, k: String(top.length) } };
  return { key: top[0] === i ? 'facts.row-self' : 'facts.row', slots };
}

/**
 * Multiply-adds of Q Kᵀ alone: the core counts a whole run, so a run with twice
 * the query width counts them once more, and nothing else.
 */
function countedScores(core: Core, n: number, dk: number, dv: number): number {
  const count = (width: number) => core.attentionOperations(n, n, width, dv).multiplications;
  return count(2 * dk) - count(dk);
}

function matrixTable(id: string, rows: string[], m: Matrix, extra: Partial<Table>): Table {
  return {
    id,
    caption: { key: `tables.${id}.caption` },
    corner: { key: 'tables.corner' },
    rows,
    cols: dims(m.cols),
    cells: rowsOf(m),
    ...extra,
  };
}

const width = (m: number[][]) => m[0]!.length;

export const lab: Lab<Values, QkvResult> = {
  stem: 'qkv',
  inputs: [
    { kind: 'tokens', name: 'tokens', min: 1, max: MAX_TOKENS },
    { kind: 'item', name: 'row', of: 'tokens', initial: 0 },
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
  ],
  presets: [
    { id: 'four', raw: () => ({}) },
    { id: 'same', raw: () => ({ wk: ['1, 0', '0, 1', '1, -1'] }) },
    { id: 'blank', raw: () => ({ wq: ['0, 0', '0, 0', '0, 0'] }) },
  ],
  predict: {
    kind: 'item',
    of: 'tokens',
    judge: (guess, values, result) => {
      const row = rowsOf(result.weights)[0]!;
      const tops = peaks(row);
      const top = favourite(row);
      const guessed = Number(guess);
      const slots = {
        guess: values.tokens[guessed] ?? '',
        top: values.tokens[top]!,
        first: values.tokens[0]!,
        k: String(tops.length),
        w: fixed(result.weights.data[top]!),
      };
      if (tops.length !== 1) return { key: tops.length === 0 ? 'even' : 'tied', slots };
      const key = guessed === top ? (top === 0 ? 'right-self' : 'right') : guessed === 0 ? 'self' : top === 0 ? 'other-self' : 'other';
      return { key, slots };
    },
  },
  fits({ x, wq, wk, wv }): FieldProblem | null {
    for (const [field, w] of Object.entries({ wq, wk, wv })) {
      if (w.length !== width(x)) {
        return { field, code: 'rows', slots: { got: String(w.length), want: String(width(x)) } };
      }
    }
    if (width(wk) !== width(wq)) return { field: 'wk', code: 'widths', slots: { k: String(width(wk)), q: String(width(wq)) } };
    return null;
  },
  run(core, values) {
    const x = matrix(values.x);
    const q = core.project(x, matrix(values.wq));
    const k = core.project(x, matrix(values.wk));
    const v = core.project(x, matrix(values.wv));
    const { scores, weights, output } = core.attention(q, k, v);
    return {
      q,
      k,
      v,
      scores,
      weights,
      output,
      sums: rowSums(core, weights),
      multiplyAdds: countedScores(core, q.rows, q.cols, v.cols),
    };
  },
  view({ tokens, row }, r): View {
    const weights = rowsOf(r.weights);
    const out = rowsOf(r.output)[row]!;
    const w = weights[row]!;
    const top = favourite(w);
    const least = Math.min(...w);
    const low = w.indexOf(least);
    const lowest = w.filter((x) => x === least).length;
    const common = { i: place(row), token: tokens[row]!, j: place(top), top: tokens[top]!, w: fixed(w[top]!), sum: fixed(r.sums[row]!) };
    const tops = peaks(w);
    const even = tops.length === 0;
    const kind = even ? 'even' : tops.length > 1 ? 'tied' : '';
    const shared = { ...common, k: String(tops.length) };
    const wide = out.length > FEW;
    const best = extreme(weights, 'largest');
    const byToken = { cols: tokens, mark: 'row' as const };
    return {
      state: {
        key: `state.${[kind || (wide ? '' : 'few'), wide ? 'wide' : ''].filter(Boolean).join('-')}`,
        slots: { ...shared, ...(wide ? { n: String(out.length) } : { o: numbers(out) }) },
      },
      say: { key: kind ? `say-${kind}` : 'say', slots: shared },
      facts: [
        ...(even ? [] : [{ key: lowest > 1 ? 'facts.least-tied' : 'facts.least', slots: { token: tokens[row]!, low: tokens[low]!, k: String(lowest), w: fixed(least) } }]),
        {
          key: 'facts.count',
          slots: { n: String(r.q.rows), dk: String(r.q.cols), count: String(r.multiplyAdds) },
        },
      ],
      lines: { heading: { key: 'facts.lines' }, sentences: weights.map((line, i) => rowSentence(tokens, line, i)) },
      picture: {
        kind: 'chords',
        label: { key: `picture.${kind || 'label'}`, slots: shared },
        marks: tokens,
        weights,
        from: [row],
      },
      tables: [
        matrixTable('scores', tokens, r.scores, { cols: tokens, shade: 'signed' }),
        matrixTable('weights', tokens, r.weights, { ...byToken, shade: 'share' }),
        matrixTable('output', tokens, r.output, {}),
      ],
      more: {
        summary: { key: 'tables.more' },
        tables: [matrixTable('q', tokens, r.q, {}), matrixTable('k', tokens, r.k, {}), matrixTable('v', tokens, r.v, {})],
      },
      sound: {
        button: { key: 'sound.button', slots: { token: tokens[row]! } },
        intro: { key: 'sound.intro', slots: { token: tokens[row]!, n: String(tokens.length), best: tokens[best.col]! } },
        values: w,
      },
    };
  },
  checks: [
    { key: 'sum', limit: 1e-12, residual: (core, _, r) => rowSumError(core, r.weights) },
    { key: 'positive', limit: 0, residual: (_, __, r) => negativePart(r.weights) },
    { key: 'softmax', limit: 1e-12, residual: (core, _, r) => core.maxGap(core.softmaxRows(r.scores), r.weights) },
    {
      key: 'seats',
      limit: 1e-9,
      residual: (core, _, r) => core.maxGap(core.attention(r.q, reversed(r.k), reversed(r.v)).output, r.output),
    },
    { key: 'mix', limit: 1e-9, residual: (core, _, r) => core.maxGap(core.product(r.weights, r.v), r.output) },
    {
      key: 'count',
      limit: 0,
      residual: (_, v, r) => Math.abs(r.multiplyAdds - v.tokens.length * v.tokens.length * width(v.wq)),
    },
  ],
  code: [
    { file: 'cpp/src/attention_passes.hpp', region: 'scaled_scores' },
    { file: 'cpp/src/softmax_pass.hpp', region: 'softmax_pass' },
    { file: 'cpp/src/attention_passes.hpp', region: 'weighted_values' },
  ],
};
