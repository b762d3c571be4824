import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import type { Eigenvalues } from '../core/recurrent.ts';
import { amount, cellAmount, powersAxis } from './kit/amount.ts';
import { along } from './kit/axis.ts';
import { numbers, place, plain } from './kit/format.ts';
import type { FieldProblem, Lab, Slots, Table, View, Words } from './kit/types.ts';
import { decimal, times } from './kit/units.ts';

interface Values {
  units: string[];
  w: number[][];
  slopes: number[][];
  steps: number;
  start: number[][];
  bias: number[][];
  forget: number;
}

/** The eigenvalues of two units; only the largest size where there are more. */
interface Spectrum {
  both: Eigenvalues | null;
  radius: number;
}

export interface EigenvalueResult {
  jacobian: Matrix;
  /** Products of 1 … MOST_STEPS equal factors. */
  powers: Matrix[];
  norms: number[];
  weightNorms: number[];
  weightNorm: number;
  /** What the norm of a product can at most be: the norms multiplied. */
  bounds: number[];
  ofW: Spectrum;
  ofJ: Spectrum;
  /** The largest slope times the norm of the weights. */
  safe: number;
  /** A tanh network with these weights that really ran. */
  states: Matrix;
  run: readonly Matrix[];
  runNorms: number[];
  /** An LSTM whose candidate sees these weights. */
  lstmNorms: number[];
  forgetPath: number[];
  /** The size after five steps that the question asks for. */
  asked: number;
}

const MOST_STEPS = 10;
const COUNTER = { w: [[8, 8], [-8, -8]], slopes: [[1, 0.75]], steps: 5 };
/** Bias that holds the counterexample at the state 0 and 0.5, whose slopes are 1 and 0.75. */
const HELD = { start: [[0], [0.5]], bias: [[-4], [4.549306144334055]] };
const LARGEST = 100;

const column = (m: number[][]): number[] => m.map((row) => row[0]!);
const zeros = (rows: number, cols: number): number[][] => Array.from({ length: rows }, () => Array<number>(cols).fill(0));
const gap = (core: Core, a: number, b: number): number => core.maxGap(matrix([[a]]), matrix([[b]]));
const product = (core: Core, a: number, b: number): number => core.product(matrix([[a]]), matrix([[b]])).data[0]!;

const spectrum = (core: Core, m: Matrix): Spectrum => ({ both: m.rows === 2 ? core.eigenvalues2x2(m) : null, radius: core.spectralRadius(m) });

/** The weights in the candidate, gates that do not look at the state: only the forget gate's bias is chosen. */
function lstm(core: Core, { w, forget }: Values): { norms: number[]; forgetPath: number[] } {
  const d = w.length;
  const none = zeros(d, d);
  const state = matrix([...none, ...none, ...w, ...none]);
  const bias = Array.from({ length: 4 * d }, (_, i) => (i >= d && i < 2 * d ? forget : 0));
  const still = matrix(zeros(1, d));
  const trace = core.lstmForward(matrix(zeros(MOST_STEPS, 1)), { input: matrix(zeros(4 * d, 1)), state, bias: matrix([bias]) }, still, still);
  const paths = core.lstmPaths(trace, state);
  return { norms: [...paths.norms].slice(1), forgetPath: rowsOf(paths.forgetPath).map((row) => row[0]!).slice(1) };
}

const pairText = (xs: ArrayLike<number>, words: Words): [string, string] => [amount(xs[0]!, words), amount(xs[1]!, words)];

/** Which sentence says the eigenvalues, and with which numbers. */
function spoken({ both, radius }: Spectrum, words: Words): { kind: string; slots: Slots } {
  if (both === null) return { kind: 'more', slots: { e: amount(radius, words) } };
  const [e1, e2] = pairText(both.real, words);
  if (both.imaginary[1] === 0) return { kind: 'two', slots: { e1, e2 } };
  return { kind: 'complex', slots: { e1, e2: amount(both.imaginary[1]!, words) } };
}

function grid(id: string, units: string[], m: Matrix, slots: Slots, words: Words): Table {
  const cells = rowsOf(m);
  return {
    id,
    caption: { key: `tables.${id}.caption`, slots },
    corner: { key: 'tables.unit' },
    rows: units,
    cols: units,
    cells,
    shade: 'signed',
    texts: cells.map((row) => row.map((x) => cellAmount(x, words))),
  };
}

export const lab: Lab<Values, EigenvalueResult> = {
  stem: 'eigenvalue-trap',
  inputs: [
    { kind: 'tokens', name: 'units', min: 2, max: 4 },
    { kind: 'matrix', name: 'w', initial: COUNTER.w, rows: { tokens: 'units' }, maxCols: 4, limit: LARGEST },
    { kind: 'matrix', name: 'slopes', initial: COUNTER.slopes[0]!.map((x) => [x]), rows: { tokens: 'units' }, maxCols: 1, limit: 1, fill: 1 },
    {
      kind: 'slider',
      name: 'steps',
      min: 1,
      max: MOST_STEPS,
      stops: Array.from({ length: MOST_STEPS }, (_, i) => i + 1),
      initial: COUNTER.steps,
      whole: true,
    },
    { kind: 'matrix', name: 'start', initial: HELD.start, rows: { tokens: 'units' }, maxCols: 1, limit: 1, folded: true },
    { kind: 'matrix', name: 'bias', initial: HELD.bias, rows: { tokens: 'units' }, maxCols: 1, limit: 10, folded: true },
    { kind: 'slider', name: 'forget', min: 0, max: 8, stops: [0, 1, 2, 3, 4, 5, 6, 7, 8], initial: 3 },
  ],
  presets: [
    { id: 'trap', raw: () => ({}) },
    { id: 'linear', raw: () => ({ slopes: ['1', '1'] }) },
    { id: 'safe', raw: () => ({ w: ['0.5, 0.3', '-0.2, 0.4'], slopes: ['1', '0.75'] }) },
    { id: 'turn', raw: () => ({ w: ['0, -1', '1, 0'], slopes: ['1', '1'], bias: ['0', '0'], start: ['0', '0'] }) },
    {
      id: 'four',
      raw: (_, words) => ({
        units: String(words.four),
        w: ['0.5, 2, 0, 0', '0, 0.5, 2, 0', '0, 0, 0.5, 2', '0, 0, 0, 0.5'],
        slopes: ['1', '1', '1', '1'],
        start: ['0', '0', '0', '0'],
        bias: ['0', '0', '0', '0'],
      }),
    },
  ],
  predict: {
    kind: 'choice',
    options: ['grow', 'shrink', 'zero'],
    judge: (guess, _, { asked }) => ({ key: guess, slots: { n: decimal(asked) } }),
  },
  fits({ units, w, slopes }): FieldProblem | null {
    const cols = w[0]!.length;
    if (cols !== units.length) return { field: 'w', code: 'square', slots: { got: plain(cols), want: plain(units.length) } };
    const bad = column(slopes).findIndex((x) => x < 0);
    return bad < 0 ? null : { field: 'slopes', row: bad, code: 'slope', slots: { x: plain(column(slopes)[bad]!) } };
  },
  run(core, values) {
    const w = matrix(values.w);
    const slopes = matrix([column(values.slopes)]);
    const jacobian = core.stepJacobian(w, slopes);
    const powers = core.matrixPowers(jacobian, MOST_STEPS);
    const size = core.spectralNorm(jacobian);
    const weightNorm = core.spectralNorm(w);
    const inputs = matrix(zeros(MOST_STEPS, 1));
    const still = matrix(zeros(w.rows, 1));
    const start = column(values.start);
    const after = core.rnnForward(inputs, w, still, matrix([column(values.bias)]), matrix([start])).states;
    const states = matrix([start, ...rowsOf(after)]);
    const chain = core.rnnJacobians(states, w);
    const cell = lstm(core, values);
    const counter = core.stepJacobian(matrix(COUNTER.w), matrix(COUNTER.slopes));
    return {
      jacobian,
      powers,
      norms: powers.map((m) => core.spectralNorm(m)),
      weightNorms: core.matrixPowers(w, MOST_STEPS).map((m) => core.spectralNorm(m)),
      weightNorm,
      bounds: [...core.powers(size, MOST_STEPS)].slice(1),
      ofW: spectrum(core, w),
      ofJ: spectrum(core, jacobian),
      safe: product(core, Math.max(...column(values.slopes)), weightNorm),
      states,
      run: chain.products,
      runNorms: [...chain.norms].slice(1),
      lstmNorms: cell.norms,
      forgetPath: cell.forgetPath,
      asked: core.spectralNorm(core.matrixPowers(counter, COUNTER.steps)[COUNTER.steps - 1]!),
    };
  },
  view(values, r, words): View {
    const { units, steps } = values;
    const say = (x: number) => amount(x, words);
    const now = r.norms[steps - 1]!;
    const before = steps === 1 ? 1 : r.norms[steps - 2]!;
    const weights = spoken(r.ofW, words);
    const jacobian = spoken(r.ofJ, words);
    const ending = now === 0 ? 'zero' : 'size';
    const slots: Slots = {
      t: plain(steps),
      n: say(now),
      g: before === 0 ? '0' : say(times(now, before)),
      s: say(r.weightNorm),
      x: say(r.safe),
      b: say(r.bounds[steps - 1]!),
      run: say(r.runNorms[steps - 1]!),
      full: say(r.lstmNorms[steps - 1]!),
      path: say(r.forgetPath[steps - 1]!),
      last: say(r.norms[MOST_STEPS - 1]!),
      d: numbers(column(values.slopes)),
    };
    const drawn = (norms: number[]): [number, number][] =>
      norms.map((y, i): [number, number] => [i + 1, y]).filter(([, y]) => y > 0);
    const lines = [
      { name: { key: 'picture.jacobian' }, points: [[0, 1] as [number, number], ...drawn(r.norms)], strong: true },
      { name: { key: 'picture.weights' }, points: [[0, 1] as [number, number], ...drawn(r.weightNorms)] },
    ];
    const y = powersAxis(lines.flatMap(({ points }) => points.map(([, value]) => value)), { key: 'picture.y' });
    const rows = Array.from({ length: MOST_STEPS }, (_, i) => place(i));
    const columns = (lists: number[][]) => rows.map((_, i) => lists.map((list) => list[i]!));
    const sizes = columns([r.norms, r.bounds, r.weightNorms]);
    const really = columns([r.runNorms, r.lstmNorms, r.forgetPath]);
    const spokenCells = (cells: number[][]) => cells.map((row) => row.map((x) => cellAmount(x, words)));
    return {
      state: { key: `state.${weights.kind}-${ending}`, slots: { ...slots, ...weights.slots } },
      say: { key: `say-${ending}`, slots },
      facts: [
        { key: `facts.eigen-${jacobian.kind}`, slots: { ...slots, ...jacobian.slots } },
        { key: r.safe < 1 ? 'facts.safe' : 'facts.unsafe', slots },
        { key: 'facts.paper' },
        { key: 'facts.run', slots },
        { key: 'facts.lstm', slots },
      ],
      picture: {
        kind: 'lines',
        label: { key: 'picture.label', slots },
        x: { title: { key: 'picture.x' }, min: 0, max: MOST_STEPS, ticks: [0, 5, 10].map((at) => ({ at, text: plain(at) })) },
        y,
        lines,
        at: steps,
      },
      tables: [
        grid('power', units, r.powers[steps - 1]!, slots, words),
        {
          id: 'sizes',
          caption: { key: 'tables.sizes.caption' },
          corner: { key: 'tables.step' },
          rows,
          cols: ['jacobian', 'bound', 'weights'].map((key) => ({ key: `tables.sizes.${key}` })),
          cells: sizes,
          texts: spokenCells(sizes),
        },
      ],
      more: {
        summary: { key: 'tables.more' },
        tables: [
          grid('jacobian', units, r.jacobian, slots, words),
          {
            id: 'real',
            caption: { key: 'tables.real.caption' },
            corner: { key: 'tables.step' },
            rows,
            cols: ['rnn', 'lstm', 'forget'].map((key) => ({ key: `tables.real.${key}` })),
            cells: really,
            texts: spokenCells(really),
          },
        ],
      },
      sound: {
        button: { key: 'sound.button' },
        intro: { key: 'sound.intro', slots: { n: plain(MOST_STEPS) } },
        values: r.norms.map((value) => (value > 0 ? along(value, y.min, y.max, true) : 0)),
      },
    };
  },
  checks: [
    {
      key: 'columns',
      limit: 0,
      residual(core, { w, slopes }, { jacobian }) {
        const diagonal = column(slopes).map((x, i) => column(slopes).map((_, j) => (i === j ? x : 0)));
        return core.maxGap(core.product(matrix(w), matrix(diagonal)), jacobian);
      },
    },
    {
      key: 'split',
      limit: 1e-12,
      residual(core, _, { jacobian, powers, bounds }) {
        const last = powers[MOST_STEPS - 1]!;
        const halves = core.product(core.matrixPowers(jacobian, MOST_STEPS / 2)[MOST_STEPS / 2 - 1]!, powers[MOST_STEPS / 2 - 1]!);
        const size = bounds[MOST_STEPS - 1]!;
        return size === 0 ? core.maxGap(halves, last) : times(core.maxGap(halves, last), size);
      },
    },
    {
      key: 'norm',
      limit: 1e-6,
      residual(core, _, { jacobian, norms }) {
        const square = core.product(core.transpose(jacobian), jacobian);
        const found = square.rows === 2 ? core.eigenvalues2x2(square).real[1]! : core.powerIteration(square, 1000).value;
        const size = product(core, norms[0]!, norms[0]!);
        return size === 0 ? found : times(gap(core, found, size), size);
      },
    },
    {
      key: 'bound',
      limit: 1e-9,
      residual: (_, __, { norms, bounds }) => Math.max(0, ...norms.map((x, i) => (bounds[i] === 0 ? x : times(x, bounds[i]!) - 1))),
    },
    {
      key: 'radius',
      limit: 1e-9,
      residual: (_, __, { ofJ, norms }) => Math.max(0, norms[0] === 0 ? ofJ.radius : times(ofJ.radius, norms[0]!) - 1),
    },
    {
      key: 'gradient',
      limit: 1e-9,
      residual(core, { w }, { states, run, runNorms }) {
        const first = Array.from({ length: w.length }, (_, i) => (i === 0 ? 1 : 0));
        const { gradients } = core.rnnGradient(states, matrix(w), matrix([first]));
        const size = Math.max(1, ...runNorms);
        return times(Math.max(...run.map((m, k) => core.maxGap(matrix([rowsOf(m)[0]!]), matrix([rowsOf(gradients)[k]!])))), size);
      },
    },
  ],
  code: [
    { file: 'cpp/src/recurrent.cpp', region: 'step_jacobian' },
    { file: 'cpp/src/recurrent.cpp', region: 'eigenvalues_2x2' },
    { file: 'cpp/src/recurrent.cpp', region: 'rnn_jacobians' },
    { file: 'cpp/src/lstm.cpp', region: 'lstm_paths' },
  ],
};
