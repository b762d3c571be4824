import { attention, type AttentionOptions, type AttentionTrace } from './attention.ts';
import { encoder, type EncoderTrace, type EncoderWeights, type LayerOptions } from './encoder.ts';
import { makeFunctions, type Facade, type RawModule } from './facade.ts';
import { flag, integer, list, matrix } from './kinds.ts';
import { layerNorm, type Affine, type NormTrace } from './layer-norm.ts';
import type { Matrix } from './matrix.ts';
import { multiHead, type MultiHeadOptions, type MultiHeadTrace, type MultiHeadWeights } from './multi-head.ts';
import { rotary, type Rotary } from './rotary.ts';
import { sinusoidal } from './sinusoidal.ts';
import { softmax } from './softmax.ts';

/** Broken on purpose; each takes what the function that it imitates takes. Details: cpp/museum/*.hpp */
export interface Museum {
  /** Each column sums to 1 instead of each row. */
  softmaxOverColumns(scores: Matrix, options?: { temperature?: number }): Matrix;
  /** Hides after softmax. */
  attentionMaskedLate(q: Matrix, k: Matrix, v: Matrix, options?: AttentionOptions): AttentionTrace;
  /** Hides with −10⁹, also in a row that sees nothing. */
  attentionMinusBillion(q: Matrix, k: Matrix, v: Matrix, options?: AttentionOptions): AttentionTrace;
  /** Ignores queryOffset. */
  attentionWithoutOffset(q: Matrix, k: Matrix, v: Matrix, options?: AttentionOptions): AttentionTrace;
  /** Averages the softmaxes of blocks of `block` keys. */
  attentionAveragedBlocks(q: Matrix, k: Matrix, v: Matrix, block: number): AttentionTrace;
  /** Divides by √d_model. */
  multiHeadModelScale(x: Matrix, weights: MultiHeadWeights, heads: number, options?: MultiHeadOptions): MultiHeadTrace;
  /** Sines for even places, cosines for odd ones. */
  sinusoidalByParity(positions: ArrayLike<number>, d: number, options?: { base?: number }): Matrix;
  /** Turns all heads as one wide one. */
  rotateAcrossHeads(x: Matrix, positions: ArrayLike<number>, options?: Rotary): Matrix;
  /** 2^(−8h/H), also where H is no power of two. */
  alibiSlopesOneFormula(heads: number): Float64Array;
  /** Divides the squares by d − 1. */
  layerNormSample(x: Matrix, options?: { affine?: Affine; epsilon?: number }): NormTrace;
  /** Reads normFirst the other way round. */
  encoderLayerSwapped(x: Matrix, weights: EncoderWeights, options?: LayerOptions): EncoderTrace;
  /** The sum of the real rows, divided by the number of all rows. */
  meanRowPadded(m: Matrix, realRows: readonly boolean[]): Matrix;
}

export const museum: Facade<Museum> = {
  softmaxOverColumns: softmax.softmaxRows,
  attentionMaskedLate: attention.attention,
  attentionMinusBillion: attention.attention,
  attentionWithoutOffset: attention.attention,
  attentionAveragedBlocks: { q: matrix, k: matrix, v: matrix, block: integer },
  multiHeadModelScale: multiHead.multiHead,
  sinusoidalByParity: sinusoidal.sinusoidalPositions,
  rotateAcrossHeads: rotary.rotate,
  alibiSlopesOneFormula: { heads: integer },
  layerNormSample: layerNorm.layerNorm,
  encoderLayerSwapped: encoder.encoderLayer,
  meanRowPadded: { m: matrix, realRows: list(flag) },
};

export function makeMuseum(raw: RawModule): Museum {
  return makeFunctions(raw, museum) as unknown as Museum;
}
