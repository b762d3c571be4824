import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import { fixed, place, plain } from './kit/format.ts';
import { rowSumError } from './kit/matrices.ts';
import { word } from './kit/template.ts';
import type { Lab, Message, View, Words } from './kit/types.ts';
import { decimal, times } from './kit/units.ts';

interface Values {
  heads: number;
  rule: 'paper' | 'released';
  head: number;
  i: number;
  k: number;
  form: 'distance' | 'shifted';
}

export interface AlibiResult {
  /** Of the chosen rule, and of both. */
  slopes: number[];
  paper: number[];
  released: number[];
  /** Where each head's weight has fallen to one hundredth. */
  reaches: number[];
  slope: number;
  /** Keys 0 … i. */
  weights: number[];
  /** By distance, as shares of the nearest. */
  shares: number[];
  /** How much of a weight one step leaves. */
  ratio: number;
  bias: Matrix;
  /** The heads that are drawn, from 0, and their biases by distance. */
  shown: number[];
  drawn: number[][];
}

const MOST_HEADS = 16;
const FAR = 4096;
const HEARD = 48;
/** Keys that a table lists: the nearest ones. */
const LISTED = 48;
/** Places of the bias table, small enough to be seen whole. */
const SQUARE = 12;
const DRAWN = [0, 12, 24, 36, 48];
const HUNDREDTH = 0.01;

/** The chosen head and distance; the last one where there are fewer. */
const chosen = (v: Values): number => Math.min(v.head, v.heads) - 1;
const apart = (v: Values): number => Math.min(v.k, v.i);
const squareOf = (v: Values): number => Math.min(Math.max(v.i, 1) + 1, SQUARE);

const row = (numbers: ArrayLike<number>): Matrix => matrix([Array.from(numbers)]);
const gap = (core: Core, a: ArrayLike<number>, b: ArrayLike<number>): number => core.maxGap(row(a), row(b));

/** By distance from the last place, nearest first. */
const byDistance = (weights: Matrix): number[] => [...weights.data].reverse();

/** The chosen head among the steepest and the flattest. */
function shownHeads(v: Values): number[] {
  return [...new Set([0, 1, chosen(v), v.heads - 1])].filter((h) => h < v.heads).sort((a, b) => a - b);
}

/** Small weights are not 0, and are not said to be. */
function share(x: number, words: Words): string {
  return x < 0.0001 ? word(words, 'tiny') : fixed(x, x < 0.01 ? 4 : 2);
}

const powerOfTwo = (heads: number): boolean => [1, 2, 4, 8, 16].includes(heads);
/** The powers of two around a number of heads. */
const below = (heads: number): number => [16, 8, 4, 2, 1].find((power) => power <= heads)!;
const above = (heads: number): number => [1, 2, 4, 8, 16].find((power) => power > heads) ?? MOST_HEADS;

export const lab: Lab<Values, AlibiResult> = {
  stem: 'alibi',
  inputs: [
    {
      kind: 'slider',
      name: 'heads',
      min: 1,
      max: MOST_HEADS,
      stops: Array.from({ length: MOST_HEADS }, (_, h) => h + 1),
      initial: 8,
      whole: true,
      named: [6, 8, 12],
      judge: (heads) => (powerOfTwo(heads) ? 'power' : 'between'),
    },
    { kind: 'choice', name: 'rule', options: ['released', 'paper'], initial: 'released' },
    { kind: 'slider', name: 'head', min: 1, max: MOST_HEADS, stops: Array.from({ length: MOST_HEADS }, (_, h) => h + 1), initial: 1, whole: true },
    { kind: 'slider', name: 'i', min: 0, max: FAR, stops: [0, 1, 2, 3, 5, 7, 11, 15, 31, 47, 63, 127, 255, 511, 1023, 2047, FAR], initial: 3, whole: true },
    { kind: 'slider', name: 'k', min: 0, max: FAR, stops: [0, 1, 2, 3, 4, 5, 7, 9, 12, 18, 24, 36, 48, 74, 147, 295, 589, 1179, 2048, FAR], initial: 3, whole: true },
    { kind: 'choice', name: 'form', options: ['distance', 'shifted'], initial: 'distance' },
  ],
  presets: [
    { id: 'eight', raw: () => ({}) },
    { id: 'six', raw: () => ({ heads: '6', head: '5' }) },
    { id: 'six-paper', raw: () => ({ heads: '6', rule: 'paper', head: '5' }) },
    { id: 'flat', raw: () => ({ head: '8', i: '2047', k: '1179' }) },
    { id: 'shifted', raw: () => ({ form: 'shifted' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['two', 'nine', 'hundred', 'never'],
    judge: (guess, _, { reaches }) => ({ key: guess, slots: { r: decimal(reaches[0]!, 1) } }),
  },
  run(core, v) {
    const paper = [...core.alibiSlopes(v.heads, { rule: 'paper' })];
    const released = [...core.alibiSlopes(v.heads)];
    const slopes = v.rule === 'paper' ? paper : released;
    const slope = slopes[chosen(v)]!;
    const heard = byDistance(core.alibiWeights(slope, HEARD - 1));
    const shown = shownHeads(v);
    const last = DRAWN[DRAWN.length - 1]!;
    return {
      slopes,
      paper,
      released,
      reaches: slopes.map((m) => core.alibiReach(m, { share: HUNDREDTH })),
      slope,
      weights: [...core.alibiWeights(slope, v.i).data],
      shares: heard.map((weight) => times(weight, heard[0]!)),
      ratio: times(heard[1]!, heard[0]!),
      bias: core.alibiBias(slope, squareOf(v), { form: v.form }),
      shown,
      drawn: shown.map((h) => {
        const biases = rowsOf(core.alibiBias(slopes[h]!, last + 1))[last]!;
        return DRAWN.map((distance) => biases[last - distance]!);
      }),
    };
  },
  view(v, r, words): View {
    const head = chosen(v);
    const k = apart(v);
    const [steepest, flattest] = [Math.max(...r.slopes), Math.min(...r.slopes)];
    const reachOf = (slope: number) => decimal(r.reaches[r.slopes.indexOf(slope)]!, 1);
    const slots = {
      h: place(head),
      heads: plain(v.heads),
      m: decimal(r.slope, 4),
      i: plain(v.i),
      k: plain(k),
      w: share(r.weights[v.i - k]!, words),
      r: decimal(r.reaches[head]!, 1),
    };
    const rules: Message = powerOfTwo(v.heads)
      ? { key: 'facts.same', slots }
      : { key: 'facts.differ', slots: { ...slots, a: decimal(r.paper[0]!, 4), b: decimal(r.released[0]!, 4) } };
    const places = Array.from({ length: r.bias.rows }, (_, at) => at);
    const biases = rowsOf(r.bias);
    const first = Math.max(0, v.i + 1 - LISTED);
    const listed = Array.from({ length: v.i + 1 - first }, (_, at) => first + at);
    return {
      state: { key: 'state', slots },
      say: { key: 'say', slots },
      facts: [
        ...(v.heads === 1
          ? []
          : [{ key: 'facts.range', slots: { a: decimal(steepest, 4), b: decimal(flattest, 4), near: reachOf(steepest), far: reachOf(flattest) } }]),
        { key: 'facts.ratio', slots: { ...slots, x: decimal(r.ratio, 3) } },
        rules,
        ...(v.rule === 'released' && !powerOfTwo(v.heads)
          ? [{ key: 'facts.order', slots: { heads: slots.heads, p: plain(below(v.heads)), q: plain(above(v.heads)), rest: plain(v.heads - below(v.heads)) } }]
          : []),
        ...(v.form === 'shifted' ? [{ key: 'facts.shifted' }] : []),
        ...(v.head > v.heads ? [{ key: 'facts.fewer-heads', slots }] : []),
        ...(v.k > v.i ? [{ key: 'facts.fewer-keys', slots }] : []),
      ],
      picture: {
        kind: 'lines',
        label: { key: 'picture.label', slots: { n: plain(r.shown.length), ...slots } },
        x: { title: { key: 'picture.x' }, min: 0, max: 48, ticks: DRAWN.map((at) => ({ at, text: plain(at) })) },
        y: { title: { key: 'picture.y' }, min: -36, max: 0, ticks: [-36, -24, -12, 0].map((at) => ({ at, text: plain(at) })) },
        lines: r.shown.map((h, line) => ({
          name: { key: 'picture.head', slots: { h: place(h) } },
          points: DRAWN.map((distance, at): [number, number] => [distance, r.drawn[line]![at]!]),
          strong: h === head,
        })),
        ...(k <= 48 ? { at: k } : {}),
      },
      tables: [
        {
          id: 'weights',
          caption: { key: listed.length > v.i ? 'tables.weights.caption' : 'tables.weights.nearest', slots: { ...slots, n: plain(LISTED) } },
          corner: { key: 'tables.key' },
          rows: listed.map((at) => ({ key: 'tables.at', slots: { j: plain(at) } })),
          cols: ['apart', 'weight'].map((key) => ({ key: `tables.weights.${key}` })),
          cells: listed.map((at) => [v.i - at, r.weights[at]!]),
          digits: [0, 4],
          texts: listed.map((at) => [undefined, r.weights[at]! < 0.00005 ? word(words, 'tiny') : undefined]),
        },
        {
          id: 'slopes',
          caption: { key: 'tables.slopes.caption' },
          corner: { key: 'tables.slopes.corner' },
          rows: r.slopes.map((_, h) => ({ key: 'tables.slopes.head', slots: { h: place(h) } })),
          cols: ['released', 'paper', 'reach'].map((key) => ({ key: `tables.slopes.${key}` })),
          cells: r.slopes.map((_, h) => [r.released[h]!, r.paper[h]!, r.reaches[h]!]),
          digits: [6, 6, 1],
        },
        {
          id: 'bias',
          caption: { key: `tables.bias.${v.form}`, slots },
          corner: { key: 'tables.bias.corner' },
          rows: places.map((at) => ({ key: 'tables.at', slots: { j: plain(at) } })),
          cols: places.map((at) => ({ key: 'tables.at', slots: { j: plain(at) } })),
          cells: biases,
          masked: biases.map((line) => line.map((x) => x === -Infinity)),
          texts: biases.map((line) => line.map((x) => (x === -Infinity ? word(words, 'hidden') : undefined))),
        },
        {
          id: 'heard',
          caption: { key: 'tables.heard.caption', slots: { ...slots, last: plain(HEARD - 1) } },
          corner: { key: 'tables.heard.corner' },
          rows: r.shares.map((_, distance) => plain(distance)),
          cols: [{ key: 'tables.heard.share' }],
          cells: r.shares.map((x) => [x]),
          shade: 'share',
        },
      ],
      sound: {
        button: { key: 'sound.button', slots },
        intro: { key: 'sound.intro', slots: { ...slots, last: plain(HEARD - 1) } },
        values: r.shares,
      },
    };
  },
  checks: [
    { key: 'sum', limit: 1e-12, residual: (core, _, { weights }) => rowSumError(core, row(weights)) },
    {
      // A softmax of the bias itself, for as many places as its table has.
      key: 'softmax',
      limit: 1e-12,
      residual: (core, v, { slope, bias }) => gap(core, rowsOf(core.softmaxRows(bias))[bias.rows - 1]!, core.alibiWeights(slope, bias.rows - 1).data),
    },
    {
      // Both forms of the bias differ in each row by a constant.
      key: 'forms',
      limit: 1e-12,
      residual(core, v, { slope, bias }) {
        const other = core.alibiBias(slope, bias.rows, { form: v.form === 'distance' ? 'shifted' : 'distance' });
        return core.maxGap(core.softmaxRows(bias), core.softmaxRows(other));
      },
    },
    {
      key: 'ratio',
      limit: 1e-12,
      residual: (core, _, { shares, ratio }) => gap(core, shares.slice(1), core.product(matrix([[ratio]]), row(shares.slice(0, -1))).data),
    },
    {
      // At the reach, the softmax of two scores gives one hundredth of the nearest.
      key: 'reach',
      limit: 1e-9,
      residual: (core, _, { slopes, reaches }) =>
        Math.max(
          ...slopes.map((m, h) => {
            const [far, near] = core.softmaxRows(row([core.product(matrix([[-m]]), matrix([[reaches[h]!]])).data[0]!, 0])).data as unknown as [number, number];
            return Math.abs(times(far, near) - HUNDREDTH);
          }),
        ),
    },
    {
      // The released slopes are those of the power of two below, then every other one of the power above.
      key: 'rule',
      limit: 0,
      residual(core, v, { released }) {
        const inner = [...core.alibiSlopes(below(v.heads), { rule: 'paper' })];
        const outer = [...core.alibiSlopes(above(v.heads), { rule: 'paper' })].filter((_, h) => h % 2 === 0);
        return gap(core, released, [...inner, ...outer].slice(0, v.heads));
      },
    },
  ],
  code: [
    { file: 'cpp/src/alibi.cpp', region: 'alibi_slopes' },
    { file: 'cpp/src/alibi.cpp', region: 'alibi_bias' },
    { file: 'cpp/src/alibi.cpp', region: 'alibi_weights' },
    { file: 'cpp/src/alibi.cpp', region: 'alibi_reach' },
  ],
};

