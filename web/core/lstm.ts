import type { Facade } from './facade.ts';
import { integer, matrix, record } from './kinds.ts';
import type { Matrix } from './matrix.ts';

/** Four blocks of d rows (of d columns in the bias) in the order input, forget, candidate, output. */
export interface LstmWeights {
  /** 4d × m */
  readonly input: Matrix;
  /** 4d × d */
  readonly state: Matrix;
  /** 1 × 4d */
  readonly bias: Matrix;
}

export interface LstmTrace {
  readonly inputGate: Matrix;
  readonly forgetGate: Matrix;
  readonly candidate: Matrix;
  readonly outputGate: Matrix;
  /** (n + 1) × d; row 0 is the start. */
  readonly cells: Matrix;
  readonly states: Matrix;
}

export interface LstmPaths {
  /** Row k = the product of the last k forget gates. */
  readonly forgetPath: Matrix;
  /** [k] = ∂(c, h) at the end by ∂(c, h) k steps before, 2d × 2d, the cell first. */
  readonly full: readonly Matrix[];
  /** Spectral norms of their cell blocks. */
  readonly norms: Float64Array;
}

/** Details: cpp/include/attn/lstm.hpp */
export interface LstmCore {
  lstmForward(x: Matrix, weights: LstmWeights, startState: Matrix, startCell: Matrix): LstmTrace;
  lstmJacobian(trace: LstmTrace, stateWeights: Matrix, token: number): Matrix;
  lstmPaths(trace: LstmTrace, stateWeights: Matrix): LstmPaths;
  forgetPath(forgetGate: Matrix): Matrix;
}

const weights = record({ input: matrix, state: matrix, bias: matrix });

const trace = record({ inputGate: matrix, forgetGate: matrix, candidate: matrix, outputGate: matrix, cells: matrix, states: matrix });

export const lstm: Facade<LstmCore> = {
  lstmForward: { x: matrix, weights, startState: matrix, startCell: matrix },
  lstmJacobian: { trace, stateWeights: matrix, token: integer },
  lstmPaths: { trace, stateWeights: matrix },
  forgetPath: { forgetGate: matrix },
};
