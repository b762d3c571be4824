import type { Core } from '../core/core.ts';
import { matrix } from '../core/matrix.ts';
import type { BlockwiseSoftmax, MergeOrder, SoftmaxState } from '../core/online-softmax.ts';
import { fixed, numbers, place, plain, scientific } from './kit/format.ts';
import { rowSumError } from './kit/matrices.ts';
import type { FieldProblem, Header, Lab, Message, Table, View } from './kit/types.ts';

interface Values {
  keys: string[];
  scores: number[][];
  v: number[][];
  block: number;
  order: MergeOrder;
  shift: '0' | '1000';
  stage: number;
}

export interface OnlineResult {
  scores: number[];
  trace: BlockwiseSoftmax;
  /** Weights of the keys that the chosen stage holds; 0 for those that are still to come. */
  seen: number[];
}

/** What a stage holds: the blocks first … last, from 0. */
interface Stage {
  first: number;
  last: number;
  state: SoftmaxState;
}

const MAX_KEYS = 16;
const ORDERS: MergeOrder[] = ['forward', 'backward', 'pairwise'];
/** Above this a gap is more than rounding. */
const ROUNDING = 1e-9;

const scoresOf = (v: Values, shift: string): number[] => v.scores.map((row) => row[0]! + Number(shift));

const blocksOf = (v: Pick<Values, 'keys' | 'block'>): number => Math.ceil(v.keys.length / v.block);

/** Which blocks every merge brings together, in the core's order of merging. */
function spans(blocks: number, order: MergeOrder): [number, number][] {
  if (order === 'forward') return Array.from({ length: blocks - 1 }, (_, t) => [0, t + 1]);
  if (order === 'backward') return Array.from({ length: blocks - 1 }, (_, t) => [blocks - 2 - t, blocks - 1]);
  const found: [number, number][] = [];
  let level = Array.from({ length: blocks }, (_, b): [number, number] => [b, b]);
  while (level.length > 1) {
    const next: [number, number][] = [];
    for (let i = 0; i + 1 < level.length; i += 2) next.push([level[i]![0], level[i + 1]![1]]);
    found.push(...next);
    if (level.length % 2 === 1) next.push(level[level.length - 1]!);
    level = next;
  }
  return found;
}

/** The first block by itself, then what each merge leaves. */
function stagesOf(trace: BlockwiseSoftmax, order: MergeOrder): Stage[] {
  const start = order === 'backward' ? trace.blocks.length - 1 : 0;
  const merges = spans(trace.blocks.length, order).map(([first, last], t) => ({ first, last, state: trace.merges[t]! }));
  return [{ first: start, last: start, state: trace.blocks[start]! }, ...merges];
}

const cellsOf = ({ max, sum, output }: SoftmaxState): number[] => [max, sum, ...Array.from(output)];

/** The keys of a stage: the first, and the one after the last. */
function keysOf({ first, last }: Stage, { block, keys }: Values): [number, number] {
  return [first * block, Math.min((last + 1) * block, keys.length)];
}

function spanName({ first, last }: Stage): Message {
  return first === last
    ? { key: 'tables.block', slots: { b: place(first) } }
    : { key: 'tables.span', slots: { b: place(first), e: place(last) } };
}

function stateTable(id: string, rows: Header[], states: SoftmaxState[]): Table {
  return {
    id,
    caption: { key: `tables.${id}.caption` },
    corner: { key: `tables.${id}.corner` },
    rows,
    cols: [
      { key: 'tables.max' },
      { key: 'tables.sum' },
      ...Array.from({ length: states[0]!.output.length }, (_, j) => ({ key: 'tables.output', slots: { j: place(j) } })),
    ],
    cells: states.map(cellsOf),
  };
}

/** Where the mistake is largest. */
function mistake({ weights, averagedWeights }: BlockwiseSoftmax, keys: string[]): Message {
  const gaps = Array.from(weights, (w, i) => Math.abs(w - averagedWeights[i]!));
  const worst = gaps.indexOf(Math.max(...gaps));
  const [right, wrong] = [fixed(weights[worst]!), fixed(averagedWeights[worst]!)];
  return right === wrong ? { key: 'facts.lucky' } : { key: 'facts.mistake', slots: { key: keys[worst]!, right, wrong } };
}

/** How the maximum moved in the merge that led to a stage, where one block joined the rest. */
function rescaled(stages: Stage[], at: number, order: MergeOrder): Message[] {
  const before = stages[at - 1];
  if (!before || order === 'pairwise') return [];
  const [old, now] = [before.state.max, stages[at]!.state.max];
  return [{ key: now > old ? 'facts.rose' : 'facts.kept', slots: { old: fixed(old), now: fixed(now) } }];
}

export const lab: Lab<Values, OnlineResult> = {
  stem: 'online-softmax',
  inputs: [
    { kind: 'step', name: 'stage', count: (v) => blocksOf(v as unknown as Values), initial: 0 },
    {
      kind: 'slider',
      name: 'block',
      min: 1,
      max: MAX_KEYS,
      stops: Array.from({ length: MAX_KEYS }, (_, i) => i + 1),
      initial: 2,
      whole: true,
      named: [1, 2, 3],
    },
    { kind: 'choice', name: 'order', options: ORDERS, initial: 'forward' },
    { kind: 'choice', name: 'shift', options: ['0', '1000'], initial: '0' },
    { kind: 'tokens', name: 'keys', min: 1, max: MAX_KEYS },
    { kind: 'matrix', name: 'scores', initial: [[1], [3], [-2], [0.5], [4], [2]], rows: { tokens: 'keys' }, maxCols: 1, limit: 1000 },
    {
      kind: 'matrix',
      name: 'v',
      initial: [[1, 0], [0, 1], [2, 2], [-1, 1], [3, -1], [0.5, 0.5]],
      rows: { tokens: 'keys' },
      maxCols: 4,
      limit: 100,
      folded: true,
    },
  ],
  presets: [
    { id: 'three', raw: () => ({}) },
    { id: 'all', raw: () => ({ stage: '2' }) },
    { id: 'two', raw: (_, words) => ({ keys: String(words.two), scores: ['0', '1'], v: ['1, 0', '0, 1'], block: '1', stage: '1' }) },
    { id: 'shifted', raw: () => ({ shift: '1000', stage: '2' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['rounding', 'percent', 'large'],
    judge: (guess, _, { trace }) => ({ key: guess, slots: { b: plain(trace.blocks.length) } }),
  },
  fits({ keys, v }): FieldProblem | null {
    return v.length === keys.length ? null : { field: 'v', code: 'rows', slots: { got: plain(v.length), want: plain(keys.length) } };
  },
  run(core, values) {
    const scores = scoresOf(values, values.shift);
    const trace = core.blockwiseSoftmax(scores, matrix(values.v), values.block, { order: values.order });
    const [from, to] = keysOf(stagesOf(trace, values.order)[values.stage]!, values);
    const own = core.softmax(scores.slice(from, to));
    return { scores, trace, seen: scores.map((_, i) => (i >= from && i < to ? own[i - from]! : 0)) };
  },
  view(values, { scores, trace, seen }): View {
    const { keys, order, stage } = values;
    const stages = stagesOf(trace, order);
    const here = stages[stage]!;
    const last = stage === stages.length - 1;
    const gap = scientific(trace.gap);
    const slots = {
      s: place(stage),
      n: plain(stages.length),
      b: place(here.first),
      e: place(here.last),
      m: fixed(here.state.max),
      l: fixed(here.state.sum),
      o: numbers(Array.from(here.state.output)),
      mantissa: gap.mantissa,
      exponent: plain(-gap.exponent),
    };
    const kind = stages.length === 1 ? 'only' : last ? (trace.gap === 0 ? 'exact' : 'done') : here.first === here.last ? 'block' : 'merge';
    const weights = [...trace.weights];
    const top = seen.indexOf(Math.max(...seen));
    const [from, to] = keysOf(here, values);
    const best = { key: keys[top]!, w: fixed(seen[top]!), n: plain(to - from), all: plain(keys.length) };
    const blockNames = trace.blocks.map((_, b) => ({ key: 'tables.block', slots: { b: place(b) } }));
    return {
      state: { key: `state.${kind}`, slots },
      say: { key: kind === 'block' || kind === 'only' ? 'say-block' : last ? 'say-all' : 'say', slots },
      facts: [
        ...rescaled(stages, stage, order),
        stages.length === 1 ? { key: 'facts.single' } : mistake(trace, keys),
        { key: last ? 'facts.weights' : 'facts.so-far', slots: best },
        ...(values.shift === '0' ? [] : [{ key: 'facts.shifted' }]),
      ],
      picture: {
        kind: 'bars',
        label: { key: 'picture.label', slots: best },
        bars: keys.map((name, i) => ({ name, score: scores[i]!, weight: seen[i]! })),
        scoreTitle: { key: 'picture.score' },
        weightTitle: { key: 'picture.weight' },
      },
      tables: [
        stateTable('blocks', blockNames, [...trace.blocks]),
        stateTable('merges', [...stages.map(spanName), { key: 'tables.merges.whole' }], [...stages.map(({ state }) => state), trace.whole]),
        {
          id: 'weights',
          caption: { key: 'tables.weights.caption' },
          corner: { key: 'tables.weights.corner' },
          rows: keys,
          cols: ['score', 'weight', 'averaged'].map((column) => ({ key: `tables.weights.${column}` })),
          cells: keys.map((_, i) => [scores[i]!, weights[i]!, trace.averagedWeights[i]!]),
        },
      ],
      sound: {
        button: { key: 'sound.button' },
        intro: { key: 'sound.intro', slots: best },
        values: seen,
      },
    };
  },
  checks: [
    {
      key: 'merged',
      limit: ROUNDING,
      residual: (core, _, { trace }) => core.maxGap(matrix([cellsOf(trace.merged)]), matrix([cellsOf(trace.whole)])),
    },
    { key: 'sum', limit: 1e-12, residual: (core, _, { trace }) => rowSumError(core, matrix([[...trace.weights]])) },
    { key: 'seen', limit: 1e-12, residual: (core, _, { seen }) => rowSumError(core, matrix([seen])) },
    {
      key: 'scan',
      limit: ROUNDING,
      residual(core, _, { scores, trace }) {
        const { max, sum } = core.onlineScan(scores);
        const end = scores.length - 1;
        return core.maxGap(matrix([[max[end]!, sum[end]!]]), matrix([[trace.merged.max, trace.merged.sum]]));
      },
    },
    {
      key: 'orders',
      limit: ROUNDING,
      residual: (core, v, { scores, trace }) =>
        Math.max(
          ...ORDERS.map((order) => {
            const other = core.blockwiseSoftmax(scores, matrix(v.v), v.block, { order });
            return core.maxGap(matrix([Array.from(other.merged.output)]), matrix([Array.from(trace.merged.output)]));
          }),
        ),
    },
    {
      key: 'shift',
      limit: ROUNDING,
      residual(core, v, { trace }) {
        const other = core.softmax(scoresOf(v, v.shift === '0' ? '1000' : '0'));
        return core.maxGap(matrix([[...other]]), matrix([[...trace.weights]]));
      },
    },
  ],
  code: [
    { file: 'cpp/src/online_softmax.cpp', region: 'block_state' },
    { file: 'cpp/src/online_softmax.cpp', region: 'merge_states' },
  ],
};
