import type { Facade } from './facade.ts';
import { matrix, number, numbers, optional } from './kinds.ts';
import type { Matrix } from './matrix.ts';

/** A masked place has the logit −Infinity. Details: cpp/include/attn/softmax.hpp */
export interface SoftmaxCore {
  softmax(logits: ArrayLike<number>, options?: { temperature?: number }): Float64Array;
  softmaxRows(scores: Matrix, options?: { temperature?: number }): Matrix;
  /** One flag a row: true when every place of it is −Infinity. */
  fullyMaskedRows(scores: Matrix): boolean[];
  /** In nats. */
  entropy(weights: ArrayLike<number>): number;
  entropyRows(weights: Matrix): Float64Array;
  softmaxJacobian(weights: ArrayLike<number>): Matrix;
  /** ln(p / (1 − p)). */
  requiredGap(p: number): number;
}

export const softmax: Facade<SoftmaxCore> = {
  softmax: { logits: numbers, temperature: optional(number, 1) },
  softmaxRows: { scores: matrix, temperature: optional(number, 1) },
  fullyMaskedRows: { scores: matrix },
  entropy: { weights: numbers },
  entropyRows: { weights: matrix },
  softmaxJacobian: { weights: numbers },
  requiredGap: { p: number },
};
