import type { Core } from '../core/core.ts';
import { CoreError } from '../core/errors.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import { fixed, place, plain } from './kit/format.ts';
import { rowSums } from './kit/matrices.ts';
import { word } from './kit/template.ts';
import type { Lab, Message, Picture, View } from './kit/types.ts';
import { decimal, times } from './kit/units.ts';

type Scheme = 'sinusoidal' | 'learned' | 'rotary' | 'interpolated' | 'alibi';

interface Values {
  scheme: Scheme;
  trained: '512' | '2048';
  tested: number;
}

/** A published perplexity. */
interface Figure {
  tested: number;
  perplexity: number;
  /** Only known to be over it. */
  over?: boolean;
}

interface Angles {
  scheme: Scheme;
  /** Of 64 pairs. */
  fresh: number;
  /** The distance of two neighbours, in places as trained. */
  step: number;
}

export interface ExtrapolationResult {
  /** Whether the table of learned positions has a row for the last place. */
  hasRow: boolean;
  missing: number;
  /** How far apart neighbours stand once that table is stretched. */
  stretched: number;
  angles: Angles[];
  slopes: number[];
  /** Of the last query's weight, what lies on distances that training never had; a head each. */
  unseen: number[];
  /** At this length, if somebody published one. */
  figure: Figure | null;
  /** The same at the trained length. */
  baseline: Figure | null;
  ratio: number;
}

const SCHEMES: Scheme[] = ['sinusoidal', 'learned', 'rotary', 'interpolated', 'alibi'];
const HEAD_WIDTH = 128;
const HEADS = 8;

/** Press et al. 2022, table 2: trained with 512, perplexity on WikiText-103. */
export const PRESS_LENGTHS = [512, 612, 1012, 2512, 5512, 15512];
export const PRESS: Readonly<Partial<Record<Scheme, readonly number[]>>> = {
  sinusoidal: [20.05, 20.59, 43.54, 132.41, 240.44, 406.01],
  rotary: [20.07, 19.81, 21.37, 31.58, 43.14, 79.25],
  alibi: [19.73, 19.38, 18.73, 18.41, 18.36, 18.31],
};
/** Chen et al. 2023, tables 1 and 3: LLaMA 7B, trained with 2048, perplexity on PG-19. */
export const CHEN = {
  rotary: [{ tested: 2048, perplexity: 7.2 }, { tested: 4096, perplexity: 1000, over: true }],
  interpolated: { untuned: 16.1, after200: 7.12, tuned: 6.95, tested: 8192 },
} as const;

/** What was published for a scheme; none for some. */
function figures(scheme: Scheme, trained: Values['trained']): Figure[] {
  if (trained === '512') return (PRESS[scheme] ?? []).map((perplexity, i) => ({ tested: PRESS_LENGTHS[i]!, perplexity }));
  if (scheme === 'rotary') return [...CHEN.rotary];
  return scheme === 'interpolated' ? [{ tested: CHEN.interpolated.tested, perplexity: CHEN.interpolated.tuned }] : [];
}

/** What a figure is measured against: the same model before its length was stretched. */
function baselineOf(scheme: Scheme, trained: Values['trained']): Figure | null {
  return figures(scheme === 'interpolated' ? 'rotary' : scheme, trained)[0] ?? null;
}

const column = (numbers: number[]): Matrix => matrix(numbers.map((x) => [x]));
const total = (core: Core, weights: number[]): number => (weights.length === 0 ? 0 : rowSums(core, matrix([weights]))[0]!);

/** The core refuses a place that a table has no row for. */
function hasRow(core: Core, rows: number, at: number): boolean {
  try {
    core.learnedLookup(column(Array.from({ length: rows }, (_, i) => i)), [at]);
    return true;
  } catch (error) {
    if (error instanceof CoreError && error.code === 'invalid-argument') return false;
    throw error;
  }
}

/** Where row 1 of a stretched table comes from: its distance from row 0. */
const stretchedStep = (core: Core, rows: number, length: number): number =>
  core.interpolatePositions(column(Array.from({ length: rows }, (_, i) => i)), length).data[1]!;

/** Weights of the last query of a text by distance, nearest first. */
const weightsByDistance = (core: Core, slope: number, length: number): number[] => [...core.alibiWeights(slope, length - 1).data].reverse();

/** Positions shrunk until the text fits into what was trained. */
const scaleOf = (v: Values): number => Math.min(1, times(Number(v.trained), v.tested));

function pressPicture(v: Values, label: Message): Picture {
  const lines = (Object.keys(PRESS) as Scheme[]).map((scheme) => ({
    name: { key: `picture.${scheme}` },
    points: PRESS[scheme]!.map((perplexity, i): [number, number] => [PRESS_LENGTHS[i]!, perplexity]),
    strong: scheme === v.scheme,
  }));
  return {
    kind: 'lines',
    label,
    x: { title: { key: 'picture.x' }, min: 512, max: 16384, log: true, ticks: [512, 2048, 8192].map((at) => ({ at, text: plain(at) })) },
    y: { title: { key: 'picture.y' }, min: 10, max: 500, log: true, ticks: [10, 20, 50, 100, 200, 500].map((at) => ({ at, text: plain(at) })) },
    lines,
    ...(v.tested >= 512 ? { at: v.tested } : {}),
  };
}

export const lab: Lab<Values, ExtrapolationResult> = {
  stem: 'extrapolation',
  inputs: [
    { kind: 'choice', name: 'scheme', options: SCHEMES, initial: 'rotary' },
    { kind: 'choice', name: 'trained', options: ['512', '2048'], initial: '512' },
    {
      kind: 'slider',
      name: 'tested',
      min: 256,
      max: 16384,
      stops: [256, 512, 513, 612, 768, 1012, 1536, 2048, 2049, 2512, 3072, 4096, 5512, 6144, 8192, 12288, 15512, 16384],
      initial: 2512,
      whole: true,
      named: [513, 2512, 4096, 8192, 15512],
    },
  ],
  presets: [
    { id: 'rotary', raw: () => ({}) },
    { id: 'sinusoidal', raw: () => ({ scheme: 'sinusoidal', tested: '1012' }) },
    { id: 'learned', raw: () => ({ scheme: 'learned', tested: '513' }) },
    { id: 'alibi', raw: () => ({ scheme: 'alibi', tested: '15512' }) },
    { id: 'llama', raw: () => ({ trained: '2048', tested: '4096' }) },
    { id: 'interpolated', raw: () => ({ scheme: 'interpolated', trained: '2048', tested: '8192' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['lower', 'same', 'half', 'tenfold'],
    judge: (guess) => ({ key: guess, slots: { p: fixed(PRESS.rotary![3]!), b: fixed(PRESS.rotary![0]!), r: decimal(times(PRESS.rotary![3]!, PRESS.rotary![0]!)) } }),
  },
  run(core, v) {
    const trained = Number(v.trained);
    const { tested } = v;
    const scale = scaleOf(v);
    const plainAngles = core.pairsAtNewAngles(trained, tested, HEAD_WIDTH);
    const figure = figures(v.scheme, v.trained).find((f) => f.tested === tested) ?? null;
    const baseline = baselineOf(v.scheme, v.trained);
    const slopes = [...core.alibiSlopes(HEADS)];
    return {
      hasRow: hasRow(core, trained, tested - 1),
      missing: Math.max(0, tested - trained),
      stretched: stretchedStep(core, trained, tested),
      angles: [
        { scheme: 'sinusoidal', fresh: plainAngles, step: 1 },
        { scheme: 'rotary', fresh: plainAngles, step: 1 },
        { scheme: 'interpolated', fresh: core.pairsAtNewAngles(trained, tested, HEAD_WIDTH, { positionScale: scale }), step: scale },
      ],
      slopes,
      unseen: slopes.map((slope) => total(core, weightsByDistance(core, slope, tested).slice(trained))),
      figure,
      baseline,
      ratio: figure && baseline ? times(figure.perplexity, baseline.perplexity) : 0,
    };
  },
  view(v, r, words): View {
    const trained = Number(v.trained);
    const isLonger = v.tested > trained;
    const { figure, baseline } = r;
    const own = r.angles.find(({ scheme }) => scheme === v.scheme);
    const share = (x: number) => (isLonger && x < 0.00005 ? word(words, 'tiny') : fixed(x, 4));
    const [steep, flat] = [r.unseen[0]!, r.unseen[HEADS - 1]!];
    const slots = {
      w: v.trained,
      n: plain(v.tested),
      s: word(words, `schemes.${v.scheme}`),
      p: figure ? fixed(figure.perplexity) : '',
      b: baseline ? fixed(baseline.perplexity) : '',
      r: decimal(r.ratio),
      who: word(words, `papers.${v.trained}`),
      m: plain(r.missing),
      d: decimal(v.scheme === 'learned' ? r.stretched : (own?.step ?? 1), 3),
      a: plain(own?.fresh ?? 0),
      steep: share(steep),
      flat: share(flat),
    };
    const said = figure === null ? 'unknown' : figure.over ? 'over' : 'known';
    const computed = isLonger ? `facts.computed.${v.scheme}` : 'facts.inside';
    const bars = [
      ...CHEN.rotary.map((f) => ({ key: 'picture.chen.plain', slots: { n: plain(f.tested) }, value: f.perplexity, over: 'over' in f })),
      ...(['untuned', 'after200', 'tuned'] as const).map((key) => ({
        key: `picture.chen.${key}`,
        slots: { n: plain(CHEN.interpolated.tested) },
        value: CHEN.interpolated[key],
        over: false,
      })),
    ];
    const amount = (x: number, over: boolean) => (over ? word(words, 'over') : fixed(x));
    return {
      state: { key: `state.${said}`, slots },
      say: { key: `say.${said}`, slots },
      facts: [
        { key: computed, slots },
        { key: `facts.published.${v.trained}.${v.scheme}` },
        { key: 'facts.kinds' },
      ],
      picture:
        v.trained === '512'
          ? pressPicture(v, { key: 'picture.label.512' })
          : {
              kind: 'magnitudes',
              label: { key: 'picture.label.2048' },
              scale: 'log',
              bars: bars.map(({ value, over, ...name }, i) => ({
                name,
                value,
                text: amount(value, over),
                strong: v.scheme === 'rotary' ? i < 2 : v.scheme === 'interpolated' && i >= 2,
              })),
            },
      tables: [
        {
          id: 'defined',
          caption: { key: 'tables.defined.caption', slots },
          corner: { key: 'tables.scheme' },
          rows: SCHEMES.map((scheme) => ({ key: `schemes.${scheme}` })),
          cols: [{ key: 'tables.defined.last', slots }, { key: 'tables.defined.missing' }],
          cells: SCHEMES.map((scheme) => (scheme === 'learned' ? [r.hasRow ? 1 : 0, r.missing] : [1, 0])),
          texts: SCHEMES.map((scheme) => [word(words, scheme === 'learned' && !r.hasRow ? 'no' : 'yes'), undefined]),
          digits: [0, 0],
        },
        {
          id: 'angles',
          caption: { key: 'tables.angles.caption', slots },
          corner: { key: 'tables.scheme' },
          rows: r.angles.map(({ scheme }) => ({ key: `schemes.${scheme}` })),
          cols: ['fresh', 'step'].map((key) => ({ key: `tables.angles.${key}` })),
          cells: r.angles.map(({ fresh, step }) => [fresh, step]),
          digits: [0, 4],
        },
        {
          id: 'unseen',
          caption: { key: 'tables.unseen.caption', slots },
          corner: { key: 'tables.unseen.corner' },
          rows: r.slopes.map((_, h) => ({ key: 'tables.unseen.head', slots: { h: place(h) } })),
          cols: ['slope', 'share'].map((key) => ({ key: `tables.unseen.${key}` })),
          cells: r.slopes.map((slope, h) => [slope, r.unseen[h]!]),
          digits: [6, 4],
          texts: r.unseen.map((x) => [undefined, share(x)]),
        },
        {
          id: 'press',
          caption: { key: 'tables.press.caption' },
          corner: { key: 'tables.length' },
          rows: PRESS_LENGTHS.map(plain),
          cols: (Object.keys(PRESS) as Scheme[]).map((scheme) => ({ key: `schemes.${scheme}` })),
          cells: PRESS_LENGTHS.map((_, i) => Object.values(PRESS).map((row) => row[i]!)),
          digits: [2, 2, 2],
        },
        {
          id: 'chen',
          caption: { key: 'tables.chen.caption' },
          corner: { key: 'tables.chen.corner' },
          rows: bars.map(({ key, slots: named }) => ({ key, slots: named })),
          cols: [{ key: 'tables.chen.perplexity' }],
          cells: bars.map(({ value }) => [value]),
          digits: [2],
          texts: bars.map(({ over }) => [over ? word(words, 'over') : undefined]),
        },
      ],
      ...(v.trained === '512' && PRESS[v.scheme]
        ? {
            sound: {
              button: { key: 'sound.button', slots },
              intro: { key: 'sound.intro', slots: { ...slots, a: fixed(PRESS[v.scheme]![0]!), z: fixed(PRESS[v.scheme]![5]!) } },
              values: [...PRESS[v.scheme]!],
              range: [0, PRESS.sinusoidal![5]!] as [number, number],
            },
          }
        : {}),
    };
  },
  checks: [
    {
      // The table ends exactly where training ended.
      key: 'table',
      limit: 0,
      residual(core, v, r) {
        const trained = Number(v.trained);
        const ends = hasRow(core, trained, trained - 1) && !hasRow(core, trained, trained);
        return ends && r.hasRow === (r.missing === 0) ? 0 : 1;
      },
    },
    {
      key: 'angles',
      limit: 0,
      residual(core, v, { angles }) {
        const longer = [...core.sinusoidalWavelengths(HEAD_WIDTH)].filter((w) => w > Number(v.trained)).length;
        const wanted = v.tested > Number(v.trained) ? longer : 0;
        return Math.max(...angles.map(({ scheme, fresh }) => Math.abs(fresh - (scheme === 'interpolated' ? 0 : wanted))));
      },
    },
    {
      // Interpolation is the rotation at a place that training had.
      key: 'inside',
      limit: 1e-9,
      residual(core, v, { angles }) {
        const { step } = angles[2]!;
        const start = matrix([Array.from({ length: HEAD_WIDTH }, (_, j) => 1 - (j % 2))]);
        const last = core.product(matrix([[v.tested - 1]]), matrix([[step]])).data[0]!;
        const gap = core.maxGap(core.rotate(start, [v.tested - 1], { positionScale: step }), core.rotate(start, [last]));
        return last > Number(v.trained) - step ? Math.max(gap, last - Number(v.trained) + step) : gap;
      },
    },
    {
      key: 'shares',
      limit: 1e-12,
      residual: (core, v, r) =>
        Math.max(...r.slopes.map((slope, h) => Math.abs(1 - r.unseen[h]! - total(core, weightsByDistance(core, slope, v.tested).slice(0, Number(v.trained)))))),
    },
    {
      // Among the distances that training had, ALiBi's weights stand as they stood.
      key: 'near',
      limit: 1e-12,
      residual(core, v, r) {
        const length = Math.min(v.tested, Number(v.trained));
        return Math.max(
          ...r.slopes.map((slope, h) => {
            const seen = weightsByDistance(core, slope, v.tested).slice(0, length);
            const rescaled = seen.map((weight) => times(weight, 1 - r.unseen[h]!));
            return core.maxGap(matrix([rescaled]), matrix([weightsByDistance(core, slope, length)]));
          }),
        );
      },
    },
    {
      key: 'ratio',
      limit: 1e-9,
      residual: (core, _, { figure, baseline, ratio }) =>
        figure && baseline ? core.maxGap(core.product(matrix([[ratio]]), matrix([[baseline.perplexity]])), matrix([[figure.perplexity]])) : 0,
    },
  ],
  code: [
    { file: 'cpp/src/rotary.cpp', region: 'unseen_pairs' },
    { file: 'cpp/src/learned_position.cpp', region: 'learned_lookup' },
    { file: 'cpp/src/learned_position.cpp', region: 'interpolate_positions' },
    { file: 'cpp/src/alibi.cpp', region: 'alibi_weights' },
  ],
};
