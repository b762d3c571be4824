import type { Core } from '../core/core.ts';
import type { AttentionMatrixCost, Precision } from '../core/cost.ts';
import { matrix } from '../core/matrix.ts';
import { plain } from './kit/format.ts';
import type { Lab, Message, View, Words } from './kit/types.ts';
import { bytes, decimal, people, times as ratio } from './kit/units.ts';

interface Values {
  n: number;
  heads: number;
  layers: number;
  precision: Precision;
  kept: 'yes' | 'no';
  scale: 'linear' | 'log';
}

interface Rung {
  n: number;
  one: AttentionMatrixCost;
  /** All heads of one layer. */
  layer: AttentionMatrixCost;
  /** All heads of all layers. */
  model: AttentionMatrixCost;
}

export interface AttentionMatrixResult extends Rung {
  /** One matrix at twice the length. */
  twice: AttentionMatrixCost;
  /** How many times as much a square needs at twice the length. */
  growth: number;
  pairs: number;
  /** Keys and values of one layer of width 512, which grow with n alone. */
  keysAndValues: number;
  rungs: Rung[];
}

const LADDER = [512, 1024, 2048, 4096, 8192, 2_000_000];
const WIDTH = 512;

function rung(core: Core, n: number, { heads, layers, precision }: Values): Rung {
  return {
    n,
    one: core.attentionMatrixCost(n, 1, 1, precision),
    layer: core.attentionMatrixCost(n, heads, 1, precision),
    model: core.attentionMatrixCost(n, heads, layers, precision),
  };
}

const times = (core: Core, ...factors: number[]): number =>
  factors.reduce((product, factor) => core.product(matrix([[product]]), matrix([[factor]])).data[0]!);

const gap = (core: Core, a: number, b: number): number => core.maxGap(matrix([[a]]), matrix([[b]]));

const all = ({ kept }: Values, r: Rung): AttentionMatrixCost => (kept === 'yes' ? r.model : r.layer);

/** How far the length and the square have come since the last setting. */
function sinceLast(now: { n: number; elements: number }, before?: { values: Values; result: AttentionMatrixResult }): Message[] {
  if (!before || before.values.n === now.n) return [];
  const slots = {
    old: plain(before.values.n),
    n: plain(now.n),
    a: decimal(ratio(now.n, before.values.n), 4),
    b: decimal(ratio(now.elements, before.result.one.elements), 4),
  };
  return [{ key: 'facts.since', slots }];
}

function slotsOf(values: Values, r: AttentionMatrixResult, words: Words) {
  return {
    n: plain(values.n),
    e: people(r.one.elements, words),
    b: bytes(r.one.bytes, words),
    h: String(values.heads),
    l: String(values.layers),
    t: bytes(all(values, r).totalBytes, words),
    b2: bytes(r.twice.bytes, words),
    r: plain(r.growth),
  };
}

export const lab: Lab<Values, AttentionMatrixResult> = {
  stem: 'attention-matrix',
  inputs: [
    {
      kind: 'slider',
      name: 'n',
      min: 1,
      max: 2_000_000,
      stops: [1, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1_000_000, 2_000_000],
      initial: 4096,
      whole: true,
      named: [4096, 8192, 2_000_000],
      judge: (v) => (v <= 512 ? 'low' : v > 8192 ? 'high' : 'middle'),
    },
    { kind: 'slider', name: 'heads', min: 1, max: 16, stops: [1, 2, 4, 8, 12, 16], initial: 8, whole: true },
    { kind: 'slider', name: 'layers', min: 1, max: 32, stops: [1, 2, 6, 12, 24, 32], initial: 6, whole: true },
    { kind: 'choice', name: 'kept', options: ['yes', 'no'], initial: 'yes' },
    { kind: 'choice', name: 'precision', options: ['float16', 'float32'], initial: 'float16' },
    { kind: 'choice', name: 'scale', options: ['linear', 'log'], initial: 'linear' },
  ],
  presets: [
    { id: 'base', raw: () => ({}) },
    { id: 'double', raw: () => ({ n: '8192' }) },
    { id: 'precise', raw: () => ({ precision: 'float32' }) },
    { id: 'long', raw: () => ({ n: '2000000', heads: '1', layers: '1' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['double', 'quadruple', 'square'],
    judge: (guess, values, r) => ({ key: guess, slots: { n: plain(values.n), r: plain(r.growth) } }),
  },
  run(core, values) {
    const { n, precision } = values;
    return {
      ...rung(core, n, values),
      twice: core.attentionMatrixCost(times(core, n, 2), 1, 1, precision),
      growth: core.growthAudit(2, 2).ifQuadratic,
      pairs: core.attentionPairs(n, true),
      keysAndValues: core.kvCacheBytes(1, n, WIDTH, precision),
      rungs: [...new Set([...LADDER, n])].sort((a, b) => a - b).map((length) => rung(core, length, values)),
    };
  },
  view(values, r, words, before): View {
    const slots = slotsOf(values, r, words);
    const sized = (x: number) => bytes(x, words);
    const bar = (key: string, value: number, strong = false) => ({ name: { key: `picture.${key}`, slots }, value, text: sized(value), strong });
    return {
      state: { key: `state.${values.kept}`, slots },
      say: { key: 'say', slots },
      facts: [
        ...sinceLast({ n: values.n, elements: r.one.elements }, before),
        { key: 'facts.elements', slots },
        { key: 'facts.pairs', slots: { pairs: people(r.pairs, words) } },
        { key: 'facts.linear', slots: { kv: sized(r.keysAndValues) } },
        { key: `facts.${values.precision}` },
      ],
      picture: {
        kind: 'magnitudes',
        label: { key: `picture.label.${values.scale}`, slots },
        scale: values.scale,
        bars: [
          bar('kv', r.keysAndValues),
          bar('one', r.one.bytes),
          bar('twice', r.twice.bytes),
          bar('layer', r.layer.totalBytes, values.kept === 'no'),
          bar('model', r.model.totalBytes, values.kept === 'yes'),
        ],
      },
      tables: [
        {
          id: 'ladder',
          caption: { key: 'tables.ladder.caption' },
          corner: { key: 'tables.ladder.corner' },
          rows: r.rungs.map(({ n }) => plain(n)),
          cols: ['elements', 'one', 'layer', 'model'].map((key) => ({ key: `tables.ladder.${key}` })),
          cells: r.rungs.map(({ one, layer, model }) => [one.elements, one.bytes, layer.totalBytes, model.totalBytes]),
          digits: [0, 0, 0, 0],
          texts: r.rungs.map(({ one, layer, model }) => [
            people(one.elements, words),
            ...[one.bytes, layer.totalBytes, model.totalBytes].map(sized),
          ]),
        },
      ],
    };
  },
  checks: [
    { key: 'square', limit: 0, residual: (core, { n }, r) => gap(core, times(core, n, n), r.one.elements) },
    { key: 'double', limit: 0, residual: (core, _, r) => gap(core, times(core, r.one.elements, r.growth), r.twice.elements) },
    { key: 'bytes', limit: 0, residual: (core, v, r) => gap(core, times(core, r.one.elements, core.bytesOf(v.precision)), r.one.bytes) },
    { key: 'model', limit: 0, residual: (core, v, r) => gap(core, times(core, r.one.bytes, v.heads, v.layers), r.model.totalBytes) },
    {
      key: 'half',
      limit: 0,
      residual: (core, { n }, r) => core.maxGap(core.product(matrix([[r.pairs, n]]), matrix([[2], [-1]])), matrix([[r.one.elements]])),
    },
  ],
  code: [
    { file: 'cpp/src/cost.cpp', region: 'attention_matrix_cost' },
    { file: 'cpp/src/cost.cpp', region: 'attention_pairs' },
  ],
};
