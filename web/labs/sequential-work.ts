import type { Core } from '../core/core.ts';
import { matrix } from '../core/matrix.ts';
import type { LayerComparison, MatvecBound, SequentialWork } from '../core/work.ts';
import { along } from './kit/axis.ts';
import { fixed, plain } from './kit/format.ts';
import type { Lab, View } from './kit/types.ts';
import { decimal, people } from './kit/units.ts';

interface Values {
  n: number;
  d: number;
  batch: number;
  peak: number;
  bandwidth: number;
}

export interface SequentialResult {
  now: SequentialWork;
  /** The same width at as many tokens as it is wide, where both do the same work. */
  even: SequentialWork;
  layers: LayerComparison;
  /** FLOPs of a convolution layer of width 3. */
  convolution: number;
  byLength: { n: number; work: SequentialWork }[];
  bound: MatvecBound;
  byBatch: { batch: number; bound: MatvecBound }[];
  asked: SequentialWork;
}

const SHORTEST = 16;
const LONGEST = 1_000_000;
const LENGTHS = [16, 64, 512, 4096, 32768, 262144, LONGEST];
const BATCHES = [1, 16, 64, 256];
const KERNEL = 3;
/** Half-precision weights. */
const WEIGHT_BYTES = 2;
const ASKED = { n: 3000, d: 512 };
/** From ten thousand to ten thousand billions: what the largest inputs reach. */
const WORK = { min: 1e4, max: 1e16, ticks: [1e4, 1e8, 1e12] };

const gap = (core: Core, a: number, b: number): number => core.maxGap(matrix([[a]]), matrix([[b]]));
const product = (core: Core, a: number, b: number): number => core.product(matrix([[a]]), matrix([[b]])).data[0]!;
const percentText = (share: number): string => `${decimal(Number(fixed(100 * share)))}%`;

export const lab: Lab<Values, SequentialResult> = {
  stem: 'sequential-work',
  inputs: [
    {
      kind: 'slider',
      name: 'n',
      min: SHORTEST,
      max: LONGEST,
      stops: [16, 64, 128, 256, 512, 1024, 2048, 3000, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, LONGEST],
      initial: 3000,
      whole: true,
      named: [512, 3000, LONGEST],
      judge: (v) => (v <= 512 ? 'low' : v > 8192 ? 'high' : 'middle'),
    },
    { kind: 'slider', name: 'd', min: 64, max: 1024, stops: [64, 128, 256, 384, 512, 768, 1024], initial: 512, whole: true },
    {
      kind: 'slider',
      name: 'batch',
      min: 1,
      max: 256,
      stops: [1, 2, 4, 8, 16, 32, 64, 128, 200, 256],
      initial: 1,
      whole: true,
      named: [1, 64, 256],
      judge: (b) => (b < 16 ? 'low' : b > 128 ? 'high' : 'middle'),
    },
    { kind: 'slider', name: 'peak', min: 1, max: 2000, stops: [1, 10, 20, 50, 100, 200, 312, 500, 1000, 2000], initial: 312 },
    { kind: 'slider', name: 'bandwidth', min: 0.01, max: 10, stops: [0.01, 0.05, 0.1, 0.5, 1, 1.555, 2, 4, 8, 10], initial: 1.555 },
  ],
  presets: [
    { id: 'base', raw: () => ({}) },
    { id: 'even', raw: () => ({ n: '512' }) },
    { id: 'million', raw: () => ({ n: '1000000' }) },
    { id: 'batch', raw: () => ({ batch: '256' }) },
    { id: 'laptop', raw: () => ({ peak: '1', bandwidth: '0.05' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['rnn', 'attention', 'same'],
    judge: (guess, _, { asked }) => ({ key: guess, slots: { f1: decimal(asked.rnnFlops / 1e8, 0), f2: decimal(asked.attentionFlops / 1e8, 0), s: plain(asked.rnnSteps) } }),
  },
  run(core, values) {
    const { n, d, batch, peak, bandwidth } = values;
    const layers = core.compareLayers(n, d, KERNEL, KERNEL);
    const boundAt = (size: number) => core.matvecBound(size, peak, bandwidth, WEIGHT_BYTES);
    return {
      now: core.sequentialWork(n, d),
      even: core.sequentialWork(d, d),
      layers,
      convolution: product(core, layers.convolution.madds, 2),
      byLength: [...new Set([...LENGTHS, n])].sort((a, b) => a - b).map((at) => ({ n: at, work: core.sequentialWork(at, d) })),
      bound: boundAt(batch),
      byBatch: [...new Set([...BATCHES, batch])].sort((a, b) => a - b).map((at) => ({ batch: at, bound: boundAt(at) })),
      asked: core.sequentialWork(ASKED.n, ASKED.d),
    };
  },
  view(values, r, words): View {
    const { now, layers } = r;
    const say = (x: number) => people(x, words);
    const slots = {
      n: say(values.n),
      d: plain(values.d),
      b: plain(values.batch),
      s: say(now.rnnSteps),
      f1: say(now.rnnFlops),
      t: plain(now.attentionStages),
      f2: say(now.attentionFlops),
      p: say(now.projectionFlops),
      u: percentText(r.bound.fractionOfPeak),
      i: decimal(r.bound.flopPerByte),
      e: say(r.even.rnnFlops),
      c: say(layers.convolution.longestPath),
      m: say(layers.dilatedConvolution.longestPath),
    };
    const lines = (key: 'rnnFlops' | 'attentionFlops') => r.byLength.map(({ n, work }): [number, number] => [n, work[key]]);
    const four = [
      [now.rnnSteps, now.rnnFlops, 1],
      [layers.convolution.sequentialOperations, r.convolution, layers.convolution.longestPath],
      [layers.dilatedConvolution.sequentialOperations, r.convolution, layers.dilatedConvolution.longestPath],
      [now.attentionStages, now.attentionFlops, layers.attention.longestPath],
    ];
    const more = now.attentionFlops > now.rnnFlops ? 'more' : now.attentionFlops < now.rnnFlops ? 'less' : 'even';
    return {
      state: { key: 'state', slots },
      say: { key: 'say', slots },
      facts: [
        { key: `facts.${more}`, slots },
        { key: 'facts.projections', slots },
        { key: r.bound.limitedByArithmetic ? 'facts.arithmetic' : 'facts.memory', slots },
        { key: 'facts.idle' },
        { key: 'facts.writing' },
        { key: 'facts.paper' },
      ],
      picture: {
        kind: 'lines',
        label: { key: 'picture.label', slots },
        x: { title: { key: 'picture.x' }, min: SHORTEST, max: LONGEST, log: true, ticks: [16, 512, 16384, LONGEST].map((at) => ({ at, text: at === LONGEST ? say(at) : plain(at) })) },
        y: { title: { key: 'picture.y' }, min: WORK.min, max: WORK.max, log: true, ticks: WORK.ticks.map((at) => ({ at, text: say(at) })) },
        lines: [
          { name: { key: 'rows.recurrent' }, points: lines('rnnFlops') },
          { name: { key: 'rows.attention' }, points: lines('attentionFlops'), strong: true },
        ],
        at: values.n,
      },
      tables: [
        {
          id: 'four',
          caption: { key: 'tables.four.caption', slots },
          corner: { key: 'tables.four.corner' },
          rows: ['recurrent', 'convolution', 'dilated', 'attention'].map((key) => ({ key: `rows.${key}` })),
          cols: ['steps', 'flops', 'layers'].map((key) => ({ key: `tables.four.${key}` })),
          cells: four,
          digits: [0, 0, 0],
          texts: four.map((row) => row.map(say)),
        },
        {
          id: 'lengths',
          caption: { key: 'tables.lengths.caption', slots },
          corner: { key: 'tables.lengths.corner' },
          rows: r.byLength.map(({ n }) => say(n)),
          cols: ['steps', 'rnn', 'attention'].map((key) => ({ key: `tables.lengths.${key}` })),
          cells: r.byLength.map(({ work }) => [work.rnnSteps, work.rnnFlops, work.attentionFlops]),
          digits: [0, 0, 0],
          texts: r.byLength.map(({ work }) => [work.rnnSteps, work.rnnFlops, work.attentionFlops].map(say)),
        },
        {
          id: 'batches',
          caption: { key: 'tables.batches.caption', slots },
          corner: { key: 'tables.batches.corner' },
          rows: r.byBatch.map(({ batch }) => plain(batch)),
          cols: ['intensity', 'bound'].map((key) => ({ key: `tables.batches.${key}` })),
          cells: r.byBatch.map(({ bound }) => [bound.flopPerByte, bound.fractionOfPeak]),
          digits: [0, 4],
          texts: r.byBatch.map(({ bound }) => [undefined, percentText(bound.fractionOfPeak)]),
        },
      ],
      sound: {
        button: { key: 'sound.button' },
        intro: { key: 'sound.intro', slots: { k: plain(r.byLength.length) } },
        values: lines('attentionFlops').map(([, flops]) => along(flops, WORK.min, WORK.max, true)),
      },
    };
  },
  checks: [
    {
      key: 'table',
      limit: 0,
      residual: (core, _, { now, layers }) =>
        core.maxGap(
          matrix([[product(core, layers.recurrent.madds, 4), product(core, layers.attention.madds, 4)]]),
          matrix([[now.rnnFlops, now.attentionFlops]]),
        ),
    },
    {
      key: 'layer',
      limit: 0,
      residual(core, v, { now }) {
        const { projections, attentionProducts } = core.layerFlops(v.n, v.d, v.d, false);
        return core.maxGap(matrix([[projections, attentionProducts]]), matrix([[now.projectionFlops, now.attentionFlops]]));
      },
    },
    { key: 'steps', limit: 0, residual: (core, v, { now }) => gap(core, now.rnnSteps, v.n) },
    { key: 'even', limit: 0, residual: (core, _, { even }) => gap(core, even.rnnFlops, even.attentionFlops) },
    {
      key: 'batch',
      limit: 1e-12,
      residual(core, v, { bound }) {
        const twice = core.matvecBound(product(core, v.batch, 2), v.peak, v.bandwidth, WEIGHT_BYTES).fractionOfPeak;
        return gap(core, Math.min(1, product(core, bound.fractionOfPeak, 2)), twice);
      },
    },
  ],
  code: [
    { file: 'cpp/src/work.cpp', region: 'sequential_work' },
    { file: 'cpp/src/work.cpp', region: 'matvec_bound' },
  ],
};
