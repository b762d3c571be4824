import type { Tally } from './attention.ts';
import type { Facade } from './facade.ts';
import { choice, flag, integer, matrix, number, optional, seed } from './kinds.ts';
import type { Matrix } from './matrix.ts';
import type { Spread } from './spread.ts';

export type FeatureKind = 'positive' | 'hyperbolic' | 'trigonometric';

export interface KernelEstimate {
  /** exp(x·y) */
  readonly exact: number;
  readonly estimate: number;
  readonly relativeError: number;
}

/** Lemma 2, for independent directions. */
export interface KernelMse {
  readonly exact: number;
  readonly norm2Sum: number;
  readonly norm2Difference: number;
  readonly positive: number;
  readonly hyperbolic: number;
  readonly trigonometric: number;
}

export interface KernelMeasurement {
  readonly exact: number;
  readonly mean: number;
  readonly bias: number;
  readonly variance: number;
  readonly mse: number;
  /** Of the mean. */
  readonly standardError: number;
}

export interface PerformerTrace {
  readonly queryFeatures: Matrix;
  readonly keyFeatures: Matrix;
  readonly keyValues: Matrix;
  readonly keySum: Matrix;
  readonly normaliser: Float64Array;
  readonly output: Matrix;
  /** The normaliser is 0, and the output zeros. */
  readonly vanished: readonly boolean[];
}

export interface PerformerQuadraticTrace {
  /** queries × keys: the estimates of exp(q·k/√d). */
  readonly kernel: Matrix;
  readonly normaliser: Float64Array;
  readonly output: Matrix;
  readonly vanished: readonly boolean[];
}

export interface PerformerOperations {
  readonly linear: Tally;
  readonly quadratic: Tally;
}

/** omega: one random direction per row. x, y: one row. Details: cpp/include/attn/performer.hpp */
export interface PerformerCore {
  randomFeatures(x: Matrix, omega: Matrix, kind: FeatureKind): Matrix;
  gaussianOmega(features: number, d: number, seed: number): Matrix;
  orthogonalOmega(features: number, d: number, seed: number): Matrix;
  gramSchmidt(vectors: Matrix): Matrix;
  /** One draw. */
  kernelEstimate(x: Matrix, y: Matrix, omega: Matrix, kind: FeatureKind): KernelEstimate;
  /** The mean over all omega, by quadrature. */
  kernelExpectation(x: Matrix, y: Matrix, kind: FeatureKind): number;
  kernelMse(x: Matrix, y: Matrix, features: number): KernelMse;
  /** √ of the error of one kind. */
  kernelDeviation(x: Matrix, y: Matrix, features: number, kind: FeatureKind): number;
  /** √((e^norm2Sum − 1) / features), of the positive estimate. */
  relativeDeviation(norm2Sum: number, features: number): number;
  /** (e^norm2Sum − 1) / relativeError²: features for that relative deviation. */
  featuresNeeded(norm2Sum: number, relativeError: number): number;
  /** Draw i uses seed + i. */
  measureKernel(
    x: Matrix,
    y: Matrix,
    features: number,
    kind: FeatureKind,
    orthogonal: boolean,
    draws: number,
    seed: number,
  ): KernelMeasurement;
  /** Linear order. Causal: running sums. */
  performerAttention(
    q: Matrix,
    k: Matrix,
    v: Matrix,
    omega: Matrix,
    kind: FeatureKind,
    options?: { causal?: boolean },
  ): PerformerTrace;
  /** How far from exact softmax attention; draw i uses seed + i. */
  performerErrors(
    q: Matrix,
    k: Matrix,
    v: Matrix,
    features: number,
    kind: FeatureKind,
    orthogonal: boolean,
    draws: number,
    seed: number,
  ): Spread;
  performerQuadratic(
    q: Matrix,
    k: Matrix,
    v: Matrix,
    omega: Matrix,
    kind: FeatureKind,
    options?: { causal?: boolean },
  ): PerformerQuadraticTrace;
  /** Counted by running both orders. */
  performerOperations(n: number, features: number, dV: number, causal: boolean): PerformerOperations;
}

const kind = choice('positive', 'hyperbolic', 'trigonometric');
const attention = { q: matrix, k: matrix, v: matrix, omega: matrix, kind, causal: optional(flag, false) };

export const performer: Facade<PerformerCore> = {
  randomFeatures: { x: matrix, omega: matrix, kind },
  gaussianOmega: { features: integer, d: integer, seed },
  orthogonalOmega: { features: integer, d: integer, seed },
  gramSchmidt: { vectors: matrix },
  kernelEstimate: { x: matrix, y: matrix, omega: matrix, kind },
  kernelExpectation: { x: matrix, y: matrix, kind },
  kernelMse: { x: matrix, y: matrix, features: integer },
  kernelDeviation: { x: matrix, y: matrix, features: integer, kind },
  relativeDeviation: { norm2Sum: number, features: integer },
  featuresNeeded: { norm2Sum: number, relativeError: number },
  measureKernel: { x: matrix, y: matrix, features: integer, kind, orthogonal: flag, draws: integer, seed },
  performerAttention: attention,
  performerErrors: { q: matrix, k: matrix, v: matrix, features: integer, kind, orthogonal: flag, draws: integer, seed },
  performerQuadratic: attention,
  performerOperations: { n: integer, features: integer, dV: integer, causal: flag },
};
