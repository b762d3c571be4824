import type { AttentionOptions, AttentionTrace } from './attention.ts';
import type { Core, CoreName } from './core.ts';
import type { Matrix } from './matrix.ts';

/** Each returns what the plain function returns. */
export type Steps = {
  readonly [Name in CoreName]?: (core: Core, ...args: Parameters<Core[Name]>) => Generator<number, ReturnType<Core[Name]>, void>;
};

/** Some milliseconds of multiply-adds: short enough to be stopped at once, long enough for the copies not to matter. */
const multiplyAddsPerStep = 2 ** 22;

interface Rows {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float32Array | Float64Array;
}

/** One below the other, in the precision of the first. */
export function stacked<M extends Rows>(parts: readonly M[]): M {
  const { cols, data: sample } = parts[0]!;
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const data = new (sample.constructor as Float64ArrayConstructor)(rows * cols);
  let at = 0;
  for (const part of parts) {
    data.set(part.data, at);
    at += part.data.length;
  }
  return { rows, cols, data } as Rows as M;
}

function* attention(core: Core, q: Matrix, k: Matrix, v: Matrix, options: AttentionOptions = {}): Generator<number, AttentionTrace, void> {
  const perRow = (k?.rows ?? 0) * ((k?.cols ?? 0) + (v?.cols ?? 0));
  const block = Math.max(1, Math.floor(multiplyAddsPerStep / perRow));
  // What is too small for two steps, or no matrix at all, is for the function itself.
  if (!(q?.rows > block)) return core.attention(q, k, v, options);
  const parts: AttentionTrace[] = [];
  for (let first = 0; first < q.rows; first += block) {
    const count = Math.min(block, q.rows - first);
    parts.push(core.attentionRows(q, k, v, first, count, options));
    yield (first + count) / q.rows;
  }
  return {
    scores: stacked(parts.map((part) => part.scores)),
    weights: stacked(parts.map((part) => part.weights)),
    output: stacked(parts.map((part) => part.output)),
    fullyMasked: parts.flatMap((part) => part.fullyMasked),
  };
}

/** The functions that a worker does step by step, and can therefore stop. */
export const steps: Steps = { attention };
