// Heads divided among workers, with workers made of promises; and what a worker does in steps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoreError } from '../../web/core/errors.ts';
import { loadFastInNode, startThread } from '../../web/core/fast-node.ts';
import { makePool } from '../../web/core/fast-pool.ts';
import { fastSteps } from '../../web/core/fast-steps.ts';
import type { Fast, FastAttention, FastAttentionOptions, Tensor } from '../../web/core/fast.ts';
import { serve } from '../../web/core/worker.ts';
import { FakeWorker } from '../core/fake-worker.ts';
import { random } from './random.ts';

const fast = await loadFastInNode();
const code = (expected: string) => (e: unknown) => e instanceof CoreError && e.code === expected;

function pooled(size: number, here?: Fast) {
  const workers: FakeWorker[] = [];
  const pool = makePool(
    async () => {
      workers.push(new FakeWorker((scope) => serve<Fast>(scope, async () => fast, fastSteps)));
      return workers.at(-1)!;
    },
    size,
    here,
  );
  return { pool, workers };
}

const whole = (gen: Generator<number, unknown, void>): { steps: number[]; value: unknown } => {
  const steps: number[] = [];
  for (;;) {
    const { done, value } = gen.next();
    if (done) return { steps, value };
    steps.push(value as number);
  }
};
const attentionSteps = fastSteps['attention'] as unknown as (
  fast: Fast,
  q: Tensor,
  k: Tensor,
  v: Tensor,
  options?: FastAttentionOptions,
) => Generator<number, FastAttention, void>;
const matrixSteps = fastSteps['wholeMatrix'] as unknown as (fast: Fast, q: Tensor, k: Tensor, v: Tensor, options?: { causal?: boolean }) => Generator<number, Tensor, void>;

const gap = (a: Tensor, b: Tensor): number => {
  assert.deepEqual([a.rows, a.cols], [b.rows, b.cols]);
  return a.data.reduce((most, x, i) => Math.max(most, Math.abs(x - b.data[i]!)), 0);
};

const options: FastAttentionOptions[] = [{}, { causal: true }, { alibiSlopes: Float32Array.of(0.5, 0.25, 0.125, 0.0625, 0.03) }, { rotary: {}, causal: true }, { causal: true, queryOffset: 3 }];

for (const [which, more] of options.entries())
  test(`five heads on two, three and nine workers are those of one call, options ${which}`, async () => {
    const [q, k, v] = [random(1, 67, 40), random(2, 71, 40), random(3, 71, 60)];
    const all = { ...more, heads: 5 };
    const once = fast.attention(q, k, v, all);
    for (const size of [1, 2, 3, 9]) {
      const { pool, workers } = pooled(size);
      const seen: number[] = [];
      const divided = await pool.attention(q, k, v, all, { onProgress: (share) => seen.push(share) });
      assert.deepEqual(divided, once);
      assert.equal(workers.length, Math.min(size, 5));
      assert.ok(seen.every((share, i) => share <= 1 && share >= (seen[i - 1] ?? 0)));
      pool.close();
    }
  });

test('stacked heads go one after the other and equal the call at once', () => {
  const [q, k, v] = [random(16, 3 * 50, 8), random(17, 3 * 60, 8), random(18, 3 * 60, 12)];
  for (const more of [{}, { causal: true, alibiSlopes: Float32Array.of(0.5, 0.25, 0.125) }, { realKeys: new Uint8Array(60).fill(1, 1) }]) {
    const stacked = { ...more, heads: 3, layout: 'stacked' } as const;
    const { steps, value } = whole(attentionSteps(fast, q, k, v, stacked));
    assert.deepEqual(steps, [1 / 3, 2 / 3, 1]);
    assert.deepEqual(value, fast.attention(q, k, v, stacked));
  }
  for (const wrong of [{ heads: 4 }, { heads: 3, alibiSlopes: Float32Array.of(1) }])
    assert.throws(() => whole(attentionSteps(fast, q, k, v, { ...wrong, layout: 'stacked' })), CoreError);
});

test('short work is done here, and long work is not', async () => {
  const { pool, workers } = pooled(2, fast);
  const x = random(4, 16, 16);
  assert.deepEqual(await pool.attention(x, x, x, { heads: 2 }), fast.attention(x, x, x, { heads: 2 }));
  assert.equal(workers.length, 0);
  const long = random(5, 2048, 64);
  await pool.attention(long, long, long, { heads: 2 });
  assert.equal(workers.length, 2);
  pool.close();
});

test('long attention goes by blocks of queries and equals attention at once', () => {
  const [q, k, v] = [random(6, 5000, 32), random(7, 5000, 32), random(8, 5000, 32)];
  for (const more of [{}, { causal: true }, { causal: true, alibiSlopes: Float32Array.of(0.1) }]) {
    const { steps, value } = whole(attentionSteps(fast, q, k, v, more));
    assert.ok(steps.length >= 3, `${steps.length} steps`);
    assert.equal(steps.at(-1), 1);
    const once = fast.attention(q, k, v, more);
    assert.ok(gap((value as FastAttention).output, once.output) < 1e-6);
    assert.ok(gap((value as FastAttention).largest, once.largest) < 1e-5);
    assert.deepEqual((value as FastAttention).fullyMasked, once.fullyMasked);
  }
});

test('a mask or padding keeps the call whole', () => {
  const x = random(9, 3000, 64);
  const { steps } = whole(attentionSteps(fast, x, x, x, { realKeys: new Uint8Array(3000).fill(1) }));
  assert.deepEqual(steps, []);
});

test('the whole matrix gives what the tiles give, and refuses what it cannot hold', () => {
  const [q, k, v] = [random(10, 130, 16), random(11, 130, 16), random(12, 130, 16)];
  for (const causal of [false, true]) {
    const { value } = whole(matrixSteps(fast, q, k, v, { causal }));
    assert.ok(gap(value as Tensor, fast.attention(q, k, v, { causal }).output) < 1e-5);
  }
  const long = random(13, 4097, 4);
  assert.throws(() => whole(matrixSteps(fast, long, long, long)), code('too-large'));
});

test('bad operands are refused by code, wherever they would be computed', async () => {
  for (const here of [undefined, fast]) {
    const { pool } = pooled(2, here);
    const x = random(14, 8, 12);
    await assert.rejects(pool.attention(x, random(15, 8, 8), x, { heads: 1 }), code('shape-mismatch'));
    await assert.rejects(pool.attention(x, x, x, { heads: 5 }), code('invalid-argument'));
    await assert.rejects(pool.attention(undefined as never, x, x), code('invalid-argument'));
    for (const heads of [-2, 0, 1.5]) await assert.rejects(pool.attention(x, x, x, { heads }), code('invalid-argument'));
    for (const slopes of [1, 4]) await assert.rejects(pool.attention(x, x, x, { heads: 3, alibiSlopes: new Float32Array(slopes) }), code('shape-mismatch'));
    for (const size of [50, 200]) await assert.rejects(pool.attention(x, x, { ...x, data: new Float32Array(size) }, { heads: 3 }), code('shape-mismatch'));
    await assert.rejects(pool.attention(x, { ...x, data: [...x.data] as never }, x, { heads: 3 }), code('invalid-argument'));
    const bad = { ...x, data: x.data.map((y, i) => (i === 3 ? NaN : y)) };
    await assert.rejects(pool.attention(bad, x, x, { heads: 3 }), code('not-finite'));
    assert.deepEqual(await pool.attention(x, x, x, { heads: 3 }), fast.attention(x, x, x, { heads: 3 }));
    pool.close();
  }
});

test('operands stay with the caller, and no workers at all are one', async () => {
  const { pool } = pooled(2);
  const x = random(19, 8, 12);
  const options = { heads: 3, workers: 0 };
  assert.deepEqual(await pool.attention(x, x, x, options), fast.attention(x, x, x, { heads: 3 }));
  assert.deepEqual(await pool.attention(x, x, x, { heads: 1 }), fast.attention(x, x, x));
  assert.equal(x.data.length, 96);
  pool.close();
});

test('a stop ends every share, also in the middle of a step, and the pool works on', async () => {
  let started = 0;
  const pool = makePool(() => ((started += 1), startThread()), 2);
  const x = random(16, 4096, 128);
  const y = random(17, 8, 8);
  const answers = async (): Promise<void> => assert.deepEqual(await pool.attention(y, y, y, { heads: 2 }), fast.attention(y, y, y, { heads: 2 }));
  await answers();
  const stop = new AbortController();
  const under = pool.attention(x, x, x, { heads: 2 }, { signal: stop.signal, onProgress: () => stop.abort() });
  await assert.rejects(under, code('cancelled'));
  await assert.rejects(pool.attention(x, x, x, { heads: 2 }, { signal: stop.signal }), code('cancelled'));
  await answers();
  // One step of the whole matrix takes longer than a stop may.
  const late = new AbortController();
  const [head] = [random(18, 4096, 64)];
  const whole = pool.wholeMatrix(head, head, head, {}, { signal: late.signal, onProgress: () => late.abort() });
  await assert.rejects(whole, code('cancelled'));
  await answers();
  assert.ok(started >= 2);
  pool.close();
});
