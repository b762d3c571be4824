import type { Tensor } from '../../web/core/fast.ts';

/** Numbers of a linear congruential generator, from −2 to 2. */
export function random(seed: number, rows: number, cols: number): Tensor {
  let state = seed;
  const next = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;
  return { rows, cols, data: Float32Array.from({ length: rows * cols }, () => 4 * next()) };
}
