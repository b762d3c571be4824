import type { Facade } from './facade.ts';
import { integer, matrix, number } from './kinds.ts';
import type { Matrix } from './matrix.ts';

export interface RnnTrace {
  /** n × d: a, before tanh. */
  readonly before: Matrix;
  /** n × d: tanh(a). */
  readonly states: Matrix;
}

export interface JacobianChain {
  /** [k] = ∂a(n−1)/∂a(n−1−k); [0] is the identity. */
  readonly products: readonly Matrix[];
  /** Their spectral norms. */
  readonly norms: Float64Array;
}

export interface GradientTrace {
  /** Row k = ∂L/∂a(n−1−k). */
  readonly gradients: Matrix;
  readonly norms: Float64Array;
}

export interface Eigenvalues {
  /** Ascending. */
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
}

export interface PowerIteration {
  readonly value: number;
  /** 1 × d, of length 1. */
  readonly vector: Matrix;
  readonly residual: number;
  readonly steps: number;
  /** When false, `value` means nothing. */
  readonly converged: boolean;
}

/** w(i, j) is the effect of unit j on unit i. Details: cpp/include/attn/recurrent.hpp */
export interface RecurrentCore {
  /** factor to the powers 0 … steps. */
  powers(factor: number, steps: number): Float64Array;
  halfLife(factor: number): number;
  doublingTime(factor: number): number;
  /** h = tanh(W·h + U·x + b), token by token. */
  rnnForward(x: Matrix, w: Matrix, u: Matrix, bias: Matrix, start: Matrix): RnnTrace;
  /** W·diag(slopes). */
  stepJacobian(w: Matrix, slopes: Matrix): Matrix;
  /** m, m², … */
  matrixPowers(m: Matrix, steps: number): Matrix[];
  rnnJacobians(states: Matrix, w: Matrix): JacobianChain;
  rnnGradient(states: Matrix, w: Matrix, upstream: Matrix): GradientTrace;
  /** The largest singular value. */
  spectralNorm(m: Matrix): number;
  /** The largest |eigenvalue|. */
  spectralRadius(m: Matrix): number;
  eigenvalues2x2(m: Matrix): Eigenvalues;
  powerIteration(m: Matrix, maxSteps: number): PowerIteration;
}

export const recurrent: Facade<RecurrentCore> = {
  powers: { factor: number, steps: integer },
  halfLife: { factor: number },
  doublingTime: { factor: number },
  rnnForward: { x: matrix, w: matrix, u: matrix, bias: matrix, start: matrix },
  stepJacobian: { w: matrix, slopes: matrix },
  matrixPowers: { m: matrix, steps: integer },
  rnnJacobians: { states: matrix, w: matrix },
  rnnGradient: { states: matrix, w: matrix, upstream: matrix },
  spectralNorm: { m: matrix },
  spectralRadius: { m: matrix },
  eigenvalues2x2: { m: matrix },
  powerIteration: { m: matrix, maxSteps: integer },
};
