import type { Core } from '../core/core.ts';
import { matrix } from '../core/matrix.ts';
import { amount, cellAmount, isWide, powersAxis, spread } from './kit/amount.ts';
import { along } from './kit/axis.ts';
import { fixed, plain } from './kit/format.ts';
import { differenceOf } from './kit/matrices.ts';
import type { Axis, Lab, View } from './kit/types.ts';
import { decimal, times } from './kit/units.ts';

interface Values {
  factor: number;
  steps: number;
  gate: number;
}

export interface RelayResult {
  /** The factor to the powers 0 … steps. */
  powers: Float64Array;
  value: number;
  /** What is gone: 1 − value; below 0 when it grew. */
  lost: number;
  /** Steps to a half, or to the double; null for a factor of 1. */
  period: number | null;
  /** What a forget gate leaves after 0 … steps. */
  gated: Float64Array;
  /** Powers at the steps that are listed, whatever was chosen. */
  listed: { steps: number; factor: number; gate: number }[];
  /** 0.95 to the 20th, which the question asks for. */
  asked: number;
  askedLost: number;
  /** 1.05 to the 20th and to the 3000th. */
  grown: number;
  grownLong: number;
}

const MOST_STEPS = 3000;
const LISTED = [1, 10, 20, 29, 100, 300, 1000, MOST_STEPS];
const ASKED = { factor: 0.95, grows: 1.05, steps: 20 };
const DRAWN = 20;
/** From here on what is gone is said in words. */
const NEARLY_ALL = 0.9999;

const gap = (core: Core, a: number, b: number): number => core.maxGap(matrix([[a]]), matrix([[b]]));
const difference = (core: Core, a: number, b: number): number => differenceOf(core, matrix([[a]]), matrix([[b]])).data[0]!;
const product = (core: Core, a: number, b: number): number => core.product(matrix([[a]]), matrix([[b]])).data[0]!;

function forgotten(core: Core, gate: number, steps: number): Float64Array {
  return core.forgetPath(matrix(Array.from({ length: steps }, () => [gate]))).data;
}

function kind({ factor }: Values, { lost }: RelayResult): string {
  if (factor === 1) return 'same';
  if (factor > 1) return 'grow';
  return lost > NEARLY_ALL ? 'gone' : 'decay';
}

function axes(values: number[]): Axis {
  const title = { key: isWide(values) ? 'picture.y-log' : 'picture.y' };
  if (isWide(values)) return powersAxis(values, title);
  const max = Math.max(1, ...values);
  const ticks = max === 1 ? [0, 0.5, 1] : [0, 1, max];
  return { title, min: 0, max, ticks: ticks.map((at) => ({ at, text: decimal(at, 1) })) };
}

export const lab: Lab<Values, RelayResult> = {
  stem: 'relay-decay',
  inputs: [
    {
      kind: 'slider',
      name: 'factor',
      min: 0.8,
      max: 1.2,
      stops: [
        0.8, 0.82, 0.84, 0.86, 0.88, 0.9, 0.91, 0.92, 0.93, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995, 0.999, 1, 1.001, 1.005, 1.01,
        1.02, 1.03, 1.04, 1.05, 1.06, 1.07, 1.08, 1.09, 1.1, 1.12, 1.14, 1.16, 1.18, 1.2,
      ],
      initial: 0.95,
      named: [0.95, 1, 1.05],
      judge: (r) => (r < 1 ? 'below' : r > 1 ? 'above' : 'one'),
    },
    {
      kind: 'slider',
      name: 'steps',
      min: 1,
      max: MOST_STEPS,
      stops: [1, 2, 3, 5, 8, 10, 13, 14, 15, 20, 25, 29, 30, 40, 50, 75, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, MOST_STEPS],
      initial: 20,
      whole: true,
      named: [20, 29, MOST_STEPS],
      judge: (k) => (k < 30 ? 'few' : k > 300 ? 'many' : 'middle'),
    },
    { kind: 'slider', name: 'gate', min: 0.8, max: 1, stops: [0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999, 1], initial: 0.999 },
  ],
  presets: [
    { id: 'base', raw: () => ({}) },
    { id: 'grow', raw: () => ({ factor: '1.05' }) },
    { id: 'relay', raw: () => ({ steps: '29' }) },
    { id: 'long', raw: () => ({ steps: '3000' }) },
    { id: 'gate', raw: () => ({ factor: '0.999', steps: '100' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['low', 'middle', 'half'],
    judge: (guess, _, { asked }) => ({ key: guess, slots: { v: fixed(asked, 4) } }),
  },
  run(core, values) {
    const { factor, steps, gate } = values;
    const powers = core.powers(factor, steps);
    const value = powers[steps]!;
    const places = [...new Set([...LISTED, steps])].sort((a, b) => a - b);
    const asked = core.powers(ASKED.factor, ASKED.steps)[ASKED.steps]!;
    const [long, gatedLong] = [core.powers(factor, MOST_STEPS), forgotten(core, gate, MOST_STEPS)];
    return {
      powers,
      value,
      lost: difference(core, 1, value),
      period: factor === 1 ? null : factor < 1 ? core.halfLife(factor) : core.doublingTime(factor),
      gated: gatedLong.slice(0, steps + 1),
      listed: places.map((at) => ({ steps: at, factor: long[at]!, gate: gatedLong[at]! })),
      asked,
      askedLost: difference(core, 1, asked),
      grown: core.powers(ASKED.grows, ASKED.steps)[ASKED.steps]!,
      grownLong: core.powers(ASKED.grows, MOST_STEPS)[MOST_STEPS]!,
    };
  },
  view(values, r, words): View {
    const { factor, steps, gate } = values;
    const now = kind(values, r);
    const slots = {
      r: plain(factor),
      k: plain(steps),
      v: amount(r.value, words),
      lost: `${fixed(100 * r.lost)}%`,
      h: r.period === null ? '' : decimal(r.period),
      g: plain(gate),
      left: amount(r.gated[steps]!, words),
    };
    const places = spread(steps, DRAWN);
    const curve = places.map((at) => r.powers[at]!);
    const y = axes([...curve, ...places.map((at) => r.gated[at]!)]);
    return {
      state: { key: `state.${now}`, slots },
      say: { key: `say-${now}`, slots },
      facts: [
        { key: 'facts.rounding', slots: { v: fixed(r.asked, 6), w: fixed(r.asked), lost: `${fixed(100 * r.askedLost)}%` } },
        { key: 'facts.finite', slots: { v: amount(r.grown, words), w: amount(r.grownLong, words) } },
        { key: 'facts.gate', slots },
        { key: 'facts.size' },
        { key: 'facts.cure' },
      ],
      picture: {
        kind: 'lines',
        label: { key: 'picture.label', slots },
        x: { title: { key: 'picture.x' }, min: 0, max: steps, ticks: spread(steps, 2).map((at) => ({ at, text: plain(at) })) },
        y,
        lines: [
          { name: { key: 'picture.factor' }, points: places.map((at, i): [number, number] => [at, curve[i]!]), strong: true },
          { name: { key: 'picture.gate' }, points: places.map((at): [number, number] => [at, r.gated[at]!]) },
        ],
      },
      tables: [
        {
          id: 'left',
          caption: { key: 'tables.left.caption' },
          corner: { key: 'tables.left.corner' },
          rows: r.listed.map((row) => plain(row.steps)),
          cols: [
            { key: 'tables.left.factor', slots },
            { key: 'tables.left.gate', slots },
          ],
          cells: r.listed.map((row) => [row.factor, row.gate]),
          texts: r.listed.map((row) => [cellAmount(row.factor, words), cellAmount(row.gate, words)]),
        },
      ],
      sound: {
        button: { key: 'sound.button' },
        intro: { key: 'sound.intro', slots: { ...slots, n: plain(places.length) } },
        values: curve.map((value) => along(value, y.min, y.max, y.log)),
      },
    };
  },
  checks: [
    {
      key: 'halves',
      limit: 1e-11,
      residual(core, { steps }, { powers, value }) {
        const half = Math.floor(steps / 2);
        return times(gap(core, product(core, powers[half]!, powers[steps - half]!), value), value);
      },
    },
    {
      key: 'back',
      limit: 1e-11,
      residual: (core, { factor, steps }, { value }) => gap(core, product(core, value, core.powers(times(1, factor), steps)[steps]!), 1),
    },
    { key: 'lost', limit: 1e-12, residual: (core, _, { value, lost }) => times(gap(core, difference(core, 1, lost), value), Math.max(1, value)) },
    {
      key: 'period',
      limit: 1e-12,
      residual(core, { factor }, { period }) {
        if (period === null) return 0;
        // So many steps are not walked; but |ln r| lies between |r − 1| and |r − 1| / r.
        if (period > MOST_STEPS) {
          const bound = product(core, period, Math.abs(difference(core, factor, 1)));
          const ends = [bound, times(bound, factor)];
          const ln2 = core.requiredGap(times(2, 3));
          return Math.max(0, Math.min(...ends) - ln2, ln2 - Math.max(...ends));
        }
        const [before, after] = core.powers(factor < 1 ? times(1, factor) : factor, Math.ceil(period)).subarray(Math.floor(period));
        return Math.max(0, before! - 2, 2 - (after ?? before!));
      },
    },
    {
      key: 'gate',
      limit: 0,
      residual: (core, { gate, steps }, { gated }) => core.maxGap(matrix([[...gated]]), matrix([[...core.powers(gate, steps)]])),
    },
  ],
  code: [
    { file: 'cpp/src/recurrent.cpp', region: 'powers' },
    { file: 'cpp/src/recurrent.cpp', region: 'half_life' },
    { file: 'cpp/src/lstm.cpp', region: 'forget_path' },
  ],
};
