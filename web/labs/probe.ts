import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import type { LinearProbe, MlpProbe, ProbeHistory } from '../core/probe.ts';
import { amount, cellAmount, powerMark, spread } from './kit/amount.ts';
import { fixed, percent, plain } from './kit/format.ts';
import { runHere } from './kit/long-work.ts';
import { negativePart, rowSumError } from './kit/matrices.ts';
import type { Call, FieldProblem, Heavy, Lab, View, Words } from './kit/types.ts';
import { decimal } from './kit/units.ts';

type Task = 'real' | 'control';
type Kind = 'linear' | 'mlp';

interface Values {
  words: string[];
  x: number[][];
  labels: number[][];
  control: number[][];
  kind: Kind;
  task: Task;
  hidden: number;
  steps: number;
  rate: number;
  seed: number;
  mix: number[][];
}

interface Trained<P> {
  probe: P;
  history: ProbeHistory;
}

/** One sort of probe, trained on both sets of labels. */
interface Pair<P> {
  real: Trained<P>;
  control: Trained<P>;
  selectivity: number;
}

export interface ProbeResult {
  linear: Pair<LinearProbe>;
  mlp: Pair<MlpProbe>;
  /** One row a word: what the linear probe gives each class, for the chosen labels. */
  shares: Matrix;
  /** How much each layer counts, and where its centre lies, from 0. */
  mix: readonly number[];
  centre: number;
}

const CLASSES = 3;
const MOST_STEPS = 2000;
const DRAWN = 20;
const LISTED = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/** So many multiply-adds of the four trainings fit into 50 ms. */
const QUICK = 1_500_000;

/** A training that steps too far ends up anywhere; from here on a loss is said as a power of ten. */
const VAST = 1e6;

const lossText = (loss: number, words: Words): string => (loss < VAST ? fixed(loss) : amount(loss, words));

const column = (m: number[][]): number[] => m.map((row) => row[0]!);
/** Learners count classes from 1, the core from 0. */
const classes = (m: number[][]): number[] => column(m).map((label) => label - 1);
const gap = (core: Core, a: number, b: number): number => core.maxGap(matrix([[a]]), matrix([[b]]));
const last = (xs: ArrayLike<number>): number => xs[xs.length - 1]!;
const labelsOf = (v: Values, task: Task): number[] => classes(task === 'real' ? v.labels : v.control);

function pair<P>(core: Core, real: Trained<P>, control: Trained<P>): Pair<P> {
  return { real, control, selectivity: core.selectivity(last(real.history.accuracy), last(control.history.accuracy)) };
}

/** softmax(x·W + b), the bias as one more row of W. */
function shares(core: Core, x: number[][], { w, b }: LinearProbe): Matrix {
  const inputs = matrix(x.map((row) => [...row, 1]));
  return core.softmaxRows(core.product(inputs, matrix([...rowsOf(w), Array.from(b)])));
}

const TASKS: readonly Task[] = ['real', 'control'];

const heavy: Heavy<Values, ProbeResult> = {
  isLong: ({ words, x, hidden, steps }) => 2 * words.length * steps * (x[0]!.length * CLASSES + hidden * (x[0]!.length + CLASSES)) > QUICK,
  calls(v) {
    const x = matrix(v.x);
    return [
      ...TASKS.map((task): Call => ({ name: 'trainLinearProbe', args: [x, labelsOf(v, task), CLASSES, v.steps, v.rate] })),
      ...TASKS.map((task): Call => ({ name: 'trainMlpProbe', args: [x, labelsOf(v, task), CLASSES, v.hidden, v.seed, v.steps, v.rate] })),
    ];
  },
  finish(core, v, [real, control, mlpReal, mlpControl]): ProbeResult {
    const linear = pair<LinearProbe>(core, real, control);
    const scores = v.mix[0]!;
    const mix = core.scalarMix(matrix(scores.map((_, layer) => [layer])), scores, 1);
    return {
      linear,
      mlp: pair<MlpProbe>(core, mlpReal, mlpControl),
      shares: shares(core, v.x, linear[v.task].probe),
      mix: [...mix.weights],
      centre: mix.centerOfGravity,
    };
  },
};

/** How well the control labels were learnt: as the guesses have it. */
function band(accuracy: number): string {
  return accuracy < 0.5 ? 'no' : accuracy < 1 ? 'part' : 'yes';
}

/** The same labels for the same word, as a control task wants it. */
function twice({ words, control }: Values): FieldProblem | null {
  const row = words.findIndex((word, i) => control[words.indexOf(word)]![0] !== control[i]![0]);
  if (row < 0) return null;
  const first = words.indexOf(words[row]!);
  return { field: 'control', row, code: 'type', slots: { word: words[row]!, first: plain(first + 1), label: plain(control[first]![0]!) } };
}

const drawn = (core: Core, seed: number, count: number): string[] =>
  [...core.controlLabels(Array.from({ length: count }, (_, i) => i), CLASSES, seed)].map((label) => plain(label + 1));

export const lab: Lab<Values, ProbeResult> = {
  stem: 'probe',
  inputs: [
    { kind: 'choice', name: 'kind', options: ['linear', 'mlp'], initial: 'linear' },
    { kind: 'choice', name: 'task', options: ['real', 'control'], initial: 'real' },
    {
      kind: 'slider',
      name: 'steps',
      min: 1,
      max: MOST_STEPS,
      stops: [1, 2, 5, 10, 20, 50, 100, 150, 200, 300, 500, 1000, 1500, MOST_STEPS],
      initial: 100,
      whole: true,
      named: [1, 100, MOST_STEPS],
    },
    { kind: 'slider', name: 'rate', min: 0.01, max: 2, stops: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 1.5, 2], initial: 0.5 },
    { kind: 'slider', name: 'hidden', min: 1, max: 32, stops: [1, 2, 4, 8, 12, 16, 24, 32], initial: 32, whole: true },
    { kind: 'slider', name: 'seed', min: 1, max: 999, stops: [1, 7, 42, 123, 200, 400, 600, 800, 999], initial: 1, whole: true },
    { kind: 'tokens', name: 'words', min: 2, max: 24 },
    {
      kind: 'matrix',
      name: 'x',
      initial: [[2, 0.1], [1.8, -0.2], [-0.1, 2.1], [0.2, 1.7], [-1.9, -1.8], [-2.1, -1.6]],
      rows: { tokens: 'words' },
      maxCols: 16,
      limit: 10,
      folded: true,
    },
    { kind: 'matrix', name: 'labels', initial: [[1], [1], [2], [2], [3], [3]], rows: { tokens: 'words' }, maxCols: 1, limit: CLASSES, folded: true, fill: 1 },
    { kind: 'matrix', name: 'control', initial: [[3], [1], [2], [1], [2], [3]], rows: { tokens: 'words' }, maxCols: 1, limit: CLASSES, folded: true, fill: 1 },
    // As many rows as labels are wide: one.
    { kind: 'matrix', name: 'mix', initial: [[0, 1, 2, 0.5]], rows: { widthOf: 'labels' }, maxCols: 24, limit: 10, folded: true },
  ],
  presets: [
    { id: 'base', raw: () => ({}) },
    { id: 'first', raw: () => ({ steps: '1' }) },
    { id: 'memory', raw: () => ({ kind: 'mlp', steps: '500' }) },
    { id: 'drawn', raw: (core) => ({ control: drawn(core, 1, 6), task: 'control' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['yes', 'part', 'no'],
    judge: (guess, _, { linear }) => {
      const accuracy = last(linear.control.history.accuracy);
      return { key: `${guess}.${band(accuracy)}`, slots: { b: fixed(accuracy) } };
    },
  },
  fits(v): FieldProblem | null {
    for (const field of ['labels', 'control'] as const) {
      const row = column(v[field]).findIndex((label) => !Number.isInteger(label) || label < 1);
      if (row >= 0) return { field, row, code: 'class', slots: { label: plain(column(v[field])[row]!) } };
    }
    return twice(v);
  },
  heavy,
  run: (core, values) => runHere(core, heavy, values),
  view(values, r, text): View {
    const { words, kind, task, steps } = values;
    const own = r[kind];
    const other = kind === 'linear' ? 'mlp' : 'linear';
    const accuracy = (which: Kind, of: Task) => last(r[which][of].history.accuracy);
    const history = own.real.history;
    const most = r.mix.indexOf(Math.max(...r.mix));
    const slots = {
      k: plain(steps),
      a: fixed(accuracy(kind, 'real')),
      b: fixed(accuracy(kind, 'control')),
      s: fixed(own.selectivity),
      l0: lossText(history.loss[0]!, text),
      l1: lossText(last(history.loss), text),
      s2: fixed(r[other].selectivity),
      a2: fixed(accuracy(other, 'real')),
      b2: fixed(accuracy(other, 'control')),
      h: plain(values.hidden),
      start: fixed(r.linear.real.history.loss[0]!, 4),
      c: fixed(r.centre),
      layer: plain(most),
      w: percent(r.mix[most]!),
    };
    const places = spread(steps, DRAWN);
    const loss = (of: Task) => places.map((at): [number, number] => [at, own[of].history.loss[at]!]);
    const top = Math.max(1, ...TASKS.flatMap((of) => loss(of).map(([, value]) => value)));
    const listed = [...new Set([...LISTED.filter((at) => at < steps), steps])];
    const curve = listed.map((at) => [
      own.real.history.loss[at]!,
      own.control.history.loss[at]!,
      own.real.history.accuracy[at]!,
      own.control.history.accuracy[at]!,
    ]);
    const vastOf = (cells: number[][]) => cells.map((line) => line.map((x) => (Math.abs(x) < VAST ? undefined : cellAmount(x, text))));
    const row = (which: Kind): number[] => [
      accuracy(which, 'real'),
      accuracy(which, 'control'),
      r[which].selectivity,
      last(r[which].real.history.loss),
      last(r[which].control.history.loss),
    ];
    const classNames = [1, 2, 3].map((c) => ({ key: 'tables.class', slots: { c: plain(c) } }));
    return {
      state: { key: `state.${kind}`, slots },
      say: { key: 'say', slots },
      facts: [
        { key: `facts.other-${other}`, slots },
        { key: 'facts.start', slots },
        { key: 'facts.same' },
        { key: 'facts.published' },
        { key: 'facts.use' },
        { key: 'facts.mix', slots },
        { key: 'facts.depth' },
      ],
      picture: {
        kind: 'lines',
        label: { key: 'picture.label', slots: { ...slots, m: lossText(last(own.control.history.loss), text) } },
        x: { title: { key: 'picture.x' }, min: 0, max: steps, ticks: spread(steps, 2).map((at) => ({ at, text: plain(at) })) },
        y: { title: { key: 'picture.y' }, min: 0, max: top, ticks: [0, top / 2, top].map((at) => ({ at, text: at < VAST ? decimal(at, 1) : powerMark(at) })) },
        lines: TASKS.map((of) => ({ name: { key: `picture.${of}` }, points: loss(of), strong: of === task })),
      },
      tables: [
        {
          id: 'probes',
          caption: { key: 'tables.probes.caption', slots },
          corner: { key: 'tables.probes.corner' },
          rows: [{ key: 'tables.probes.linear' }, { key: 'tables.probes.mlp', slots }],
          cols: ['real', 'control', 'selectivity', 'loss', 'control-loss'].map((key) => ({ key: `tables.probes.${key}` })),
          cells: [row('linear'), row('mlp')],
          texts: vastOf([row('linear'), row('mlp')]),
        },
        {
          id: 'curve',
          caption: { key: `tables.curve.caption-${kind}` },
          corner: { key: 'tables.curve.corner' },
          rows: listed.map(plain),
          cols: ['real', 'control', 'accuracy', 'control-accuracy'].map((key) => ({ key: `tables.curve.${key}` })),
          cells: curve,
          texts: vastOf(curve),
        },
      ],
      more: {
        summary: { key: 'tables.more' },
        tables: [
          {
            id: 'shares',
            caption: { key: `tables.shares.caption-${task}` },
            corner: { key: 'tables.word' },
            rows: words,
            cols: classNames,
            cells: rowsOf(r.shares),
            shade: 'share',
            mark: 'row',
          },
          {
            id: 'classes',
            caption: { key: 'tables.classes.caption' },
            corner: { key: 'tables.word' },
            rows: words,
            cols: [{ key: 'tables.classes.real' }, { key: 'tables.classes.control' }],
            cells: words.map((_, i) => [values.labels[i]![0]!, values.control[i]![0]!]),
            digits: [0, 0],
          },
          {
            id: 'layers',
            caption: { key: 'tables.layers.caption' },
            corner: { key: 'tables.layers.corner' },
            rows: r.mix.map((_, layer) => ({ key: 'tables.layers.layer', slots: { layer: plain(layer) } })),
            cols: [{ key: 'tables.layers.number' }, { key: 'tables.layers.weight' }],
            cells: r.mix.map((weight, layer) => [values.mix[0]![layer]!, weight]),
          },
        ],
      },
      sound: {
        button: { key: `sound.button.${task}` },
        intro: { key: 'sound.intro', slots: { ...slots, n: plain(places.length) } },
        values: loss(task).map(([, value]) => value),
        range: [0, top],
      },
    };
  },
  checks: [
    {
      key: 'start',
      limit: 1e-12,
      residual: (core, _, { linear }) => gap(core, linear.real.history.loss[0]!, core.entropy(core.softmax(Array<number>(CLASSES).fill(0)))),
    },
    {
      key: 'again',
      limit: 0,
      residual: (core, v, { linear }) =>
        Math.max(
          ...TASKS.map((task) => {
            const { loss, accuracy } = core.probeGradient(linear[task].probe, matrix(v.x), labelsOf(v, task));
            const { history } = linear[task];
            return core.maxGap(matrix([[loss, accuracy]]), matrix([[last(history.loss), last(history.accuracy)]]));
          }),
        ),
    },
    {
      key: 'difference',
      limit: 1e-12,
      residual: (core, _, r) =>
        Math.max(
          ...(['linear', 'mlp'] as const).map((which) => {
            const { real, control, selectivity } = r[which];
            const sum = core.product(matrix([[selectivity, last(control.history.accuracy)]]), matrix([[1], [1]])).data[0]!;
            return gap(core, sum, last(real.history.accuracy));
          }),
        ),
    },
    { key: 'sum', limit: 1e-12, residual: (core, _, r) => Math.max(rowSumError(core, r.shares), negativePart(r.shares)) },
    {
      key: 'step',
      limit: 0,
      residual(core, v, { mlp }) {
        const { history } = core.trainMlpProbe(matrix(v.x), labelsOf(v, 'control'), CLASSES, v.hidden, v.seed, 1, v.rate);
        return core.maxGap(matrix([[...history.loss]]), matrix([[...mlp.control.history.loss.slice(0, 2)]]));
      },
    },
    {
      key: 'centre',
      limit: 1e-12,
      residual: (core, _, { mix, centre }) => gap(core, core.product(matrix([[...mix]]), matrix(mix.map((__, i) => [i]))).data[0]!, centre),
    },
  ],
  code: [
    { file: 'cpp/src/probe.cpp', region: 'train_linear_probe' },
    { file: 'cpp/src/probe.cpp', region: 'probe_gradient' },
  ],
};
