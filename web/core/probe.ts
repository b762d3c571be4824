import type { Facade } from './facade.ts';
import { integer, integers, matrix, number, numbers, record, seed } from './kinds.ts';
import type { Matrix } from './matrix.ts';

export interface LinearProbe {
  /** d × classes */
  readonly w: Matrix;
  readonly b: ArrayLike<number>;
}

export interface MlpProbe {
  readonly w1: Matrix;
  readonly b1: Float64Array;
  readonly w2: Matrix;
  readonly b2: Float64Array;
}

/** Before the first step and after each. */
export interface ProbeHistory {
  readonly loss: Float64Array;
  readonly accuracy: Float64Array;
}

export interface ProbeGradient {
  readonly loss: number;
  readonly accuracy: number;
  readonly dW: Matrix;
  readonly dB: Float64Array;
}

/** Details: cpp/include/attn/probe.hpp */
export interface ProbeCore {
  probeGradient(probe: LinearProbe, x: Matrix, labels: ArrayLike<number>): ProbeGradient;
  trainLinearProbe(
    x: Matrix,
    labels: ArrayLike<number>,
    classes: number,
    steps: number,
    learningRate: number,
  ): { readonly probe: LinearProbe; readonly history: ProbeHistory };
  trainMlpProbe(
    x: Matrix,
    labels: ArrayLike<number>,
    classes: number,
    hidden: number,
    seed: number,
    steps: number,
    learningRate: number,
  ): { readonly probe: MlpProbe; readonly history: ProbeHistory };
  controlLabels(types: ArrayLike<number>, classes: number, seed: number): Int32Array;
  selectivity(taskAccuracy: number, controlAccuracy: number): number;
  /** layers × d, one number of `a` a layer. */
  scalarMix(
    layers: Matrix,
    a: ArrayLike<number>,
    gamma: number,
  ): { readonly weights: Float64Array; readonly mixed: Float64Array; readonly centerOfGravity: number };
  expectedLayer(cumulative: ArrayLike<number>): { readonly gains: Float64Array; readonly layer: number };
}

export const probe: Facade<ProbeCore> = {
  probeGradient: { probe: record({ w: matrix, b: numbers }), x: matrix, labels: integers },
  trainLinearProbe: { x: matrix, labels: integers, classes: integer, steps: integer, learningRate: number },
  trainMlpProbe: {
    x: matrix,
    labels: integers,
    classes: integer,
    hidden: integer,
    seed,
    steps: integer,
    learningRate: number,
  },
  controlLabels: { types: integers, classes: integer, seed },
  selectivity: { taskAccuracy: number, controlAccuracy: number },
  scalarMix: { layers: matrix, a: numbers, gamma: number },
  expectedLayer: { cumulative: numbers },
};
