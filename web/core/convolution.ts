import type { Facade } from './facade.ts';
import { choice, count, integer, list, matrix, optional } from './kinds.ts';
import type { Matrix } from './matrix.ts';

/** Whether the last tap reads the token itself, or the middle one. */
export type Padding = 'causal' | 'centred';

/** Details: cpp/include/attn/convolution.hpp */
export interface ConvolutionCore {
  /** kernel: taps · m rows, tap by tap, the oldest first. Default: dilation 1, causal. */
  convolution(x: Matrix, kernel: Matrix, taps: number, options?: { dilation?: number; padding?: Padding }): Matrix;
  /** Tokens that one output of the stack sees. */
  receptiveField(taps: number, dilations: readonly number[]): number;
  /** 1, taps, taps², … */
  fullDilations(taps: number, layers: number): number[];
  contiguousLayers(distance: number, taps: number, options?: { padding?: Padding }): number;
  dilatedLayers(distance: number, taps: number, options?: { padding?: Padding }): number;
}

const padding = optional(choice('causal', 'centred'), 'causal');

export const convolution: Facade<ConvolutionCore> = {
  convolution: { x: matrix, kernel: matrix, taps: integer, dilation: optional(integer, 1), padding },
  receptiveField: { taps: count, dilations: list(count) },
  fullDilations: { taps: count, layers: count },
  contiguousLayers: { distance: count, taps: count, padding },
  dilatedLayers: { distance: count, taps: count, padding },
};
