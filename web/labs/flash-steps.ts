import type { AttentionGradients } from '../core/attention.ts';
import type { FlashBackwardStep, FlashBlocks, FlashGradients, FlashOrder, FlashStep, FlashTrace, StandardTrace } from '../core/flash.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import { fixed, numbers, place, plain, scientific } from './kit/format.ts';
import { word } from './kit/template.ts';
import type { FieldProblem, Lab, View } from './kit/types.ts';

interface Values {
  stage: number;
  sram: number;
  order: FlashOrder;
  causal: 'yes' | 'no';
  tokens: string[];
  q: number[][];
  k: number[][];
  v: number[][];
}

export interface FlashStepsResult {
  forward: FlashTrace;
  backward: FlashGradients;
  standard: StandardTrace;
  gradients: AttentionGradients;
  /** Largest gap between the weights made again at the chosen stage and those of the forward pass. */
  again: number;
}

const MAX_TOKENS = 8;
const MAX_WIDTH = 4;

const width = (m: number[][]): number => m[0]!.length;

/** How many rows go into a tile: the core cuts the same way, and a test compares. */
export function blocksFor(sram: number, d: number): { forward: FlashBlocks; backward: FlashBlocks } {
  const rows = Math.floor(sram / d);
  const down = Math.floor(rows / 4);
  const up = sram % d === 0 && rows % 4 === 0 ? down : down + 1;
  const keys = 2 * (up + Math.min(up, d)) <= rows ? up : down;
  const back = Math.floor(rows / 7);
  return { forward: { keys, queries: Math.min(keys, d) }, backward: { keys: back, queries: Math.min(back, d) } };
}

const tiles = (n: number, { keys, queries }: FlashBlocks): number => Math.ceil(n / Math.max(1, keys)) * Math.ceil(n / Math.max(1, queries));

function stagesOf({ sram, k, tokens }: Values): { forward: number; all: number } {
  const { forward, backward } = blocksFor(sram, width(k));
  const first = tiles(tokens.length, forward);
  return { forward: first, all: first + tiles(tokens.length, backward) };
}

/** The gradient of the loss with respect to every number of the output is taken to be 1. */
const ones = (rows: number, cols: number): Matrix => matrix(Array.from({ length: rows }, () => Array<number>(cols).fill(1)));

/** Rows first … first + count − 1, and of each the columns from `left`. */
const block = (m: Matrix, first: number, count: number, left = 0, cols = m.cols): number[][] =>
  rowsOf(m).slice(first, first + count).map((row) => row.slice(left, left + cols));

function stepAt(r: FlashStepsResult, stage: number): { pass: 'forward' | 'backward'; index: number; step: FlashStep | FlashBackwardStep } {
  const { length } = r.forward.steps;
  return stage < length
    ? { pass: 'forward', index: stage, step: r.forward.steps[stage]! }
    : { pass: 'backward', index: stage - length, step: r.backward.steps[stage - length]! };
}

const covers = (first: number, count: number, i: number): boolean => i >= first && i < first + count;

/** The last step up to the stage that had row i on the chip. */
const lastWith = <S extends { firstQuery: number; queries: number; skipped: boolean }>(steps: readonly S[], upTo: number, i: number): S | undefined =>
  steps.slice(0, upTo + 1).filter((s) => covers(s.firstQuery, s.queries, i)).pop();

function tileCell(step: FlashStep | FlashBackwardStep, i: number, j: number): boolean {
  return covers(step.firstQuery, step.queries, i) && covers(step.firstKey, step.keys, j);
}

function runningTable(r: FlashStepsResult, upTo: number, tokens: string[], none: string) {
  const cells = tokens.map((_, i) => {
    const step = lastWith(r.forward.steps, upTo, i);
    if (!step) return null;
    const at = i - step.firstQuery;
    return [step.max[at]!, step.sum[at]!, ...block(step.output, at, 1)[0]!];
  });
  const cols = 2 + r.forward.output.cols;
  return {
    cells: cells.map((row) => row ?? Array<number>(cols).fill(0)),
    texts: cells.map((row) => (row ? [] : Array<string>(cols).fill(none))),
  };
}

export const lab: Lab<Values, FlashStepsResult> = {
  stem: 'flash-steps',
  inputs: [
    { kind: 'step', name: 'stage', count: (v) => stagesOf(v as unknown as Values).all, initial: 0 },
    {
      kind: 'slider',
      name: 'sram',
      min: 7,
      max: 256,
      stops: [7, 14, 16, 20, 24, 28, 32, 42, 56, 64, 96, 128, 256],
      initial: 28,
      whole: true,
      named: [14, 28, 256],
    },
    { kind: 'choice', name: 'order', options: ['keysOutside', 'queriesOutside'], initial: 'queriesOutside' },
    { kind: 'choice', name: 'causal', options: ['yes', 'no'], initial: 'no' },
    { kind: 'tokens', name: 'tokens', min: 2, max: MAX_TOKENS },
    { kind: 'matrix', name: 'q', initial: [[1, 0], [0, 1], [1, 1], [2, 0], [0, 2], [1, -1]], rows: { tokens: 'tokens' }, maxCols: MAX_WIDTH, limit: 20, folded: true },
    { kind: 'matrix', name: 'k', initial: [[1, 1], [3, 0], [0, 1], [2, 2], [4, 1], [0, 3]], rows: { tokens: 'tokens' }, maxCols: MAX_WIDTH, limit: 20, folded: true },
    { kind: 'matrix', name: 'v', initial: [[1, 0], [0, 1], [2, 2], [-1, 1], [3, -1], [0.5, 0.5]], rows: { tokens: 'tokens' }, maxCols: MAX_WIDTH, limit: 20, folded: true },
  ],
  presets: [
    { id: 'start', raw: () => ({}) },
    { id: 'end', raw: () => ({ stage: '5' }) },
    { id: 'backward', raw: () => ({ stage: '6' }) },
    { id: 'causal', raw: () => ({ causal: 'yes', stage: '1' }) },
    { id: 'tiny', raw: () => ({ sram: '14' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['kept', 'again', 'none'],
    judge: (guess, { tokens }, r) => ({
      key: guess,
      slots: { n: plain(tokens.length), w: plain(r.standard.traffic.extra), e: plain(r.forward.traffic.extra) },
    }),
  },
  fits({ sram, q, k, v }): FieldProblem | null {
    const d = width(k);
    if (width(q) !== d) return { field: 'q', code: 'widths', slots: { got: plain(width(q)), want: plain(d) } };
    if (width(v) !== d) return { field: 'v', code: 'widths', slots: { got: plain(width(v)), want: plain(d) } };
    return sram < 7 * d ? { field: 'sram', code: 'small', slots: { d: plain(d), least: plain(7 * d) } } : null;
  },
  run(core, values) {
    const [q, k, v] = [matrix(values.q), matrix(values.k), matrix(values.v)];
    const causal = values.causal === 'yes';
    const mask = { causal };
    const forward = core.flashAttention(q, k, v, { sram: values.sram, order: values.order, mask, recordSteps: true });
    const dOutput = ones(q.rows, v.cols);
    const backward = core.flashAttentionBackward(q, k, v, forward.output, forward.logSumExp, dOutput, { sram: values.sram, mask, recordSteps: true });
    const standard = core.standardAttention(q, k, v, { mask });
    const gaps = backward.steps
      .filter((step) => !step.skipped)
      .map((step) => core.maxGap(step.weights, matrix(block(standard.weights, step.firstQuery, step.queries, step.firstKey, step.keys))));
    return {
      forward,
      backward,
      standard,
      gradients: core.attentionGradients(q, k, v, dOutput, { causal }),
      again: Math.max(...gaps),
    };
  },
  view(values, r, words): View {
    const { tokens, stage } = values;
    const { pass, index, step } = stepAt(r, stage);
    const count = pass === 'forward' ? r.forward.steps.length : r.backward.steps.length;
    const gap = scientific(r.again);
    const none = word(words, 'none');
    const running = runningTable(r, pass === 'forward' ? index : r.forward.steps.length, tokens, none);
    const first = step.firstQuery;
    const slots = {
      s: place(index),
      n: plain(count),
      q: tokens[first]!,
      p: tokens[first + step.queries - 1]!,
      k: tokens[step.firstKey]!,
      l: tokens[step.firstKey + step.keys - 1]!,
      max: fixed(running.cells[first]![0]!),
      sum: fixed(running.cells[first]![1]!),
      o: numbers(running.cells[first]!.slice(2)),
      moved: plain(step.reads + step.writes),
      all: plain(r.standard.traffic.reads + r.standard.traffic.writes),
      mantissa: gap.mantissa,
      exponent: plain(-gap.exponent),
    };
    const kind = step.skipped ? 'skipped' : pass;
    const upTo = pass === 'backward' ? index : -1;
    const gradient: (number | null)[][] = tokens.map((_, i) => {
      const before = r.backward.steps.slice(0, upTo + 1).filter((s) => !s.skipped);
      const asQuery = lastWith(before, before.length, i);
      const asKey = before.filter((s) => covers(s.firstKey, s.keys, i)).pop();
      const zeros = Array<null>(r.forward.output.cols).fill(null);
      return [
        asQuery ? block(asQuery.dQ, i - asQuery.firstQuery, 1)[0]! : zeros,
        asKey ? block(asKey.dK, i - asKey.firstKey, 1)[0]! : zeros,
        asKey ? block(asKey.dV, i - asKey.firstKey, 1)[0]! : zeros,
      ].flat();
    });
    const weights = tokens.map((_, i) =>
      tokens.map((__, j) => {
        const made = r.backward.steps.slice(0, upTo + 1).find((s) => !s.skipped && tileCell(s, i, j));
        return made ? block(made.weights, i - made.firstQuery, 1)[0]![j - made.firstKey]! : null;
      }),
    );
    const steps: readonly (FlashStep | FlashBackwardStep)[] = pass === 'forward' ? r.forward.steps : r.backward.steps;
    const walked = tokens.map((_, i) => tokens.map((__, j) => (tileCell(step, i, j) ? 1 : steps.slice(0, index).some((s) => !s.skipped && tileCell(s, i, j)) ? 0.35 : 0)));
    const dims = (name: string) => Array.from({ length: r.forward.output.cols }, (_, j) => ({ key: `tables.${name}`, slots: { j: place(j) } }));
    return {
      state: { key: `state.${kind}`, slots },
      say: { key: `say.${kind}`, slots },
      facts: [
        { key: pass === 'backward' && r.again === 0 ? 'facts.exactly' : `facts.${pass}`, slots },
        { key: 'facts.blocks', slots: { fk: plain(r.forward.blocks.keys), fq: plain(r.forward.blocks.queries), bk: plain(r.backward.blocks.keys), bq: plain(r.backward.blocks.queries) } },
        { key: `facts.${pass}-moved`, slots },
        { key: 'facts.small' },
      ],
      picture: {
        kind: 'grids',
        label: { key: 'picture.label', slots },
        grids: [{ name: { key: `picture.${pass}`, slots }, cells: walked, strong: true }],
        row: first,
      },
      tables: [
        {
          id: 'running',
          caption: { key: 'tables.running.caption' },
          corner: { key: 'tables.token' },
          rows: tokens,
          cols: [{ key: 'tables.running.max' }, { key: 'tables.running.sum' }, ...dims('running.output')],
          cells: running.cells,
          texts: running.texts,
        },
        {
          id: 'weights',
          caption: { key: 'tables.weights.caption' },
          corner: { key: 'tables.token' },
          rows: tokens,
          cols: tokens,
          cells: weights.map((row) => row.map((w) => w ?? 0)),
          texts: weights.map((row) => row.map((w) => (w === null ? none : undefined))),
          shade: 'share',
        },
        {
          id: 'gradient',
          caption: { key: 'tables.gradient.caption' },
          corner: { key: 'tables.token' },
          rows: tokens,
          cols: [...dims('gradient.q'), ...dims('gradient.k'), ...dims('gradient.v')],
          cells: gradient.map((row) => row.map((x) => x ?? 0)),
          texts: gradient.map((row) => row.map((x) => (x === null ? none : undefined))),
        },
        {
          id: 'steps',
          caption: { key: 'tables.steps.caption' },
          corner: { key: 'tables.steps.corner' },
          rows: [
            ...r.forward.steps.map((_, i) => ({ key: 'tables.steps.forward', slots: { s: place(i) } })),
            ...r.backward.steps.map((_, i) => ({ key: 'tables.steps.backward', slots: { s: place(i) } })),
          ],
          cols: ['query', 'key', 'reads', 'writes'].map((key) => ({ key: `tables.steps.${key}` })),
          cells: [...r.forward.steps, ...r.backward.steps].map((s) => [s.firstQuery + 1, s.firstKey + 1, s.reads, s.writes]),
          digits: [0, 0, 0, 0],
        },
      ],
    };
  },
  checks: [
    { key: 'output', limit: 1e-9, residual: (core, _, { forward, standard }) => core.maxGap(forward.output, standard.output) },
    { key: 'again', limit: 1e-9, residual: (_, __, r) => r.again },
    {
      key: 'gradients',
      limit: 1e-9,
      residual: (core, _, { backward, gradients }) =>
        Math.max(core.maxGap(backward.dQ, gradients.dQ), core.maxGap(backward.dK, gradients.dK), core.maxGap(backward.dV, gradients.dV)),
    },
    {
      key: 'fits',
      limit: 0,
      residual: (_, { sram }, { forward, backward }) => Math.max(0, forward.traffic.peakTiles - sram, backward.traffic.peakTiles - sram),
    },
    {
      key: 'last',
      limit: 0,
      residual(core, _, { forward, backward }) {
        const reads = [forward, backward].map(({ steps }) => steps[steps.length - 1]!.reads);
        return core.maxGap(matrix([reads]), matrix([[forward.traffic.reads, backward.traffic.reads]]));
      },
    },
  ],
  code: [
    { file: 'cpp/src/flash_passes.hpp', region: 'advance_row' },
    { file: 'cpp/src/flash_passes.hpp', region: 'absorb' },
    { file: 'cpp/src/flash_passes.hpp', region: 'backward_tile' },
  ],
};
