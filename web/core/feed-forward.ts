import type { Facade } from './facade.ts';
import { choice, flag, matrix, number, numbers, optional, record } from './kinds.ts';
import type { Matrix } from './matrix.ts';

export type Activation = 'relu' | 'gelu' | 'geluTanh';

/** w1  d × d_ff, w2  d_ff × d; absent biases are 0; the activation defaults to relu. */
export interface FeedForward {
  readonly w1: Matrix;
  readonly b1?: ArrayLike<number>;
  readonly w2: Matrix;
  readonly b2?: ArrayLike<number>;
  readonly activation?: Activation;
}

export interface FeedForwardTrace {
  /** n × d_ff, before the activation. */
  readonly before: Matrix;
  readonly hidden: Matrix;
  readonly output: Matrix;
}

/** Details: cpp/include/attn/feed_forward.hpp */
export interface FeedForwardCore {
  activate(activation: Activation, x: Matrix): Matrix;
  feedForward(x: Matrix, weights: FeedForward): FeedForwardTrace;
  feedForwardBackward(x: Matrix, weights: FeedForward, dOutput: Matrix): Matrix;
  feedForwardParameters(d: number, dFf: number, biases: boolean): number;
}

const activationKind = choice('relu', 'gelu', 'geluTanh');

export const feedForwardKind = record({
  w1: matrix,
  b1: optional(numbers),
  w2: matrix,
  b2: optional(numbers),
  activation: optional(activationKind),
});

export const feedForward: Facade<FeedForwardCore> = {
  activate: { activation: activationKind, x: matrix },
  feedForward: { x: matrix, weights: feedForwardKind },
  feedForwardBackward: { x: matrix, weights: feedForwardKind, dOutput: matrix },
  feedForwardParameters: { d: number, dFf: number, biases: flag },
};
