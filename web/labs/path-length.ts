import type { Core } from '../core/core.ts';
import { matrix } from '../core/matrix.ts';
import type { LayerComparison, PathLengths } from '../core/work.ts';
import { along } from './kit/axis.ts';
import { plain } from './kit/format.ts';
import type { FieldProblem, Lab, View } from './kit/types.ts';
import { people } from './kit/units.ts';

interface Values {
  n: number;
  kernel: '3' | '5' | '7';
  ends: 'whole' | 'own';
  from: number;
  to: number;
}

export interface PathResult {
  /** Places from 1. */
  from: number;
  to: number;
  distance: number;
  paths: PathLengths;
  /** Tokens that the dilated stack sees, and the same with one layer less. */
  field: number;
  fieldBefore: number;
  /** One layer over the whole sequence. */
  layers: LayerComparison;
  byDistance: { distance: number; paths: PathLengths }[];
  asked: PathLengths;
}

const LONGEST = 8192;
const WIDTH = 512;
const DISTANCES = [1, 10, 100, 1000];
/** A signal is really sent through convolutions as far as this. */
const REALLY_RUN = 10;
const ASKED = { from: 0, to: 2999, kernel: 3 };

const gap = (core: Core, a: number, b: number): number => core.maxGap(matrix([[a]]), matrix([[b]]));

/** The narrowest window, since restricted attention is not shown here. */
const between = (core: Core, from: number, to: number, kernel: number): PathLengths => core.pathLengths(from, to, kernel, 3);

/** The tokens that a stack of layers with dilations 1, k, k² … sees; a token itself without a layer. */
const dilatedField = (core: Core, kernel: number, layers: number): number =>
  layers < 1 ? 1 : core.receptiveField(kernel, core.fullDilations(kernel, layers));

/** Layers until a signal at the first token arrives `distance` tokens later. */
function reached(core: Core, kernel: number, distance: number): number {
  const taps = matrix(Array.from({ length: kernel }, () => [1]));
  let signal = matrix(Array.from({ length: distance + 1 }, (_, i) => [i === 0 ? 1 : 0]));
  let layers = 0;
  while (signal.data[distance] === 0) {
    signal = core.convolution(signal, taps, kernel);
    layers += 1;
  }
  return layers;
}

const ends = (v: Values): [number, number] => (v.ends === 'whole' ? [1, v.n] : [v.from, v.to]);

const four = (p: PathLengths): number[] => [p.recurrent, p.convolutionCausal, p.convolutionDilated, p.attention];
const ROWS = ['recurrent', 'convolution', 'dilatedConvolution', 'attention'] as const;

export const lab: Lab<Values, PathResult> = {
  stem: 'path-length',
  inputs: [
    {
      kind: 'slider',
      name: 'n',
      min: 2,
      max: LONGEST,
      stops: [2, 4, 8, 16, 32, 64, 128, 256, 512, 1000, 1024, 2048, 3000, 4096, 6000, LONGEST],
      initial: 3000,
      whole: true,
      named: [512, 3000, LONGEST],
      judge: (v) => (v <= 64 ? 'low' : v > 2048 ? 'high' : 'middle'),
    },
    { kind: 'choice', name: 'kernel', options: ['3', '5', '7'], initial: '3' },
    { kind: 'choice', name: 'ends', options: ['whole', 'own'], initial: 'whole' },
    { kind: 'slider', name: 'from', min: 1, max: LONGEST, stops: [1, 2, 10, 100, 500, 1000, 2000, 3000, 4000, LONGEST], initial: 1, whole: true },
    { kind: 'slider', name: 'to', min: 1, max: LONGEST, stops: [1, 2, 10, 100, 500, 1000, 2000, 3000, 4000, LONGEST], initial: 10, whole: true },
  ],
  presets: [
    { id: 'base', raw: () => ({}) },
    { id: 'wide', raw: () => ({ kernel: '7' }) },
    { id: 'near', raw: () => ({ ends: 'own', from: '100', to: '101' }) },
    { id: 'long', raw: () => ({ n: '8192' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['eight', 'third', 'half', 'all'],
    judge: (guess, _, { asked }) => ({ key: guess, slots: { b: plain(asked.convolutionCausal), c: plain(asked.convolutionDilated) } }),
  },
  fits(v): FieldProblem | null {
    if (v.ends === 'whole') return null;
    for (const field of ['from', 'to'] as const) {
      if (v[field] > v.n) return { field, code: 'place', slots: { i: plain(v[field]), n: plain(v.n) } };
    }
    return null;
  },
  run(core, values) {
    const kernel = Number(values.kernel);
    const [from, to] = ends(values);
    const paths = between(core, from - 1, to - 1, kernel);
    const distance = paths.recurrent;
    const listed = [...new Set([...DISTANCES.filter((at) => at < values.n), values.n - 1, distance])].filter((at) => at > 0).sort((a, b) => a - b);
    return {
      from,
      to,
      distance,
      paths,
      field: dilatedField(core, kernel, paths.convolutionDilated),
      fieldBefore: dilatedField(core, kernel, paths.convolutionDilated - 1),
      layers: core.compareLayers(values.n, WIDTH, kernel, 3),
      byDistance: listed.map((at) => ({ distance: at, paths: between(core, 0, at, kernel) })),
      asked: between(core, ASKED.from, ASKED.to, ASKED.kernel),
    };
  },
  view(values, r, words): View {
    const { paths, layers } = r;
    const [a, b, c, d] = four(paths).map(plain) as [string, string, string, string];
    const slots = {
      i: plain(r.from),
      j: plain(r.to),
      n: plain(values.n),
      k: values.kernel,
      x: plain(r.distance),
      a,
      b,
      c,
      d,
      centred: plain(paths.convolutionCentred),
      field: plain(r.field),
      before: plain(r.fieldBefore),
      less: plain(paths.convolutionDilated - 1),
      work: people(layers.attention.madds, words),
      rnn: people(layers.recurrent.madds, words),
    };
    const same = r.distance === 0;
    const most = Math.max(1, ...four(paths));
    const names = ROWS.map((key) => ({ key: `rows.${key}` }));
    return {
      state: { key: same ? 'state.same' : 'state.apart', slots },
      say: { key: same ? 'say-same' : 'say', slots },
      facts: [
        ...(r.from > r.to ? [{ key: 'facts.backward', slots }] : []),
        ...(same ? [] : [{ key: paths.convolutionDilated > 1 ? 'facts.field' : 'facts.one', slots }, { key: 'facts.centred', slots }]),
        { key: 'facts.lstm', slots },
        { key: 'facts.local', slots },
        { key: 'facts.work', slots },
        { key: 'facts.paper' },
      ],
      picture: {
        kind: 'magnitudes',
        label: { key: same ? 'picture.same' : 'picture.label', slots },
        scale: 'log',
        bars: four(paths).map((value, i) => ({ name: names[i]!, value, text: plain(value), strong: i === 3 })),
      },
      tables: [
        {
          id: 'distances',
          caption: { key: 'tables.distances.caption', slots },
          corner: { key: 'tables.distances.corner' },
          rows: r.byDistance.map((row) => plain(row.distance)),
          cols: names,
          cells: r.byDistance.map((row) => four(row.paths)),
          digits: [0, 0, 0, 0],
        },
        {
          id: 'layers',
          caption: { key: 'tables.layers.caption', slots },
          corner: { key: 'tables.layers.corner' },
          rows: names,
          cols: ['steps', 'path', 'madds'].map((key) => ({ key: `tables.layers.${key}` })),
          cells: ROWS.map((key) => [layers[key].sequentialOperations, layers[key].longestPath, layers[key].madds]),
          digits: [0, 0, 0],
          texts: ROWS.map((key) => [undefined, undefined, people(layers[key].madds, words)]),
        },
      ],
      sound: {
        button: { key: 'sound.button' },
        intro: { key: 'sound.intro' },
        values: four(paths).map((value) => (value > 1 ? along(value, 1, most, true) : 0)),
      },
    };
  },
  checks: [
    {
      key: 'dilated',
      limit: 0,
      residual: (core, v, { distance, paths }) => Math.max(0, distance + 1 - dilatedField(core, Number(v.kernel), paths.convolutionDilated)),
    },
    {
      key: 'fewest',
      limit: 0,
      residual: (core, v, { distance, paths }) =>
        distance === 0 ? paths.convolutionDilated : Math.max(0, dilatedField(core, Number(v.kernel), paths.convolutionDilated - 1) - distance),
    },
    {
      key: 'plain',
      limit: 0,
      residual(core, v, { distance, paths }) {
        const field = (layers: number) => (layers < 1 ? 1 : core.receptiveField(Number(v.kernel), Array<number>(layers).fill(1)));
        const enough = field(paths.convolutionCausal) - distance;
        const tooMany = field(paths.convolutionCausal - 1) - distance;
        return Math.max(0, 1 - enough, distance === 0 ? 0 : tooMany);
      },
    },
    {
      key: 'impulse',
      limit: 0,
      residual(core, v, { byDistance }) {
        const { distance, paths } = [...byDistance].reverse().find((row) => row.distance <= REALLY_RUN)!;
        return gap(core, reached(core, Number(v.kernel), distance), paths.convolutionCausal);
      },
    },
    {
      key: 'mirror',
      limit: 0,
      residual: (core, v, r) => core.maxGap(matrix([four(between(core, r.to - 1, r.from - 1, Number(v.kernel)))]), matrix([four(r.paths)])),
    },
    {
      key: 'square',
      limit: 0,
      residual: (core, v, { layers }) => gap(core, core.product(core.product(matrix([[v.n]]), matrix([[v.n]])), matrix([[WIDTH]])).data[0]!, layers.attention.madds),
    },
  ],
  code: [
    { file: 'cpp/src/work.cpp', region: 'path_lengths' },
    { file: 'cpp/src/convolution.cpp', region: 'contiguous_layers' },
    { file: 'cpp/src/convolution.cpp', region: 'dilated_layers' },
    { file: 'cpp/src/convolution.cpp', region: 'receptive_field' },
  ],
};
