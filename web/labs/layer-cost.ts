import type { Core } from '../core/core.ts';
import type { LayerFlops } from '../core/cost.ts';
import { matrix } from '../core/matrix.ts';
import { percent, plain } from './kit/format.ts';
import type { Lab, View } from './kit/types.ts';
import { decimal, people, times } from './kit/units.ts';

interface Values {
  n: number;
  d: number;
  causal: 'yes' | 'no';
}

interface Step {
  n: number;
  flops: LayerFlops;
  twice: LayerFlops;
}

export interface LayerCostResult extends Step {
  /** The inner width, 4 d. */
  dFf: number;
  /** The length at which attention and the rest are equal, without a mask. */
  crossover: number;
  /** The whole layer from 512 to 1024. */
  asked: number;
  steps: Step[];
}

const LENGTHS = [512, 1024, 2048, 4096, 8192];
const SHORTEST = 64;
const LONGEST = 8192;
/** The length from which the question doubles. */
const ASKED = 512;

const product = (core: Core, a: number, b: number): number => core.product(matrix([[a]]), matrix([[b]])).data[0]!;
const gap = (core: Core, a: number, b: number): number => core.maxGap(matrix([[a]]), matrix([[b]]));

function stepAt(core: Core, n: number, d: number, dFf: number, causal: boolean): Step {
  return { n, flops: core.layerFlops(n, d, dFf, causal), twice: core.layerFlops(product(core, n, 2), d, dFf, causal) };
}

const share = ({ attentionProducts, total }: LayerFlops): number => times(attentionProducts, total);
const ratio = ({ flops, twice }: Step): number => times(twice.total, flops.total);

export const lab: Lab<Values, LayerCostResult> = {
  stem: 'layer-cost',
  inputs: [
    {
      kind: 'slider',
      name: 'n',
      min: SHORTEST,
      max: LONGEST,
      stops: [64, 128, 256, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192],
      initial: 1024,
      whole: true,
      named: [512, 3072, 8192],
      judge: (v) => (v <= 512 ? 'low' : v > 3072 ? 'high' : 'middle'),
    },
    { kind: 'slider', name: 'd', min: 128, max: 1024, stops: [128, 256, 384, 512, 768, 1024], initial: 512, whole: true },
    { kind: 'choice', name: 'causal', options: ['no', 'yes'], initial: 'no' },
  ],
  presets: [
    { id: 'base', raw: () => ({}) },
    { id: 'even', raw: () => ({ n: '3072' }) },
    { id: 'long', raw: () => ({ n: '8192', d: '128' }) },
    { id: 'masked', raw: () => ({ n: '4096', causal: 'yes' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['two', 'between', 'four'],
    judge: (guess, values, r) => ({ key: guess, slots: { d: plain(values.d), r: decimal(r.asked) } }),
  },
  run(core, values) {
    const { n, d } = values;
    const causal = values.causal === 'yes';
    const dFf = product(core, d, 4);
    const at = (length: number) => stepAt(core, length, d, dFf, causal);
    return {
      ...at(n),
      dFf,
      crossover: core.attentionCrossover(d, dFf),
      asked: ratio(at(ASKED)),
      steps: [...new Set([...LENGTHS, n])].sort((a, b) => a - b).map(at),
    };
  },
  view(values, r, words): View {
    const slots = {
      n: plain(values.n),
      d: plain(values.d),
      f: people(r.flops.total, words),
      s: percent(share(r.flops)),
      r: decimal(ratio(r)),
      c: plain(r.crossover),
    };
    const parts = ({ projections, attentionProducts, feedForward, total }: LayerFlops) => [projections, attentionProducts, feedForward, total];
    const first = r.steps[0]!;
    const last = r.steps[r.steps.length - 1]!;
    const ticks = [...LENGTHS.filter((n) => n >= first.n)];
    return {
      state: { key: `state.${values.causal}`, slots },
      say: { key: 'say', slots },
      facts: [
        { key: 'facts.rest', slots: { p: people(r.flops.projections, words), w: people(r.flops.feedForward, words), a: people(r.flops.attentionProducts, words) } },
        { key: values.n < r.crossover ? 'facts.before' : 'facts.after', slots },
        { key: 'facts.limit' },
        { key: `facts.mask.${values.causal}` },
      ],
      picture: {
        kind: 'lines',
        label: { key: 'picture.label', slots: { a: percent(share(first.flops)), b: percent(share(last.flops)), d: plain(values.d) } },
        x: { title: { key: 'picture.x' }, min: first.n, max: LONGEST, log: true, ticks: ticks.map((at) => ({ at, text: plain(at) })) },
        y: { title: { key: 'picture.y' }, min: 0, max: 1, ticks: [0, 0.5, 1].map((at) => ({ at, text: percent(at) })) },
        lines: [
          {
            name: { key: 'picture.attention' },
            points: r.steps.map((step): [number, number] => [step.n, share(step.flops)]),
            strong: true,
          },
        ],
        at: values.n,
      },
      tables: [
        {
          id: 'lengths',
          caption: { key: 'tables.lengths.caption', slots },
          corner: { key: 'tables.lengths.corner' },
          rows: r.steps.map(({ n }) => plain(n)),
          cols: ['projections', 'attention', 'network', 'total', 'share', 'ratio'].map((key) => ({ key: `tables.lengths.${key}` })),
          cells: r.steps.map((step) => [...parts(step.flops), share(step.flops), ratio(step)]),
          digits: [0, 0, 0, 0, 4, 4],
          texts: r.steps.map((step) => [...parts(step.flops).map((x) => people(x, words)), percent(share(step.flops)), decimal(ratio(step))]),
        },
      ],
      sound: {
        button: { key: 'sound.button' },
        intro: { key: 'sound.intro', slots: { n: String(r.steps.length), a: plain(first.n) } },
        values: r.steps.map(({ flops }) => share(flops)),
      },
    };
  },
  checks: [
    {
      key: 'sum',
      limit: 0,
      residual: (core, _, { flops }) =>
        core.maxGap(core.product(matrix([[flops.projections, flops.attentionProducts, flops.feedForward]]), matrix([[1], [1], [1]])), matrix([[flops.total]])),
    },
    {
      key: 'pairs',
      limit: 0,
      residual: (core, v, { flops }) =>
        gap(core, product(core, product(core, core.attentionPairs(v.n, v.causal === 'yes'), v.d), 4), flops.attentionProducts),
    },
    { key: 'linear', limit: 0, residual: (core, _, { flops, twice }) => gap(core, product(core, flops.feedForward, 2), twice.feedForward) },
    {
      key: 'crossover',
      limit: 0,
      residual: (core, v, r) => {
        const even = core.layerFlops(r.crossover, v.d, r.dFf, false);
        const rest = core.product(matrix([[even.projections, even.feedForward]]), matrix([[1], [1]]));
        return core.maxGap(rest, matrix([[even.attentionProducts]]));
      },
    },
  ],
  code: [
    { file: 'cpp/src/cost.cpp', region: 'layer_flops' },
    { file: 'cpp/src/cost.cpp', region: 'attention_crossover' },
  ],
};
