import type { Core } from '../core/core.ts';
import { matrix, type Matrix } from '../core/matrix.ts';
import { percent, place, plain } from './kit/format.ts';
import type { Lab, Message, View } from './kit/types.ts';
import { decimal } from './kit/units.ts';

interface Values {
  /** 0 shows all terms at once, t the first t of them. */
  term: number;
  names: string[];
  vectors: number[][];
  factor: number;
}

export interface DotResult {
  /** The first vector, stretched. */
  a: number[];
  b: number[];
  terms: Matrix;
  /** What has been added up after each term. */
  running: Matrix;
  dot: number;
  lengthA: number;
  lengthB: number;
  /** The product of both lengths: the most that the dot product can be. */
  most: number;
  /** The dot product as a share of the most, −1 … 1; 0 when a vector is all zeros. */
  cosine: number;
  positive: number;
  negative: number;
}

type Sign = 'positive' | 'negative' | 'zero';

/** So many terms are said one by one. */
const FEW = 4;
/** From this share of the most on, two vectors count as pointing the same way. */
const ALIKE = 0.5;
const MOST_TERMS = 16;

const one = (m: Matrix): number => m.data[0]!;
const column = (list: number[]): Matrix => matrix(list.map((x) => [x]));
const square = (n: number, entry: (i: number, j: number) => number): Matrix =>
  matrix(Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => entry(i, j))));
const total = (core: Core, list: number[]): number => one(core.product(matrix([list]), column(list.map(() => 1))));
const dotOf = (core: Core, a: number[], b: number[]): number => one(core.product(matrix([a]), column(b)));

const signOf = (x: number): Sign => (x > 0 ? 'positive' : x < 0 ? 'negative' : 'zero');

function run(core: Core, { vectors, factor }: Values): DotResult {
  const [first, b] = vectors as [number[], number[]];
  const a = [...core.product(matrix([[factor]]), matrix([first])).data];
  const terms = core.product(matrix([a]), square(b.length, (i, j) => (i === j ? b[i]! : 0)));
  const running = core.product(terms, square(b.length, (i, j) => (i <= j ? 1 : 0)));
  const dot = dotOf(core, a, b);
  const [lengthA, lengthB] = [core.frobeniusNorm(matrix([a])), core.frobeniusNorm(matrix([b]))];
  const most = one(core.product(matrix([[lengthA]]), matrix([[lengthB]])));
  const part = (wanted: Sign): number => total(core, [...terms.data].map((x) => (signOf(x) === wanted ? x : 0)));
  return {
    a,
    b,
    terms,
    running,
    dot,
    lengthA,
    lengthB,
    most,
    cosine: most > 0 ? dot / most : 0,
    positive: part('positive'),
    negative: part('negative'),
  };
}

/** How the two vectors lie to each other, in a word of the lab. */
function direction({ most, dot, cosine }: DotResult): string {
  if (most === 0) return 'blank';
  if (dot === 0) return 'square';
  return `${signOf(dot)}-${Math.abs(cosine) >= ALIKE ? 'strong' : 'weak'}`;
}

function state({ term, names }: Values, r: DotResult): Message {
  const n = r.b.length;
  const sum = [...r.running.data];
  if (term === 0) {
    const slots = { n: plain(n), terms: [...r.terms.data].map((x) => decimal(x)).join('、'), dot: decimal(r.dot), p: decimal(r.positive), m: decimal(r.negative), x: names[0]!, y: names[1]! };
    return { key: n <= FEW ? 'state.few' : 'state.many', slots };
  }
  const i = term - 1;
  const slots = {
    i: plain(term),
    n: plain(n),
    a: decimal(r.a[i]!),
    b: decimal(r.b[i]!),
    t: decimal(r.terms.data[i]!),
    before: decimal(sum[i - 1] ?? 0),
    sum: decimal(sum[i]!),
  };
  return { key: term === n ? 'state.last' : term === 1 ? 'state.first' : 'state.next', slots };
}

/** Heights that hold every running sum and 0. */
function span(sums: number[]): [number, number] {
  const [low, high] = [Math.min(0, ...sums), Math.max(0, ...sums)];
  return low === high ? [-1, 1] : [low, high];
}

export const lab: Lab<Values, DotResult> = {
  stem: 'dot-product',
  inputs: [
    { kind: 'step', name: 'term', count: (v) => 1 + (v as unknown as Values).vectors[0]!.length, initial: 0 },
    { kind: 'tokens', name: 'names', min: 2, max: 2 },
    { kind: 'matrix', name: 'vectors', initial: [[2, -1, 3], [1, 4, 2]], rows: { tokens: 'names' }, maxCols: MOST_TERMS, limit: 100 },
    {
      kind: 'slider',
      name: 'factor',
      min: -3,
      max: 3,
      stops: [-3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3],
      initial: 1,
      whole: false,
      named: [-1, 0, 1, 2],
      judge: (v) => (v < 0 ? 'turned' : v === 0 ? 'none' : Math.abs(v) === 1 ? 'same' : v < 1 ? 'shorter' : 'longer'),
    },
  ],
  presets: [
    { id: 'three', raw: () => ({}) },
    { id: 'square', raw: () => ({ vectors: ['3, 4', '4, -3'] }) },
    { id: 'against', raw: () => ({ vectors: ['1, 2, 3', '-1, -2, -3'] }) },
    { id: 'long', raw: () => ({ vectors: ['1, 0, 1, 2, 0, 1, 1, 0', '2, 1, 0, 1, 3, 1, -1, 0'] }) },
    { id: 'louder', raw: () => ({ vectors: ['1, 1', '10, 0'] }) },
  ],
  predict: {
    kind: 'choice',
    options: ['positive', 'zero', 'negative'],
    judge: (guess, _, r) => ({
      key: `${guess}.${signOf(r.dot)}`,
      slots: { p: decimal(r.positive), m: decimal(r.negative), dot: decimal(r.dot) },
    }),
  },
  run,
  view(values, r): View {
    const n = r.b.length;
    const { term, names, factor } = values;
    const sums = [...r.running.data];
    const here = term === 0 ? n : term;
    const slots = { x: names[0]!, y: names[1]!, dot: decimal(r.dot), sum: decimal(sums[here - 1]!), i: plain(here), n: plain(n), factor: plain(factor) };
    const [low, high] = span(sums);
    const every = n > 8 ? 2 : 1;
    return {
      state: state(values, r),
      say: { key: term === 0 ? `say.${signOf(r.dot)}` : 'say.step', slots },
      facts: [
        { key: `facts.${direction(r)}`, slots },
        { key: 'facts.parts', slots: { p: decimal(r.positive), m: decimal(r.negative), dot: decimal(r.dot) } },
        ...(r.most === 0
          ? []
          : [{ key: 'facts.size', slots: { ...slots, a: decimal(r.lengthA), b: decimal(r.lengthB), most: decimal(r.most), share: percent(r.cosine) } }]),
        ...(factor === 1 ? [] : [{ key: factor > 0 ? 'facts.stretched' : factor < 0 ? 'facts.turned' : 'facts.nothing', slots }]),
      ],
      picture: {
        kind: 'lines',
        label: { key: 'picture.label', slots: { ...slots, sum: decimal(sums[n - 1]!) } },
        x: { title: { key: 'picture.x' }, min: 0, max: n, ticks: Array.from({ length: n + 1 }, (_, i) => i).filter((i) => i % every === 0).map((i) => ({ at: i, text: plain(i) })) },
        y: { title: { key: 'picture.y' }, min: low, max: high, ticks: [...new Set([low, 0, high])].map((at) => ({ at, text: decimal(at) })) },
        lines: [{ name: { key: 'picture.line' }, points: [[0, 0], ...sums.map((sum, i): [number, number] => [i + 1, sum])], strong: true }],
        at: here,
      },
      tables: [
        {
          id: 'terms',
          caption: { key: 'tables.terms.caption' },
          corner: { key: 'tables.terms.corner' },
          rows: r.b.map((_, i) => ({ key: 'tables.terms.row', slots: { i: place(i) } })),
          cols: [
            { key: 'tables.terms.vector', slots: { name: names[0]! } },
            { key: 'tables.terms.vector', slots: { name: names[1]! } },
            { key: 'tables.terms.term' },
            { key: 'tables.terms.running' },
          ],
          cells: r.b.map((_, i) => [r.a[i]!, r.b[i]!, r.terms.data[i]!, sums[i]!]),
          digits: [2, 2, 2, 2],
        },
      ],
      sound: {
        button: { key: 'sound.button' },
        intro: { key: 'sound.intro', slots: { n: plain(n + 1) } },
        values: [0, ...sums],
        range: [low, high],
      },
    };
  },
  checks: [
    { key: 'sum', limit: 1e-6, residual: (core, _, r) => core.maxGap(matrix([[total(core, [...r.terms.data])]]), matrix([[r.running.data[r.b.length - 1]!]])) },
    { key: 'swap', limit: 0, residual: (core, _, r) => core.maxGap(matrix([[dotOf(core, r.b, r.a)]]), matrix([[r.dot]])) },
    {
      key: 'double',
      // Exact, but for numbers so small that they have lost digits.
      limit: 1e-300,
      residual: (core, _, r) => core.maxGap(matrix([[dotOf(core, [...core.product(matrix([[2]]), matrix([r.a])).data], r.b)]]), core.product(matrix([[2]]), matrix([[r.dot]]))),
    },
    // No dot product is larger than both lengths multiplied (Cauchy and Schwarz); what is left over is rounding.
    { key: 'most', limit: 1e-6, residual: (_, __, r) => Math.max(0, Math.abs(r.dot) - r.most) },
  ],
  code: [{ file: 'cpp/src/matrix.cpp', region: 'product' }],
};
