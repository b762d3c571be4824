import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import type { NearCollision } from '../core/sinusoidal.ts';
import { fixed, place, plain } from './kit/format.ts';
import { columns, differenceOf } from './kit/matrices.ts';
import type { Lab, View } from './kit/types.ts';

interface Values {
  d: string;
  a: number;
  k: number;
  a2: number;
  pair: number;
}

/** One pair of places and its codes. */
interface Pair {
  from: number;
  to: number;
  dot: number;
  distance: number;
}

export interface SinusoidalResult {
  /** Codes of a … a + 3 and, last, of a + k. */
  codes: Matrix;
  places: number[];
  pairs: [Pair, Pair, Pair];
  /** The waves that are drawn, by their pair from 0. */
  shown: number[];
  /** One row for each place from 0, one column for each wave. */
  waves: Matrix;
  drawn: Matrix;
  wavelengths: number[];
  near: NearCollision;
  reach: number;
  /** With a single frequency: how far place 710 is from place 0. */
  single: number;
}

const FIRST = 4;
/** Places that are heard and listed; so many notes still sound apart within 3 seconds. */
const HEARD = 48;
const DRAWN_A_PLACE = 4;
const MOST_BANDS = 4;
/** Further offsets are not searched for a near collision where codes are wide. */
const FAR = 10_000;
const FAR_WIDE = 1000;
const SINGLE = 710;

const drawnPlaces = Array.from({ length: (HEARD - 1) * DRAWN_A_PLACE + 1 }, (_, i) => i / DRAWN_A_PLACE);

/** Small distances keep enough decimals to be told from 0. */
const distanceText = (x: number): string => fixed(x, x !== 0 && x < 0.01 ? 5 : 2);

/** The sines of some pairs: every second column, from the first. */
const sines = (table: Matrix, pairs: number[]): Matrix => matrix(rowsOf(table).map((row) => pairs.map((i) => row[2 * i]!)));

function pairOf(core: Core, d: number, from: number, to: number): Pair {
  const codes = core.sinusoidalPositions([from, to], d);
  const [one, two] = rowsOf(codes).map((row) => matrix([row])) as [Matrix, Matrix];
  return {
    from,
    to,
    dot: core.product(one, core.transpose(two)).data[0]!,
    distance: core.frobeniusNorm(differenceOf(core, one, two)),
  };
}

/** The chosen pair; the last one where there are fewer. */
const chosen = (v: Values): number => Math.min(v.pair, Number(v.d) / 2) - 1;

/** Fast, slow and the chosen one among them. */
function bands(v: Values): number[] {
  const count = Number(v.d) / 2;
  if (count <= MOST_BANDS) return Array.from({ length: count }, (_, i) => i);
  return [...new Set([0, chosen(v), Math.floor(count / 4), count - 1])].sort((x, y) => x - y);
}

const NEAR_PLACES = [0, 1, 2, 3, 5, 10, 20, 44, 50, 100, 200, 500, 710, 1000, 2000, 5000, 10000];

export const lab: Lab<Values, SinusoidalResult> = {
  stem: 'sinusoidal',
  inputs: [
    { kind: 'choice', name: 'd', options: ['2', '8', '64', '512'], initial: '8' },
    { kind: 'slider', name: 'a', min: 0, max: 10000, stops: NEAR_PLACES, initial: 0, whole: true },
    { kind: 'slider', name: 'k', min: 1, max: 10000, stops: NEAR_PLACES.slice(1), initial: 5, whole: true, named: [5, 44, 710] },
    { kind: 'slider', name: 'a2', min: 0, max: 10000, stops: NEAR_PLACES, initial: 100, whole: true },
    {
      kind: 'slider',
      name: 'pair',
      min: 1,
      max: 256,
      stops: [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256],
      initial: 1,
      whole: true,
    },
  ],
  presets: [
    { id: 'eight', raw: () => ({}) },
    { id: 'single', raw: () => ({ d: '2', k: '710' }) },
    { id: 'near', raw: () => ({ d: '2', k: '44' }) },
    { id: 'wide', raw: () => ({ d: '512', pair: '256' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['far', 'middle', 'near'],
    judge: (guess, _, { single }) => ({ key: guess, slots: { x: distanceText(single) } }),
  },
  run(core, values) {
    const { a, k, a2 } = values;
    const d = Number(values.d);
    const shown = bands(values);
    const places = [...Array.from({ length: FIRST }, (_, i) => a + i), a + k];
    const reach = d > 64 ? FAR_WIDE : FAR;
    return {
      codes: core.sinusoidalPositions(places, d),
      places,
      pairs: [pairOf(core, d, a, a + k), pairOf(core, d, a2, a2 + k), pairOf(core, d, a + k, a)],
      shown,
      waves: sines(core.sinusoidalTable(HEARD, d), shown),
      drawn: sines(core.sinusoidalPositions(drawnPlaces, d), shown),
      wavelengths: [...core.sinusoidalWavelengths(d)],
      near: core.sinusoidalNearCollision(reach, d),
      reach,
      single: core.sinusoidalDistance(SINGLE, 2),
    };
  },
  view(values, r): View {
    const d = Number(values.d);
    const [one, two, back] = r.pairs;
    const pair = chosen(values);
    const count = d / 2;
    const slots = {
      a: plain(one.from),
      b: plain(one.to),
      k: plain(values.k),
      a2: plain(two.from),
      b2: plain(two.to),
      x: distanceText(one.distance),
      p: fixed(one.dot),
      d: plain(d),
      i: place(pair),
      w: fixed(r.wavelengths[pair]!),
    };
    const wave = { key: 'tables.wave', slots: {} };
    const column = r.shown.indexOf(pair);
    return {
      state: { key: 'state.pair', slots },
      say: { key: 'say', slots },
      facts: [
        { key: 'facts.back', slots: { ...slots, p: fixed(back.dot) } },
        { key: 'facts.near', slots: { reach: plain(r.reach), k: plain(r.near.offset), x: distanceText(r.near.distance) } },
        { key: count === 1 ? 'facts.wave-single' : 'facts.waves', slots: { n: plain(count), first: fixed(r.wavelengths[0]!), last: fixed(r.wavelengths[count - 1]!) } },
        ...(values.pair > count ? [{ key: 'facts.fewer', slots: { n: plain(count), d: plain(d) } }] : []),
      ],
      picture: {
        kind: 'waves',
        label: { key: 'picture.label', slots: { n: plain(r.shown.length), last: plain(HEARD - 1), i: place(pair), w: fixed(r.wavelengths[pair]!) } },
        x: drawnPlaces,
        xTitle: { key: 'picture.x' },
        bands: r.shown.map((i, c) => ({
          name: { key: 'picture.wave', slots: { i: place(i) } },
          y: rowsOf(r.drawn).map((row) => row[c]!),
          strong: i === pair,
        })),
        range: [-1, 1],
      },
      tables: [
        {
          id: 'pairs',
          caption: { key: 'tables.pairs.caption' },
          corner: { key: 'tables.pairs.corner' },
          rows: r.pairs.map(({ from, to }) => ({ key: 'tables.pairs.row', slots: { a: plain(from), b: plain(to) } })),
          cols: [{ key: 'tables.pairs.distance' }, { key: 'tables.pairs.dot' }],
          cells: r.pairs.map(({ distance, dot }) => [distance, dot]),
          digits: [6, 4],
        },
        {
          id: 'codes',
          caption: { key: 'tables.codes.caption' },
          corner: { key: 'tables.place' },
          rows: r.places.map((at) => ({ key: 'tables.at', slots: { i: plain(at) } })),
          cols: Array.from({ length: d }, (_, j) => ({ key: 'tables.dim', slots: { j: place(j) } })),
          cells: rowsOf(r.codes),
          shade: 'signed',
        },
        {
          id: 'waves',
          caption: { key: 'tables.waves.caption', slots: { last: plain(HEARD - 1) } },
          corner: { key: 'tables.place' },
          rows: Array.from({ length: HEARD }, (_, i) => ({ key: 'tables.at', slots: { i: plain(i) } })),
          cols: r.shown.map((i) => ({ ...wave, slots: { i: place(i) } })),
          cells: rowsOf(r.waves),
          shade: 'signed',
        },
      ],
      sound: {
        button: { key: 'sound.button', slots },
        intro: { key: 'sound.intro', slots: { ...slots, last: plain(HEARD - 1) } },
        values: rowsOf(r.waves).map((row) => row[column]!),
        range: [-1, 1],
      },
    };
  },
  checks: [
    {
      key: 'norm',
      limit: 1e-9,
      residual(core, v, { codes }) {
        const squares = rowsOf(codes).map((row) => core.product(matrix([row]), core.transpose(matrix([row]))).data[0]!);
        return Math.max(...squares.map((x) => Math.abs(x - Number(v.d) / 2)));
      },
    },
    { key: 'closed', limit: 1e-8, residual: (core, v, r) => Math.abs(r.pairs[0].dot - core.sinusoidalDot(v.k, Number(v.d))) },
    { key: 'offset', limit: 1e-8, residual: (_, __, r) => Math.abs(r.pairs[0].dot - r.pairs[1].dot) },
    { key: 'distance', limit: 1e-8, residual: (core, v, r) => Math.abs(r.pairs[0].distance - core.sinusoidalDistance(v.k, Number(v.d))) },
    {
      key: 'shift',
      limit: 1e-8,
      residual(core, v, { codes }) {
        const rows = rowsOf(codes);
        const turned = core.product(matrix([rows[0]!]), core.transpose(core.sinusoidalShift(v.k, Number(v.d))));
        return core.maxGap(turned, matrix([rows[rows.length - 1]!]));
      },
    },
    {
      key: 'heard',
      limit: 0,
      residual: (core, v, r) => core.maxGap(columns(core.sinusoidalTable(HEARD, Number(v.d)), 0, 1), columns(r.waves, 0, 1)),
    },
  ],
  code: [
    { file: 'cpp/src/sinusoidal.cpp', region: 'sinusoidal_frequencies' },
    { file: 'cpp/src/sinusoidal.cpp', region: 'sinusoidal_positions' },
    { file: 'cpp/src/sinusoidal.cpp', region: 'sinusoidal_dot' },
  ],
};
