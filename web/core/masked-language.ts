import type { Facade } from './facade.ts';
import { integer, number, numbers, options, seed } from './kinds.ts';

export type MaskAction = 'none' | 'mask' | 'random' | 'keep';

/** Default 0.15 of all, of which 0.8 masked and 0.1 random. */
export interface MaskRates {
  select?: number;
  mask?: number;
  random?: number;
}

export interface MaskPlan {
  readonly actions: readonly MaskAction[];
  readonly lossPositions: Int32Array;
}

export interface MaskShares {
  readonly mask: number;
  readonly random: number;
  readonly keep: number;
  readonly untouched: number;
  readonly looksUnchanged: number;
}

/** Details: cpp/include/attn/masked_language.hpp */
export interface MaskedLanguageCore {
  planMasks(uSelect: ArrayLike<number>, uAction: ArrayLike<number>, options?: MaskRates): MaskPlan;
  planMasksSeeded(seed: number, count: number, options?: MaskRates): MaskPlan;
  maskShares(options?: MaskRates): MaskShares;
}

const rates = options({ select: number, mask: number, random: number });

export const maskedLanguage: Facade<MaskedLanguageCore> = {
  planMasks: { uSelect: numbers, uAction: numbers, rates },
  planMasksSeeded: { seed, count: integer, rates },
  maskShares: { rates },
};
