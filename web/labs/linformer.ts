import type { AttentionTrace, Tally } from '../core/attention.ts';
import type { Core } from '../core/core.ts';
import type { LinformerCost, LinformerLeak, LinformerTrace } from '../core/linformer.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import type { Spread } from '../core/spread.ts';
import { fixed, numbers, place, plain, rowText } from './kit/format.ts';
import { rowSumError } from './kit/matrices.ts';
import type { FieldProblem, Lab, Message, View } from './kit/types.ts';
import { people, times } from './kit/units.ts';

type Kind = 'mean' | 'random' | 'identity';

interface Values {
  slots: number;
  kind: Kind;
  seed: number;
  changed: number;
  amount: number;
  tokens: string[];
  q: number[][];
  k: number[][];
  v: number[][];
  key: number[][];
  value: number[][];
}

interface Rung {
  slots: number;
  pool: number;
  random: Spread;
  cost: LinformerCost;
  work: Tally;
}

export interface LinformerResult {
  /** E and F, slots × tokens. */
  e: Matrix;
  trace: LinformerTrace;
  exact: AttentionTrace;
  error: number;
  /** The same for each row. */
  errors: number[];
  leak: LinformerLeak;
  /** The largest change of each row under exact attention with a causal mask. */
  causal: number[];
  rungs: Rung[];
  now: Rung;
  exactWork: Tally;
  large: LinformerCost;
  theorem: number;
}

const MAX_TOKENS = 64;
const MAX_WIDTH = 8;
const SLOTS = [1, 2, 4, 8, 16, 32, 64];
const SEEDS = 20;
const LARGE = { n: 4096, slots: 256, eps: 0.5 };
/** Wang et al. 2020, table 2: RoBERTa-base, Linformer. */
const PUBLISHED = [92.25, 92.3];

const width = (m: number[][]): number => m[0]!.length;
const column = (m: number[][]): number[] => m.map((row) => row[0]!);

function projection(core: Core, kind: Kind, slots: number, tokens: number, seed: number): Matrix {
  if (kind === 'identity') return core.identityProjection(tokens);
  return kind === 'mean' ? core.meanPoolProjection(slots, tokens) : core.randomProjection(slots, tokens, seed);
}

/** As far from the old row to the new one as `amount` says. */
function moved(core: Core, from: number[], to: number[], amount: number): Matrix {
  return core.transpose(core.product(matrix(from.map((x, i) => [x, to[i]!])), matrix([[1 - amount], [amount]])));
}

function replaced(rows: number[][], at: number, row: Matrix): Matrix {
  return matrix(rows.map((old, i) => (i === at ? [...row.data] : old)));
}

function rung(core: Core, v: Values, slots: number, exact: Matrix): Rung {
  const n = v.tokens.length;
  const [q, k, x] = [matrix(v.q), matrix(v.k), matrix(v.v)];
  const pool = core.meanPoolProjection(slots, n);
  return {
    slots,
    pool: core.maxGap(core.linformerAttention(q, k, x, pool, pool).output, exact),
    random: core.linformerErrors(q, k, x, slots, SEEDS, v.seed),
    cost: core.linformerCost(n, slots),
    work: core.linformerOperations(n, slots, width(v.k)),
  };
}

const perRow = (core: Core, a: Matrix, b: Matrix): number[] =>
  rowsOf(a).map((row, i) => core.maxGap(matrix([row]), matrix([rowsOf(b)[i]!])));

const outcome = (r: LinformerResult): 'moved' | 'still' => (r.leak.change.data[0]! > 0 ? 'moved' : 'still');

/** The tokens of the slot that holds the most of the changed one. */
function slotFact({ kind, changed, tokens }: Values, { e, now }: LinformerResult): Message {
  if (kind === 'random') {
    const { mean, deviation } = now.random;
    return { key: 'facts.random', slots: { seeds: plain(SEEDS), m: fixed(mean), s: fixed(deviation) } };
  }
  if (kind === 'identity') return { key: 'facts.identity' };
  const slot = rowsOf(e).findIndex((row) => row[changed]! > 0);
  const held = rowsOf(e)[slot]!.flatMap((x, j) => (x > 0 ? [tokens[j]!] : []));
  const key = held.length > 1 ? 'facts.mixed' : 'facts.alone';
  return { key, slots: { slot: place(slot), count: plain(held.length), first: held[0]!, last: held[held.length - 1]! } };
}

export const lab: Lab<Values, LinformerResult> = {
  stem: 'linformer',
  inputs: [
    {
      kind: 'slider',
      name: 'slots',
      min: 1,
      max: MAX_TOKENS,
      stops: [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64],
      initial: 2,
      whole: true,
      named: [1, 2, 4],
    },
    { kind: 'choice', name: 'kind', options: ['mean', 'random', 'identity'], initial: 'mean' },
    { kind: 'slider', name: 'seed', min: 1, max: 999, stops: [1, 7, 42, 123, 200, 400, 600, 800, 999], initial: 1, whole: true },
    { kind: 'item', name: 'changed', of: 'tokens', initial: 1 },
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
    { kind: 'tokens', name: 'tokens', min: 2, max: MAX_TOKENS },
    { kind: 'matrix', name: 'q', initial: [[1, 0], [0, 1], [1, 1], [0.5, -0.5]], rows: { tokens: 'tokens' }, maxCols: MAX_WIDTH, limit: 100, folded: true },
    { kind: 'matrix', name: 'k', initial: [[1, 0], [0.8, 0.2], [0, 1], [0.2, 0.8]], rows: { tokens: 'tokens' }, maxCols: MAX_WIDTH, limit: 100, folded: true },
    { kind: 'matrix', name: 'v', initial: [[1, 0], [1, 0.2], [0, 1], [0.2, 1]], rows: { tokens: 'tokens' }, maxCols: MAX_WIDTH, limit: 100, folded: true },
    { kind: 'matrix', name: 'key', initial: [[9], [9]], rows: { widthOf: 'k' }, maxCols: 1, limit: 100, folded: true, fill: 9 },
    { kind: 'matrix', name: 'value', initial: [[50], [0]], rows: { widthOf: 'v' }, maxCols: 1, limit: 100, folded: true },
  ],
  presets: [
    { id: 'pool', raw: () => ({}) },
    { id: 'identity', raw: () => ({ kind: 'identity' }) },
    { id: 'random', raw: () => ({ kind: 'random' }) },
    {
      id: 'sixteen',
      raw(core) {
        const drawn = (seed: number) => {
          const all = [...core.normals(seed, 64)];
          return Array.from({ length: 16 }, (_, i) => rowText(all.slice(4 * i, 4 * i + 4).map((x) => Number(fixed(x)))));
        };
        return {
          tokens: Array.from({ length: 16 }, (_, i) => `詞${i + 1}`).join('、'),
          q: drawn(1),
          k: drawn(2),
          v: drawn(3),
          key: ['9', '9', '9', '9'],
          value: ['50', '0', '0', '0'],
          slots: '4',
        };
      },
    },
  ],
  predict: {
    kind: 'choice',
    options: ['stays', 'moves'],
    judge: (guess, values, r) => ({
      key: `${guess}.${outcome(r)}`,
      slots: { j: place(values.changed), c: fixed(r.leak.change.data[0]!) },
    }),
  },
  fits({ slots, kind, tokens, q, k, v }): FieldProblem | null {
    if (kind !== 'identity' && slots > tokens.length) return { field: 'slots', code: 'slots', slots: { got: plain(slots), most: plain(tokens.length) } };
    if (width(q) !== width(k)) return { field: 'k', code: 'widths', slots: { k: plain(width(k)), q: plain(width(q)) } };
    return width(v) === width(k) ? null : { field: 'v', code: 'widths', slots: { k: plain(width(v)), q: plain(width(k)) } };
  },
  run(core, values) {
    const n = values.tokens.length;
    const slots = values.kind === 'identity' ? n : values.slots;
    const [q, k, v] = [matrix(values.q), matrix(values.k), matrix(values.v)];
    const e = projection(core, values.kind, slots, n, values.seed);
    const trace = core.linformerAttention(q, k, v, e, e);
    const exact = core.attention(q, k, v);
    const at = values.changed;
    const key = moved(core, values.k[at]!, column(values.key), values.amount);
    const value = moved(core, values.v[at]!, column(values.value), values.amount);
    const mask = core.causalMask(n, n);
    const causal = [
      core.attention(q, k, v, { mask }).output,
      core.attention(q, replaced(values.k, at, key), replaced(values.v, at, value), { mask }).output,
    ];
    const wanted = [...new Set([...SLOTS.filter((s) => s <= n), slots, n])].sort((a, b) => a - b);
    const rungs = wanted.map((s) => rung(core, values, s, exact.output));
    return {
      e,
      trace,
      exact,
      error: core.maxGap(trace.output, exact.output),
      errors: perRow(core, trace.output, exact.output),
      leak: core.linformerLeak(q, k, v, e, e, at, key, value),
      causal: perRow(core, causal[0]!, causal[1]!),
      rungs,
      now: rungs.find((found) => found.slots === slots)!,
      exactWork: core.attentionOperations(n, n, width(values.k), width(values.k)),
      large: core.linformerCost(LARGE.n, LARGE.slots),
      theorem: core.linformerTheoremSlots(LARGE.n, LARGE.eps),
    };
  },
  view(values, r, words): View {
    const { tokens, kind } = values;
    const n = tokens.length;
    const slots = {
      n: plain(n),
      k: plain(r.now.slots),
      e: fixed(r.error, 4),
      j: place(values.changed),
      c: fixed(r.leak.change.data[0]!),
      a: fixed(r.leak.before.data[0]!, 3),
      b: fixed(r.leak.after.data[0]!),
    };
    const dims = (key: string) => Array.from({ length: r.trace.output.cols }, (_, i) => ({ key: `tables.output.${key}`, slots: { j: place(i) } }));
    const tops = r.rungs.flatMap(({ pool, random }) => [pool, random.mean + random.deviation]);
    const top = Math.max(...tops, 0.01);
    return {
      state: { key: outcome(r) === 'moved' ? 'state.moved' : 'state.still', slots },
      say: { key: 'say', slots },
      facts: [
        slotFact(values, r),
        { key: 'facts.causal', slots: { j: slots.j, c: numbers(r.causal.slice(0, 1)) } },
        { key: 'facts.entries', slots: { ...slots, a: people(r.now.cost.exactEntries, words), b: people(r.now.cost.linformerEntries, words) } },
        {
          key: r.now.work.multiplications < r.exactWork.multiplications ? 'facts.less-work' : 'facts.more-work',
          slots: { a: people(r.exactWork.multiplications, words), b: people(r.now.work.multiplications, words) },
        },
        {
          key: 'facts.large',
          slots: { n: plain(LARGE.n), k: plain(LARGE.slots), r: plain(r.large.ratio), p: people(r.large.projectionParameters, words), t: fixed(r.theorem, 0) },
        },
        { key: 'facts.published', slots: { a: fixed(PUBLISHED[0]!), b: fixed(PUBLISHED[1]!) } },
      ],
      picture: {
        kind: 'lines',
        label: {
          key: 'picture.label',
          slots: { a: fixed(r.rungs[0]!.pool), b: fixed(r.rungs[r.rungs.length - 1]!.pool), c: fixed(r.rungs[r.rungs.length - 1]!.random.mean) },
        },
        x: { title: { key: 'picture.x' }, min: 1, max: Math.max(2, n), log: true, ticks: r.rungs.map(({ slots: at }) => ({ at, text: plain(at) })) },
        y: { title: { key: 'picture.y' }, min: 0, max: top, ticks: [0, top / 2, top].map((at) => ({ at, text: fixed(at) })) },
        lines: [
          { name: { key: 'picture.mean' }, points: r.rungs.map(({ slots: at, pool }): [number, number] => [at, pool]), strong: kind !== 'random' },
          {
            name: { key: 'picture.random' },
            points: r.rungs.map(({ slots: at, random }): [number, number] => [at, random.mean]),
            bars: r.rungs.map(({ random }): [number, number] => [Math.max(0, random.mean - random.deviation), random.mean + random.deviation]),
            strong: kind === 'random',
          },
        ],
        at: r.now.slots,
      },
      tables: [
        {
          id: 'output',
          caption: { key: 'tables.output.caption' },
          corner: { key: 'tables.token' },
          rows: tokens,
          cols: [...dims('pressed'), ...dims('exact'), { key: 'tables.output.error' }],
          cells: tokens.map((_, i) => [...rowsOf(r.trace.output)[i]!, ...rowsOf(r.exact.output)[i]!, r.errors[i]!]),
        },
        {
          id: 'weights',
          caption: { key: 'tables.weights.caption' },
          corner: { key: 'tables.token' },
          rows: tokens,
          cols: Array.from({ length: r.trace.weights.cols }, (_, s) => ({ key: 'tables.weights.slot', slots: { s: place(s) } })),
          cells: rowsOf(r.trace.weights),
          shade: 'share',
          mark: 'row',
        },
        {
          id: 'leak',
          caption: { key: 'tables.leak.caption', slots },
          corner: { key: 'tables.token' },
          rows: tokens,
          cols: ['pressed', 'causal'].map((key) => ({ key: `tables.leak.${key}` })),
          cells: tokens.map((_, i) => [r.leak.change.data[i]!, r.causal[i]!]),
        },
        {
          id: 'sizes',
          caption: { key: 'tables.sizes.caption', slots: { seeds: plain(SEEDS) } },
          corner: { key: 'tables.sizes.corner' },
          rows: [...r.rungs.map(({ slots: s }) => plain(s)), { key: 'tables.sizes.exact' }],
          cols: ['pool', 'mean', 'deviation', 'largest', 'entries', 'work'].map((key) => ({ key: `tables.sizes.${key}` })),
          cells: [
            ...r.rungs.map(({ pool, random, cost, work }) => [pool, random.mean, random.deviation, random.largest, cost.linformerEntries, work.multiplications]),
            [0, 0, 0, 0, r.now.cost.exactEntries, r.exactWork.multiplications],
          ],
          digits: [4, 4, 4, 4, 0, 0],
        },
      ],
      sound: {
        button: { key: `sound.${kind === 'random' ? 'random' : 'mean'}` },
        intro: { key: 'sound.intro', slots: { n: plain(r.rungs.length) } },
        values: r.rungs.map(({ pool, random }) => times(kind === 'random' ? random.mean : pool, top)),
      },
    };
  },
  checks: [
    { key: 'sum', limit: 1e-12, residual: (core, _, { trace }) => rowSumError(core, trace.weights) },
    { key: 'keys', limit: 1e-12, residual: (core, v, { e, trace }) => core.maxGap(core.product(e, matrix(v.k)), trace.projectedKeys) },
    { key: 'mix', limit: 1e-12, residual: (core, _, { trace }) => core.maxGap(core.product(trace.weights, trace.projectedValues), trace.output) },
    {
      key: 'identity',
      limit: 1e-12,
      residual(core, v, { exact }) {
        const one = core.identityProjection(v.tokens.length);
        return core.maxGap(core.linformerAttention(matrix(v.q), matrix(v.k), matrix(v.v), one, one).output, exact.output);
      },
    },
    { key: 'causal', limit: 0, residual: (_, v, { causal }) => Math.max(0, ...causal.slice(0, v.changed)) },
    {
      key: 'work',
      limit: 0,
      residual(core, v, { now }) {
        const factors = [4, v.tokens.length, now.slots, width(v.k)];
        const product = factors.reduce((so, factor) => core.product(matrix([[so]]), matrix([[factor]])).data[0]!);
        return core.maxGap(matrix([[product]]), matrix([[now.work.multiplications]]));
      },
    },
  ],
  code: [
    { file: 'cpp/src/linformer_passes.hpp', region: 'linformer_passes' },
    { file: 'cpp/src/linformer.cpp', region: 'mean_pool_projection' },
    { file: 'cpp/src/linformer.cpp', region: 'linformer_errors' },
  ],
};
