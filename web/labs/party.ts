import type { Core } from '../core/core.ts';
import { matrix, type Matrix } from '../core/matrix.ts';
import { fixed, numbers, percent, plain } from './kit/format.ts';
import { negativePart, rowSumError, rowSums } from './kit/matrices.ts';
import type { Lab, Message } from './kit/types.ts';
import { peaks } from './kit/window.ts';

interface Values {
  names: string[];
  scores: number[][];
  guest: number;
  temperature: number;
}

export interface PartyResult {
  weights: Matrix;
  sum: number;
  /** What the scores add up to if they are taken for shares. */
  scoreSum: number;
  entropy: number;
  evenEntropy: number;
  /** Score difference, after the temperature, that gives 95 % and 5 %. */
  gap: number;
  /** The same difference as it is now between the two highest. */
  lead: number;
}

/** The scores one by one are said up to this number of guests. */
const FEW = 4;
const TARGET = 0.95;
const SHIFT = 5;

const scoreRow = (values: Values): number[] => values.scores.map((row) => row[0]!);

function run(core: Core, values: Values): PartyResult {
  const scores = scoreRow(values);
  const temperature = values.temperature;
  const weights = core.softmaxRows(matrix([scores]), { temperature });
  const [first, second] = [...scores].sort((a, b) => b - a) as [number, number];
  const lead = core.product(matrix([[first, second]]), matrix([[1 / temperature], [-1 / temperature]]));
  return {
    weights,
    sum: rowSums(core, weights)[0]!,
    scoreSum: rowSums(core, matrix([scores]))[0]!,
    entropy: core.entropy(weights.data),
    evenEntropy: core.entropy(core.softmax(scores.map(() => 0))),
    gap: core.requiredGap(TARGET),
    lead: lead.data[0]!,
  };
}

function state(names: string[], scores: number[], weights: number[], sum: string): Message {
  const top = peaks(weights);
  const n = String(names.length);
  if (top.length === 0) return { key: 'state.even', slots: { n, w: fixed(weights[0]!), sum } };
  const name = names[top[0]!]!;
  const w = weights[top[0]!]!;
  if (top.length > 1) return { key: 'state.tied', slots: { n, k: String(top.length), top: name, w: fixed(w), sum } };
  if (names.length <= FEW) {
    const slots = { scores: numbers(scores), weights: numbers(weights), sum, top: name, p: percent(w) };
    return { key: 'state.few', slots };
  }
  const least = Math.min(...weights);
  const low = weights.indexOf(least);
  const lowest = weights.filter((x) => x === least).length;
  const slots = { n, top: name, w: fixed(w), low: names[low]!, v: fixed(least), k: String(lowest), sum };
  return { key: lowest > 1 ? 'state.many-lows' : 'state.many', slots };
}

/** In which of the bands of the guesses the first guest's weight lies. */
function band(weight: number): string {
  return weight < 0.4 ? 'low' : weight < 0.6 ? 'half' : weight < 0.85 ? 'seven' : 'most';
}

export const lab: Lab<Values, PartyResult> = {
  stem: 'party',
  inputs: [
    { kind: 'tokens', name: 'names', min: 2, max: 24 },
    { kind: 'matrix', name: 'scores', initial: [[0.95], [0.05]], rows: { tokens: 'names' }, maxCols: 1, limit: 10 },
    { kind: 'item', name: 'guest', of: 'names', initial: 0 },
    {
      kind: 'slider',
      name: 'score',
      min: -10,
      max: 10,
      stops: [-10, -8, -6, -5, -4, -3.5, -3, -2.5, -2, -1.5, -1, -0.75, -0.5, -0.25, 0, 0.05, 0.15, 0.25, 0.5, 0.75, 0.95, 1.25, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8, 10],
      initial: 0.95,
      judge: (v) => (v < 0 ? 'negative' : v > 3 ? 'high' : 'middle'),
      edits: { matrix: 'scores', row: 'guest' },
    },
    {
      kind: 'slider',
      name: 'temperature',
      min: 0.1,
      max: 10,
      stops: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10],
      initial: 1,
      named: [0.1, 1, 10],
      judge: (v) => (v < 0.7 ? 'low' : v > 1.5 ? 'high' : 'middle'),
    },
  ],
  presets: [
    { id: 'two', raw: () => ({}) },
    {
      id: 'three',
      raw: (_, words) => ({ names: String(words.seed), scores: ['0.15', '0.05', '0.95'], guest: '2' }),
    },
    { id: 'gap', raw: (core) => ({ scores: [core.requiredGap(TARGET).toFixed(6), '0'] }) },
    {
      id: 'exact',
      raw: (core, words) => ({
        names: String(words.seed),
        // ln 16 and ln 3, as gaps that split two shares 16 : 1 and 3 : 1.
        scores: [core.requiredGap(16 / 17).toFixed(6), core.requiredGap(3 / 4).toFixed(6), '0'],
      }),
    },
  ],
  predict: {
    kind: 'choice',
    options: ['half', 'seven', 'most'],
    judge: (guess, values, result) => ({
      key: `${guess}.${band(result.weights.data[0]!)}`,
      slots: { name: values.names[0]!, w: fixed(result.weights.data[0]!) },
    }),
  },
  run,
  view(values, result) {
    const { names } = values;
    const scores = scoreRow(values);
    const weights = [...result.weights.data];
    const sum = fixed(result.sum);
    const tops = peaks(weights);
    const top = tops[0] ?? 0;
    const kind = tops.length === 0 ? '-even' : tops.length > 1 ? '-tied' : '';
    const best = { n: String(names.length), top: names[top]!, k: String(tops.length), w: fixed(weights[top]!), sum };
    const total = percent(result.scoreSum);
    const shares: Message[] = scores.every((s) => s >= 0 && s <= 1) && total !== '100%'
      ? [{ key: 'facts.shares', slots: { total } }]
      : [];
    return {
      state: state(names, scores, weights, sum),
      say: { key: `say${kind}`, slots: best },
      facts: [
        { key: 'facts.gap', slots: { gap: fixed(result.gap), lead: fixed(result.lead) } },
        ...shares,
        { key: 'facts.temperature', slots: { t: plain(values.temperature) } },
        { key: 'facts.entropy', slots: { h: fixed(result.entropy), even: fixed(result.evenEntropy) } },
      ],
      picture: {
        kind: 'bars',
        label: { key: `picture.label${kind}`, slots: best },
        bars: names.map((name, i) => ({ name, score: scores[i]!, weight: weights[i]! })),
        scoreTitle: { key: 'picture.score' },
        weightTitle: { key: 'picture.weight' },
      },
      tables: [
        {
          id: 'shares',
          caption: { key: 'tables.shares.caption' },
          corner: { key: 'tables.shares.corner' },
          rows: names,
          cols: [{ key: 'tables.shares.score' }, { key: 'tables.shares.weight' }],
          cells: names.map((_, i) => [scores[i]!, weights[i]!]),
          mark: 'column',
        },
      ],
      sound: {
        button: { key: 'sound.button' },
        intro: { key: 'sound.intro', slots: { n: String(names.length) } },
        values: weights,
      },
    };
  },
  checks: [
    { key: 'sum', limit: 1e-12, residual: (core, _, r) => rowSumError(core, r.weights) },
    { key: 'positive', limit: 0, residual: (_, __, r) => negativePart(r.weights) },
    {
      key: 'shift',
      limit: 1e-12,
      residual: (core, v, r) => {
        const moved = matrix([scoreRow(v).map((s) => s + SHIFT)]);
        return core.maxGap(core.softmaxRows(moved, { temperature: v.temperature }), r.weights);
      },
    },
    {
      key: 'gap',
      limit: 1e-12,
      residual: (core, _, r) => core.maxGap(core.softmaxRows(matrix([[r.gap, 0]])), matrix([[TARGET, 0.05]])),
    },
  ],
  code: [
    { file: 'cpp/src/softmax.cpp', region: 'tempered' },
    { file: 'cpp/src/softmax_pass.hpp', region: 'softmax_pass' },
  ],
};
