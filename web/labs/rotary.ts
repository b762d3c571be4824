import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import type { Rotary } from '../core/rotary.ts';
import { fixed, place, plain, rowText } from './kit/format.ts';
import { differenceOf } from './kit/matrices.ts';
import { phrase } from './kit/template.ts';
import type { FieldProblem, Lab, Message, View, Words } from './kit/types.ts';
import { decimal, times } from './kit/units.ts';

interface Values {
  tokens: string[];
  /** The query, then the key. */
  x: number[][];
  m: number;
  n: number;
  t: number;
  /** Places are divided by so much. */
  pi: '1' | '2' | '4' | '8';
  trained: '512' | '2048' | '8192';
  base: number;
  layout: 'interleaved' | 'half-split';
}

/** One pair of coordinates as a dial. */
interface Dial {
  /** Places for a whole turn, interpolation and all. */
  wavelength: number;
  hands: [{ x: number; y: number }, { x: number; y: number }];
  /** In whole turns: the query's, the key's, and from the one to the other. */
  turns: [number, number, number];
}

/** A length and, of 64 pairs, those whose turn takes longer. */
interface Unseen {
  length: number;
  pairs: number;
}

export interface RotaryResult {
  /** At m and n, both moved by t, and exchanged. */
  scores: [number, number, number];
  /** Query and key, each before and after. */
  vectors: Matrix;
  lengths: number[];
  moved: number;
  dials: Dial[];
  /** By distance from 0: as set, and without interpolation. */
  curve: number[];
  uncut: number[];
  bound: number;
  unseen: Unseen[];
  tested: number;
  newPlain: number;
  newScaled: number;
}

const MOST_DIMS = 16;
/** The width of a head in the models whose lengths are compared. */
const HEAD_WIDTH = 128;
const HEARD = 48;
/** How far beyond the trained length is looked where no interpolation says it. */
const BEYOND = '4';
const LENGTHS = [512, 2048, 4096, 8192, 32768];
const PLACES = [0, 1, 2, 3, 5, 8, 16, 32, 37, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384];

const distances = Array.from({ length: HEARD }, (_, i) => i);

const optionsOf = (v: Values): Required<Rotary> => ({ layout: v.layout, base: v.base, positionScale: times(1, Number(v.pi)) });

const one = (row: number[]): Matrix => matrix([row]);
const lengthOf = (core: Core, row: number[]): number => core.frobeniusNorm(one(row));
const product = (core: Core, a: number, b: number): number => core.product(matrix([[a]]), matrix([[b]])).data[0]!;

function score(core: Core, v: Values, from: number, to: number, options: Rotary = optionsOf(v)): number {
  const [q, k] = v.x as [number[], number[]];
  return core.rotaryScores(one(q), one(k), [from], [to], options).data[0]!;
}

/** Hands that start at (1, 0) in every pair, turned as the query and the key are. */
function dialsOf(core: Core, v: Values): Dial[] {
  const d = v.x[0]!.length;
  const { base, positionScale } = optionsOf(v);
  const start = Array.from({ length: d }, (_, j) => 1 - (j % 2));
  const [q, k] = rowsOf(core.rotate(matrix([start, start]), [v.m, v.n], { base, positionScale })) as [number[], number[]];
  const [from, to, between] = core.product(matrix([[v.m], [v.n], [v.n - v.m]]), matrix([[positionScale]])).data as unknown as [number, number, number];
  return [...core.sinusoidalWavelengths(d, { base })].map((wavelength, i) => ({
    wavelength: product(core, wavelength, Number(v.pi)),
    hands: [{ x: q[2 * i]!, y: q[2 * i + 1]! }, { x: k[2 * i]!, y: k[2 * i + 1]! }],
    turns: [times(from, wavelength), times(to, wavelength), times(between, wavelength)],
  }));
}

const wholeTurns = (turns: number): number => Math.floor(Math.abs(turns));
const degrees = (turns: number): number => (Math.abs(turns) - wholeTurns(turns)) * 360;

/** An angle as it is said: degrees, after whole turns if there are any. */
function angle(turns: number, words: Words): string {
  const slots = { w: plain(wholeTurns(turns)), d: fixed(degrees(turns), 1) };
  return phrase(words, { key: wholeTurns(turns) === 0 ? 'angle.part' : 'angle.turns', slots });
}

const compared = (turns: number): string => (turns > 0 ? 'more' : turns < 0 ? 'less' : 'same');

export const lab: Lab<Values, RotaryResult> = {
  stem: 'rotary',
  inputs: [
    { kind: 'slider', name: 'm', min: 0, max: 16384, stops: PLACES, initial: 0, whole: true },
    { kind: 'slider', name: 'n', min: 0, max: 16384, stops: PLACES, initial: 3, whole: true, named: [0, 3, 37] },
    { kind: 'slider', name: 't', min: 0, max: 16384, stops: [...PLACES.slice(0, 9), 64, 100, ...PLACES.slice(10)], initial: 100, whole: true },
    { kind: 'choice', name: 'pi', options: ['1', '2', '4', '8'], initial: '1' },
    { kind: 'choice', name: 'trained', options: ['512', '2048', '8192'], initial: '2048' },
    { kind: 'slider', name: 'base', min: 100, max: 1_000_000, stops: [100, 1000, 10_000, 100_000, 500_000, 1_000_000], initial: 10_000, named: [10_000, 500_000] },
    { kind: 'tokens', name: 'tokens', min: 2, max: 2 },
    { kind: 'matrix', name: 'x', initial: [[1, 2, -0.5, 0.25], [0.5, -1, 2, 1]], rows: { tokens: 'tokens' }, maxCols: MOST_DIMS, limit: 10 },
    { kind: 'choice', name: 'layout', options: ['interleaved', 'half-split'], initial: 'interleaved' },
  ],
  presets: [
    { id: 'three', raw: () => ({}) },
    { id: 'swapped', raw: () => ({ m: '3', n: '0' }) },
    { id: 'interpolated', raw: () => ({ m: '4096', n: '0', pi: '4' }) },
    { id: 'ones', raw: () => ({ x: ['1, 1, 1, 1, 1, 1, 1, 1', '1, 1, 1, 1, 1, 1, 1, 1'], n: '16' }) },
    {
      id: 'peak',
      raw(core) {
        const ones = Array<number>(8).fill(1);
        return { x: [rowText(ones), rowText([...core.rotate(one(ones), [-37]).data])], n: '37' };
      },
    },
    { id: 'halves', raw: () => ({ layout: 'half-split' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['neither', 'exchange', 'shift', 'both'],
    judge: (guess, { t }, { scores: [now, , swapped] }) => ({ key: guess, slots: { t: plain(t), s: fixed(now), b: fixed(swapped) } }),
  },
  fits({ x }): FieldProblem | null {
    const got = x[0]!.length;
    return got % 2 === 0 ? null : { field: 'x', code: 'even', slots: { got: plain(got) } };
  },
  run(core, v) {
    const options = optionsOf(v);
    const { base } = options;
    const [q, k] = v.x as [number[], number[]];
    const turned = rowsOf(core.rotate(matrix([q, k]), [v.m, v.n], options)) as [number[], number[]];
    const rows = [q, turned[0], k, turned[1]];
    const repeated = matrix(distances.map(() => k));
    const heard = (o: Rotary) => [...core.rotaryScores(one(q), repeated, [0], distances, o).data];
    const trained = Number(v.trained);
    const tested = product(core, trained, Number(v.pi === '1' ? BEYOND : v.pi));
    return {
      scores: [score(core, v, v.m, v.n), score(core, v, v.m + v.t, v.n + v.t), score(core, v, v.n, v.m)],
      vectors: matrix(rows),
      lengths: rows.map((row) => lengthOf(core, row)),
      moved: core.frobeniusNorm(differenceOf(core, one(turned[1]), one(k))),
      dials: dialsOf(core, v),
      curve: heard(options),
      uncut: heard({ ...options, positionScale: 1 }),
      bound: product(core, lengthOf(core, q), lengthOf(core, k)),
      unseen: LENGTHS.map((length) => ({ length, pairs: core.unseenPairs(length, HEAD_WIDTH, { base }) })),
      tested,
      newPlain: core.pairsAtNewAngles(trained, tested, HEAD_WIDTH, { base }),
      newScaled: core.pairsAtNewAngles(trained, tested, HEAD_WIDTH, { base, positionScale: options.positionScale }),
    };
  },
  view(v, r, words): View {
    const d = v.x[0]!.length;
    const [now, , swapped] = r.scores;
    const slots = { m: plain(v.m), n: plain(v.n), t: plain(v.t), s: fixed(now), b: fixed(swapped), f: v.pi };
    const isCut = v.pi !== '1';
    const far = { p: plain(r.newPlain), c: plain(r.newScaled), w: v.trained, t: plain(r.tested), f: v.pi, base: plain(v.base) };
    const dims = Array.from({ length: d }, (_, j) => ({ key: 'tables.vectors.dim', slots: { j: place(j) } }));
    return {
      state: { key: isCut ? 'state.interpolated' : 'state.plain', slots },
      say: { key: 'say', slots },
      facts: [
        { key: 'facts.length', slots: { q: fixed(r.lengths[1]!), k: fixed(r.lengths[3]!), x: fixed(r.moved) } },
        { key: r.newPlain === 0 ? 'facts.all-seen' : 'facts.unseen', slots: far },
        ...(r.newPlain === 0 ? [] : [{ key: isCut ? 'facts.interpolated' : 'facts.beyond', slots: far }]),
        ...(isCut ? [{ key: 'facts.closer', slots: far }] : []),
      ],
      lines: {
        heading: { key: 'angle.heading' },
        sentences: r.dials.map(({ wavelength, turns: [from, to, between] }, i) => ({
          key: `angle.${compared(between)}`,
          slots: {
            i: place(i),
            w: decimal(wavelength, wavelength < 1000 ? 2 : 0),
            q: angle(from, words),
            k: angle(to, words),
            b: angle(between, words),
          },
        })),
      },
      picture: {
        kind: 'dials',
        label: { key: 'picture.label', slots: { c: plain(r.dials.length), b: fixed(degrees(r.dials[0]!.turns[2]), 1) } },
        dials: r.dials.map(({ hands, turns: [, , between] }, i) => ({
          name: { key: 'picture.dial', slots: { i: place(i) } },
          hands,
          turn: (between < 0 ? -1 : 1) * times(degrees(between), 360),
          text: phrase(words, { key: 'picture.between', slots: { d: fixed(degrees(between), 1) } }),
        })),
      },
      tables: [
        {
          id: 'scores',
          caption: { key: 'tables.scores.caption' },
          corner: { key: 'tables.scores.corner' },
          rows: [
            { key: 'tables.scores.now', slots },
            { key: 'tables.scores.shifted', slots: { ...slots, m: plain(v.m + v.t), n: plain(v.n + v.t) } },
            { key: 'tables.scores.swapped', slots },
          ],
          cols: [{ key: 'tables.scores.apart' }, { key: 'tables.scores.score' }],
          cells: [[v.n - v.m, r.scores[0]], [v.n - v.m, r.scores[1]], [v.m - v.n, r.scores[2]]],
          digits: [0, 5],
        },
        {
          id: 'turns',
          caption: { key: 'tables.turns.caption' },
          corner: { key: 'tables.turns.corner' },
          rows: r.dials.map((_, i) => ({ key: 'picture.dial', slots: { i: place(i) } })),
          cols: ['wavelength', 'query', 'key', 'between'].map((key) => ({ key: `tables.turns.${key}` })),
          cells: r.dials.map(({ wavelength, turns }) => [wavelength, ...turns.map(degrees)]),
          digits: [2, 2, 2, 2],
        },
        {
          id: 'vectors',
          caption: { key: 'tables.vectors.caption' },
          corner: { key: 'tables.vectors.corner' },
          rows: v.tokens.flatMap((token, i): Message[] => [
            { key: `tables.vectors.${i === 0 ? 'query' : 'key'}`, slots: { token } },
            { key: `tables.vectors.${i === 0 ? 'query' : 'key'}-turned`, slots: { token, at: plain(i === 0 ? v.m : v.n) } },
          ]),
          cols: [...dims, { key: 'tables.vectors.length' }],
          cells: rowsOf(r.vectors).map((row, i) => [...row, r.lengths[i]!]),
        },
        {
          id: 'curve',
          caption: { key: 'tables.curve.caption', slots: { last: plain(HEARD - 1) } },
          corner: { key: 'tables.curve.corner' },
          rows: distances.map(plain),
          cols: [{ key: 'tables.curve.plain' }, ...(isCut ? [{ key: 'tables.curve.interpolated', slots: { f: v.pi } }] : [])],
          cells: r.uncut.map((score0, i) => (isCut ? [score0, r.curve[i]!] : [score0])),
          shade: 'signed',
        },
        {
          id: 'unseen',
          caption: { key: 'tables.unseen.caption', slots: { base: plain(v.base) } },
          corner: { key: 'tables.unseen.corner' },
          rows: r.unseen.map(({ length }) => plain(length)),
          cols: [{ key: 'tables.unseen.pairs' }],
          cells: r.unseen.map(({ pairs }) => [pairs]),
          digits: [0],
        },
      ],
      sound: {
        button: { key: 'sound.button' },
        intro: { key: isCut ? 'sound.interpolated' : 'sound.intro', slots: { last: plain(HEARD - 1), f: v.pi } },
        values: r.curve,
        range: [-r.bound, r.bound],
      },
    };
  },
  checks: [
    { key: 'shift', limit: 1e-7, residual: (_, __, { scores: [now, shifted] }) => Math.abs(now - shifted) },
    {
      key: 'length',
      limit: 1e-9,
      residual: (core, _, { lengths: [q, turnedQ, k, turnedK] }) => core.maxGap(one([q!, k!]), one([turnedQ!, turnedK!])),
    },
    {
      key: 'back',
      limit: 1e-9,
      residual(core, v, { vectors }) {
        const [q, turnedQ, k, turnedK] = rowsOf(vectors) as [number[], number[], number[], number[]];
        return core.maxGap(core.rotate(matrix([turnedQ, turnedK]), [-v.m, -v.n], optionsOf(v)), matrix([q, k]));
      },
    },
    {
      // The other layout does the same once the columns have moved.
      key: 'layout',
      limit: 1e-9,
      residual(core, v, { vectors }) {
        const [q, turnedQ, k, turnedK] = rowsOf(vectors) as [number[], number[], number[], number[]];
        const moved = v.layout === 'interleaved' ? core.toHalfSplit : core.toInterleaved;
        const other = v.layout === 'interleaved' ? 'half-split' : 'interleaved';
        const turned = core.rotate(moved(matrix([q, k])), [v.m, v.n], { ...optionsOf(v), layout: other });
        return core.maxGap(turned, moved(matrix([turnedQ, turnedK])));
      },
    },
    {
      // After one wavelength a hand is back where it started.
      key: 'turn',
      limit: 1e-9,
      residual: (core, v, { dials }) =>
        Math.max(
          ...dials.map(({ wavelength }, i) => {
            const start = Array.from({ length: 2 * dials.length }, (_, j) => (j === 2 * i ? 1 : 0));
            return core.maxGap(core.rotate(one(start), [wavelength], { ...optionsOf(v), layout: 'interleaved' }), one(start));
          }),
        ),
    },
    {
      key: 'interpolation',
      limit: 1e-7,
      residual(core, v, { scores: [now] }) {
        const [from, to] = core.product(matrix([[v.m], [v.n]]), matrix([[times(1, Number(v.pi))]])).data as unknown as [number, number];
        return Math.abs(now - score(core, v, from, to, { ...optionsOf(v), positionScale: 1 }));
      },
    },
    {
      key: 'unseen',
      limit: 0,
      residual(core, v, { unseen }) {
        const wavelengths = [...core.sinusoidalWavelengths(HEAD_WIDTH, { base: v.base })];
        return Math.max(...unseen.map(({ length, pairs }) => Math.abs(pairs - wavelengths.filter((w) => w > length).length)));
      },
    },
  ],
  code: [
    { file: 'cpp/src/rotary.cpp', region: 'rotary_frequencies' },
    { file: 'cpp/src/rotary.cpp', region: 'rotate' },
    { file: 'cpp/src/rotary.cpp', region: 'rotary_scores' },
    { file: 'cpp/src/rotary.cpp', region: 'unseen_pairs' },
  ],
};
