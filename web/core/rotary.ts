import type { Facade } from './facade.ts';
import { choice, integer, matrix, number, numbers, optional, options } from './kinds.ts';
import type { Matrix } from './matrix.ts';

export interface Rotary {
  /** Default 'interleaved'. */
  layout?: 'interleaved' | 'half-split';
  /** Default 10000. */
  base?: number;
  /** Every place times this; default 1, L/L′ for position interpolation. */
  positionScale?: number;
}

/** Details: cpp/include/attn/rotary.hpp */
export interface RotaryCore {
  rotaryFrequencies(d: number, options?: { base?: number }): Float64Array;
  /** Row i of x turned by positions[i]. */
  rotate(x: Matrix, positions: ArrayLike<number>, options?: Rotary): Matrix;
  rotaryScores(
    q: Matrix,
    k: Matrix,
    qPositions: ArrayLike<number>,
    kPositions: ArrayLike<number>,
    options?: Rotary,
  ): Matrix;
  toHalfSplit(x: Matrix): Matrix;
  toInterleaved(x: Matrix): Matrix;
  rotaryDecay(distances: ArrayLike<number>, d: number, options?: { base?: number }): Float64Array;
  /** Pairs whose wavelength is over `length`. */
  unseenPairs(length: number, d: number, options?: { base?: number }): number;
  pairsAtNewAngles(trained: number, tested: number, d: number, options?: { base?: number; positionScale?: number }): number;
}

const base = optional(number, 10000);

const rotaryOptions = options({ layout: choice('interleaved', 'half-split'), base: number, positionScale: number });

export const rotary: Facade<RotaryCore> = {
  rotaryFrequencies: { d: integer, base },
  rotate: { x: matrix, positions: numbers, rotary: rotaryOptions },
  rotaryScores: { q: matrix, k: matrix, qPositions: numbers, kPositions: numbers, rotary: rotaryOptions },
  toHalfSplit: { x: matrix },
  toInterleaved: { x: matrix },
  rotaryDecay: { distances: numbers, d: integer, base },
  unseenPairs: { length: number, d: integer, base },
  pairsAtNewAngles: { trained: number, tested: number, d: integer, base, positionScale: optional(number, 1) },
};
