// The worker's logic, with a scope and a worker made of promises instead of a thread.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, type WorkerLike } from '../../web/core/client.ts';
import type { Core } from '../../web/core/core.ts';
import { CoreError } from '../../web/core/errors.ts';
import { loadCoreInNode } from '../../web/core/node.ts';
import type { Matrix } from '../../web/core/matrix.ts';
import { steps } from '../../web/core/steps.ts';
import { serve, type Answer } from '../../web/core/worker.ts';
import { FakeWorker } from './fake-worker.ts';

const core = await loadCoreInNode();
const code = (expected: string) => (e: unknown) => e instanceof CoreError && e.code === expected;
const tall = (rows: number, cols: number): Matrix => ({ rows, cols, data: core.normals(rows, rows * cols) });

const served = (): { workers: FakeWorker[]; start: () => Promise<WorkerLike> } => {
  const workers: FakeWorker[] = [];
  return {
    workers,
    start: async () => {
      workers.push(new FakeWorker((scope) => serve<Core>(scope, async () => core, steps)));
      return workers.at(-1)!;
    },
  };
};

test('a short call answers as the core does, by transfer', async () => {
  const { workers, start } = served();
  const worker = connect(start);
  assert.deepEqual(await worker.call('softmax', [[1, 2, 3]]), core.softmax([1, 2, 3]));
  assert.equal(workers[0]!.transferred.length, 1);
  await assert.rejects(worker.call('softmax', [[]]), code('empty-input'));
  await assert.rejects(worker.call('nonsense' as never, [] as never), code('internal'));
  assert.deepEqual(await worker.call('requiredGap', [0.5]), 0);
  assert.equal(workers.length, 1);
  worker.close();
  assert.ok(await Promise.resolve().then(() => workers[0]!.ended));
  await assert.rejects(worker.call('requiredGap', [0.5]), code('cancelled'));
});

test('attention in steps reports its progress and equals attention at once, bit for bit', async () => {
  const worker = connect(served().start);
  const q = tall(400, 32);
  const seen: number[] = [];
  const options = { causal: true };
  const trace = await worker.call('attention', [q, q, q, options], { onProgress: (done) => seen.push(done) });
  assert.ok(seen.length >= 2, `${seen.length} steps`);
  assert.deepEqual(seen, [...seen].sort((a, b) => a - b));
  assert.equal(seen.at(-1), 1);
  assert.deepEqual(trace, core.attention(q, q, q, options));
  assert.equal(q.data.length, 400 * 32);
  await assert.rejects(worker.call('attention', [q, tall(5, 3), q]), code('shape-mismatch'));
  await assert.rejects(worker.call('attention', [null as never, q, q]), code('invalid-argument'));
  worker.close();
});

test('a cancelled call stops between two steps and the worker goes on to the next', async () => {
  const { workers, start } = served();
  const worker = connect(start);
  const q = tall(1200, 32);
  const stop = new AbortController();
  const seen: number[] = [];
  const long = worker.call('attention', [q, q, q], {
    signal: stop.signal,
    onProgress: (done) => {
      seen.push(done);
      stop.abort();
    },
  });
  const next = worker.call('requiredGap', [0.5]);
  await assert.rejects(long, code('cancelled'));
  assert.ok(seen.at(-1)! < 1);
  assert.equal(await next, 0);
  assert.deepEqual([workers.length, workers[0]!.ended], [1, false]);
  worker.close();
});

test('a call that waits for its turn is cancelled at once, one that is aborted already never starts', async () => {
  const { workers, start } = served();
  const worker = connect(start);
  const q = tall(600, 32);
  const stop = new AbortController();
  const first = worker.call('attention', [q, q, q]);
  const second = worker.call('requiredGap', [0.5], { signal: stop.signal });
  stop.abort();
  await assert.rejects(second, code('cancelled'));
  await assert.rejects(worker.call('requiredGap', [0.5], { signal: stop.signal }), code('cancelled'));
  assert.equal((await first).output.rows, 600);
  assert.equal(workers[0]!.requests.filter((request) => request.kind === 'call').length, 1);
  worker.close();
});

test('a step that does not end is ended with its worker, and what waited runs in a new one', async () => {
  const workers: FakeWorker[] = [];
  const worker = connect(async () => {
    // The first never answers, as one that is inside a long step.
    workers.push(new FakeWorker(workers.length === 0 ? undefined : (scope) => serve<Core>(scope, async () => core, steps)));
    return workers.at(-1)!;
  }, 20);
  const stop = new AbortController();
  const stuck = worker.call('softmax', [[1]], { signal: stop.signal });
  const waiting = worker.call('requiredGap', [0.5]);
  const q = tall(6, 3);
  const moved = worker.call('attention', [q, q, q], { transfer: [q.data.buffer as ArrayBuffer] });
  setTimeout(() => stop.abort(), 5);
  await assert.rejects(stuck, code('cancelled'));
  assert.equal(await waiting, 0);
  assert.deepEqual((await moved).output, core.attention(tall(6, 3), tall(6, 3), tall(6, 3)).output);
  assert.equal(q.data.length, 0);
  assert.deepEqual(
    workers.map((w) => w.ended),
    [true, false],
  );
  worker.close();
});

test('a worker that cannot start, or dies, fails its calls by code, and a later call tries anew', async () => {
  let attempts = 0;
  const { workers, start } = served();
  const worker = connect(() => (++attempts === 1 ? Promise.reject(new Error('blocked')) : start()));
  await assert.rejects(worker.call('requiredGap', [0.5]), code('unavailable'));
  assert.equal(await worker.call('requiredGap', [0.5]), 0);
  const dying = worker.call('attention', [tall(600, 32), tall(600, 32), tall(600, 32)]);
  workers[0]!.onerror!({ message: 'gone' } as ErrorEvent);
  await assert.rejects(dying, code('internal'));
  assert.equal(await worker.call('requiredGap', [0.5]), 0);
  assert.equal(workers.length, 2);
  worker.close();
});

test('what cannot be sent fails by code, and what waited behind it runs', async () => {
  const { start } = served();
  const worker = connect(start);
  const q = tall(6, 3);
  const transfer = [q.data.buffer as ArrayBuffer];
  const first = worker.call('attention', [q, q, q], { transfer });
  const again = worker.call('attention', [q, q, q], { transfer });
  const strange = worker.call('softmax', [(() => 1) as never]);
  const last = worker.call('requiredGap', [0.5]);
  assert.equal((await first).output.rows, 6);
  await assert.rejects(again, code('invalid-argument'));
  await assert.rejects(strange, code('invalid-argument'));
  assert.equal(await last, 0);
  worker.close();
});

test('a worker that dies takes only the call that it had with it, and none when it was ended before', async () => {
  const { workers, start } = served();
  const worker = connect(start);
  const dying = worker.call('attention', [tall(600, 32), tall(600, 32), tall(600, 32)]);
  const waiting = worker.call('attention', [tall(6, 3), tall(6, 3), tall(6, 3)]);
  await new Promise((resolve) => setImmediate(resolve));
  workers[0]!.onerror!({ message: 'gone' } as ErrorEvent);
  workers[0]!.onerror!({ message: 'gone again' } as ErrorEvent);
  await assert.rejects(dying, code('internal'));
  assert.equal((await waiting).output.rows, 6);
  worker.close();
  await Promise.resolve();
  assert.deepEqual(
    workers.map((w) => w.ended),
    [true, true],
  );
});

test('a worker that fails to start after its call was given up, or was closed, disturbs nothing', async () => {
  const { workers, start } = served();
  const blocked: ((error: Error) => void)[] = [];
  let attempts = 0;
  const worker = connect(() => (++attempts === 1 ? new Promise<WorkerLike>((_, reject) => blocked.push(reject)) : start()), 5);
  const stop = new AbortController();
  const slow = worker.call('requiredGap', [0.5], { signal: stop.signal });
  const q = tall(600, 32);
  const next = worker.call('attention', [q, q, q]);
  stop.abort();
  await assert.rejects(slow, code('cancelled'));
  blocked[0]!(new Error('blocked'));
  assert.equal((await next).output.rows, 600);
  assert.deepEqual([attempts, workers[0]!.requests.length], [2, 1]);
  worker.close();
  const closed = connect(() => Promise.reject(new Error('blocked')));
  const lost = closed.call('requiredGap', [0.5]);
  closed.close();
  await assert.rejects(lost, code('cancelled'));
});

test('a core that does not load is reported for each call', async () => {
  const worker = connect(async () => new FakeWorker((scope) => serve<Core>(scope, () => Promise.reject(new CoreError('unavailable', 'unavailable: no wasm')), steps)));
  await assert.rejects(worker.call('requiredGap', [0.5]), code('unavailable'));
  await assert.rejects(worker.call('softmax', [[1]]), code('unavailable'));
  worker.close();
});

test('an answer to a call that is no longer wanted is dropped', async () => {
  const late: { deliver?: (answer: Answer) => void } = {};
  const worker = connect(async () => {
    const made = new FakeWorker();
    late.deliver = (data) => made.onmessage?.({ data } as MessageEvent);
    return made;
  });
  const call = worker.call('requiredGap', [0.5]);
  await new Promise((resolve) => setImmediate(resolve));
  late.deliver!({ kind: 'result', id: 99, value: 1 });
  late.deliver!({ kind: 'progress', id: 99, done: 1 });
  late.deliver!({ kind: 'result', id: 1, value: 5 });
  assert.equal(await call, 5);
  worker.close();
});
