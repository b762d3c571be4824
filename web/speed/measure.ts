import type { Core } from '../core/core.ts';
import { CoreError } from '../core/errors.ts';
import type { FastPool } from '../core/fast-pool.ts';
import type { Fast, Tensor } from '../core/fast.ts';
import type { Matrix } from '../core/matrix.ts';

/** Columns of a head. */
export const HEAD = 64;
/** What an operand of the fast module may hold. */
export const MOST = 2 ** 24;
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
  workers: number;
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

function columns({ rows, cols, data }: Tensor, first: number, count: number): Tensor {
  const to = new Float32Array(rows * count);
  for (let i = 0; i < rows; i++) to.set(data.subarray(i * cols + first, i * cols + first + count), i * count);
  return { rows, cols: count, data: to };
}

const doubles = ({ rows, cols, data }: Tensor): Matrix => ({ rows, cols, data: Float64Array.from(data) });

/** The first head's last query by itself, as the reference core has it: it sees every key, with or without the mask. */
function gapToReference(core: Core, q: Tensor, k: Tensor, v: Tensor, output: Tensor): number {
  const last = (m: Tensor): Matrix => ({ rows: 1, cols: HEAD, data: Float64Array.from(m.data.subarray((m.rows - 1) * m.cols, (m.rows - 1) * m.cols + HEAD)) });
  const head = (m: Tensor): Matrix => doubles(columns(m, 0, HEAD));
  return core.maxGap(core.attention(last(q), head(k), head(v)).output, last(output));
}

/**
 * Times every way in turn, round by round.
 * @param onProgress  told the way, the round from 1, and the share of it that is done
 * @throws CoreError cancelled, and whatever the kernels refuse
 */
export async function measure(
  core: Core,
  fast: Fast,
  pool: FastPool,
  setting: Setting,
  { signal, onProgress }: { signal: AbortSignal; onProgress(way: Way, round: number, share: number): void },
): Promise<Measured> {
  const { n, heads, causal } = setting;
  const [q, k, v] = [1, 2, 3].map((seed) => tensor(core, seed, n, heads * HEAD)) as [Tensor, Tensor, Tensor];
  const ways = waysFor(setting, pool.size);
  const elements = core.attentionMatrixCost(n, 1, 1, 'float32').elements;

  let output: Tensor | undefined;
  async function run(way: Way, onShare: (share: number) => void): Promise<void> {
    if (way === 'whole') {
      for (let h = 0; h < heads; h++) {
        const [a, b, c] = [q, k, v].map((m) => columns(m, h * HEAD, HEAD)) as [Tensor, Tensor, Tensor];
        await pool.wholeMatrix(a, b, c, { causal }, { signal, onProgress: (share) => onShare((h + share) / heads) });
      }
      return;
    }
    const workers = way === 'one' ? 1 : pool.size;
    output = (await pool.attention(q, k, v, { heads, causal, workers }, { signal, onProgress: onShare })).output;
  }

  // Engines compile hot code anew while it runs; what is timed comes after that.
  const small = [q, k, v].map((m) => ({ rows: 256, cols: HEAD * heads, data: m.data.slice(0, 256 * HEAD * heads) })) as [Tensor, Tensor, Tensor];
  for (let warm = 0; warm < 3; warm++) {
    await pool.attention(...small, { heads, causal }, { signal });
    await pool.wholeMatrix(...(small.map((m) => columns(m, 0, HEAD)) as [Tensor, Tensor, Tensor]), { causal }, { signal });
  }

  const timed: Timed[] = ways.map((way) => ({ way, times: [] }));
  for (let round = 1; round <= roundsFor(n); round++)
    for (const { way, times } of timed) {
      onProgress(way, round, 0);
      const start = performance.now();
      await run(way, (share) => onProgress(way, round, share));
      times.push(performance.now() - start);
      if (signal.aborted) throw new CoreError('cancelled', 'cancelled: stopped on request');
    }

  return {
    setting,
    workers: pool.size,
    ways: timed,
    flops: core.layerFlops(n, heads * HEAD, 1, causal).attentionProducts,
    elements,
    scratch: fast.attentionScratchBytes(HEAD, HEAD),
    gap: gapToReference(core, q, k, v, output!),
  };
}
