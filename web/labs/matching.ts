import type { Core } from '../core/core.ts';
import type { Assignment, DetrCost } from '../core/matching.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import { fixed, plain } from './kit/format.ts';
import { sumOf } from './kit/matrices.ts';
import { phrase } from './kit/template.ts';
import type { FieldProblem, Lab, Message, View, Words } from './kit/types.ts';

type Source = 'table' | 'boxes';
type Pair = Assignment['pairs'][number];

interface Values {
  /** 0 shows the whole matching, s the first s of the shorter side. */
  stage: number;
  source: Source;
  classWeight: number;
  l1: number;
  giou: number;
  queries: string[];
  targets: string[];
  cost: number[][];
  /** A row is a box, and then the probability of each class. */
  predictions: number[][];
  /** A row is a box, and then the number of its class, from 1. */
  answers: number[][];
}

/** What a method has done after some steps. */
interface Progress {
  pairs: Pair[];
  cost: number;
}

export interface MatchingResult {
  cost: Matrix;
  detr: DetrCost;
  /** The probability that each query gives to each target's class. */
  probability: Matrix;
  best: Progress;
  greedy: Progress;
  /** After each step of the Hungarian algorithm, which seats one more of the shorter side. */
  seated: Progress[];
  /** After each pick of the greedy method. */
  picked: Progress[];
  /** What the greedy matching costs more. */
  extra: number;
  /** Cheapest and dearest of all matchings, found by trying them all. */
  least: number;
  most: number;
  tried: number;
}

const MOST = 6;
const BOX = 4;
const MOST_CLASSES = 4;
/** Pairs that are longer than this together are not read out. */
const LONGEST_LIST = 52;
const ROUNDING = 1e-9;

const one = (m: Matrix): number => m.data[0]!;
const byRow = (pairs: readonly Pair[]): Pair[] => [...pairs].sort((a, b) => a.row - b.row);

/** What some pairs cost together, added by the core. */
function costOf(core: Core, cost: Matrix, pairs: readonly Pair[]): number {
  if (pairs.length === 0) return 0;
  const prices = pairs.map(({ row, col }) => cost.data[row * cost.cols + col]!);
  return one(core.product(matrix([prices]), matrix(prices.map(() => [1]))));
}

/** Every way to give each of `count` its own of `among`. */
function ways(count: number, among: number): number[][] {
  if (count === 0) return [[]];
  return ways(count - 1, among).flatMap((way) => Array.from({ length: among }, (_, i) => i).filter((i) => !way.includes(i)).map((i) => [...way, i]));
}

const pairsOf = (way: number[], wide: boolean): Pair[] => way.map((other, i) => (wide ? { row: i, col: other } : { row: other, col: i }));

/** The costs of all matchings at once: a table of who is paired, times the prices. */
function allCosts(core: Core, cost: Matrix): number[] {
  const wide = cost.rows <= cost.cols;
  const all = ways(Math.min(cost.rows, cost.cols), Math.max(cost.rows, cost.cols));
  const chosen = all.map((way) => {
    const line = Array<number>(cost.data.length).fill(0);
    for (const { row, col } of pairsOf(way, wide)) line[row * cost.cols + col] = 1;
    return line;
  });
  return [...core.product(matrix(chosen), matrix(Array.from(cost.data, (x) => [x]))).data];
}

/** The first rows, or the first columns where there are more rows: what the algorithm has looked at after so many steps. */
function part(cost: Matrix, steps: number): Matrix {
  const rows = rowsOf(cost);
  return matrix(cost.rows <= cost.cols ? rows.slice(0, steps) : rows.map((row) => row.slice(0, steps)));
}

const boxesOf = (rows: number[][]): Matrix => matrix(rows.map((row) => row.slice(0, BOX)));

/** The probabilities of the classes and, last, what is left for "no object". */
function probabilitiesOf(core: Core, predictions: number[][]): Matrix {
  const classes = predictions.map((row) => row.slice(BOX));
  const rest = core.product(matrix(classes.map((row) => [1, ...row])), matrix([[1], ...classes[0]!.map(() => [-1])]));
  return matrix(classes.map((row, i) => [...row, Math.max(0, rest.data[i]!)]));
}

function run(core: Core, values: Values): MatchingResult {
  const labels = values.answers.map((row) => row[BOX]! - 1);
  const probabilities = probabilitiesOf(core, values.predictions);
  const detr = core.detrCost(boxesOf(values.predictions), probabilities, boxesOf(values.answers), labels, {
    classWeight: values.classWeight,
    l1: values.l1,
    giou: values.giou,
  });
  const cost = values.source === 'table' ? matrix(values.cost) : detr.cost;
  const steps = Array.from({ length: Math.min(cost.rows, cost.cols) }, (_, i) => i + 1);
  const best = core.matchPairs(cost);
  const greedy = core.matchGreedily(cost);
  const price = ({ row, col }: Pair) => cost.data[row * cost.cols + col]!;
  // The greedy method takes the cheapest first; of equal ones the earlier row.
  const order = [...greedy.pairs].sort((a, b) => price(a) - price(b) || a.row - b.row);
  const all = allCosts(core, cost);
  return {
    cost,
    detr,
    probability: matrix(rowsOf(probabilities).map((row) => labels.map((label) => row[label]!))),
    best: { pairs: [...best.pairs], cost: best.cost },
    greedy: { pairs: [...greedy.pairs], cost: greedy.cost },
    seated: steps.map((count) => {
      const { pairs, cost: sum } = core.matchPairs(part(cost, count));
      return { pairs: [...pairs], cost: sum };
    }),
    picked: steps.map((count) => ({ pairs: order.slice(0, count), cost: costOf(core, cost, order.slice(0, count)) })),
    extra: one(core.product(matrix([[greedy.cost, best.cost]]), matrix([[1], [-1]]))),
    least: Math.min(...all),
    most: Math.max(...all),
    tried: all.length,
  };
}

function told(pairs: readonly Pair[], { queries, targets }: Values, words: Words): string {
  return byRow(pairs)
    .map(({ row, col }) => phrase(words, { key: 'pair', slots: { q: queries[row]!, t: targets[col]! } }))
    .join('、');
}

const sameAs = (pair: Pair) => (other: Pair): boolean => pair.row === other.row && pair.col === other.col;

function state(values: Values, r: MatchingResult, words: Words): Message {
  const { stage } = values;
  const wide = r.cost.rows <= r.cost.cols;
  if (stage === 0) {
    const slots = { a: fixed(r.best.cost), g: fixed(r.greedy.cost), d: fixed(r.extra), pairs: told(r.best.pairs, values, words), n: plain(r.best.pairs.length) };
    const kind = r.extra > ROUNDING ? 'dearer' : 'equal';
    return { key: `state.${slots.pairs.length <= LONGEST_LIST ? 'few' : 'many'}.${kind}`, slots };
  }
  const now = r.seated[stage - 1]!;
  const pick = r.picked[stage - 1]!;
  const latest = pick.pairs[stage - 1]!;
  const slots = {
    s: plain(stage),
    n: plain(r.seated.length),
    a: fixed(now.cost),
    g: fixed(pick.cost),
    pairs: told(now.pairs, values, words),
    q: values.queries[latest.row]!,
    t: values.targets[latest.col]!,
  };
  return { key: `state.${wide ? 'rows' : 'cols'}.${slots.pairs.length <= LONGEST_LIST ? 'few' : 'many'}`, slots };
}

/** What the last step of the Hungarian algorithm did to the pairs before it. */
function moved(values: Values, r: MatchingResult): Message[] {
  const { stage } = values;
  if (stage < 2) return [];
  const now = r.seated[stage - 1]!.pairs;
  const changed = r.seated[stage - 2]!.pairs.filter((pair) => !now.some(sameAs(pair)));
  const slots = { k: plain(changed.length) };
  return [{ key: changed.length > 0 ? 'facts.moved' : 'facts.stayed', slots }];
}

/** How many queries would run to the same target, if each took its cheapest. */
function crowd({ targets }: Values, cost: Matrix): Message {
  const nearest = rowsOf(cost).map((row) => row.indexOf(Math.min(...row)));
  const counts = targets.map((_, j) => nearest.filter((target) => target === j).length);
  const most = Math.max(...counts);
  const slots = { k: plain(most), t: targets[counts.indexOf(most)]! };
  return { key: most > 1 ? 'facts.crowd' : 'facts.no-crowd', slots };
}

function left({ queries, targets }: Values, pairs: readonly Pair[]): Message[] {
  const free = queries.filter((_, i) => !pairs.some(({ row }) => row === i));
  const lost = targets.filter((_, j) => !pairs.some(({ col }) => col === j));
  if (free.length > 0) return [{ key: 'facts.no-object', slots: { names: free.join('、') } }];
  return lost.length > 0 ? [{ key: 'facts.nobody', slots: { names: lost.join('、') } }] : [];
}

export const lab: Lab<Values, MatchingResult> = {
  stem: 'matching',
  inputs: [
    { kind: 'step', name: 'stage', count: (v) => 1 + Math.min((v.queries as string[]).length, (v.targets as string[]).length), initial: 0 },
    { kind: 'choice', name: 'source', options: ['table', 'boxes'], initial: 'table' },
    { kind: 'tokens', name: 'queries', min: 1, max: MOST },
    { kind: 'tokens', name: 'targets', min: 1, max: MOST },
    { kind: 'matrix', name: 'cost', initial: [[4, 1, 3], [2, 0, 5], [3, 2, 2]], rows: { tokens: 'queries' }, maxCols: MOST, limit: 1000, fill: 5 },
    { kind: 'slider', name: 'classWeight', min: 0, max: 10, stops: [0, 0.5, 1, 2, 3, 5, 10], initial: 1 },
    { kind: 'slider', name: 'l1', min: 0, max: 10, stops: [0, 0.5, 1, 2, 3, 5, 7, 10], initial: 5 },
    { kind: 'slider', name: 'giou', min: 0, max: 10, stops: [0, 0.5, 1, 2, 3, 5, 10], initial: 2 },
    {
      kind: 'matrix',
      name: 'predictions',
      initial: [
        [0.5, 0.5, 0.4, 0.4, 0.7, 0.2],
        [0.2, 0.2, 0.2, 0.2, 0.1, 0.8],
        [0.8, 0.8, 0.2, 0.2, 0.3, 0.3],
        [0.5, 0.2, 0.3, 0.1, 0.05, 0.05],
      ],
      rows: { tokens: 'queries' },
      maxCols: BOX + MOST_CLASSES,
      limit: 1,
      folded: true,
      // A quarter of the picture in each direction, and probabilities that never add up to more than 1.
      fill: 0.25,
    },
    {
      kind: 'matrix',
      name: 'answers',
      initial: [[0.25, 0.2, 0.2, 0.2, 2], [0.55, 0.5, 0.4, 0.5, 1], [0.75, 0.75, 0.3, 0.2, 1]],
      rows: { tokens: 'targets' },
      maxCols: BOX + 1,
      limit: MOST_CLASSES,
      folded: true,
      fill: 1,
    },
  ],
  presets: [
    { id: 'three', raw: () => ({}) },
    { id: 'trap', raw: () => ({ cost: ['1, 2, 10', '2, 10, 10', '10, 10, 3'] }) },
    {
      id: 'four',
      raw: (_, words) => ({
        queries: String(words.fourQueries),
        targets: String(words.fourTargets),
        cost: ['9, 2, 7, 8', '6, 4, 3, 7', '5, 8, 1, 8', '7, 6, 9, 4'],
      }),
    },
    { id: 'boxes', raw: (_, words) => ({ source: 'boxes', queries: String(words.fourQueries), targets: String(words.twoTargets) }) },
  ],
  predict: {
    kind: 'choice',
    options: ['best', 'dearer'],
    judge: (guess, _, r) => ({
      key: `${guess}.${r.extra > ROUNDING ? 'dearer' : 'equal'}`,
      slots: { a: fixed(r.best.cost), g: fixed(r.greedy.cost), d: fixed(r.extra) },
    }),
  },
  fits(values): FieldProblem | null {
    const { source, cost, targets, predictions, answers } = values;
    const [width, classes] = [cost[0]!.length, predictions[0]!.length - BOX];
    if (source === 'table' && width !== targets.length) return { field: 'cost', code: 'width', slots: { got: plain(width), want: plain(targets.length) } };
    if (classes < 1) return { field: 'predictions', code: 'prediction', slots: { got: plain(predictions[0]!.length) } };
    if (answers[0]!.length !== BOX + 1) return { field: 'answers', code: 'answer', slots: { got: plain(answers[0]!.length) } };
    for (const [field, list] of Object.entries({ predictions, answers })) {
      const flat = list.findIndex((row) => row[2]! <= 0 || row[3]! <= 0);
      if (flat >= 0) return { field, row: flat, code: 'flat', slots: {} };
    }
    const odd = predictions.findIndex((row) => row.slice(BOX).some((p) => p < 0) || row.slice(BOX).reduce((sum, p) => sum + p, 0) > 1 + ROUNDING);
    if (odd >= 0) return { field: 'predictions', row: odd, code: 'probability', slots: {} };
    const wrong = answers.findIndex((row) => !Number.isInteger(row[BOX]) || row[BOX]! < 1 || row[BOX]! > classes);
    return wrong >= 0 ? { field: 'answers', row: wrong, code: 'label', slots: { max: plain(classes) } } : null;
  },
  run,
  view(values, r, words): View {
    const { queries, targets, stage, source } = values;
    const now = stage === 0 ? r.best : r.seated[stage - 1]!;
    const greedy = stage === 0 ? r.greedy : r.picked[stage - 1]!;
    const slots = { a: fixed(now.cost), g: fixed(greedy.cost), d: fixed(r.extra), s: plain(stage), n: plain(r.best.pairs.length), all: plain(r.tried), least: fixed(r.least), most: fixed(r.most) };
    const cells = rowsOf(r.cost);
    const chosen = (i: number, j: number): string | undefined => {
      const [inBest, inGreedy] = [now, greedy].map(({ pairs }) => pairs.some(sameAs({ row: i, col: j })));
      if (!inBest && !inGreedy) return undefined;
      const key = inBest && inGreedy ? 'chosen.both' : inBest ? 'chosen.best' : 'chosen.greedy';
      return phrase(words, { key, slots: { value: fixed(cells[i]![j]!) } });
    };
    return {
      state: state(values, r, words),
      say: { key: stage > 0 ? 'say.step' : r.extra > ROUNDING ? 'say.dearer' : 'say.equal', slots },
      facts: [
        ...moved(values, r),
        ...(stage === 0 ? [{ key: r.extra > ROUNDING ? 'facts.tried' : 'facts.lucky', slots }, ...left(values, r.best.pairs)] : []),
        crowd(values, r.cost),
        { key: `facts.${source}` },
      ],
      picture: {
        kind: 'pairs',
        label: { key: stage === 0 ? 'picture.label' : 'picture.label-step', slots },
        left: queries,
        right: targets,
        leftTitle: { key: 'picture.left' },
        rightTitle: { key: 'picture.right' },
        lines: [
          ...greedy.pairs.filter((pair) => !now.pairs.some(sameAs(pair))).map(({ row, col }) => ({ from: row, to: col, kind: 'dashed' as const })),
          ...now.pairs.map(({ row, col }) => ({ from: row, to: col, kind: 'strong' as const })),
        ],
      },
      tables: [
        {
          id: 'prices',
          caption: { key: 'tables.prices.caption' },
          corner: { key: 'tables.query' },
          rows: queries,
          cols: targets,
          cells,
          texts: cells.map((line, i) => line.map((_, j) => chosen(i, j))),
          digits: targets.map(() => 2),
        },
        {
          id: 'steps',
          caption: { key: 'tables.steps.caption' },
          corner: { key: 'tables.steps.corner' },
          rows: r.seated.map((_, i) => ({ key: 'tables.steps.row', slots: { s: plain(i + 1) } })),
          cols: ['best', 'greedy'].map((method) => ({ key: `tables.steps.${method}` })),
          cells: r.seated.map(({ cost }, i) => [cost, r.picked[i]!.cost]),
          digits: [2, 2],
        },
      ],
      more: {
        summary: { key: 'tables.more' },
        tables: [
          {
            id: 'parts',
            caption: { key: 'tables.parts.caption' },
            corner: { key: 'tables.parts.corner' },
            rows: queries.flatMap((q) => targets.map((t) => ({ key: 'pair', slots: { q, t } }))),
            cols: ['l1', 'iou', 'giou', 'probability', 'cost'].map((column) => ({ key: `tables.parts.${column}` })),
            cells: queries.flatMap((_, i) =>
              targets.map((__, j) => [r.detr.l1, r.detr.iou, r.detr.giou, r.probability, r.detr.cost].map((m) => m.data[i * m.cols + j]!)),
            ),
          },
        ],
      },
    };
  },
  checks: [
    { key: 'tried', limit: ROUNDING, residual: (core, _, r) => core.maxGap(matrix([[r.best.cost]]), matrix([[r.least]])) },
    {
      key: 'single',
      limit: 0,
      residual: (_, __, { best, greedy }) =>
        Math.max(
          ...[best, greedy].flatMap(({ pairs }) =>
            [pairs.map(({ row }) => row), pairs.map(({ col }) => col)].map((side) => side.length - new Set(side).size),
          ),
        ),
    },
    { key: 'sum', limit: ROUNDING, residual: (core, _, r) => core.maxGap(matrix([[costOf(core, r.cost, r.best.pairs)]]), matrix([[r.best.cost]])) },
    { key: 'greedy', limit: ROUNDING, residual: (_, __, r) => Math.max(0, -r.extra) },
    { key: 'steps', limit: ROUNDING, residual: (core, _, r) => core.maxGap(matrix([[r.seated[r.seated.length - 1]!.cost]]), matrix([[r.best.cost]])) },
    {
      key: 'price',
      limit: ROUNDING,
      residual(core, v, { detr, probability }) {
        const scaled = (m: Matrix, factor: number) => core.product(matrix([[factor]]), matrix([[...m.data]]));
        const price = sumOf(core, sumOf(core, scaled(detr.l1, v.l1), scaled(detr.giou, -v.giou)), scaled(probability, -v.classWeight));
        return core.maxGap(price, matrix([[...detr.cost.data]]));
      },
    },
    { key: 'overlap', limit: ROUNDING, residual: (_, __, { detr }) => Math.max(0, ...detr.giou.data.map((x, i) => x - detr.iou.data[i]!)) },
  ],
  code: [
    { file: 'cpp/src/matching.cpp', region: 'match_greedily' },
    { file: 'cpp/src/matching.cpp', region: 'match_rows' },
    { file: 'cpp/src/matching.cpp', region: 'overlap' },
  ],
};
