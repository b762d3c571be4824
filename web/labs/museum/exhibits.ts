import type { Core } from '../../core/core.ts';
import type { EncoderWeights, LayerOptions } from '../../core/encoder.ts';
import { matrix, rowsOf, type Matrix } from '../../core/matrix.ts';
import type { Museum } from '../../core/museum.ts';
import { columns, rowSumError } from '../kit/matrices.ts';

/** What every exhibit is shown on. */
export interface Input {
  x: Matrix;
  /** How many tokens at the start are padding. */
  pads: number;
  heads: number;
}

/** Both versions of one computation, and how far each is from what must hold. */
export interface Shown {
  right: Matrix;
  wrong: Matrix;
  rightAlarm: number;
  wrongAlarm: number;
}

export interface Exhibit {
  id: string;
  rows: 'tokens' | 'last' | 'mean' | 'heads';
  cols: 'tokens' | 'cells' | 'slope';
  /** The numbers are weights, 0 to 1. */
  share?: boolean;
  /** The width must be a multiple of this. */
  multiple?: number;
  /** The width must be at least this. */
  least?: number;
  show(core: Core & Museum, input: Input): Shown;
}

const HEADS = 2;
const BLOCK = 2;
const SHIFT = 5;
/** Queries that come after the cache, at most. */
const NEW = 2;

const count = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const constant = (rows: number, cols: number, value: number): Matrix =>
  matrix(count(rows).map(() => count(cols).map(() => value)));
const identity = (d: number): Matrix => matrix(count(d).map((i) => count(d).map((j) => (i === j ? 1 : 0))));
const rowsWhere = (m: Matrix, keep: (row: number) => boolean): Matrix => matrix(rowsOf(m).filter((_, i) => keep(i)));
const column = (list: ArrayLike<number>): Matrix => matrix(Array.from(list, (value) => [value]));

/** Queries, keys and values that are the tokens themselves. */
const plainWeights = (d: number) => ({ wQ: identity(d), wK: identity(d), wV: identity(d), wO: identity(d) });

const isReal = ({ x, pads }: Input): boolean[] => count(x.rows).map((i) => i >= pads);

/** Both versions, each measured by the same alarm. */
function measured(right: Matrix, wrong: Matrix, alarm: (m: Matrix) => number): Shown {
  return { right, wrong, rightAlarm: alarm(right), wrongAlarm: alarm(wrong) };
}

const axis: Exhibit = {
  id: 'axis',
  rows: 'tokens',
  cols: 'tokens',
  share: true,
  show(core, { x }) {
    const { scores } = core.attention(x, x, x);
    return measured(core.softmaxRows(scores), core.softmaxOverColumns(scores), (m) => rowSumError(core, m));
  },
};

const late: Exhibit = {
  id: 'late',
  rows: 'tokens',
  cols: 'tokens',
  share: true,
  show(core, { x }) {
    const causal = { causal: true };
    const right = core.attention(x, x, x, causal).weights;
    return measured(right, core.attentionMaskedLate(x, x, x, causal).weights, (m) => rowSumError(core, m));
  },
};

const billion: Exhibit = {
  id: 'billion',
  rows: 'tokens',
  cols: 'tokens',
  share: true,
  show(core, input) {
    const { x } = input;
    const options = { causal: true, mask: core.paddingMask(x.rows, isReal(input)) };
    const right = core.attention(x, x, x, options);
    const wrong = core.attentionMinusBillion(x, x, x, options);
    // A row that sees nothing must give nothing.
    return measured(right.weights, wrong.weights, (m) => {
      if (!right.fullyMasked.includes(true)) return 0;
      const blind = rowsWhere(m, (i) => right.fullyMasked[i]!);
      return core.maxGap(blind, constant(blind.rows, blind.cols, 0));
    });
  },
};

const width: Exhibit = {
  id: 'width',
  rows: 'tokens',
  cols: 'tokens',
  share: true,
  multiple: HEADS,
  show(core, { x }) {
    const weights = plainWeights(x.cols);
    const head = columns(x, 0, x.cols / HEADS);
    const alone = core.attention(head, head, head).weights;
    const right = core.multiHead(x, weights, HEADS).heads[0]!.weights;
    const wrong = core.multiHeadModelScale(x, weights, HEADS).heads[0]!.weights;
    return measured(right, wrong, (m) => core.maxGap(m, alone));
  },
};

const parity: Exhibit = {
  id: 'parity',
  rows: 'tokens',
  cols: 'cells',
  multiple: 2,
  show(core, { x }) {
    const places = count(x.rows);
    const length = core.sinusoidalDot(0, x.cols);
    // Each pair is a point on a circle, so that all rows are equally long.
    const alarm = (m: Matrix): number => {
      const squares = rowsOf(core.product(m, core.transpose(m))).map((row, i) => row[i]!);
      return core.maxGap(column(squares), constant(x.rows, 1, length));
    };
    return measured(core.sinusoidalPositions(places, x.cols), core.sinusoidalByParity(places, x.cols), alarm);
  },
};

const rotary: Exhibit = {
  id: 'rotary',
  rows: 'tokens',
  cols: 'tokens',
  multiple: 2 * HEADS,
  show(core, { x }) {
    const layout = { layout: 'half-split' } as const;
    const own = x.cols / HEADS;
    const scores = (head: Matrix): Matrix => core.product(head, core.transpose(head));
    const right = (places: number[]): Matrix => scores(core.rotate(columns(x, 0, own), places, layout));
    const wrong = (places: number[]): Matrix => scores(columns(core.rotateAcrossHeads(x, places, layout), 0, own));
    const here = count(x.rows);
    const there = here.map((i) => i + SHIFT);
    return {
      right: right(here),
      wrong: wrong(here),
      rightAlarm: core.maxGap(right(here), right(there)),
      wrongAlarm: core.maxGap(wrong(here), wrong(there)),
    };
  },
};

/** How many tokens come last as queries, the others being in the cache already. */
export const newest = (tokens: number): number => Math.min(NEW, tokens - 1);

const offset: Exhibit = {
  id: 'offset',
  rows: 'last',
  cols: 'tokens',
  share: true,
  show(core, { x }) {
    const first = x.rows - newest(x.rows);
    const last = (m: Matrix): Matrix => rowsWhere(m, (i) => i >= first);
    const options = { causal: true, queryOffset: first };
    const whole = last(core.attention(x, x, x, { causal: true }).weights);
    const right = core.attention(last(x), x, x, options).weights;
    const wrong = core.attentionWithoutOffset(last(x), x, x, options).weights;
    return measured(right, wrong, (m) => core.maxGap(m, whole));
  },
};

const blocks: Exhibit = {
  id: 'blocks',
  rows: 'tokens',
  cols: 'tokens',
  share: true,
  show(core, { x }) {
    const right = core.attention(x, x, x);
    const merged = matrix(rowsOf(right.scores).map((row) => [...core.blockwiseSoftmax(row, x, BLOCK).weights]));
    return measured(right.weights, core.attentionAveragedBlocks(x, x, x, BLOCK).weights, (m) => core.maxGap(m, merged));
  },
};

const sample: Exhibit = {
  id: 'sample',
  rows: 'tokens',
  cols: 'cells',
  least: 2,
  show(core, { x }) {
    const right = core.layerNorm(x);
    // The root mean square of what is left when the mean is gone is the standard deviation.
    const spread = matrix(count(x.cols).map((i) => count(x.cols).map((j) => (i === j ? 1 : 0) - 1 / x.cols)));
    const again = core.rmsNorm(core.product(x, spread), { epsilon: 1e-5 }).output;
    return measured(right.output, core.layerNormSample(x).output, (m) => core.maxGap(m, again));
  },
};

const swap: Exhibit = {
  id: 'swap',
  rows: 'tokens',
  cols: 'cells',
  show(core, { x }) {
    const d = x.cols;
    const options: LayerOptions = { normFirst: true, network: false };
    const network = { w1: identity(d), w2: identity(d) };
    const weights: EncoderWeights = { attention: plainWeights(d), network };
    const silent: EncoderWeights = { attention: { ...plainWeights(d), wO: constant(d, d, 0) }, network };
    return {
      right: core.encoderLayer(x, weights, options).output,
      wrong: core.encoderLayerSwapped(x, weights, options).output,
      rightAlarm: core.maxGap(core.encoderLayer(x, silent, options).output, x),
      wrongAlarm: core.maxGap(core.encoderLayerSwapped(x, silent, options).output, x),
    };
  },
};

const mean: Exhibit = {
  id: 'mean',
  rows: 'mean',
  cols: 'cells',
  show(core, input) {
    const { x } = input;
    const real = isReal(input);
    const right = (m: Matrix, flags: boolean[]): Matrix => core.meanRow(rowsWhere(m, (i) => flags[i]!));
    const longer = matrix([...rowsOf(x), rowsOf(x)[0]!]);
    const more = [...real, false];
    const [short, wrong] = [right(x, real), core.meanRowPadded(x, real)];
    return {
      right: short,
      wrong,
      rightAlarm: core.maxGap(short, right(longer, more)),
      wrongAlarm: core.maxGap(wrong, core.meanRowPadded(longer, more)),
    };
  },
};

const slopes: Exhibit = {
  id: 'slopes',
  rows: 'heads',
  cols: 'slope',
  share: true,
  show(core, { heads }) {
    let power = 1;
    while (2 * power <= heads) power *= 2;
    const first = column(core.alibiSlopes(power));
    const alarm = (m: Matrix): number => core.maxGap(rowsWhere(m, (i) => i < power), first);
    return measured(column(core.alibiSlopes(heads)), column(core.alibiSlopesOneFormula(heads)), alarm);
  },
};

export const exhibits: readonly Exhibit[] = [axis, late, billion, width, parity, rotary, offset, blocks, sample, swap, mean, slopes];
