import type { Facade } from './facade.ts';
import { choice, matrix, number, numbers, optional, record } from './kinds.ts';
import type { Matrix } from './matrix.ts';

export type Norm = 'none' | 'layerNorm' | 'rmsNorm';

/** Absent: gamma is 1 and beta 0 everywhere. RMSNorm has no beta. */
export interface Affine {
  readonly gamma?: ArrayLike<number>;
  readonly beta?: ArrayLike<number>;
}

export interface NormTrace {
  /** Of each row; zeros for RMSNorm. */
  readonly mean: Float64Array;
  /** LayerNorm: population variance; RMSNorm: mean of the squares. */
  readonly variance: Float64Array;
  readonly output: Matrix;
}

/** Details: cpp/include/attn/layer_norm.hpp */
export interface LayerNormCore {
  /** Each row by itself; epsilon defaults to 1e-5. */
  layerNorm(x: Matrix, options?: { affine?: Affine; epsilon?: number }): NormTrace;
  /** No mean is subtracted; epsilon defaults to 1e-6. */
  rmsNorm(x: Matrix, options?: { affine?: Affine; epsilon?: number }): NormTrace;
  /** The input gradient for an output gradient of x's shape. */
  normBackward(norm: Norm, x: Matrix, dOutput: Matrix, options?: { affine?: Affine; epsilon?: number }): Matrix;
}

export const normKind = choice('none', 'layerNorm', 'rmsNorm');
export const affineKind = record({ gamma: optional(numbers), beta: optional(numbers) });

export const layerNorm: Facade<LayerNormCore> = {
  layerNorm: { x: matrix, affine: optional(affineKind, {}), epsilon: optional(number, 1e-5) },
  rmsNorm: { x: matrix, affine: optional(affineKind, {}), epsilon: optional(number, 1e-6) },
  normBackward: { norm: normKind, x: matrix, dOutput: matrix, affine: optional(affineKind, {}), epsilon: optional(number, 1e-5) },
};
