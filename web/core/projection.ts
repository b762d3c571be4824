import type { Facade } from './facade.ts';
import { matrix } from './kinds.ts';
import type { Matrix } from './matrix.ts';

export interface QueryKeyValue {
  readonly q: Matrix;
  readonly k: Matrix;
  readonly v: Matrix;
}

/** Details: cpp/include/attn/projection.hpp */
export interface ProjectionCore {
  /** x · w. */
  project(x: Matrix, w: Matrix): Matrix;
  projectQkv(x: Matrix, wQ: Matrix, wK: Matrix, wV: Matrix): QueryKeyValue;
  /** W_Q · W_Kᵀ: symmetric exactly when the scores of every input are. */
  queryKeyProduct(wQ: Matrix, wK: Matrix): Matrix;
}

export const projection: Facade<ProjectionCore> = {
  project: { x: matrix, w: matrix },
  projectQkv: { x: matrix, wQ: matrix, wK: matrix, wV: matrix },
  queryKeyProduct: { wQ: matrix, wK: matrix },
};
