import type { Facade } from './facade.ts';
import { integer, number, numbers, optional } from './kinds.ts';
import type { Matrix } from './matrix.ts';

interface Base {
  /** Default 10000. */
  base?: number;
}

export interface NearCollision {
  readonly offset: number;
  readonly distance: number;
}

/** Details: cpp/include/attn/sinusoidal.hpp */
export interface SinusoidalCore {
  sinusoidalFrequencies(d: number, options?: Base): Float64Array;
  /** Tokens per turn. */
  sinusoidalWavelengths(d: number, options?: Base): Float64Array;
  sinusoidalPositions(positions: ArrayLike<number>, d: number, options?: Base): Matrix;
  /** Places 0 … n − 1. */
  sinusoidalTable(n: number, d: number, options?: Base): Matrix;
  /** M·PE(pos) = PE(pos + offset) for columns PE. */
  sinusoidalShift(offset: number, d: number, options?: Base): Matrix;
  sinusoidalDot(offset: number, d: number, options?: Base): number;
  sinusoidalDistance(offset: number, d: number, options?: Base): number;
  /** The offset from 1 to maxOffset whose codes are closest. */
  sinusoidalNearCollision(maxOffset: number, d: number, options?: Base): NearCollision;
}

const base = optional(number, 10000);

export const sinusoidal: Facade<SinusoidalCore> = {
  sinusoidalFrequencies: { d: integer, base },
  sinusoidalWavelengths: { d: integer, base },
  sinusoidalPositions: { positions: numbers, d: integer, base },
  sinusoidalTable: { n: integer, d: integer, base },
  sinusoidalShift: { offset: number, d: integer, base },
  sinusoidalDot: { offset: number, d: integer, base },
  sinusoidalDistance: { offset: number, d: integer, base },
  sinusoidalNearCollision: { maxOffset: integer, d: integer, base },
};
