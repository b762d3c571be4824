import type { Facade } from './facade.ts';
import { feedForwardKind, type FeedForward, type FeedForwardTrace } from './feed-forward.ts';
import { flag, integer, list, matrix, number, optional, options, record, seed } from './kinds.ts';
import { affineKind, normKind, type Affine, type Norm } from './layer-norm.ts';
import type { Matrix } from './matrix.ts';
import { multiHeadWeightsKind, type MultiHeadTrace, type MultiHeadWeights } from './multi-head.ts';

/** Each part of a layer can be switched off. */
export interface LayerOptions {
  /** Default 1. */
  heads?: number;
  /** Default layerNorm. */
  norm?: Norm;
  /** Pre-norm, x + branch(norm(x)); default false: norm(x + branch(x)). */
  normFirst?: boolean;
  /** Default true, as are the two branches. */
  residual?: boolean;
  attention?: boolean;
  network?: boolean;
  /** Default false. */
  causal?: boolean;
  /** Default 1e-5. */
  epsilon?: number;
}

export interface EncoderWeights {
  readonly attention: MultiHeadWeights;
  readonly network: FeedForward;
  readonly attentionNorm?: Affine;
  readonly networkNorm?: Affine;
}

export interface EncoderTrace {
  /** Without matrices when the branch is off. */
  readonly attention: MultiHeadTrace;
  readonly afterAttention: Matrix;
  readonly network: FeedForwardTrace;
  readonly output: Matrix;
}

/** Details: cpp/include/attn/encoder.hpp */
export interface EncoderCore {
  encoderLayer(x: Matrix, weights: EncoderWeights, options?: LayerOptions): EncoderTrace;
  encoderLayerBackward(x: Matrix, weights: EncoderWeights, dOutput: Matrix, options?: LayerOptions): Matrix;
  /** x, then what leaves each layer. */
  encoderStack(x: Matrix, layers: readonly EncoderWeights[], options?: LayerOptions): Matrix[];
  /** The size of the gradient at x and at each layer's output. */
  encoderGradientNorms(x: Matrix, layers: readonly EncoderWeights[], dOutput: Matrix, options?: LayerOptions): Float64Array;
  randomEncoderWeights(seed: number, d: number, dFf: number, heads: number): EncoderWeights;
  /** How far the rows are from being one and the same, 0 to 1. */
  rowSpread(x: Matrix): number;
}

export const layerKinds = {
  heads: integer,
  norm: normKind,
  normFirst: flag,
  residual: flag,
  attention: flag,
  network: flag,
  causal: flag,
  epsilon: number,
};

const encoderWeights = record({
  attention: multiHeadWeightsKind,
  network: feedForwardKind,
  attentionNorm: optional(affineKind),
  networkNorm: optional(affineKind),
});

export const encoder: Facade<EncoderCore> = {
  encoderLayer: { x: matrix, weights: encoderWeights, options: options(layerKinds) },
  encoderLayerBackward: { x: matrix, weights: encoderWeights, dOutput: matrix, options: options(layerKinds) },
  encoderStack: { x: matrix, layers: list(encoderWeights), options: options(layerKinds) },
  encoderGradientNorms: { x: matrix, layers: list(encoderWeights), dOutput: matrix, options: options(layerKinds) },
  randomEncoderWeights: { seed, d: integer, dFf: integer, heads: integer },
  rowSpread: { x: matrix },
};
