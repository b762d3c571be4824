import type { Tally } from '../core/attention.ts';
import type { Core } from '../core/core.ts';
import type { FlashBlocks, FlashOrder, Traffic } from '../core/flash.ts';
import { matrix, type Matrix } from '../core/matrix.ts';
import { along, decades } from './kit/axis.ts';
import { fixed, plain } from './kit/format.ts';
import { runHere } from './kit/long-work.ts';
import type { Call, Heavy, Lab, View } from './kit/types.ts';
import { decimal, people, times } from './kit/units.ts';

interface Values {
  n: number;
  d: '32' | '64' | '128';
  /** KiB of numbers of 2 bytes. */
  sram: number;
  order: FlashOrder;
  passes: '0' | '1' | '2' | '3';
}

/** What one way of computing moves and does. */
interface Run {
  traffic: Traffic;
  operations: Tally;
}

interface Rung {
  kib: number;
  blocks: FlashBlocks;
  keysOutside: Traffic;
  queriesOutside: Traffic;
}

export interface FlashResult {
  standard: Run;
  tiled: Run;
  standardBack: Run;
  tiledBack: Run;
  blocks: FlashBlocks;
  /** Tiled, at twice the length. */
  twice: Traffic;
  rungs: Rung[];
  /** Tiled as in 2022, at 4096 tokens and 96 KiB: 64 and 128 wide. */
  widths: [Traffic, Traffic];
  /** The same small example both ways. */
  sample: { tiled: Matrix; exact: Matrix };
}

const KIB = [16, 32, 64, 96, 192, 256, 512, 1024];
/** Numbers of 2 bytes in a KiB. */
const PER_KIB = 512;
const MILLION = 1e6;
const ORDERS: FlashOrder[] = ['keysOutside', 'queriesOutside'];
const SAMPLE = { n: 24, d: 4, sram: 60 };
/** Dao et al. 2022, figure 2: standard, FlashAttention. */
const PUBLISHED = { traffic: [40.3, 4.4], time: [41.7, 7.3], table20: [[512, 1.18, 0.73], [1024, 3.67, 2.29], [2048, 13.22, 7.64], [4096, 50.44, 30.09]] };

const moved = ({ reads, writes }: Traffic): number => reads + writes;
/** What is called floating-point work: the tables show the other kinds too. */
const sums = ({ multiplications, additions }: Tally): number => multiplications + additions;
const width = ({ d }: Values): number => Number(d);
const numbersOf = (kib: number): number => kib * PER_KIB;

const heavy: Heavy<Values, FlashResult> = {
  isLong: ({ n }) => n >= 512,
  calls(v): Call[] {
    const [n, d, sram, passes] = [v.n, width(v), numbersOf(v.sram), { passes: Number(v.passes) }];
    return [
      { name: 'standardTraffic', args: [n, d, passes] },
      { name: 'standardOperations', args: [n, d, passes] },
      { name: 'standardBackwardTraffic', args: [n, d] },
      { name: 'standardBackwardOperations', args: [n, d] },
      { name: 'flashTraffic', args: [n, d, sram, v.order] },
      { name: 'flashOperations', args: [n, d, sram, v.order] },
      { name: 'flashBackwardTraffic', args: [n, d, sram] },
      { name: 'flashBackwardOperations', args: [n, d, sram] },
      { name: 'flashTraffic', args: [2 * n, d, sram, v.order] },
      { name: 'flashTraffic', args: [4096, 64, numbersOf(96), 'keysOutside'] },
      { name: 'flashTraffic', args: [4096, 128, numbersOf(96), 'keysOutside'] },
      ...KIB.flatMap((kib) => ORDERS.map((order): Call => ({ name: 'flashTraffic', args: [n, d, numbersOf(kib), order] }))),
    ];
  },
  finish(core, v, answers): FlashResult {
    const run = (at: number): Run => ({ traffic: answers[at], operations: answers[at + 1] });
    const [q, k, x] = [1, 2, 3].map((seed) => {
      const row = Array.from(core.normals(seed, SAMPLE.n * SAMPLE.d));
      return matrix(Array.from({ length: SAMPLE.n }, (_, i) => row.slice(i * SAMPLE.d, (i + 1) * SAMPLE.d)));
    }) as [Matrix, Matrix, Matrix];
    return {
      standard: run(0),
      standardBack: run(2),
      tiled: run(4),
      tiledBack: run(6),
      blocks: core.flashBlocks(numbersOf(v.sram), width(v)),
      twice: answers[8],
      widths: [answers[9], answers[10]],
      rungs: KIB.map((kib, i) => ({
        kib,
        blocks: core.flashBlocks(numbersOf(kib), width(v)),
        keysOutside: answers[11 + 2 * i],
        queriesOutside: answers[12 + 2 * i],
      })),
      sample: {
        tiled: core.flashAttention(q, k, x, { sram: SAMPLE.sram, order: v.order }).output,
        exact: core.attention(q, k, x).output,
      },
    };
  },
};

const product = (core: Core, ...factors: number[]): number =>
  factors.reduce((so, factor) => core.product(matrix([[so]]), matrix([[factor]])).data[0]!);

/** How far `value` is from a sum of terms, each a list of factors. */
function off(core: Core, value: number, terms: number[][]): number {
  const row = matrix([terms.map((factors) => product(core, ...factors))]);
  return core.maxGap(core.product(row, matrix(terms.map(() => [1]))), matrix([[value]]));
}

/** Powers of ten, as many as hold all. */
function axis(values: number[]) {
  const all = decades(10 * Math.max(...values));
  const shown = all.filter((at) => at * 10 > Math.min(...values));
  return { min: shown[0]!, max: shown[shown.length - 1]!, log: true, ticks: shown.map((at) => ({ at, text: plain(times(at, MILLION)) })) };
}

const row = ({ traffic: t }: Run): number[] => [t.reads, t.writes, moved(t), t.extra];
const kinds = ({ operations: o }: Run): number[] => [o.multiplications, o.additions, o.divisions, o.exponentials];

export const lab: Lab<Values, FlashResult> = {
  stem: 'flash',
  inputs: [
    {
      kind: 'slider',
      name: 'n',
      min: 16,
      max: 8192,
      stops: [16, 64, 128, 256, 512, 1024, 2048, 3072, 4096, 6144, 8192],
      initial: 4096,
      whole: true,
      named: [1024, 4096, 8192],
      judge: (v) => (v <= 512 ? 'low' : v > 4096 ? 'high' : 'middle'),
    },
    { kind: 'choice', name: 'd', options: ['32', '64', '128'], initial: '64' },
    {
      kind: 'slider',
      name: 'sram',
      min: 16,
      max: 1024,
      stops: [16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024],
      initial: 96,
      whole: true,
      named: [16, 96, 1024],
    },
    { kind: 'choice', name: 'order', options: ORDERS, initial: 'keysOutside' },
    { kind: 'choice', name: 'passes', options: ['0', '1', '2', '3'], initial: '0' },
  ],
  presets: [
    { id: 'base', raw: () => ({}) },
    { id: 'passes', raw: () => ({ passes: '3' }) },
    { id: 'wide', raw: () => ({ d: '128' }) },
    { id: 'double', raw: () => ({ n: '8192' }) },
    { id: 'small', raw: () => ({ sram: '16' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['same', 'double', 'quadruple'],
    judge: (guess, _, { widths: [narrow, wide] }) => ({ key: guess, slots: { r: fixed(times(moved(wide), moved(narrow))) } }),
  },
  heavy,
  run: (core, values) => runHere(core, heavy, values),
  view(values, r, words): View {
    const big = (x: number) => people(x, words);
    const [a, b] = [moved(r.standard.traffic), moved(r.tiled.traffic)];
    const saves = b < a;
    const slots = {
      n: plain(values.n),
      d: values.d,
      k: plain(values.sram),
      a: big(a),
      b: big(b),
      r: fixed(saves ? times(a, b) : times(b, a)),
      p: fixed(100 * (1 - times(b, a)), 1),
    };
    const more = times(sums(r.tiled.operations), sums(r.standard.operations));
    const ways = ['standard', 'tiled', 'standard-back', 'tiled-back'].map((key) => ({ key: `tables.${key}` }));
    const runs = [r.standard, r.tiled, r.standardBack, r.tiledBack];
    const counted = (id: string, cols: string[], cells: number[][]) => ({
      id,
      caption: { key: `tables.${id}.caption` },
      corner: { key: 'tables.way' },
      rows: ways,
      cols: cols.map((key) => ({ key: `tables.${id}.${key}` })),
      cells,
      digits: cols.map(() => 0),
    });
    const line = (order: FlashOrder) => r.rungs.map((rung): [number, number] => [rung.kib, moved(rung[order])]);
    const chosen = line(values.order);
    const y = axis([a, ...line('keysOutside').map(([, x]) => x), ...line('queriesOutside').map(([, x]) => x)]);
    const millions = (x: number) => decimal(times(x, MILLION), x < MILLION ? 3 : 1);
    return {
      state: { key: saves ? 'state.less' : 'state.more', slots },
      say: { key: saves ? 'say.less' : 'say.more', slots },
      facts: [
        {
          key: 'facts.work',
          slots: { a: big(sums(r.standard.operations)), b: big(sums(r.tiled.operations)), x: fixed(100 * (more - 1), 2) },
        },
        {
          key: r.tiled.operations.divisions < r.standard.operations.divisions ? 'facts.divisions' : 'facts.more-divisions',
          slots: { a: big(r.standard.operations.divisions), b: big(r.tiled.operations.divisions) },
        },
        {
          key: 'facts.backward',
          slots: {
            x: fixed(times(sums(r.tiledBack.operations), sums(r.standardBack.operations))),
            y: fixed(times(moved(r.tiledBack.traffic), moved(r.standardBack.traffic))),
          },
        },
        { key: 'facts.memory', slots: { a: big(r.standard.traffic.extra), b: big(r.tiled.traffic.extra) } },
        { key: 'facts.double', slots: { g: fixed(times(moved(r.twice), b)) } },
        {
          key: 'facts.published',
          slots: { a: plain(PUBLISHED.traffic[0]!), b: plain(PUBLISHED.traffic[1]!), p: fixed(100 * (1 - times(PUBLISHED.traffic[1]!, PUBLISHED.traffic[0]!)), 1) },
        },
      ],
      picture: {
        kind: 'lines',
        label: { key: 'picture.label', slots: { a: millions(a), b: millions(chosen[0]![1]), c: millions(chosen[chosen.length - 1]![1]) } },
        x: { title: { key: 'picture.x' }, min: KIB[0]!, max: KIB[KIB.length - 1]!, log: true, ticks: [16, 64, 256, 1024].map((at) => ({ at, text: plain(at) })) },
        y: { title: { key: 'picture.y' }, ...y },
        lines: [
          { name: { key: 'picture.standard' }, points: KIB.map((kib): [number, number] => [kib, a]) },
          ...ORDERS.map((order) => ({ name: { key: `picture.${order}` }, points: line(order), strong: order === values.order })),
        ],
        at: values.sram,
      },
      tables: [
        counted('moves', ['reads', 'writes', 'moved', 'extra'], runs.map(row)),
        counted('work', ['multiplications', 'additions', 'divisions', 'exponentials'], runs.map(kinds)),
        {
          id: 'ladder',
          caption: { key: 'tables.ladder.caption', slots },
          corner: { key: 'tables.ladder.corner' },
          rows: KIB.map(plain),
          cols: ['keys', 'queries', 'first', 'saved', 'second', 'saved-second'].map((key) => ({ key: `tables.ladder.${key}` })),
          cells: r.rungs.map(({ blocks, keysOutside, queriesOutside }) => [
            blocks.keys,
            blocks.queries,
            moved(keysOutside),
            times(a, moved(keysOutside)),
            moved(queriesOutside),
            times(a, moved(queriesOutside)),
          ]),
          digits: [0, 0, 0, 2, 0, 2],
        },
      ],
      more: {
        summary: { key: 'tables.summary' },
        tables: [
          {
            id: 'published',
            caption: { key: 'tables.published.caption' },
            corner: { key: 'tables.published.corner' },
            rows: [
              { key: 'tables.published.traffic' },
              { key: 'tables.published.time' },
              ...PUBLISHED.table20.map(([n]) => ({ key: 'tables.published.length', slots: { n: plain(n!) } })),
            ],
            cols: ['standard', 'flash', 'ratio'].map((key) => ({ key: `tables.published.${key}` })),
            cells: [PUBLISHED.traffic, PUBLISHED.time, ...PUBLISHED.table20.map(([, ...pair]) => pair)].map(([old, now]) => [old!, now!, times(old!, now!)]),
            digits: [2, 2, 2],
          },
        ],
      },
      sound: {
        button: { key: 'sound.button' },
        intro: { key: 'sound.intro', slots: { n: plain(KIB.length) } },
        values: chosen.map(([, x]) => along(x, y.min, y.max, true)),
      },
    };
  },
  checks: [
    {
      key: 'standard',
      limit: 0,
      residual: (core, v, r) =>
        off(core, moved(r.standard.traffic), [[4 + 2 * Number(v.passes), v.n, v.n], [4, v.n, width(v)]]),
    },
    {
      key: 'tiled',
      limit: 0,
      residual(core, v, { tiled, blocks }) {
        const d = width(v);
        const loops = Math.ceil(v.n / (v.order === 'keysOutside' ? blocks.keys : blocks.queries));
        const terms =
          v.order === 'keysOutside'
            ? [[2, v.n, d], [loops, 3, v.n, d], [loops, 4, v.n]]
            : [[2, v.n, d], [1, v.n], [loops, 2, v.n, d]];
        return off(core, moved(tiled.traffic), terms);
      },
    },
    {
      key: 'fits',
      limit: 0,
      residual: (_, v, { tiled, tiledBack }) =>
        Math.max(0, tiled.traffic.peakTiles - numbersOf(v.sram), tiledBack.traffic.peakTiles - numbersOf(v.sram)),
    },
    {
      key: 'products',
      limit: 0,
      residual(core, v, { tiled, blocks }) {
        const [d, loops] = [width(v), Math.ceil(v.n / blocks.keys)];
        const beside = v.order === 'keysOutside' ? d + 2 : d + 1;
        return off(core, tiled.operations.multiplications, [[2, v.n, v.n, d], [v.n, v.n], [loops, v.n, beside]]);
      },
    },
    {
      key: 'again',
      limit: 0,
      residual(core, v, { standardBack, tiledBack }) {
        const d = width(v);
        return off(core, tiledBack.operations.multiplications, [[standardBack.operations.multiplications], [v.n, v.n, d], [v.n, d]]);
      },
    },
    { key: 'same', limit: 1e-12, residual: (core, _, { sample }) => core.maxGap(sample.tiled, sample.exact) },
  ],
  code: [
    { file: 'cpp/src/flash.cpp', region: 'sram_load_store' },
    { file: 'cpp/src/flash_passes.hpp', region: 'advance_row' },
    { file: 'cpp/src/flash_passes.hpp', region: 'absorb_normalised' },
    { file: 'cpp/src/flash_passes.hpp', region: 'backward_tile' },
  ],
};
