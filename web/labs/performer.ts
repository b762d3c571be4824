import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import type { FeatureKind, KernelEstimate, KernelMeasurement, KernelMse, PerformerOperations } from '../core/performer.ts';
import type { Spread } from '../core/spread.ts';
import { fixed, grouped, place, plain, scientific } from './kit/format.ts';
import { runHere } from './kit/long-work.ts';
import { phrase } from './kit/template.ts';
import type { Call, FieldProblem, Heavy, Lab, View, Words } from './kit/types.ts';
import { people, times } from './kit/units.ts';

interface Values {
  features: number;
  scale: number;
  kind: FeatureKind;
  orthogonal: 'yes' | 'no';
  draw: 'fixed' | 'random';
  seed: number;
  pair: string[];
  xy: number[][];
  tokens: string[];
  q: number[][];
  k: number[][];
  v: number[][];
}

interface Rung {
  features: number;
  independent: Spread;
  orthogonal: Spread;
  operations: PerformerOperations;
}

export interface PerformerResult {
  /** One draw of each kind, with the same directions. */
  estimates: Record<FeatureKind, KernelEstimate>;
  mse: KernelMse;
  deviation: number;
  measured: KernelMeasurement;
  /** Features for an error of a tenth: now, and with both vectors twice as long. */
  needed: [number, number];
  /** The same for the vectors that the lab begins with. */
  example: [number, number];
  /** Relative deviation for queries and keys of width 64. */
  typical: number;
  /** What the mean over all directions is, without chance. */
  expectation: number;
  linear: Matrix;
  quadratic: Matrix;
  /** With running sums: the last token sees every key. */
  causal: Matrix;
  exact: Matrix;
  error: number;
  rungs: Rung[];
}

const MAX_TOKENS = 12;
const MAX_WIDTH = 4;
const LADDER = [4, 8, 16, 32, 64, 128, 256, 512];
const SEEDS = 20;
const DRAWS = 200;
const KINDS: FeatureKind[] = ['positive', 'hyperbolic', 'trigonometric'];
/** Hand-picked, so that everybody gets the same estimate. */
const FIXED = [[0.5, -1], [1.2, 0.3], [-0.7, 0.8], [0.1, 0.4]];
/** |x + y|² of the vectors that the lab begins with, and when they are twice as long. */
const EXAMPLE = [0.68, 2.72] as const;
const TENTH = 0.1;
/** Standard normal queries and keys of width 64 have this |x + y|² on average. */
const TYPICAL = { norm2: 16, features: 256 };
/** From here on a number is said as a power of ten. */
const VAST = 1e6;
/** Of two equal vectors the trigonometric features are exact, but for this. */
const ROUNDING = 1e-13;

const width = (m: number[][]): number => m[0]!.length;
const count = (v: Values): number => (v.draw === 'fixed' ? FIXED.length : v.features);
const rungsOf = (v: Values): number[] => [...new Set([...LADDER, count(v)])].sort((a, b) => a - b);
/** Columns of φ. */
const columnsOf = (kind: FeatureKind, features: number): number => (kind === 'positive' ? features : 2 * features);

function pairOf(v: Values, longer = 1): [Matrix, Matrix] {
  return v.xy.map((row) => matrix([row.map((x) => x * v.scale * longer)])) as [Matrix, Matrix];
}

/** The directions: those picked by hand have two parts. */
function directions(core: Core, v: Values, d: number): Matrix {
  if (v.draw === 'fixed') return matrix(FIXED);
  return v.orthogonal === 'yes' ? core.orthogonalOmega(v.features, d, v.seed) : core.gaussianOmega(v.features, d, v.seed);
}

const heavy: Heavy<Values, PerformerResult> = {
  isLong: () => true,
  calls(v): Call[] {
    const [q, k, x] = [matrix(v.q), matrix(v.k), matrix(v.v)];
    const errors = (features: number, orthogonal: boolean): Call => ({
      name: 'performerErrors',
      args: [q, k, x, features, v.kind, orthogonal, SEEDS, v.seed],
    });
    return [
      { name: 'measureKernel', args: [...pairOf(v), count(v), v.kind, v.orthogonal === 'yes', DRAWS, v.seed] },
      ...rungsOf(v).flatMap((features): Call[] => [
        errors(features, false),
        errors(features, true),
        { name: 'performerOperations', args: [v.tokens.length, columnsOf(v.kind, features), width(v.v), false] },
      ]),
    ];
  },
  finish(core, v, answers): PerformerResult {
    const features = count(v);
    const [x, y] = pairOf(v);
    const omega = directions(core, v, x.cols);
    const [q, k, value] = [matrix(v.q), matrix(v.k), matrix(v.v)];
    const own = directions(core, v, q.cols);
    const mse = core.kernelMse(x, y, features);
    const exact = core.attention(q, k, value).output;
    const linear = core.performerAttention(q, k, value, own, v.kind).output;
    const estimates = KINDS.map((kind) => [kind, core.kernelEstimate(x, y, omega, kind)]);
    return {
      estimates: Object.fromEntries(estimates) as Record<FeatureKind, KernelEstimate>,
      mse,
      deviation: core.kernelDeviation(x, y, features, v.kind),
      measured: answers[0],
      needed: [core.featuresNeeded(mse.norm2Sum, TENTH), core.featuresNeeded(core.kernelMse(...pairOf(v, 2), features).norm2Sum, TENTH)],
      example: [core.featuresNeeded(EXAMPLE[0], TENTH), core.featuresNeeded(EXAMPLE[1], TENTH)],
      typical: core.relativeDeviation(TYPICAL.norm2, TYPICAL.features),
      expectation: core.kernelExpectation(matrix([[0.3, -0.2]]), matrix([[0.5, 0.4]]), v.kind),
      linear,
      quadratic: core.performerQuadratic(q, k, value, own, v.kind).output,
      causal: core.performerAttention(q, k, value, own, v.kind, { causal: true }).output,
      exact,
      error: core.maxGap(linear, exact),
      rungs: rungsOf(v).map((n, i) => ({ features: n, independent: answers[1 + 3 * i], orthogonal: answers[2 + 3 * i], operations: answers[3 + 3 * i] })),
    };
  },
};

/** A number that may be astronomical, as its digits or as a power of ten. */
function amount(x: number, words: Words, digits = 4): string {
  return vast(x, words) ?? fixed(x, digits);
}

/** The same for what a number of features has to be at least. */
const countNeeded = (x: number, words: Words): string => vast(x, words) ?? grouped(Math.ceil(x), 0);

function vast(x: number, words: Words): string | undefined {
  if (Math.abs(x) < VAST) return undefined;
  const { mantissa, exponent } = scientific(x);
  return phrase(words, { key: 'vast', slots: { mantissa, exponent: plain(exponent) } });
}

/** Of the three, the one with the smallest error in theory. */
const best = ({ mse }: PerformerResult): FeatureKind => KINDS.reduce((a, b) => (mse[b] < mse[a] ? b : a));

const last = (m: Matrix): number[] => rowsOf(m)[m.rows - 1]!;
const gap = (core: Core, a: number, b: number): number => core.maxGap(matrix([[a]]), matrix([[b]]));

export const lab: Lab<Values, PerformerResult> = {
  stem: 'performer',
  inputs: [
    { kind: 'choice', name: 'draw', options: ['fixed', 'random'], initial: 'fixed' },
    { kind: 'slider', name: 'features', min: 4, max: 512, stops: [4, 8, 16, 32, 64, 128, 256, 512], initial: 4, whole: true, named: [4, 64, 512] },
    {
      kind: 'slider',
      name: 'scale',
      min: 0.1,
      max: 2,
      stops: [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2],
      initial: 1,
      named: [1, 2],
    },
    { kind: 'choice', name: 'kind', options: KINDS, initial: 'positive' },
    { kind: 'choice', name: 'orthogonal', options: ['yes', 'no'], initial: 'no' },
    { kind: 'slider', name: 'seed', min: 1, max: 999, stops: [1, 7, 42, 123, 200, 400, 600, 800, 999], initial: 1, whole: true },
    { kind: 'tokens', name: 'pair', min: 2, max: 2 },
    { kind: 'matrix', name: 'xy', initial: [[0.3, -0.2], [0.5, 0.4]], rows: { tokens: 'pair' }, maxCols: MAX_WIDTH, limit: 1 },
    { kind: 'tokens', name: 'tokens', min: 2, max: MAX_TOKENS },
    { kind: 'matrix', name: 'q', initial: [[0.2, 0.1], [0, 0.4], [-0.3, 0.2]], rows: { tokens: 'tokens' }, maxCols: MAX_WIDTH, limit: 5, folded: true },
    { kind: 'matrix', name: 'k', initial: [[0.1, 0.3], [0.4, -0.1], [-0.2, 0.2]], rows: { tokens: 'tokens' }, maxCols: MAX_WIDTH, limit: 5, folded: true },
    { kind: 'matrix', name: 'v', initial: [[1, 0], [0, 1], [1, 1]], rows: { tokens: 'tokens' }, maxCols: MAX_WIDTH, limit: 100, folded: true },
  ],
  presets: [
    { id: 'four', raw: () => ({}) },
    { id: 'many', raw: () => ({ draw: 'random', features: '512' }) },
    { id: 'long', raw: () => ({ draw: 'random', features: '64', scale: '2' }) },
    { id: 'waves', raw: () => ({ kind: 'trigonometric' }) },
    { id: 'orthogonal', raw: () => ({ draw: 'random', features: '64', orthogonal: 'yes' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['same', 'double', 'more'],
    judge: (guess, _, { example: [now, twice] }) => ({
      key: guess,
      slots: { a: grouped(Math.ceil(now), 0), b: grouped(Math.ceil(twice), 0), r: fixed(times(twice, now), 1) },
    }),
  },
  fits({ draw, xy, q, k }): FieldProblem | null {
    if (draw === 'fixed' && width(xy) !== 2) return { field: 'xy', code: 'two', slots: { got: plain(width(xy)) } };
    if (draw === 'fixed' && width(q) !== 2) return { field: 'q', code: 'two', slots: { got: plain(width(q)) } };
    return width(q) === width(k) ? null : { field: 'k', code: 'widths', slots: { k: plain(width(k)), q: plain(width(q)) } };
  },
  heavy,
  run: (core, values) => runHere(core, heavy, values),
  view(values, r, words): View {
    const { kind, orthogonal, tokens } = values;
    const features = count(values);
    const here = r.estimates[kind];
    const slots = {
      m: plain(features),
      e: amount(here.estimate, words),
      t: amount(here.exact, words),
      r: amount(100 * here.relativeError, words, 1),
      sd: amount(r.deviation, words),
    };
    const way = orthogonal === 'yes' ? 'orthogonal' : 'independent';
    const rungs = r.rungs.map((rung) => ({ ...rung, spread: rung[way] }));
    const line = (which: 'independent' | 'orthogonal') => ({
      name: { key: `picture.${which}` },
      points: r.rungs.map((rung): [number, number] => [rung.features, rung[which].mean]),
      bars: r.rungs.map(({ [which]: { mean, deviation } }): [number, number] => [Math.max(0, mean - deviation), mean + deviation]),
      strong: which === way,
    });
    const top = Math.max(0.01, ...r.rungs.flatMap(({ independent: a, orthogonal: b }) => [a.mean + a.deviation, b.mean + b.deviation]));
    const now = r.rungs.find((rung) => rung.features === features)!;
    const kinds = KINDS.map((name) => [r.estimates[name].estimate, r.estimates[name].exact, 100 * r.estimates[name].relativeError, r.mse[name]]);
    const dims = (key: string) => Array.from({ length: r.linear.cols }, (_, j) => ({ key: `tables.output.${key}`, slots: { j: place(j) } }));
    return {
      state: { key: `state.${kind}`, slots },
      say: { key: 'say', slots },
      facts: [
        ...(values.draw === 'fixed' ? [{ key: 'facts.fixed' }] : []),
        {
          key: 'facts.unbiased',
          slots: { draws: plain(DRAWS), mean: amount(r.measured.mean, words), t: slots.t, measured: amount(r.measured.mse, words), theory: amount(r.mse[kind], words) },
        },
        { key: `facts.best.${best(r)}` },
        { key: 'facts.needed', slots: { a: countNeeded(r.needed[0], words), b: countNeeded(r.needed[1], words) } },
        { key: 'facts.typical', slots: { m: plain(TYPICAL.features), x: fixed(r.typical, 0) } },
        { key: 'facts.output', slots: { n: plain(tokens.length), e: fixed(r.error, 4) } },
        {
          key: now.operations.linear.multiplications < now.operations.quadratic.multiplications ? 'facts.less-work' : 'facts.more-work',
          slots: {
            n: plain(tokens.length),
            a: people(now.operations.quadratic.multiplications, words),
            b: people(now.operations.linear.multiplications, words),
          },
        },
      ],
      picture: {
        kind: 'lines',
        label: { key: 'picture.label', slots: { a: fixed(rungs[0]!.spread.mean, 3), b: fixed(rungs[rungs.length - 1]!.spread.mean, 3) } },
        x: { title: { key: 'picture.x' }, min: 4, max: 512, log: true, ticks: [4, 16, 64, 256].map((at) => ({ at, text: plain(at) })) },
        y: { title: { key: 'picture.y' }, min: 0, max: top, ticks: [0, top / 2, top].map((at) => ({ at, text: fixed(at) })) },
        lines: [line('independent'), line('orthogonal')],
        at: features,
      },
      tables: [
        {
          id: 'kinds',
          caption: { key: 'tables.kinds.caption', slots },
          corner: { key: 'tables.kinds.corner' },
          rows: KINDS.map((name) => ({ key: `tables.kinds.${name}` })),
          cols: ['estimate', 'exact', 'error', 'mse'].map((key) => ({ key: `tables.kinds.${key}` })),
          cells: kinds,
          texts: kinds.map((row) => row.map((x) => vast(x, words))),
          digits: [4, 4, 2, 4],
        },
        {
          id: 'output',
          caption: { key: 'tables.output.caption' },
          corner: { key: 'tables.output.corner' },
          rows: tokens,
          cols: [...dims('estimated'), ...dims('exact')],
          cells: tokens.map((_, i) => [...rowsOf(r.linear)[i]!, ...rowsOf(r.exact)[i]!]),
        },
        {
          id: 'counts',
          caption: { key: 'tables.counts.caption', slots: { seeds: plain(SEEDS) } },
          corner: { key: 'tables.counts.corner' },
          rows: rungs.map((rung) => plain(rung.features)),
          cols: ['mean', 'deviation', 'largest', 'linear', 'quadratic', 'held'].map((key) => ({ key: `tables.counts.${key}` })),
          cells: rungs.map(({ features: n, spread, operations }) => [
            spread.mean,
            spread.deviation,
            spread.largest,
            operations.linear.multiplications,
            operations.quadratic.multiplications,
            columnsOf(kind, n) * (r.linear.cols + 1),
          ]),
          digits: [4, 4, 4, 0, 0, 0],
        },
      ],
      sound: {
        button: { key: 'sound.button' },
        intro: { key: 'sound.intro', slots: { n: plain(rungs.length) } },
        values: rungs.map(({ spread }) => times(spread.mean, top)),
      },
    };
  },
  checks: [
    // A whole function of the core against the integral over every direction.
    { key: 'unbiased', limit: 1e-12, residual: (core, _, r) => gap(core, r.expectation, core.kernelEstimate(matrix([[0.3, -0.2]]), matrix([[0.5, 0.4]]), matrix(FIXED), 'positive').exact) },
    { key: 'orders', limit: 1e-9, residual: (core, _, r) => core.maxGap(r.linear, r.quadratic) },
    { key: 'causal', limit: 1e-9, residual: (core, _, r) => core.maxGap(matrix([last(r.causal)]), matrix([last(r.linear)])) },
    {
      key: 'theory',
      limit: 1e-9,
      residual(core, v, r) {
        const squared = core.product(matrix([[r.deviation]]), matrix([[r.deviation]])).data[0]!;
        return r.mse[v.kind] === 0 ? squared : gap(core, times(squared, r.mse[v.kind]), 1);
      },
    },
    {
      key: 'mean',
      // Standard errors of the mean: chance goes beyond this once in many thousand inputs.
      limit: 5,
      residual(core, v, r) {
        // Where estimates are rarely large but then vast, those that were drawn vary far less than all would. In theory the mean
        // of so many estimates is one estimate with so many times the features.
        const error = Math.max(r.measured.standardError, core.kernelDeviation(...pairOf(v), count(v) * DRAWS, v.kind), ROUNDING * r.estimates[v.kind].exact);
        return error > 0 ? Math.abs(times(r.measured.bias, error)) : 0;
      },
    },
    {
      key: 'work',
      limit: 0,
      residual(core, v, r) {
        const { features, operations } = r.rungs[r.rungs.length - 1]!;
        const factors = [v.tokens.length, columnsOf(v.kind, features), 2 * width(v.v) + 1];
        const product = factors.reduce((so, factor) => core.product(matrix([[so]]), matrix([[factor]])).data[0]!);
        return gap(core, product, operations.linear.multiplications);
      },
    },
  ],
  code: [
    { file: 'cpp/src/performer.cpp', region: 'feature_row' },
    { file: 'cpp/src/performer_passes.hpp', region: 'performer_add_key' },
    { file: 'cpp/src/performer_passes.hpp', region: 'performer_ask' },
    { file: 'cpp/src/performer.cpp', region: 'kernel_mse' },
  ],
};
