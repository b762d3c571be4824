import type { Facade } from './facade.ts';
import { integer, seed } from './kinds.ts';

export interface RngCore {
  /** mulberry32: `count` numbers in [0, 1). */
  uniforms(seed: number, count: number): Float64Array;
  /** Box–Muller: `count` standard normals. */
  normals(seed: number, count: number): Float64Array;
}

export const rng: Facade<RngCore> = {
  uniforms: { seed, count: integer },
  normals: { seed, count: integer },
};
