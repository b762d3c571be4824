import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import { place, plain } from './kit/format.ts';
import type { FieldProblem, Lab, Message, View } from './kit/types.ts';
import { decimal } from './kit/units.ts';

interface Values {
  people: string[];
  fruits: string[];
  kinds: string[];
  /** people × fruits */
  first: number[][];
  /** fruits × kinds */
  second: number[][];
  row: number;
  col: number;
}

export interface ProductResult {
  product: Matrix;
  /** The row and the column that meet in the chosen cell. */
  across: number[];
  down: number[];
  /** Their terms, one a fruit. */
  terms: Matrix;
  cell: number;
  /** Multiplications for the whole product. */
  work: number;
  /** The product the other way round, where its shapes fit. */
  swapped: Matrix | null;
}

const MOST = 6;
/** So many terms are said one by one. */
const FEW = 4;
const LIMIT = 1000;

const width = (m: number[][]): number => m[0]!.length;
const listed = (list: number[]): string => list.map((x) => decimal(x)).join('、');

function run(core: Core, { first, second, row, col }: Values): ProductResult {
  const [a, b] = [matrix(first), matrix(second)];
  const across = first[row]!;
  const down = second.map((line) => line[col]!);
  const diagonal = matrix(down.map((x, i) => down.map((_, j) => (i === j ? x : 0))));
  const product = core.product(a, b);
  return {
    product,
    across,
    down,
    terms: core.product(matrix([across]), diagonal),
    cell: product.data[row * product.cols + col]!,
    work: a.rows * a.cols * b.cols,
    swapped: b.cols === a.rows ? core.product(b, a) : null,
  };
}

/** What becomes of the product the other way round. */
function otherWay({ first, second }: Values, { product, swapped }: ProductResult): Message {
  const slots = { c: plain(width(second)), r: plain(first.length), k: plain(second.length) };
  if (!swapped) return { key: 'facts.not-swapped', slots };
  if (swapped.rows !== product.rows) return { key: 'facts.swapped-shape', slots };
  const same = swapped.data.every((x, i) => x === product.data[i]);
  return { key: same ? 'facts.swapped-same' : 'facts.swapped-other', slots };
}

export const lab: Lab<Values, ProductResult> = {
  stem: 'matrix-product',
  inputs: [
    { kind: 'item', name: 'row', of: 'people', initial: 0 },
    { kind: 'item', name: 'col', of: 'kinds', initial: 0 },
    { kind: 'tokens', name: 'people', min: 1, max: MOST },
    { kind: 'tokens', name: 'fruits', min: 1, max: MOST },
    { kind: 'tokens', name: 'kinds', min: 1, max: MOST },
    { kind: 'matrix', name: 'first', initial: [[2, 1], [0, 3], [1, 1]], rows: { tokens: 'people' }, maxCols: MOST, limit: LIMIT },
    { kind: 'matrix', name: 'second', initial: [[10, 50], [20, 90]], rows: { tokens: 'fruits' }, maxCols: MOST, limit: LIMIT },
  ],
  presets: [
    { id: 'shop', raw: () => ({}) },
    { id: 'ones', raw: () => ({ second: ['1, 0', '0, 1'] }) },
    { id: 'square', raw: (_, words) => ({ people: String(words.two), first: ['1, 2', '3, 4'], second: ['0, 1', '1, 0'] }) },
    {
      id: 'wide',
      raw: (_, words) => ({
        people: String(words.two),
        fruits: String(words.four),
        first: ['1, 0, 2, 0', '0, 1, 1, 3'],
        second: ['10, 50', '20, 90', '5, 20', '30, 200'],
        row: '1',
      }),
    },
  ],
  predict: {
    kind: 'choice',
    options: ['matched', 'place', 'refused'],
    judge: (guess, values, r) => ({ key: guess, slots: { name: values.people[0]!, kind: values.kinds[0]!, cell: decimal(r.product.data[0]!) } }),
  },
  fits({ first, second, fruits, kinds }): FieldProblem | null {
    if (width(first) !== fruits.length) return { field: 'first', code: 'inner', slots: { got: plain(width(first)), want: plain(fruits.length) } };
    if (width(second) !== kinds.length) return { field: 'second', code: 'outer', slots: { got: plain(width(second)), want: plain(kinds.length) } };
    return null;
  },
  run,
  view(values, r): View {
    const { people, fruits, kinds, first, second, row, col } = values;
    const slots = {
      name: people[row]!,
      kind: kinds[col]!,
      across: listed(r.across),
      down: listed(r.down),
      terms: listed([...r.terms.data]),
      cell: decimal(r.cell),
      i: place(row),
      j: place(col),
      r: plain(people.length),
      k: plain(fruits.length),
      c: plain(kinds.length),
      work: plain(r.work),
      cells: plain(people.length * kinds.length),
    };
    return {
      state: { key: fruits.length === 1 ? 'state.one' : fruits.length <= FEW ? 'state.few' : 'state.many', slots },
      say: { key: 'say', slots },
      facts: [
        { key: 'facts.where', slots },
        { key: 'facts.shape', slots },
        otherWay(values, r),
        { key: 'facts.work', slots },
      ],
      picture: { kind: 'product', label: { key: 'picture.label', slots }, first, second, product: rowsOf(r.product), row, col },
      tables: [
        {
          id: 'terms',
          caption: { key: 'tables.terms.caption' },
          corner: { key: 'tables.terms.corner' },
          rows: fruits,
          cols: ['across', 'down', 'term'].map((part) => ({ key: `tables.terms.${part}` })),
          cells: fruits.map((_, i) => [r.across[i]!, r.down[i]!, r.terms.data[i]!]),
          digits: [2, 2, 2],
        },
        {
          id: 'product',
          caption: { key: 'tables.product.caption' },
          corner: { key: 'tables.product.corner' },
          rows: people,
          cols: kinds,
          cells: rowsOf(r.product),
          digits: kinds.map(() => 2),
        },
      ],
    };
  },
  checks: [
    {
      key: 'cell',
      limit: 1e-6,
      residual: (core, _, r) => core.maxGap(core.product(r.terms, matrix(r.down.map(() => [1]))), matrix([[r.cell]])),
    },
    {
      key: 'row',
      limit: 0,
      residual: (core, v, r) => core.maxGap(core.product(matrix([r.across]), matrix(v.second)), matrix([rowsOf(r.product)[v.row]!])),
    },
    {
      key: 'transpose',
      limit: 0,
      residual: (core, v, r) =>
        core.maxGap(core.transpose(core.product(core.transpose(matrix(v.second)), core.transpose(matrix(v.first)))), r.product),
    },
  ],
  code: [{ file: 'cpp/src/matrix.cpp', region: 'product' }],
};
