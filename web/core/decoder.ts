import { layerKinds, type LayerOptions } from './encoder.ts';
import type { Facade } from './facade.ts';
import { feedForwardKind, type FeedForward, type FeedForwardTrace } from './feed-forward.ts';
import { flag, integer, list, matrix, optional, options, record, seed } from './kinds.ts';
import { affineKind, type Affine } from './layer-norm.ts';
import type { Matrix } from './matrix.ts';
import { multiHeadWeightsKind, type MultiHeadTrace, type MultiHeadWeights } from './multi-head.ts';

/** Here `causal` defaults to true. */
export interface DecoderOptions extends LayerOptions {
  /** The window on the encoder; default true. */
  cross?: boolean;
}

export interface DecoderWeights {
  readonly attention: MultiHeadWeights;
  readonly cross: MultiHeadWeights;
  readonly network: FeedForward;
  readonly attentionNorm?: Affine;
  readonly crossNorm?: Affine;
  readonly networkNorm?: Affine;
}

export interface DecoderTrace {
  readonly attention: MultiHeadTrace;
  readonly afterAttention: Matrix;
  readonly cross: MultiHeadTrace;
  readonly afterCross: Matrix;
  readonly network: FeedForwardTrace;
  readonly output: Matrix;
}

export interface DecoderGradients {
  readonly dX: Matrix;
  readonly dMemory: Matrix;
}

/** Details: cpp/include/attn/decoder.hpp */
export interface DecoderCore {
  decoderLayer(x: Matrix, memory: Matrix, weights: DecoderWeights, options?: DecoderOptions): DecoderTrace;
  decoderLayerBackward(x: Matrix, memory: Matrix, weights: DecoderWeights, dOutput: Matrix, options?: DecoderOptions): DecoderGradients;
  /** x, then what leaves each layer. */
  decoderStack(x: Matrix, memory: Matrix, layers: readonly DecoderWeights[], options?: DecoderOptions): Matrix[];
  randomDecoderWeights(seed: number, d: number, dMemory: number, dFf: number, heads: number): DecoderWeights;
}

const decoderKinds = { ...layerKinds, cross: flag };

const decoderWeights = record({
  attention: multiHeadWeightsKind,
  cross: multiHeadWeightsKind,
  network: feedForwardKind,
  attentionNorm: optional(affineKind),
  crossNorm: optional(affineKind),
  networkNorm: optional(affineKind),
});

export const decoder: Facade<DecoderCore> = {
  decoderLayer: { x: matrix, memory: matrix, weights: decoderWeights, options: options(decoderKinds) },
  decoderLayerBackward: { x: matrix, memory: matrix, weights: decoderWeights, dOutput: matrix, options: options(decoderKinds) },
  decoderStack: { x: matrix, memory: matrix, layers: list(decoderWeights), options: options(decoderKinds) },
  randomDecoderWeights: { seed, d: integer, dMemory: integer, dFf: integer, heads: integer },
};
