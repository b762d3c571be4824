import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import { fixed, numbers, plain, scientific } from './kit/format.ts';
import { negativePart, rowSumError, rowSums } from './kit/matrices.ts';
import { phrase } from './kit/template.ts';
import type { Lab, Message, View, Words } from './kit/types.ts';
import { decimal, times } from './kit/units.ts';
import { peaks } from './kit/window.ts';

interface Values {
  names: string[];
  numbers: number[][];
  factor: number;
  shift: number;
}

export interface ShareResult {
  /** After the factor and the constant. */
  numbers: number[];
  powers: number[];
  sum: number;
  shares: Matrix;
  shareSum: number;
  /** Shares of the numbers as they were typed. */
  plainShares: Matrix;
  /** How much the added constant alone changes the shares, and the factor alone. */
  shiftGap: number;
  factorGap: number;
  /** e to the constant: what every power is multiplied by. */
  shiftPower: number;
  /** The same question as the guess: all plus ten, all times two. */
  addedTen: number;
  doubled: number;
}

const MOST = 12;
const FEW = 4;
/** Numbers and powers longer than this are not read out one by one. */
const LONGEST_LIST = 44;
const ROUNDING = 1e-9;
/** Numbers beyond these are said as powers of ten. */
const [SMALL, LARGE] = [0.01, 1e6];

const one = matrix([[1]]);

/** e to the power x, as the exponential of the dot product of x and 1. */
const power = (core: Core, x: number): number => core.kernelEstimate(matrix([[x]]), one, one, 'positive').exact;

/** Every number times a factor, plus a constant. */
function changed(core: Core, list: number[], factor: number, constant: number): number[] {
  const withOne = matrix(list.map((x) => [x, 1]));
  return [...core.product(withOne, matrix([[factor], [constant]])).data];
}

function run(core: Core, values: Values): ShareResult {
  const typed = values.numbers.map((row) => row[0]!);
  const list = changed(core, typed, values.factor, values.shift);
  const sharesOf = (xs: number[]) => core.softmaxRows(matrix([xs]));
  const powers = list.map((x) => power(core, x));
  const shares = sharesOf(list);
  const plainShares = sharesOf(typed);
  const gap = (factor: number, constant: number) => core.maxGap(sharesOf(changed(core, typed, factor, constant)), plainShares);
  return {
    numbers: list,
    powers,
    sum: rowSums(core, matrix([powers]))[0]!,
    shares,
    shareSum: rowSums(core, shares)[0]!,
    plainShares,
    shiftGap: gap(1, values.shift),
    factorGap: gap(values.factor, 0),
    shiftPower: power(core, values.shift),
    addedTen: gap(1, 10),
    doubled: gap(2, 0),
  };
}

/** A power of e as it is said: two decimals, or a power of ten. */
function amount(x: number, words: Words): string {
  if (x >= SMALL && x < LARGE) return fixed(x);
  const { mantissa, exponent } = scientific(x);
  const key = exponent < 0 ? 'power.small' : 'power.large';
  return phrase(words, { key, slots: { mantissa, exponent: plain(Math.abs(exponent)) } });
}

function state(values: Values, r: ShareResult, words: Words): Message {
  const shares = [...r.shares.data];
  const top = peaks(shares);
  const n = values.names.length;
  const slots = {
    n: plain(n),
    list: r.numbers.map((x) => decimal(x)).join('、'),
    powers: r.powers.map((x) => amount(x, words)).join('、'),
    total: amount(r.sum, words),
    shares: numbers(shares),
    sum: fixed(r.shareSum),
    top: values.names[top[0] ?? 0]!,
    w: fixed(shares[top[0] ?? 0]!),
    k: plain(top.length),
  };
  if (n <= FEW && slots.list.length + slots.powers.length <= LONGEST_LIST) return { key: 'state.few', slots };
  return { key: top.length === 0 ? 'state.even' : top.length > 1 ? 'state.tied' : 'state.many', slots };
}

export const lab: Lab<Values, ShareResult> = {
  stem: 'exponential-shares',
  inputs: [
    { kind: 'tokens', name: 'names', min: 2, max: MOST },
    { kind: 'matrix', name: 'numbers', initial: [[1], [2], [3]], rows: { tokens: 'names' }, maxCols: 1, limit: 10 },
    {
      kind: 'slider',
      name: 'shift',
      min: -10,
      max: 10,
      stops: [-10, -8, -6, -5, -4, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 4, 5, 6, 8, 10],
      initial: 0,
      named: [0, 10],
      judge: (v) => (v === 0 ? 'none' : v < 0 ? 'less' : 'more'),
    },
    {
      kind: 'slider',
      name: 'factor',
      min: 0,
      max: 3,
      stops: [0, 0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3],
      initial: 1,
      named: [0, 1, 2],
      judge: (v) => (v === 1 ? 'same' : v < 1 ? 'flatter' : 'sharper'),
    },
  ],
  presets: [
    { id: 'three', raw: () => ({}) },
    { id: 'shifted', raw: () => ({ shift: '10' }) },
    { id: 'doubled', raw: () => ({ factor: '2' }) },
    { id: 'negative', raw: () => ({ numbers: ['-1', '0', '1'] }) },
    { id: 'even', raw: () => ({ numbers: ['2', '2', '2'] }) },
  ],
  predict: {
    kind: 'choice',
    options: ['neither', 'add', 'times', 'both'],
    judge: (guess, _, r) => ({ key: `${guess}.${r.doubled > ROUNDING ? 'times' : 'neither'}`, slots: { a: fixed(r.addedTen), m: fixed(r.doubled) } }),
  },
  run,
  view(values, r, words): View {
    const { names, factor, shift } = values;
    const shares = [...r.shares.data];
    const before = [...r.plainShares.data];
    const tops = peaks(shares);
    const top = tops[0] ?? 0;
    const kind = tops.length === 0 ? '-even' : tops.length > 1 ? '-tied' : '';
    const [high, low] = [Math.max(...r.numbers), Math.min(...r.numbers)];
    const best = {
      n: plain(names.length),
      top: names[top]!,
      k: plain(tops.length),
      w: fixed(shares[top]!),
      sum: fixed(r.shareSum),
      old: fixed(before[top]!),
      s: plain(shift),
      f: plain(factor),
      times: amount(r.shiftPower, words),
    };
    const rowOf = (x: number): string | undefined => (x >= 1e-4 && x < LARGE ? undefined : amount(x, words));
    return {
      state: state(values, r, words),
      say: { key: `say${kind}`, slots: best },
      facts: [
        ...(high === low
          ? []
          : [{ key: 'facts.ratio', slots: { high: decimal(high), low: decimal(low), times: amount(times(shares[r.numbers.indexOf(high)]!, shares[r.numbers.indexOf(low)]!), words) } }]),
        { key: low < 0 ? 'facts.negative' : 'facts.positive', slots: { low: decimal(low), power: amount(r.powers[r.numbers.indexOf(low)]!, words) } },
        ...(shift === 0 ? [] : [{ key: 'facts.shift', slots: best }]),
        ...(factor === 1 ? [] : [{ key: r.factorGap <= ROUNDING ? 'facts.factor-even' : factor === 0 ? 'facts.factor-zero' : 'facts.factor', slots: best }]),
        ...(shift === 0 && factor === 1 ? [{ key: 'facts.try' }] : []),
      ],
      picture: {
        kind: 'bars',
        label: { key: `picture.label${kind}`, slots: best },
        bars: names.map((name, i) => ({ name, score: r.numbers[i]!, weight: shares[i]! })),
        scoreTitle: { key: 'picture.score' },
        weightTitle: { key: 'picture.weight' },
      },
      tables: [
        {
          id: 'shares',
          caption: { key: 'tables.shares.caption' },
          corner: { key: 'tables.shares.corner' },
          rows: names,
          cols: ['number', 'power', 'share', 'before'].map((column) => ({ key: `tables.shares.${column}` })),
          cells: names.map((_, i) => [r.numbers[i]!, r.powers[i]!, shares[i]!, before[i]!]),
          texts: r.powers.map((x) => [undefined, rowOf(x), undefined, undefined]),
        },
      ],
      sound: { button: { key: 'sound.button' }, intro: { key: 'sound.intro', slots: best }, values: shares },
    };
  },
  checks: [
    { key: 'sum', limit: 1e-12, residual: (core, _, r) => rowSumError(core, r.shares) },
    { key: 'positive', limit: 0, residual: (_, __, r) => negativePart(r.shares) },
    {
      // The core takes the largest number off first; the definition does not.
      key: 'definition',
      limit: 1e-12,
      residual: (core, _, r) => core.maxGap(matrix([r.powers.map((x) => times(x, r.sum))]), r.shares),
    },
    {
      key: 'shift',
      limit: 1e-12,
      residual: (core, _, r) => core.maxGap(core.softmaxRows(matrix([changed(core, r.numbers, 1, 5)])), matrix(rowsOf(r.shares))),
    },
  ],
  code: [
    { file: 'cpp/src/performer.cpp', region: 'exact_kernel' },
    { file: 'cpp/src/softmax_pass.hpp', region: 'softmax_pass' },
  ],
};
