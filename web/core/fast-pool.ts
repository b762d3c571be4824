import { connect, type CallOptions, type WorkerLike, type WorkerOf } from './client.ts';
import { CoreError } from './errors.ts';
import type { Fast, FastAttention, FastAttentionOptions, Tensor } from './fast.ts';
import type { FastWork } from './fast-steps.ts';
import { apart, headsOf, sideBySide } from './tensor.ts';

/** How long a worker may go on after it was told to stop; then it is ended, and another takes its place. */
const STOP_WITHIN_MS = 40;
/** Multiply-adds of some 30 ms: less is not worth a message. */
const SHORT = 2 ** 28;

export interface FastPool {
  readonly size: number;
  /**
   * Attention of many heads, divided among the workers; short work is done at once, in this thread, by `here`.
   * @param q  n × h·d, k  m × h·d, v  m × h·d_v: head t owns its columns, as in Fast.attention
   * @throws CoreError as Fast.attention, and cancelled
   */
  attention(q: Tensor, k: Tensor, v: Tensor, options?: Omit<FastAttentionOptions, 'layout'> & { workers?: number }, call?: CallOptions): Promise<FastAttention>;
  wholeMatrix(q: Tensor, k: Tensor, v: Tensor, options?: { causal?: boolean }, call?: CallOptions): Promise<Tensor>;
  close(): void;
}

/** Heads first … first + count − 1 of each share, as even as may be. */
function shares(heads: number, workers: number): { first: number; count: number }[] {
  const used = Math.max(1, Math.min(heads, workers));
  return Array.from({ length: used }, (_, w) => {
    const first = Math.floor((w * heads) / used);
    return { first, count: Math.floor(((w + 1) * heads) / used) - first };
  });
}

/** @param here  does what is short; without it every call goes to a worker */
export function makePool(start: () => Promise<WorkerLike>, size: number, here?: Fast): FastPool {
  const workers: WorkerOf<FastWork>[] = Array.from({ length: size }, () => connect<FastWork>(start, STOP_WITHIN_MS));
  const isShort = (q: Tensor, k: Tensor, v: Tensor): boolean => (q?.rows ?? 0) * (k?.rows ?? 0) * ((k?.cols ?? 0) + (v?.cols ?? 0)) < SHORT;

  return {
    size,
    async attention(q, k, v, { workers: most = size, ...options } = {}, { onProgress, signal } = {}) {
      const { heads = 1, alibiSlopes } = options;
      const divisible =
        Number.isInteger(heads) &&
        heads > 0 &&
        (!alibiSlopes || alibiSlopes.length === heads) &&
        [q, k, v].every((operand) => operand?.cols % heads === 0 && operand.data instanceof Float32Array && operand.data.length === operand.rows * operand.cols);
      // What no head can be cut from is for the function to refuse.
      if (here && (isShort(q, k, v) || !divisible)) {
        if (signal?.aborted) throw new CoreError('cancelled', 'cancelled: stopped on request');
        return here.attention(q, k, v, options);
      }
      const parts = divisible ? shares(heads, Math.min(most, size)) : [{ first: 0, count: heads }];
      const done = parts.map(() => 0);
      // Stacked, since a worker copies the numbers of its heads in any case.
      const stacks = divisible && heads > 1;
      const cut = (operand: Tensor, first: number, count: number): Tensor => (stacks ? headsOf(operand, heads, first, count) : operand);
      const optionsOf = (first: number, count: number): FastAttentionOptions =>
        stacks ? { ...options, heads: count, layout: 'stacked', ...(alibiSlopes ? { alibiSlopes: alibiSlopes.slice(first, first + count) } : {}) } : options;
      // One that is refused takes the others with it.
      const stop = new AbortController();
      const abort = (): void => stop.abort();
      if (signal?.aborted) abort();
      signal?.addEventListener('abort', abort, { once: true });
      try {
        const results = await Promise.all(
          // Async, so that what cannot be cut, for want of memory, is an answer like any other.
          parts.map(async ({ first, count }, w) => {
            const operands = [cut(q, first, count), cut(k, first, count), cut(v, first, count)] as const;
            return workers[w]!.call('attention', [...operands, optionsOf(first, count)], {
              transfer: stacks ? operands.map(({ data }) => data.buffer as ArrayBuffer) : [],
              signal: stop.signal,
              onProgress(share) {
                done[w] = share * count;
                onProgress?.(done.reduce((sum, x) => sum + x) / heads);
              },
            });
          }),
        );
        return {
          output: stacks ? sideBySide(results.flatMap(({ output }, w) => apart(output, parts[w]!.count))) : results[0]!.output,
          largest: sideBySide(results.map(({ largest }) => largest)),
          sum: sideBySide(results.map(({ sum }) => sum)),
          fullyMasked: results[0]!.fullyMasked,
        };
      } finally {
        signal?.removeEventListener('abort', abort);
        abort();
      }
    },
    wholeMatrix: (q, k, v, options = {}, call = {}) => workers[0]!.call('wholeMatrix', [q, k, v, options], call),
    close: () => workers.forEach((worker) => worker.close()),
  };
}
