import type { AttentionTrace } from './attention.ts';
import type { Facade } from './facade.ts';
import { matrix } from './kinds.ts';
import type { Matrix } from './matrix.ts';

export interface CacheStep {
  readonly keys: Matrix;
  readonly values: Matrix;
  /** The new rows alone. */
  readonly trace: AttentionTrace;
}

/** Details: cpp/include/attn/kv_cache.hpp */
export interface KvCacheCore {
  /** The cache is the pair keys, values; it starts as two 0 × 0 matrices. */
  cacheStep(keys: Matrix, values: Matrix, q: Matrix, k: Matrix, v: Matrix): CacheStep;
}

export const kvCache: Facade<KvCacheCore> = {
  cacheStep: { keys: matrix, values: matrix, q: matrix, k: matrix, v: matrix },
};
