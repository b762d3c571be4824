import type { Core } from '../core/core.ts';
import { matrix } from '../core/matrix.ts';
import type { Scale, ScoreStatistics } from '../core/scaling.ts';
import { fixed } from './kit/format.ts';
import { runHere } from './kit/long-work.ts';
import { negativePart } from './kit/matrices.ts';
import type { Call, Heavy, Lab, View } from './kit/types.ts';

interface Values {
  dk: number;
  keys: number;
  trials: number;
  seed: number;
  scale: Scale;
}

/** What one width does, drawn without and with the division by √d_k. */
interface Width {
  dk: number;
  /** √d_k. */
  std: number;
  none: ScoreStatistics;
  rootOfDk: ScoreStatistics;
  /** The mean of the larger of two weights, exact, without scaling. */
  exact: number;
}

export interface ScalingResult {
  widths: Width[];
  now: Width;
  /** The same with scaling, where the width does not matter. */
  exactScaled: number;
  evenWeight: number;
  evenEntropy: number;
}

const SWEEP = [1, 4, 16, 64, 256, 512];
/** Without 256, which would stand too close to 512. */
const TICKS = [1, 4, 16, 64, 512];
/** So many normal numbers can be drawn in 50 ms. */
const QUICK_DRAWS = 1_200_000;

function widthsOf({ dk }: Values): number[] {
  return [...new Set([...SWEEP, dk])].sort((a, b) => a - b);
}

const heavy: Heavy<Values, ScalingResult> = {
  isLong: (values) => 2 * values.keys * values.trials * widthsOf(values).reduce((sum, dk) => sum + dk, 0) > QUICK_DRAWS,
  calls(values) {
    const { keys, trials, seed } = values;
    const statistics = (dk: number, scale: Scale): Call => ({ name: 'scoreStatistics', args: [dk, keys, trials, seed, scale] });
    return widthsOf(values).flatMap((dk): Call[] => [
      statistics(dk, 'none'),
      statistics(dk, 'rootOfDk'),
      { name: 'expectedLargerWeight', args: [dk, 'none'] },
    ]);
  },
  finish(core, values, answers): ScalingResult {
    const widths = widthsOf(values).map((dk, i): Width => ({
      dk,
      std: core.dotProductStd(dk, 'none'),
      none: answers[3 * i],
      rootOfDk: answers[3 * i + 1],
      exact: answers[3 * i + 2],
    }));
    const even = core.softmax(Array.from({ length: values.keys }, () => 0));
    return {
      widths,
      now: widths.find(({ dk }) => dk === values.dk)!,
      exactScaled: core.expectedLargerWeight(values.dk, 'rootOfDk'),
      evenWeight: even[0]!,
      evenEntropy: core.entropy(even),
    };
  },
};

/** In which of the bands of the guesses the mean largest weight lies. */
function band(weight: number): string {
  return weight < 0.45 ? 'low' : weight < 0.75 ? 'middle' : 'high';
}

const gap = (core: Core, a: number, b: number): number => core.maxGap(matrix([[a]]), matrix([[b]]));

export const lab: Lab<Values, ScalingResult> = {
  stem: 'scaling',
  inputs: [
    {
      kind: 'slider',
      name: 'dk',
      min: 1,
      max: 512,
      stops: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
      initial: 64,
      whole: true,
      named: [1, 64, 512],
      judge: (v) => (v < 16 ? 'low' : v > 128 ? 'high' : 'middle'),
    },
    { kind: 'choice', name: 'scale', options: ['none', 'rootOfDk'], initial: 'none' },
    { kind: 'slider', name: 'keys', min: 2, max: 64, stops: [2, 4, 8, 16, 32, 64], initial: 16, whole: true },
    { kind: 'slider', name: 'trials', min: 50, max: 2000, stops: [50, 100, 200, 400, 800, 1200, 1600, 2000], initial: 400, whole: true },
    { kind: 'slider', name: 'seed', min: 1, max: 999, stops: [1, 7, 42, 123, 200, 400, 600, 800, 999], initial: 123, whole: true },
  ],
  presets: [
    { id: 'base', raw: () => ({}) },
    { id: 'scaled', raw: () => ({ scale: 'rootOfDk' }) },
    { id: 'wide', raw: () => ({ dk: '512' }) },
    { id: 'pair', raw: () => ({ keys: '2', trials: '2000' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['low', 'middle', 'high'],
    judge: (guess, values, { now }) => ({
      key: `${guess}.${band(now.none.maxWeight)}`,
      slots: { d: String(values.dk), m: fixed(now.none.maxWeight), even: fixed(now.rootOfDk.maxWeight) },
    }),
  },
  heavy,
  run: (core, values) => runHere(core, heavy, values),
  view(values, r): View {
    const { scale } = values;
    const other = scale === 'none' ? 'rootOfDk' : 'none';
    const here = r.now[scale];
    const last = r.widths[r.widths.length - 1]!;
    const slots = {
      d: String(values.dk),
      sd: fixed(scale === 'none' ? r.now.std : 1),
      m: fixed(here.maxWeight),
      h: fixed(here.entropy),
      j: fixed(here.jacobianFrobenius),
      other: fixed(r.now[other].jacobianFrobenius),
    };
    const line = (which: Scale) => r.widths.map((width): [number, number] => [width.dk, width[which].maxWeight]);
    return {
      state: { key: `state.${scale}`, slots },
      say: { key: 'say', slots },
      facts: [
        { key: 'facts.gradient', slots: { none: fixed(r.now.none.jacobianFrobenius, 3), root: fixed(r.now.rootOfDk.jacobianFrobenius, 3) } },
        { key: 'facts.even', slots: { n: String(values.keys), w: fixed(r.evenWeight), h: fixed(r.evenEntropy) } },
        { key: 'facts.exact', slots: { d: String(values.dk), none: fixed(r.now.exact, 3), root: fixed(r.exactScaled, 3) } },
        { key: 'facts.sample', slots: { trials: String(values.trials), sd: fixed(here.scoreStd) } },
      ],
      picture: {
        kind: 'lines',
        label: {
          key: 'picture.label',
          slots: { a: fixed(r.widths[0]!.none.maxWeight), b: fixed(last.none.maxWeight), c: fixed(last.rootOfDk.maxWeight) },
        },
        x: { title: { key: 'picture.x' }, min: 1, max: 512, log: true, ticks: TICKS.map((at) => ({ at, text: String(at) })) },
        y: { title: { key: 'picture.y' }, min: 0, max: 1, ticks: [0, 0.5, 1].map((at) => ({ at, text: fixed(at, 1) })) },
        lines: [
          { name: { key: 'picture.none' }, points: line('none'), strong: scale === 'none' },
          { name: { key: 'picture.root' }, points: line('rootOfDk'), strong: scale === 'rootOfDk' },
        ],
        at: values.dk,
      },
      tables: [
        {
          id: 'now',
          caption: { key: 'tables.now.caption', slots: { d: String(values.dk) } },
          corner: { key: 'tables.now.corner' },
          rows: [{ key: 'tables.now.none' }, { key: 'tables.now.root' }],
          cols: ['theory', 'std', 'max', 'entropy', 'jacobian'].map((key) => ({ key: `tables.now.${key}` })),
          cells: [
            [r.now.std, r.now.none],
            [1, r.now.rootOfDk],
          ].map(([theory, s]) => {
            const { scoreStd, maxWeight, entropy, jacobianFrobenius } = s as ScoreStatistics;
            return [theory as number, scoreStd, maxWeight, entropy, jacobianFrobenius];
          }),
        },
        {
          id: 'curve',
          caption: { key: 'tables.curve.caption' },
          corner: { key: 'tables.curve.corner' },
          rows: r.widths.map(({ dk }) => String(dk)),
          cols: ['none', 'root', 'exact'].map((key) => ({ key: `tables.curve.${key}` })),
          cells: r.widths.map((width) => [width.none.maxWeight, width.rootOfDk.maxWeight, width.exact]),
        },
      ],
      sound: {
        button: { key: `sound.button.${scale}` },
        intro: { key: 'sound.intro', slots: { n: String(r.widths.length) } },
        values: line(scale).map(([, weight]) => weight),
      },
    };
  },
  checks: [
    // A mean of draws: far looser than rounding, far tighter than a wrong divisor.
    { key: 'theory', limit: 0.5, residual: (core, _, { now }) => gap(core, now.rootOfDk.scoreStd, 1) },
    {
      key: 'root',
      limit: 1e-9,
      residual: (core, _, { now }) => core.maxGap(core.product(matrix([[now.rootOfDk.scoreStd]]), matrix([[now.std]])), matrix([[now.none.scoreStd]])),
    },
    { key: 'flat', limit: 1e-12, residual: (core, _, r) => gap(core, core.expectedLargerWeight(1, 'rootOfDk'), r.exactScaled) },
    {
      key: 'range',
      limit: 1e-12,
      residual: (core, _, r) =>
        negativePart(core.product(matrix([[r.evenEntropy, r.now.none.entropy], [r.evenEntropy, r.now.rootOfDk.entropy]]), matrix([[1], [-1]]))),
    },
  ],
  code: [
    { file: 'cpp/src/scaling.cpp', region: 'dot_product_std' },
    { file: 'cpp/src/scaling.cpp', region: 'jacobian_norm' },
    { file: 'cpp/src/scaling.cpp', region: 'expected_larger_weight' },
  ],
};
