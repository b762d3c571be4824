import type { Tally } from './attention.ts';
import type { Facade } from './facade.ts';
import { integer, matrix, number, seed } from './kinds.ts';
import type { Matrix } from './matrix.ts';
import type { Spread } from './spread.ts';

export interface LinformerTrace {
  /** e·k, slots × d. */
  readonly projectedKeys: Matrix;
  readonly projectedValues: Matrix;
  /** queries × slots. */
  readonly scores: Matrix;
  readonly weights: Matrix;
  readonly output: Matrix;
}

export interface LinformerLeak {
  readonly before: Matrix;
  readonly after: Matrix;
  /** One column: the largest change in each row of the output. */
  readonly change: Matrix;
}

export interface LinformerCost {
  readonly exactEntries: number;
  readonly linformerEntries: number;
  readonly ratio: number;
  /** Of e and f: what ties them to n. */
  readonly projectionParameters: number;
}

/** e and f are slots × keys, multiplied from the left. Details: cpp/include/attn/linformer.hpp */
export interface LinformerCore {
  linformerAttention(q: Matrix, k: Matrix, v: Matrix, e: Matrix, f: Matrix): LinformerTrace;
  /** Each slot is the mean of a run of neighbours. */
  meanPoolProjection(slots: number, tokens: number): Matrix;
  identityProjection(tokens: number): Matrix;
  /** Independent normals of variance 1/slots. */
  randomProjection(slots: number, tokens: number, seed: number): Matrix;
  /** How far from exact attention, over random projections with e = f; draw i uses seed + i. */
  linformerErrors(q: Matrix, k: Matrix, v: Matrix, slots: number, draws: number, seed: number): Spread;
  /** Token `token`, from 0, gets the key `kRow` and the value `vRow`, one row each. */
  linformerLeak(
    q: Matrix,
    k: Matrix,
    v: Matrix,
    e: Matrix,
    f: Matrix,
    token: number,
    kRow: Matrix,
    vRow: Matrix,
  ): LinformerLeak;
  /** Counted by running it. */
  linformerOperations(n: number, slots: number, d: number): Tally;
  linformerCost(n: number, slots: number): LinformerCost;
  /** 5·ln n / (eps² − eps³), Theorem 1. */
  linformerTheoremSlots(n: number, eps: number): number;
}

export const linformer: Facade<LinformerCore> = {
  linformerAttention: { q: matrix, k: matrix, v: matrix, e: matrix, f: matrix },
  meanPoolProjection: { slots: integer, tokens: integer },
  identityProjection: { tokens: integer },
  randomProjection: { slots: integer, tokens: integer, seed },
  linformerErrors: { q: matrix, k: matrix, v: matrix, slots: integer, draws: integer, seed },
  linformerLeak: { q: matrix, k: matrix, v: matrix, e: matrix, f: matrix, token: integer, kRow: matrix, vRow: matrix },
  linformerOperations: { n: integer, slots: integer, d: integer },
  linformerCost: { n: number, slots: number },
  linformerTheoremSlots: { n: number, eps: number },
};
