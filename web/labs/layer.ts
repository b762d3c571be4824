import type { Core } from '../core/core.ts';
import type { DecoderOptions, DecoderTrace, DecoderWeights } from '../core/decoder.ts';
import type { NormTrace } from '../core/layer-norm.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import type { MultiHeadWeights } from '../core/multi-head.ts';
import { amount } from './kit/amount.ts';
import { fixed, place, plain } from './kit/format.ts';
import { differenceOf, rowSumError, sumOf } from './kit/matrices.ts';
import { word } from './kit/template.ts';
import type { FieldProblem, Lab, Line, Message, View, Words } from './kit/types.ts';
import { times } from './kit/units.ts';

type Switch = 'off' | 'on';

interface Values {
  layer: number;
  self: 'open' | 'masked' | 'off';
  cross: Switch;
  residual: Switch;
  norm: 'none' | 'post' | 'pre';
  network: 'none' | 'relu' | 'gelu';
  projections: 'identity' | 'random';
  seed: number;
  tokens: string[];
  x: number[][];
  token: number;
}

export interface LayerResult {
  layers: DecoderWeights[];
  /** What the encoder hands over. */
  memory: Matrix;
  /** The input, then what leaves each layer; so are all the lists below. */
  stack: Matrix[];
  spread: number[];
  pure: number[];
  skip: number[];
  post: number[];
  /** The same parts with the residual path switched over. */
  twin: number[];
  rank: number[];
  scale: number[];
  gradients: Matrix[];
  gradientSizes: number[];
  /** Of the loss at the top with respect to the encoder's output. */
  memoryGradient: number;
  /** Largest change of an earlier row when the last token is another. */
  leaks: number[];
  /** Largest change when the encoder hands over something else. */
  dependence: number[];
  /** The chosen layer, the first when none is. */
  at: number;
  trace: DecoderTrace;
  /** The same layer with the mask on: the change of its earlier rows. */
  maskedLeak: number;
  /** The same layer without its window on the encoder. */
  uncrossed: Matrix;
  /** LayerNorm of 1, 2, 3, 4 and of the chosen token's vector. */
  norms: [NormTrace, NormTrace];
  /** The variances of the two with the divisor that libraries of statistics use. */
  sampleVariances: [number, number];
  attentionParameters: number;
  networkParameters: number;
}

const LAYERS = 8;
const WIDTH = 8;
/** Standard normals drawn from seed 5, to four decimals. */
const NORMALS = [
  [0.1227, -0.8531, -1.2449, -1.2168, -1.8578, -1.2147, -0.7825, 0.2109],
  [0.0574, 0.4416, -0.0416, -0.7039, 0.9072, 0.079, -0.3856, 1.1752],
  [-0.1109, 0.454, -0.1242, -0.7388, 1.6447, 0.1975, 0.1762, 0.6569],
  [1.1524, 1.1275, 1.227, -0.0645, 1.4639, 0.8161, -0.2342, 0.523],
  [1.3344, -0.1199, -1.2178, 1.0588, 1.1899, -1.2796, 0.5838, -0.5565],
  [0.3927, -1.0892, 0.5942, 0.7149, -0.8404, -0.4458, 0.2743, -1.4946],
  [0.9939, 0.0508, -0.2041, 0.3149, 1.0219, -1.027, 0.7548, 1.4864],
  [-0.1089, 0.5933, 0.0583, 0.005, 0.0773, -1.4449, -0.8092, -1.2886],
];
const SOURCE_TOKENS = 5;
/** The network inside is so many times wider. */
const WIDER = 4;
const EXAMPLE = [1, 2, 3, 4];
/** Below this only rounding is left. */
const ROUNDING = 1e-15;
/** Each run's random numbers have a seed of their own. */
const SEEDS = { memory: 50, direction: 51, token: 52, source: 53, probe: 54, each: 100 };
/** Relative step of the finite difference. */
const STEP = 1e-7;
const SHORTER = 1000;

const LADDER = Array.from({ length: LAYERS + 1 }, (_, l) => l);

function optionsOf(v: Values): DecoderOptions {
  return {
    attention: v.self !== 'off',
    causal: v.self === 'masked',
    cross: v.cross === 'on',
    residual: v.residual === 'on',
    norm: v.norm === 'none' ? 'none' : 'layerNorm',
    normFirst: v.norm === 'pre',
    network: v.network !== 'none',
  };
}

function random(core: Core, seed: number, rows: number, cols: number): Matrix {
  return { rows, cols, data: core.normals(seed, rows * cols) };
}

function identity(d: number): MultiHeadWeights {
  const one = matrix(Array.from({ length: d }, (_, i) => Array.from({ length: d }, (__, j) => (i === j ? 1 : 0))));
  return { wQ: one, wK: one, wV: one, wO: one };
}

function layersOf(core: Core, v: Values, d: number): DecoderWeights[] {
  return Array.from({ length: LAYERS }, (_, t) => {
    const drawn = core.randomDecoderWeights(v.seed * SEEDS.each + t, d, d, WIDER * d, 1);
    const network = { ...drawn.network, activation: v.network === 'gelu' ? 'gelu' as const : 'relu' as const };
    return v.projections === 'random' ? { ...drawn, network } : { ...drawn, network, attention: identity(d), cross: identity(d) };
  });
}

const scaled = (m: Matrix, factor: number): Matrix => ({ ...m, data: m.data.map((x) => x * factor) });

/** Of length 1, as a list of all its numbers. */
function unit(core: Core, m: Matrix): Matrix {
  return scaled(m, times(1, core.frobeniusNorm(m)));
}

/** Row i with random numbers added; what is added has no direction that a normalisation takes away. */
function disturbed(core: Core, m: Matrix, row: number, seed: number): Matrix {
  const noise = core.normals(seed, m.cols);
  return sumOf(core, m, matrix(rowsOf(m).map((line, i) => line.map((_, j) => (i === row ? noise[j]! : 0)))));
}

const early = (m: Matrix): Matrix => matrix(rowsOf(m).slice(0, -1));

/** ‖X‖² over its largest part: 1 when all rows are multiples of one, at most the rank. */
function stableRank(core: Core, m: Matrix): number {
  const largest = core.spectralNorm(m);
  if (largest === 0) return 0;
  const ratio = times(core.frobeniusNorm(m), largest);
  return ratio * ratio;
}

/** The gradient of a loss at the top, passed down layer by layer, and what reaches the encoder on the way. */
function backward(core: Core, r: Pick<LayerResult, 'stack' | 'layers' | 'memory'>, options: DecoderOptions, dTop: Matrix) {
  const gradients = [dTop];
  let toMemory: Matrix | null = null;
  for (let l = LAYERS; l > 0; l--) {
    const { dX, dMemory } = core.decoderLayerBackward(r.stack[l - 1]!, r.memory, r.layers[l - 1]!, gradients[0]!, options);
    gradients.unshift(dX);
    toMemory = toMemory === null ? dMemory : sumOf(core, toMemory, dMemory);
  }
  return { gradients, memoryGradient: core.frobeniusNorm(toMemory!) };
}

function run(core: Core, v: Values): LayerResult {
  const seed = v.seed * SEEDS.each;
  const x = matrix(v.x);
  const layers = layersOf(core, v, x.cols);
  const memory = random(core, seed + SEEDS.memory, SOURCE_TOKENS, x.cols);
  const options = optionsOf(v);
  const pass = (input: Matrix, source: Matrix, o: DecoderOptions) => core.decoderStack(input, source, layers, o);
  const spreads = (o: DecoderOptions) => pass(x, memory, o).map((m) => core.rowSpread(m));
  const pureOptions: DecoderOptions = { causal: false, cross: false, network: false, residual: false, norm: 'none' };

  const stack = pass(x, memory, options);
  const otherToken = pass(disturbed(core, x, x.rows - 1, seed + SEEDS.token), memory, options);
  const otherSource = pass(x, disturbed(core, memory, 0, seed + SEEDS.source), options);
  const dTop = unit(core, random(core, seed + SEEDS.direction, x.rows, x.cols));
  const { gradients, memoryGradient } = backward(core, { stack, layers, memory }, options, dTop);

  const at = Math.max(v.layer, 1);
  const [input, weights] = [stack[at - 1]!, layers[at - 1]!];
  const masked = (m: Matrix) => core.decoderLayer(m, memory, weights, { ...options, causal: true }).output;
  const row = rowsOf(stack[v.layer]!)[v.token]!;
  const norms: [NormTrace, NormTrace] = [core.layerNorm(matrix([EXAMPLE])), core.layerNorm(matrix([row]))];
  const sample = ({ variance, output }: NormTrace) => times(variance[0]! * output.cols, Math.max(1, output.cols - 1));
  return {
    layers,
    memory,
    stack,
    spread: stack.map((m) => core.rowSpread(m)),
    pure: spreads(pureOptions),
    skip: spreads({ ...pureOptions, residual: true }),
    post: spreads({ ...pureOptions, residual: true, norm: 'layerNorm' }),
    twin: spreads({ ...options, residual: !options.residual }),
    rank: stack.map((m) => stableRank(core, m)),
    scale: stack.map((m) => core.frobeniusNorm(m)),
    gradients,
    gradientSizes: gradients.map((m) => core.frobeniusNorm(m)),
    memoryGradient,
    leaks: stack.map((m, l) => core.maxGap(early(m), early(otherToken[l]!))),
    dependence: stack.map((m, l) => core.maxGap(m, otherSource[l]!)),
    at,
    trace: core.decoderLayer(input, memory, weights, options),
    maskedLeak: core.maxGap(early(masked(input)), early(masked(disturbed(core, input, input.rows - 1, seed + SEEDS.token)))),
    uncrossed: core.decoderLayer(input, memory, weights, { ...options, cross: false }).output,
    norms,
    sampleVariances: [sample(norms[0]), sample(norms[1])],
    attentionParameters: core.multiHeadCost(x.rows, x.cols, 1).parameters,
    networkParameters: core.feedForwardParameters(x.cols, WIDER * x.cols, false),
  };
}

/** The chosen layer once more, from its parts. */
function rebuilt(core: Core, v: Values, r: LayerResult): Matrix {
  const weights = r.layers[r.at - 1]!;
  const norm = (m: Matrix) => core.layerNorm(m).output;
  const sublayer = (x: Matrix, on: boolean, branch: (m: Matrix) => Matrix): Matrix => {
    if (!on) return x;
    const out = branch(v.norm === 'pre' ? norm(x) : x);
    const sum = v.residual === 'on' ? sumOf(core, x, out) : out;
    return v.norm === 'post' ? norm(sum) : sum;
  };
  const looked = sublayer(r.stack[r.at - 1]!, v.self !== 'off', (m) => core.multiHead(m, weights.attention, 1, { causal: v.self === 'masked' }).output);
  const crossed = sublayer(looked, v.cross === 'on', (m) => core.multiHead(m, weights.cross, 1, { memory: r.memory }).output);
  return sublayer(crossed, v.network !== 'none', (m) => core.feedForward(m, weights.network).output);
}

/** The sum of products of two matrices of one shape. */
function inner(core: Core, a: Matrix, b: Matrix): number {
  return core.product(matrix([[...a.data]]), matrix([...b.data].map((x) => [x]))).data[0]!;
}

/** How far the layer's gradient is from a finite difference, relative to its own size. */
function gradientError(core: Core, v: Values, r: LayerResult): number {
  const input = r.stack[r.at - 1]!;
  const [down, up] = [r.gradients[r.at - 1]!, r.gradients[r.at]!];
  const direction = unit(core, random(core, v.seed * SEEDS.each + SEEDS.probe, input.rows, input.cols));
  const h = STEP * Math.max(core.frobeniusNorm(input), STEP);
  const loss = (step: number) => {
    const moved = sumOf(core, input, scaled(direction, step));
    return inner(core, up, core.decoderLayer(moved, r.memory, r.layers[r.at - 1]!, optionsOf(v)).output);
  };
  const size = Math.max(core.frobeniusNorm(down), core.frobeniusNorm(up));
  const expected = inner(core, down, direction);
  // ReLU has a corner; where the first step crosses one, a much shorter step does not; beside zeros both may drown in rounding.
  const error = Math.min(...[h, times(h, SHORTER), STEP].map((step) => Math.abs(times(loss(step) - loss(-step), 2 * step) - expected)));
  return size === 0 ? error : times(error, size);
}

/** A number as it is spoken; below rounding it has no digits worth saying. */
function said(x: number, words: Words): string {
  return x !== 0 && x < ROUNDING ? word(words, 'tiny') : amount(x, words);
}

/** Words in place of decimals that would all be 0, or too many. */
const cellWords = (x: number, words: Words): string | undefined => (x !== 0 && (x < 0.001 || x >= 1e6) ? said(x, words) : undefined);

/** In which of the bands of the guesses the spread lies. */
const band = (spread: number): string => (spread < 0.01 ? 'none' : spread < 0.4 ? 'some' : 'most');

/** The parts that are in use, as they are called. */
function parts(v: Values, words: Words): string {
  const keys = [
    ...(v.self === 'off' ? [] : [`parts.self-${v.self}`]),
    ...(v.cross === 'on' ? ['parts.cross'] : []),
    ...(v.network === 'none' ? [] : ['parts.network']),
    ...(v.residual === 'on' ? ['parts.residual'] : []),
    ...(v.norm === 'none' ? [] : [`parts.${v.norm}`]),
  ];
  return keys.length === 0 ? word(words, 'parts.none') : keys.map((key) => word(words, key)).join('、');
}

/** What people call a layer of these parts. */
function nameOf(v: Values): string {
  const whole = v.residual === 'on' && v.norm !== 'none' && v.network !== 'none';
  const bare = v.residual === 'off' && v.norm === 'none' && v.network === 'none' && v.cross === 'off';
  if (bare && v.self !== 'off') return 'pure';
  if (!whole || v.self === 'off') return 'other';
  if (v.self === 'open') return v.cross === 'on' ? 'other' : 'encoder';
  return v.cross === 'on' ? 'decoder' : 'decoder-only';
}

function leakFact(v: Values, r: LayerResult, words: Words): Message {
  const x = r.leaks[r.at]!;
  const slots = { token: v.tokens[v.tokens.length - 1]!, l: plain(r.at), x: said(x, words) };
  if (v.self === 'open') return { key: x === 0 ? 'facts.leak.still' : 'facts.leak.open', slots };
  return { key: `facts.leak.${v.self}`, slots };
}

export const lab: Lab<Values, LayerResult> = {
  stem: 'layer',
  inputs: [
    { kind: 'slider', name: 'layer', min: 0, max: LAYERS, stops: LADDER, initial: 5, whole: true, named: [0, 5, 8] },
    { kind: 'choice', name: 'self', options: ['open', 'masked', 'off'], initial: 'open' },
    { kind: 'choice', name: 'cross', options: ['off', 'on'], initial: 'off' },
    { kind: 'choice', name: 'network', options: ['none', 'relu', 'gelu'], initial: 'none' },
    { kind: 'choice', name: 'residual', options: ['off', 'on'], initial: 'off' },
    { kind: 'choice', name: 'norm', options: ['none', 'post', 'pre'], initial: 'none' },
    { kind: 'choice', name: 'projections', options: ['identity', 'random'], initial: 'identity' },
    { kind: 'slider', name: 'seed', min: 1, max: 40, stops: Array.from({ length: 40 }, (_, i) => i + 1), initial: 5, whole: true },
    { kind: 'tokens', name: 'tokens', min: 2, max: 8 },
    { kind: 'item', name: 'token', of: 'tokens', initial: 0 },
    {
      kind: 'matrix',
      name: 'x',
      initial: NORMALS,
      rows: { tokens: 'tokens' },
      maxCols: WIDTH,
      limit: 10,
      folded: true,
    },
  ],
  presets: [
    { id: 'pure', raw: () => ({}) },
    { id: 'skip', raw: () => ({ residual: 'on' }) },
    { id: 'encoder', raw: () => ({ network: 'relu', residual: 'on', norm: 'post', projections: 'random' }) },
    { id: 'pre', raw: () => ({ network: 'gelu', residual: 'on', norm: 'pre', projections: 'random' }) },
    { id: 'decoder', raw: () => ({ self: 'masked', cross: 'on', network: 'relu', residual: 'on', norm: 'post', projections: 'random' }) },
    { id: 'decoder-only', raw: () => ({ self: 'masked', network: 'gelu', residual: 'on', norm: 'pre', projections: 'random' }) },
    { id: 'far', raw: () => ({ x: NORMALS.map((row, i) => row.map((_, j) => (i === j ? 10 : 0)).join(', ')) }) },
  ],
  predict: {
    kind: 'choice',
    options: ['most', 'some', 'none'],
    judge: (guess, _, { pure, skip }) => ({
      key: `${guess}.${band(pure[5]!)}`,
      slots: { p: fixed(100 * pure[5]!, 0), skip: fixed(skip[5]!) },
    }),
  },
  fits({ tokens, x }): FieldProblem | null {
    if (x.length === tokens.length) return null;
    return { field: 'x', code: 'rows', slots: { got: plain(x.length), want: plain(tokens.length) } };
  },
  run,
  view(v, r, words): View {
    const here = r.spread[v.layer]!;
    const slots = {
      parts: parts(v, words),
      l: plain(v.layer),
      r: said(here, words),
      other: said(r.twin[v.layer]!, words),
      zero: said(r.spread[0]!, words),
      end: said(r.spread[LAYERS]!, words),
    };
    const kind = v.layer === 0 ? 'input' : v.residual;
    const [example, own] = r.norms;
    const layerNames = LADDER.map((l) => (l === 0 ? { key: 'tables.input' } : { key: 'tables.layer', slots: { l: plain(l) } }));
    const columns = [r.spread, r.pure, r.skip, r.post];
    const measures = [r.spread, r.rank, r.scale, r.gradientSizes, r.leaks, r.dependence];
    const line = (key: string, values: number[], strong = false): Line => ({
      name: { key: `picture.${key}` },
      points: values.map((y, l): [number, number] => [l, y]),
      strong,
    });
    return {
      state: { key: `state.${kind}`, slots },
      say: { key: `say.${kind}`, slots },
      facts: [
        { key: `facts.name.${nameOf(v)}` },
        { key: `facts.pure.${band(r.pure[5]!)}`, slots: { r: said(r.pure[5]!, words), skip: said(r.skip[5]!, words) } },
        {
          key: 'facts.size',
          slots: { l: slots.l, a: said(r.rank[0]!, words), b: said(r.rank[v.layer]!, words), s: said(r.scale[0]!, words), t: said(r.scale[v.layer]!, words) },
        },
        { key: 'facts.gradient', slots: { g: said(r.gradientSizes[0]!, words) } },
        leakFact(v, r, words),
        {
          key: `facts.cross.${v.cross}`,
          slots: { l: plain(r.at), x: said(r.dependence[r.at]!, words), g: said(r.memoryGradient, words) },
        },
        { key: 'facts.norm', slots: { m: fixed(example.mean[0]!), v: fixed(example.variance[0]!), wrong: fixed(r.sampleVariances[0]) } },
        { key: 'facts.network', slots: { f: plain(r.networkParameters), a: plain(r.attentionParameters) } },
      ],
      picture: {
        kind: 'lines',
        label: { key: 'picture.label', slots },
        x: { title: { key: 'picture.x' }, min: 0, max: LAYERS, ticks: LADDER.map((at) => ({ at, text: plain(at) })) },
        y: { title: { key: 'picture.y' }, min: 0, max: 1, ticks: [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, text: fixed(at) })) },
        lines: [line('pure', r.pure), line('skip', r.skip), line('post', r.post), line('now', r.spread, true)],
        at: v.layer,
      },
      tables: [
        {
          id: 'spread',
          caption: { key: 'tables.spread.caption' },
          corner: { key: 'tables.corner' },
          rows: layerNames,
          cols: ['now', 'pure', 'skip', 'post'].map((key) => ({ key: `tables.spread.${key}` })),
          cells: LADDER.map((l) => columns.map((values) => values[l]!)),
          shade: 'share',
          texts: LADDER.map((l) => columns.map((values) => cellWords(values[l]!, words))),
        },
        {
          id: 'stack',
          caption: { key: 'tables.stack.caption' },
          corner: { key: 'tables.corner' },
          rows: layerNames,
          cols: ['spread', 'rank', 'scale', 'gradient', 'leak', 'encoder'].map((key) => ({ key: `tables.stack.${key}` })),
          cells: LADDER.map((l) => measures.map((values) => values[l]!)),
          texts: LADDER.map((l) => measures.map((values) => cellWords(values[l]!, words))),
        },
      ],
      more: {
        summary: { key: 'tables.more' },
        tables: [
          {
            id: 'norm',
            caption: { key: 'tables.norm.caption' },
            corner: { key: 'tables.norm.corner' },
            rows: [{ key: 'tables.norm.example' }, { key: 'tables.norm.own', slots: { token: v.tokens[v.token]!, l: slots.l } }],
            cols: ['mean', 'variance', 'sample'].map((key) => ({ key: `tables.norm.${key}` })),
            cells: [
              [example.mean[0]!, example.variance[0]!, r.sampleVariances[0]],
              [own.mean[0]!, own.variance[0]!, r.sampleVariances[1]],
            ],
          },
          {
            id: 'output',
            caption: { key: 'tables.output.caption', slots },
            corner: { key: 'tables.token' },
            rows: v.tokens,
            cols: rowsOf(r.stack[v.layer]!)[0]!.map((_, j) => ({ key: 'tables.dim', slots: { j: place(j) } })),
            cells: rowsOf(r.stack[v.layer]!),
            shade: 'signed',
          },
        ],
      },
      sound: { button: { key: 'sound.button' }, intro: { key: 'sound.intro' }, values: r.spread },
    };
  },
  checks: [
    {
      key: 'sum',
      limit: 1e-12,
      residual: (core, _, { trace }) =>
        Math.max(0, ...[...trace.attention.heads, ...trace.cross.heads].map(({ weights }) => rowSumError(core, weights))),
    },
    {
      // The definition, from other functions of the core: rows minus their mean, over all.
      key: 'spread',
      limit: 1e-9,
      residual(core, v, { stack, spread }) {
        const m = stack[v.layer]!;
        const mean = [...core.meanRow(m).data];
        const size = core.frobeniusNorm(m);
        const centred = core.frobeniusNorm(differenceOf(core, m, matrix(rowsOf(m).map(() => mean))));
        return Math.abs((size === 0 ? 0 : times(centred, size)) - spread[v.layer]!);
      },
    },
    {
      key: 'rebuilt',
      limit: 1e-9,
      residual: (core, v, r) => times(core.maxGap(rebuilt(core, v, r), r.stack[r.at]!), Math.max(1, core.frobeniusNorm(r.stack[r.at]!))),
    },
    { key: 'gradient', limit: 1e-4, residual: gradientError },
    { key: 'mask', limit: 0, residual: (_, __, { maskedLeak }) => maskedLeak },
    {
      key: 'encoder',
      limit: 0,
      residual: (core, v, { stack, layers, at, uncrossed }) => {
        const { attention, network } = layers[at - 1]!;
        const { cross: _, ...options } = optionsOf(v);
        return core.maxGap(core.encoderLayer(stack[at - 1]!, { attention, network }, options).output, uncrossed);
      },
    },
    {
      // The mean of the squares less the square of the mean.
      key: 'variance',
      limit: 1e-12,
      residual(core, _, { norms: [{ mean, variance }] }) {
        const row = matrix([EXAMPLE]);
        const squares = times(inner(core, row, row), EXAMPLE.length);
        return Math.abs(squares - mean[0]! * mean[0]! - variance[0]!);
      },
    },
  ],
  code: [
    { file: 'cpp/src/encoder.cpp', region: 'encoder_layer' },
    { file: 'cpp/src/decoder.cpp', region: 'decoder_layer' },
    { file: 'cpp/src/layer_norm.cpp', region: 'layer_norm' },
    { file: 'cpp/src/encoder.cpp', region: 'row_spread' },
  ],
};
