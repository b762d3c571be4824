import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import type { PatchCounts, Picture } from '../core/patchify.ts';
import { colourName } from './kit/colour.ts';
import { fixed, place, plain } from './kit/format.ts';
import { columns } from './kit/matrices.ts';
import { word } from './kit/template.ts';
import type { Lab, View, Words } from './kit/types.ts';
import { decimal, times } from './kit/units.ts';

interface Values {
  picture: number[];
  patch: '4' | '8' | '16' | '32';
  size: '32' | '224' | '384';
  cls: 'yes' | 'no';
  tile: number;
}

/** One way to cut, and what it costs. */
interface Cut {
  side: number;
  patch: number;
  counts: PatchCounts;
}

export interface PatchifyResult {
  image: Picture;
  tokens: Matrix;
  back: Picture;
  means: Matrix;
  /** The sum of the three means of each patch. */
  brightness: number[];
  positions: Matrix;
  now: PatchCounts;
  /** What attention has to fill, with or without a class token. */
  entries: number;
  /** How many times as many for patches of half the side. */
  halved: number;
  /** From patches of 16 to patches of 8 in a picture of 224. */
  asked: number;
  cuts: Cut[];
}

const SIDE = 32;
const CHANNELS = 3;
const BRIGHTEST = 765;
const POSITION_WIDTH = 8;
const CUTS: [number, number][] = [[32, 16], [32, 8], [224, 32], [224, 16], [224, 14], [224, 8], [384, 16]];

/** Left, top, right and bottom edge, then red, green and blue: a red house on a meadow under the sun. */
const SCENE: [number, number, number, number, number, number, number][] = [
  [0, 0, 32, 20, 150, 205, 240],
  [24, 2, 29, 7, 250, 210, 60],
  [3, 4, 12, 7, 245, 248, 250],
  [0, 20, 32, 32, 90, 160, 70],
  [8, 14, 20, 26, 200, 70, 60],
  [6, 11, 22, 14, 110, 60, 45],
  [12, 20, 16, 26, 70, 45, 35],
  [25, 16, 27, 25, 105, 75, 45],
  [22, 10, 30, 17, 45, 115, 55],
];

function drawn(): number[] {
  const rgb: number[] = [];
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const [, , , , r, g, b] = [...SCENE].reverse().find(([left, top, right, bottom]) => x >= left && x < right && y >= top && y < bottom)!;
      rgb.push(r, g, b);
    }
  }
  return rgb;
}

const flat = (picture: Picture): Matrix => matrix([Array.from(picture.data)]);
const scalar = (core: Core, a: number, b: number): number => core.product(matrix([[a]]), matrix([[b]])).data[0]!;

/** Attention among the tokens, the class token with them or not. */
function entriesOf(core: Core, { tokens, attentionEntries }: PatchCounts, cls: Values['cls']): number {
  return cls === 'yes' ? attentionEntries : scalar(core, tokens, tokens);
}

/** The chosen tile; the last one where there are fewer. */
const chosen = (v: Values, r: PatchifyResult): number => Math.min(v.tile, r.tokens.rows) - 1;

const rgbOf = (m: Matrix, row: number): [number, number, number] => rowsOf(m)[row] as [number, number, number];
const colour = (m: Matrix, row: number, words: Words): string => word(words, `colours.${colourName(rgbOf(m, row))}`);

export const lab: Lab<Values, PatchifyResult> = {
  stem: 'patchify',
  inputs: [
    { kind: 'image', name: 'picture', side: SIDE, example: drawn() },
    { kind: 'choice', name: 'patch', options: ['32', '16', '8', '4'], initial: '16' },
    { kind: 'slider', name: 'tile', min: 1, max: 64, stops: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64], initial: 1, whole: true },
    { kind: 'choice', name: 'size', options: ['32', '224', '384'], initial: '32' },
    { kind: 'choice', name: 'cls', options: ['yes', 'no'], initial: 'yes' },
  ],
  presets: [
    { id: 'house', raw: () => ({}) },
    { id: 'fine', raw: () => ({ patch: '8', tile: '11' }) },
    { id: 'vit', raw: () => ({ size: '224' }) },
    { id: 'whole', raw: () => ({ patch: '32' }) },
    { id: 'pixels', raw: () => ({ patch: '4', cls: 'no', tile: '40' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['two', 'four', 'sixteen'],
    judge: (guess, _, { asked }) => ({ key: guess, slots: { x: decimal(asked, 1) } }),
  },
  run(core, v) {
    const patch = Number(v.patch);
    const image: Picture = { height: SIDE, width: SIDE, channels: CHANNELS, data: v.picture };
    const tokens = core.patchify(image, patch);
    const means = core.patchMeans(image, patch);
    const across = times(SIDE, patch);
    const size = Number(v.size);
    const now = core.patchCounts(size, patch, CHANNELS);
    const half = core.patchCounts(size, times(patch, 2), CHANNELS);
    const at = (side: number, width: number) => core.patchCounts(side, width, CHANNELS);
    return {
      image,
      tokens,
      back: core.unpatchify(tokens, SIDE, SIDE, CHANNELS, patch),
      means,
      brightness: [...core.product(means, matrix([[1], [1], [1]])).data],
      positions: core.gridPositions(across, across, POSITION_WIDTH),
      now,
      entries: entriesOf(core, now, v.cls),
      halved: times(entriesOf(core, half, v.cls), entriesOf(core, now, v.cls)),
      asked: times(at(224, 8).attentionEntries, at(224, 16).attentionEntries),
      cuts: CUTS.map(([side, width]) => ({ side, patch: width, counts: at(side, width) })),
    };
  },
  view(v, r, words): View {
    const patch = Number(v.patch);
    const across = times(SIDE, patch);
    const tile = chosen(v, r);
    const [row, col] = [Math.floor(tile / across), tile % across];
    const [red, green, blue] = rgbOf(r.means, tile);
    const slots = {
      s: v.size,
      p: v.patch,
      n: plain(r.now.tokens),
      c: plain(r.now.withClass),
      d: plain(r.now.width),
      e: plain(r.entries),
      i: place(tile),
      r: place(row),
      k: place(col),
      name: colour(r.means, tile, words),
      red: fixed(red, 0),
      green: fixed(green, 0),
      blue: fixed(blue, 0),
      t: plain(r.tokens.rows),
      h: plain(times(patch, 2)),
      f: decimal(r.halved, 1),
      next: plain(1 + patch * CHANNELS),
    };
    const tiles = Array.from({ length: r.tokens.rows }, (_, i) => ({ key: 'tables.tile', slots: { i: place(i), name: colour(r.means, i, words) } }));
    const plainTiles = Array.from({ length: r.tokens.rows }, (_, i) => ({ key: 'tables.plain', slots: { i: place(i), r: place(Math.floor(i / across)), k: place(i % across) } }));
    return {
      state: { key: v.cls === 'yes' ? 'state.with' : 'state.without', slots },
      say: { key: 'say', slots },
      facts: [
        { key: 'facts.tile', slots },
        { key: 'facts.order', slots },
        { key: 'facts.back', slots },
        { key: 'facts.halved', slots },
        { key: across === 1 ? 'facts.one' : 'facts.position', slots },
        ...(v.size === '32' ? [] : [{ key: 'facts.size', slots }]),
        ...(v.tile > r.tokens.rows ? [{ key: 'facts.fewer', slots }] : []),
      ],
      picture: {
        kind: 'tiles',
        label: { key: 'picture.label', slots },
        side: SIDE,
        rgb: r.image.data,
        patch,
        strong: tile,
        wholeTitle: { key: 'picture.whole' },
        cutTitle: { key: 'picture.cut', slots },
      },
      tables: [
        {
          id: 'chosen',
          caption: { key: 'tables.chosen.caption', slots },
          corner: { key: 'tables.corner' },
          rows: [{ key: 'tables.tile', slots }],
          cols: ['row', 'col', 'red', 'green', 'blue'].map((key) => ({ key: `tables.chosen.${key}` })),
          cells: [[row + 1, col + 1, red, green, blue]],
          digits: [0, 0, 1, 1, 1],
        },
        {
          id: 'means',
          caption: { key: 'tables.means.caption' },
          corner: { key: 'tables.corner' },
          rows: tiles,
          cols: ['red', 'green', 'blue'].map((key) => ({ key: `tables.means.${key}` })),
          cells: rowsOf(r.means),
          digits: [1, 1, 1],
        },
        {
          id: 'tokens',
          caption: { key: 'tables.tokens.caption', slots: { d: plain(r.tokens.cols) } },
          corner: { key: 'tables.corner' },
          rows: plainTiles,
          cols: Array.from({ length: r.tokens.cols }, (_, j) => plain(j + 1)),
          cells: rowsOf(r.tokens),
          digits: Array<number>(r.tokens.cols).fill(0),
        },
        {
          id: 'positions',
          caption: { key: 'tables.positions.caption' },
          corner: { key: 'tables.corner' },
          rows: plainTiles,
          cols: Array.from({ length: POSITION_WIDTH }, (_, j) => ({
            key: j < POSITION_WIDTH / 2 ? 'tables.positions.row' : 'tables.positions.col',
            slots: { j: place(j % (POSITION_WIDTH / 2)) },
          })),
          cells: rowsOf(r.positions),
          shade: 'signed',
        },
        {
          id: 'cuts',
          caption: { key: 'tables.cuts.caption' },
          corner: { key: 'tables.cuts.corner' },
          rows: r.cuts.map(({ side, patch: width }) => ({ key: 'tables.cuts.row', slots: { s: plain(side), p: plain(width) } })),
          cols: ['tokens', 'width', 'class', 'entries'].map((key) => ({ key: `tables.cuts.${key}` })),
          cells: r.cuts.map(({ counts }) => [counts.tokens, counts.width, counts.withClass, counts.attentionEntries]),
          digits: [0, 0, 0, 0],
        },
      ],
      sound: {
        button: { key: 'sound.button' },
        intro: { key: 'sound.intro', slots },
        values: r.brightness,
        range: [0, BRIGHTEST],
      },
    };
  },
  checks: [
    { key: 'back', limit: 0, residual: (core, _, { image, back }) => core.maxGap(flat(back), flat(image)) },
    {
      // Tokens times a matrix that averages each channel.
      key: 'means',
      limit: 1e-9,
      residual(core, v, { tokens, means }) {
        const weight = times(CHANNELS, tokens.cols);
        const average = matrix(Array.from({ length: tokens.cols }, (_, j) => Array.from({ length: CHANNELS }, (__, c) => (j % CHANNELS === c ? weight : 0))));
        return core.maxGap(core.product(tokens, average), means);
      },
    },
    {
      key: 'shape',
      limit: 0,
      residual(core, v, { tokens }) {
        const { tokens: rows, width } = core.patchCounts(SIDE, Number(v.patch), CHANNELS);
        return core.maxGap(matrix([[tokens.rows, tokens.cols]]), matrix([[rows, width]]));
      },
    },
    {
      key: 'entries',
      limit: 0,
      residual(core, v, { entries, now }) {
        const tokens = v.cls === 'yes' ? now.withClass : now.tokens;
        return core.maxGap(matrix([[entries]]), core.product(matrix([[tokens]]), matrix([[tokens]])));
      },
    },
    {
      // Each half of a position code is the one-dimensional code of its row or column.
      key: 'positions',
      limit: 0,
      residual(core, v, { positions }) {
        const across = times(SIDE, Number(v.patch));
        const half = POSITION_WIDTH / 2;
        const line = rowsOf(core.sinusoidalTable(across, half));
        const at = (of: (i: number) => number) => matrix(Array.from({ length: positions.rows }, (_, i) => line[of(i)]!));
        const rows = core.maxGap(columns(positions, 0, half), at((i) => Math.floor(i / across)));
        return Math.max(rows, core.maxGap(columns(positions, half, half), at((i) => i % across)));
      },
    },
  ],
  code: [
    { file: 'cpp/src/patchify.cpp', region: 'patchify' },
    { file: 'cpp/src/patchify.cpp', region: 'for_each_place' },
    { file: 'cpp/src/patchify.cpp', region: 'patch_means' },
    { file: 'cpp/src/patchify.cpp', region: 'grid_positions' },
  ],
};
