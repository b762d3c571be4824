import type { Tally } from './attention.ts';
import type { Facade } from './facade.ts';
import { choice, flag, integer, list, matrix, numbers, optional, options, record } from './kinds.ts';
import type { Matrix } from './matrix.ts';

/** What crossed between slow and fast memory, in numbers, not bytes. */
export interface Traffic {
  readonly reads: number;
  readonly writes: number;
  /** Slow memory besides inputs and outputs. */
  readonly extra: number;
  /** Most numbers in tiles at once: never over M. */
  readonly peakTiles: number;
  /** Most scores and statistics at once, which are not held to M. */
  readonly peakScratch: number;
}

export interface FlashBlocks {
  /** B_c */
  readonly keys: number;
  /** B_r */
  readonly queries: number;
}

/** 'keysOutside' is Algorithm 1 of 2022, 'queriesOutside' FlashAttention-2. */
export type FlashOrder = 'keysOutside' | 'queriesOutside';

export interface FlashMask {
  causal?: boolean;
  /** One per key; absent: all are kept. */
  keysKept?: readonly boolean[];
}

export interface FlashOptions {
  /** M, in numbers; default 49152. */
  sram?: number;
  /** Default 'queriesOutside'. */
  order?: FlashOrder;
  mask?: FlashMask;
  recordSteps?: boolean;
  countOperations?: boolean;
}

/** One tile of scores, and what the chip holds after it. */
export interface FlashStep {
  readonly firstQuery: number;
  readonly queries: number;
  readonly firstKey: number;
  readonly keys: number;
  /** All future: not computed, and its keys and values not loaded. */
  readonly skipped: boolean;
  readonly max: Float64Array;
  readonly sum: Float64Array;
  /** The attention output, were this the last step. */
  readonly output: Matrix;
  /** Since the beginning. */
  readonly reads: number;
  readonly writes: number;
}

export interface FlashTrace {
  readonly output: Matrix;
  /** −Infinity for a query that sees nothing. */
  readonly logSumExp: Float64Array;
  readonly fullyMasked: readonly boolean[];
  readonly blocks: FlashBlocks;
  readonly traffic: Traffic;
  /** Zeros unless `countOperations`. */
  readonly operations: Tally;
  /** Empty unless `recordSteps`. */
  readonly steps: readonly FlashStep[];
}

/** One tile of weights, made a second time. */
export interface FlashBackwardStep {
  readonly firstQuery: number;
  readonly queries: number;
  readonly firstKey: number;
  readonly keys: number;
  /** All future: nothing loaded, nothing added. */
  readonly skipped: boolean;
  /** exp(S − L); empty when skipped. */
  readonly weights: Matrix;
  /** Of these queries, so far; empty when skipped. */
  readonly dQ: Matrix;
  /** Of these keys, so far. */
  readonly dK: Matrix;
  readonly dV: Matrix;
  /** Since the beginning. */
  readonly reads: number;
  readonly writes: number;
}

export interface FlashGradients {
  readonly dQ: Matrix;
  readonly dK: Matrix;
  readonly dV: Matrix;
  readonly blocks: FlashBlocks;
  readonly traffic: Traffic;
  /** Zeros unless `countOperations`. */
  readonly operations: Tally;
  /** Empty unless `recordSteps`. */
  readonly steps: readonly FlashBackwardStep[];
}

export interface StandardTrace {
  readonly scores: Matrix;
  readonly weights: Matrix;
  readonly output: Matrix;
  readonly fullyMasked: readonly boolean[];
  readonly traffic: Traffic;
  /** Zeros unless `countOperations`. */
  readonly operations: Tally;
}

export interface StandardGradients {
  readonly dQ: Matrix;
  readonly dK: Matrix;
  readonly dV: Matrix;
  readonly traffic: Traffic;
  /** Zeros unless `countOperations`. */
  readonly operations: Tally;
}

/** Details: cpp/include/attn/flash.hpp */
export interface FlashCore {
  /** B_c = ⌈M/4d⌉ and B_r = min(B_c, d), as far as four tiles fit. */
  flashBlocks(sram: number, d: number): FlashBlocks;
  /** Seven tiles share M. */
  flashBackwardBlocks(sram: number, d: number): FlashBlocks;
  flashAttention(q: Matrix, k: Matrix, v: Matrix, options?: FlashOptions): FlashTrace;
  /** `output` and `logSumExp` are those of the forward pass. */
  flashAttentionBackward(
    q: Matrix,
    k: Matrix,
    v: Matrix,
    output: Matrix,
    logSumExp: ArrayLike<number>,
    dOutput: Matrix,
    options?: FlashOptions,
  ): FlashGradients;
  /** Whole matrices through the same counter; `passes` 0 … 3 of scale, mask and dropout are kernels of their own. */
  standardAttention(
    q: Matrix,
    k: Matrix,
    v: Matrix,
    options?: { mask?: FlashMask; passes?: number; countOperations?: boolean },
  ): StandardTrace;
  /** From the weights that the forward pass kept. */
  standardAttentionBackward(
    q: Matrix,
    k: Matrix,
    v: Matrix,
    weights: Matrix,
    dOutput: Matrix,
    options?: { countOperations?: boolean },
  ): StandardGradients;
  /** The same programs on shapes alone, for sizes over the reference limit. */
  flashTraffic(n: number, d: number, sram: number, order: FlashOrder, options?: { causal?: boolean }): Traffic;
  flashBackwardTraffic(n: number, d: number, sram: number, options?: { causal?: boolean }): Traffic;
  standardTraffic(n: number, d: number, options?: { passes?: number }): Traffic;
  standardBackwardTraffic(n: number, d: number): Traffic;
  /** The arithmetic of those programs: one row for each shape of tiles is counted, and entered as often as it is met. */
  flashOperations(n: number, d: number, sram: number, order: FlashOrder): Tally;
  flashBackwardOperations(n: number, d: number, sram: number): Tally;
  standardOperations(n: number, d: number, options?: { passes?: number }): Tally;
  standardBackwardOperations(n: number, d: number): Tally;
  /** n²·d²/M, an order of growth without its constant. */
  flashTrafficOrder(n: number, d: number, sram: number): number;
}

const order = choice('keysOutside', 'queriesOutside');
const mask = record({ causal: optional(flag), keysKept: optional(list(flag)) });
const flashKinds = { sram: integer, order, mask, recordSteps: flag, countOperations: flag };

export const flash: Facade<FlashCore> = {
  flashBlocks: { sram: integer, d: integer },
  flashBackwardBlocks: { sram: integer, d: integer },
  flashAttention: { q: matrix, k: matrix, v: matrix, options: options(flashKinds) },
  flashAttentionBackward: {
    q: matrix,
    k: matrix,
    v: matrix,
    output: matrix,
    logSumExp: numbers,
    dOutput: matrix,
    options: options(flashKinds),
  },
  standardAttention: { q: matrix, k: matrix, v: matrix, mask: optional(mask, {}), passes: optional(integer, 0), countOperations: optional(flag, false) },
  standardAttentionBackward: {
    q: matrix,
    k: matrix,
    v: matrix,
    weights: matrix,
    dOutput: matrix,
    countOperations: optional(flag, false),
  },
  flashTraffic: { n: integer, d: integer, sram: integer, order, causal: optional(flag, false) },
  flashBackwardTraffic: { n: integer, d: integer, sram: integer, causal: optional(flag, false) },
  standardTraffic: { n: integer, d: integer, passes: optional(integer, 0) },
  standardBackwardTraffic: { n: integer, d: integer },
  flashOperations: { n: integer, d: integer, sram: integer, order },
  flashBackwardOperations: { n: integer, d: integer, sram: integer },
  standardOperations: { n: integer, d: integer, passes: optional(integer, 0) },
  standardBackwardOperations: { n: integer, d: integer },
  flashTrafficOrder: { n: integer, d: integer, sram: integer },
};
