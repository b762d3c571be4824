import type { Facade } from './facade.ts';
import { choice, integer, seed } from './kinds.ts';

export type Scale = 'none' | 'rootOfDk';

export interface ScoreStatistics {
  readonly maxWeight: number;
  /** In nats. */
  readonly entropy: number;
  readonly jacobianFrobenius: number;
  readonly scoreStd: number;
}

/** Details: cpp/include/attn/scaling.hpp */
export interface ScalingCore {
  dotProductStd(dK: number, scale: Scale): number;
  expectedLargerWeight(dK: number, scale: Scale): number;
  scoreStatistics(dK: number, keys: number, trials: number, seed: number, scale: Scale): ScoreStatistics;
}

const scale = choice('none', 'rootOfDk');

export const scaling: Facade<ScalingCore> = {
  dotProductStd: { dK: integer, scale },
  expectedLargerWeight: { dK: integer, scale },
  scoreStatistics: { dK: integer, keys: integer, trials: integer, seed, scale },
};
