import type { Facade } from './facade.ts';
import { count, number } from './kinds.ts';

/** Steps or layers from one place to another. */
export interface PathLengths {
  readonly recurrent: number;
  readonly convolutionCausal: number;
  readonly convolutionCentred: number;
  readonly convolutionDilated: number;
  readonly attention: number;
  readonly restrictedAttention: number;
}

export interface LayerCost {
  readonly madds: number;
  readonly sequentialOperations: number;
  readonly longestPath: number;
}

export interface LayerComparison {
  readonly attention: LayerCost;
  readonly recurrent: LayerCost;
  readonly convolution: LayerCost;
  readonly dilatedConvolution: LayerCost;
  readonly restrictedAttention: LayerCost;
}

export interface SequentialWork {
  readonly rnnSteps: number;
  readonly rnnFlops: number;
  readonly attentionStages: number;
  readonly attentionFlops: number;
  readonly projectionFlops: number;
}

export interface MatvecBound {
  readonly flopPerByte: number;
  readonly fractionOfPeak: number;
  readonly limitedByArithmetic: boolean;
}

/** Details: cpp/include/attn/work.hpp */
export interface WorkCore {
  /** Places from 0; `window` is the width that a restricted attention sees. */
  pathLengths(from: number, to: number, kernel: number, window: number): PathLengths;
  compareLayers(n: number, d: number, kernel: number, window: number): LayerComparison;
  sequentialWork(n: number, d: number): SequentialWork;
  /** `peak` and `bandwidth` in the same multiple of FLOP/s and byte/s. */
  matvecBound(batch: number, peak: number, bandwidth: number, bytesPerWeight: number): MatvecBound;
}

export const work: Facade<WorkCore> = {
  pathLengths: { from: count, to: count, kernel: count, window: count },
  compareLayers: { n: count, d: count, kernel: count, window: count },
  sequentialWork: { n: count, d: count },
  matvecBound: { batch: count, peak: number, bandwidth: number, bytesPerWeight: number },
};
