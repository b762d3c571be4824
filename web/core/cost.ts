import type { Facade } from './facade.ts';
import { choice, flag, number, options, record, optional } from './kinds.ts';

export type Precision = 'int8' | 'float16' | 'float32' | 'float64';

export interface AttentionMatrixCost {
  readonly elements: number;
  readonly totalElements: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface LayerFlops {
  readonly projections: number;
  readonly attentionProducts: number;
  readonly feedForward: number;
  readonly total: number;
}

export interface SquareCosts {
  readonly elements: number;
  readonly scoreMadds: number;
  readonly modelMadds: number;
  readonly modelFlops: number;
}

/** Default: the base model of Vaswani et al. 2017. */
export interface TransformerShape {
  layers?: number;
  d?: number;
  dFf?: number;
  heads?: number;
  dK?: number;
  dV?: number;
  vocabulary?: number;
}

/** Default: 12 layers of width 768, 3072 inside. */
export interface StackShape {
  readonly layers?: number;
  readonly d?: number;
  readonly dFf?: number;
}

export interface VisionParameters {
  readonly patchEmbedding: number;
  readonly classToken: number;
  readonly positionEmbedding: number;
  readonly perLayer: number;
  readonly finalNorm: number;
  readonly head: number;
  readonly totalWithoutHead: number;
}

export interface GrowthAudit {
  readonly ifLinear: number;
  readonly ifQuadratic: number;
  readonly exponent: number;
  readonly quadraticShare: number;
}

/** Counts are exact up to 2^53. Details and conventions: cpp/include/attn/cost.hpp */
export interface CostCore {
  bytesOf(precision: Precision): number;
  attentionMatrixCost(n: number, heads: number, layers: number, precision: Precision): AttentionMatrixCost;
  attentionPairs(n: number, causal: boolean): number;
  layerFlops(n: number, d: number, dFf: number, causal: boolean): LayerFlops;
  attentionCrossover(d: number, dFf: number): number;
  squareCosts(n: number, d: number, layers: number): SquareCosts;
  transformerParameters(options?: TransformerShape): number;
  stackLayerParameters(shape: StackShape): number;
  bertParameters(shape: StackShape, vocabulary: number, positions: number, segments: number): number;
  gptParameters(shape: StackShape, vocabulary: number, positions: number): number;
  visionParameters(shape: StackShape, side: number, patch: number, channels: number, classes: number): VisionParameters;
  kvCacheBytes(layers: number, n: number, d: number, precision: Precision): number;
  activationBytes(n: number, batch: number, d: number, heads: number): number;
  growthAudit(lengthRatio: number, memoryRatio: number): GrowthAudit;
}

const precision = choice('int8', 'float16', 'float32', 'float64');
const shape = record({ layers: optional(number), d: optional(number), dFf: optional(number) });

export const cost: Facade<CostCore> = {
  bytesOf: { precision },
  attentionMatrixCost: { n: number, heads: number, layers: number, precision },
  attentionPairs: { n: number, causal: flag },
  layerFlops: { n: number, d: number, dFf: number, causal: flag },
  attentionCrossover: { d: number, dFf: number },
  squareCosts: { n: number, d: number, layers: number },
  transformerParameters: {
    shape: options({ layers: number, d: number, dFf: number, heads: number, dK: number, dV: number, vocabulary: number }),
  },
  stackLayerParameters: { shape },
  bertParameters: { shape, vocabulary: number, positions: number, segments: number },
  gptParameters: { shape, vocabulary: number, positions: number },
  visionParameters: { shape, side: number, patch: number, channels: number, classes: number },
  kvCacheBytes: { layers: number, n: number, d: number, precision },
  activationBytes: { n: number, batch: number, d: number, heads: number },
  growthAudit: { lengthRatio: number, memoryRatio: number },
};
