import type { Facade } from './facade.ts';
import { feedForwardKind, type FeedForward } from './feed-forward.ts';
import { choice, integer, integers, list, matrix, number } from './kinds.ts';
import type { Matrix } from './matrix.ts';

export type Gating = 'raw' | 'renormalised';

export interface Routing {
  /** tokens × experts */
  readonly probabilities: Matrix;
  /** tokens · k, best first; a tie goes to the lower index. */
  readonly experts: Int32Array;
  readonly gates: Float64Array;
  readonly k: number;
}

export interface BalanceLoss {
  readonly fraction: Float64Array;
  readonly probability: Float64Array;
  readonly switchLoss: number;
  readonly gshardLoss: number;
  readonly importance: Float64Array;
  readonly importanceCv2: number;
}

export interface Dispatch {
  readonly capacity: number;
  readonly kept: readonly boolean[];
  readonly load: Int32Array;
}

export interface MixtureCounts {
  readonly denseParameters: number;
  readonly expertParameters: number;
  readonly routerParameters: number;
  readonly flopsPerToken: number;
}

/** Details: cpp/include/attn/mixture_of_experts.hpp */
export interface MixtureOfExpertsCore {
  routeTokens(logits: Matrix, k: number, gating: Gating): Routing;
  balanceLoss(probabilities: Matrix, alpha: number): BalanceLoss;
  dispatchTokens(firstChoice: ArrayLike<number>, experts: number, factor: number): Dispatch;
  mixtureOfExperts(
    x: Matrix,
    router: Matrix,
    experts: readonly FeedForward[],
    k: number,
    gating: Gating,
  ): { readonly routing: Routing; readonly output: Matrix };
  mixtureCounts(d: number, dFf: number, experts: number, k: number): MixtureCounts;
}

const gating = choice('raw', 'renormalised');

export const mixtureOfExperts: Facade<MixtureOfExpertsCore> = {
  routeTokens: { logits: matrix, k: integer, gating },
  balanceLoss: { probabilities: matrix, alpha: number },
  dispatchTokens: { firstChoice: integers, experts: integer, factor: number },
  mixtureOfExperts: { x: matrix, router: matrix, experts: list(feedForwardKind), k: integer, gating },
  mixtureCounts: { d: number, dFf: number, experts: number, k: number },
};
