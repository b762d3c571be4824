import type { Core } from '../core/core.ts';
import { CoreError } from '../core/errors.ts';
import type { FastPool } from '../core/fast-pool.ts';
import type { Fast, Tensor } from '../core/fast.ts';
import type { Matrix } from '../core/matrix.ts';
import { columnsOf, MOST, rowsOf } from '../core/tensor.ts';

/** Columns of a head. */
export const HEAD = 64;
/** Above this length there is room for one head only. */
export const LONGEST_OF_MANY = 8192;

export type Way = 'one' | 'all' | 'whole';

export interface Setting {
  n: number;
  heads: number;
  causal: boolean;
}

export interface Timed {
  way: Way;
  /** Milliseconds, one a round. */
  times: number[];
}

export interface Measured {
  setting: Setting;
  ways: Timed[];
  /** FLOPs of both products of all heads, of the pairs that the mask leaves. */
  flops: number;
  /** Numbers that the whole-matrix way would hold; it is tried only when they fit. */
  elements: number;
  /** Bytes that a worker needs at most beside operands and output. */
  scratch: number;
  /** Between the last query's output and the reference core's. */
  gap: number;
}

export const roundsFor = (n: number): number => (n <= 2048 ? 5 : n <= LONGEST_OF_MANY ? 3 : 1);

export const waysFor = ({ n, heads }: Setting, workers: number): Way[] => [
  'one',
  ...(heads > 1 && workers > 1 ? (['all'] as const) : []),
  ...(n * n <= MOST ? (['whole'] as const) : []),
];

const tensor = (core: Core, seed: number, rows: number, cols: number): Tensor => ({
  rows,
  cols,
  data: Float32Array.from(core.normals(seed, rows * cols)),
});

const doubles = ({ rows, cols, data }: Tensor): Matrix => ({ rows, cols, data: Float64Array.from(data) });

/** The first head's last query by itself, as the reference core has it: it sees every key, with or without the mask. */
function gapToReference(core: Core, q: Tensor, k: Tensor, v: Tensor, output: Tensor): number {
  const head = (m: Tensor): Matrix => doubles(columnsOf(m, 0, HEAD));
  const last = (m: Tensor): Matrix => head(rowsOf(m, m.rows - 1, 1));
  return core.maxGap(core.attention(last(q), head(k), head(v)).output, last(output));
}

/**
 * Times every way in turn, round by round.
 * @param onProgress  told the way, the round from 1, the share of this run that is done, and the share of all runs
 * @throws CoreError cancelled, and whatever the kernels refuse
 */
export async function measure(
  core: Core,
  fast: Fast,
  pool: FastPool,
  setting: Setting,
  { signal, onProgress }: { signal: AbortSignal; onProgress(way: Way, round: number, share: number, all: number): void },
): Promise<Measured> {
  const { n, heads, causal } = setting;
  const [q, k, v] = [1, 2, 3].map((seed) => tensor(core, seed, n, heads * HEAD)) as [Tensor, Tensor, Tensor];
  const ways = waysFor(setting, pool.size);
  const elements = core.attentionMatrixCost(n, 1, 1, 'float32').elements;

  let output: Tensor | undefined;
  async function run(way: Way, onShare: (share: number) => void): Promise<void> {
    if (way === 'whole') {
      for (let h = 0; h < heads; h++) {
        const [a, b, c] = [q, k, v].map((m) => columnsOf(m, h * HEAD, HEAD)) as [Tensor, Tensor, Tensor];
        await pool.wholeMatrix(a, b, c, { causal }, { signal, onProgress: (share) => onShare((h + share) / heads) });
      }
      return;
    }
    const workers = way === 'one' ? 1 : pool.size;
    output = (await pool.attention(q, k, v, { heads, causal, workers }, { signal, onProgress: onShare })).output;
  }

  // Engines compile hot code anew while it runs; what is timed comes after that.
  const small = [q, k, v].map((m) => rowsOf(m, 0, 256)) as [Tensor, Tensor, Tensor];
  for (let warm = 0; warm < 3; warm++) {
    await pool.attention(...small, { heads, causal }, { signal });
    await pool.wholeMatrix(...(small.map((m) => columnsOf(m, 0, HEAD)) as [Tensor, Tensor, Tensor]), { causal }, { signal });
  }

  const timed: Timed[] = ways.map((way) => ({ way, times: [] }));
  const rounds = roundsFor(n);
  for (let round = 1; round <= rounds; round++)
    for (const [turn, { way, times }] of timed.entries()) {
      const tell = (share: number): void => onProgress(way, round, share, (round - 1 + (turn + share) / timed.length) / rounds);
      tell(0);
      const start = performance.now();
      await run(way, tell);
      times.push(performance.now() - start);
      if (signal.aborted) throw new CoreError('cancelled', 'cancelled: stopped on request');
    }

  return {
    setting,
    ways: timed,
    flops: core.layerFlops(n, heads * HEAD, 1, causal).attentionProducts,
    elements,
    scratch: fast.attentionScratchBytes(HEAD, HEAD),
    gap: gapToReference(core, q, k, v, output!),
  };
}
