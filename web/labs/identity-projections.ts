import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import { fixed } from './kit/format.ts';
import { negativePart, rowSumError } from './kit/matrices.ts';
import type { Lab, Message } from './kit/types.ts';

type Scheme = 'identity' | 'shared' | 'symmetric' | 'different';

interface Values {
  tokens: string[];
  x: number[][];
  scheme: Scheme;
  a: number;
  b: number;
}

export interface IdentityResult {
  scores: Matrix;
  weights: Matrix;
  /** W_Q W_Kᵀ, which decides whether scores are symmetric for every input. */
  form: Matrix;
  formGap: number;
  scoreGap: number;
  weightGap: number;
}

const IDENTITY = [[1, 0], [0, 1]];
const QUERY = [[1, 2], [0, 1]];

/** Query and key projection of each scheme. */
const PROJECTIONS: Record<Scheme, [number[][], number[][]]> = {
  identity: [IDENTITY, IDENTITY],
  shared: [QUERY, QUERY],
  symmetric: [QUERY, [[0, 1], [1, 0]]],
  different: [QUERY, [[1, 0], [1, 1]]],
};

/** Differences up to this are rounding. */
const EQUAL = 1e-9;

function pair({ tokens, a, b }: Values, r: IdentityResult): Record<string, string> {
  const at = (i: number, j: number) => r.weights.data[i * r.weights.cols + j]!;
  return { a: tokens[a]!, b: tokens[b]!, x: fixed(at(a, b)), y: fixed(at(b, a)) };
}

function outcome(r: IdentityResult): string {
  return r.scoreGap > EQUAL ? 'asymmetric' : r.weightGap > EQUAL ? 'differ' : 'same';
}

export const lab: Lab<Values, IdentityResult> = {
  stem: 'identity-projections',
  inputs: [
    { kind: 'choice', name: 'scheme', options: ['identity', 'shared', 'symmetric', 'different'], initial: 'identity' },
    { kind: 'item', name: 'a', of: 'tokens', initial: 0 },
    { kind: 'item', name: 'b', of: 'tokens', initial: 2 },
    { kind: 'tokens', name: 'tokens', min: 3, max: 12 },
    { kind: 'matrix', name: 'x', initial: [[1, 0], [1, 1], [3, 0]], rows: { tokens: 'tokens' }, maxCols: 2, limit: 4 },
  ],
  presets: [
    { id: 'three', raw: () => ({}) },
    {
      id: 'square',
      raw: (_, words) => ({ tokens: String(words.square), x: ['1, 0', '0, 1', '-1, 0', '0, -1'] }),
    },
  ],
  predict: {
    kind: 'choice',
    options: ['same', 'differ'],
    judge: (guess, values, result) => ({ key: `${guess}.${outcome(result)}`, slots: pair(values, result) }),
  },
  fits({ x }) {
    return x[0]!.length === 2 ? null : { field: 'x', code: 'two', slots: { got: String(x[0]!.length) } };
  },
  run(core, values) {
    const x = matrix(values.x);
    const [wq, wk] = PROJECTIONS[values.scheme].map(matrix) as [Matrix, Matrix];
    const { scores, weights } = core.attention(core.project(x, wq), core.project(x, wk), x);
    const form = core.queryKeyProduct(wq, wk);
    return {
      scores,
      weights,
      form,
      formGap: core.symmetryGap(form),
      scoreGap: core.symmetryGap(scores),
      weightGap: core.symmetryGap(weights),
    };
  },
  view(values, r) {
    const { tokens, a, b } = values;
    const gaps = { gs: fixed(r.scoreGap), gp: fixed(r.weightGap) };
    const slots = { ...gaps, ...pair(values, r) };
    const kind = outcome(r);
    const facts: Message[] = [
      { key: `facts.scheme.${values.scheme}` },
      { key: r.formGap > EQUAL ? 'facts.form-not' : 'facts.form', slots: { g: fixed(r.formGap) } },
      { key: `facts.outcome.${kind}`, slots: gaps },
    ];
    return {
      state: { key: a === b ? 'state.self' : 'state.pair', slots },
      say: { key: a === b ? 'say-self' : 'say', slots },
      facts,
      picture: {
        kind: 'chords',
        label: { key: a === b ? 'picture.self' : 'picture.label', slots },
        marks: tokens,
        weights: rowsOf(r.weights),
        from: [a, b],
      },
      tables: [
        {
          id: 'scores',
          caption: { key: 'tables.scores.caption' },
          corner: { key: 'tables.corner' },
          rows: tokens,
          cols: tokens,
          cells: rowsOf(r.scores),
          shade: 'signed',
        },
        {
          id: 'weights',
          caption: { key: 'tables.weights.caption' },
          corner: { key: 'tables.corner' },
          rows: tokens,
          cols: tokens,
          cells: rowsOf(r.weights),
          shade: 'share',
          mark: 'row',
        },
        {
          id: 'form',
          caption: { key: 'tables.form.caption' },
          corner: { key: 'tables.form.corner' },
          rows: [{ key: 'tables.form.first' }, { key: 'tables.form.second' }],
          cols: [{ key: 'tables.form.first' }, { key: 'tables.form.second' }],
          cells: rowsOf(r.form),
        },
      ],
      sound: {
        button: { key: 'sound.button', slots: { a: tokens[a]! } },
        intro: { key: 'sound.intro', slots: { a: tokens[a]!, n: String(tokens.length) } },
        values: rowsOf(r.weights)[a]!,
      },
    };
  },
  checks: [
    { key: 'sum', limit: 1e-12, residual: (core, _, r) => rowSumError(core, r.weights) },
    { key: 'positive', limit: 0, residual: (_, __, r) => negativePart(r.weights) },
    {
      key: 'form',
      limit: 1e-9,
      residual: (core, v, r) => {
        const x = matrix(v.x);
        return core.maxGap(core.attention(core.project(x, r.form), x, x).scores, r.scores);
      },
    },
    // A symmetric product promises symmetric scores; an asymmetric one promises nothing about this input.
    { key: 'promise', limit: EQUAL, residual: (_, __, r) => (r.formGap > EQUAL ? 0 : r.scoreGap) },
  ],
  code: [
    { file: 'cpp/src/projection.cpp', region: 'project' },
    { file: 'cpp/src/attention_passes.hpp', region: 'scaled_scores' },
  ],
};
