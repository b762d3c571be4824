// Long work goes to the worker, can be stopped, and never answers a question that is no longer asked.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CoreWorker } from '../../web/core/client.ts';
import type { Core } from '../../web/core/core.ts';
import { CoreError, type ErrorCode } from '../../web/core/errors.ts';
import { labs } from '../../web/labs/index.ts';
import { LongWork, runHere } from '../../web/labs/kit/long-work.ts';
import type { Call } from '../../web/labs/kit/types.ts';
import { loadCore, valuesOf, wordsOf } from './kit.ts';
import { defaults, reshape } from '../../web/labs/kit/raw.ts';

let core: Core;
before(async () => {
  core = await loadCore();
});

const call = (dk: number): Call => ({ name: 'dotProductStd', args: [dk, 'none'] });

interface Asked {
  args: unknown;
  answer(value: unknown): void;
  refuse(code: ErrorCode): void;
  progress(done: number): void;
  signal: AbortSignal;
}

/** A worker that answers when the test says so. */
function slowWorker(): { worker: CoreWorker; asked: Asked[] } {
  const asked: Asked[] = [];
  const worker = {
    call: (_: string, args: unknown, options: { signal: AbortSignal; onProgress(done: number): void }) =>
      new Promise((resolve, reject) => {
        options.signal.addEventListener('abort', () => reject(new CoreError('cancelled', 'cancelled')));
        asked.push({ args, answer: resolve, refuse: (code) => reject(new CoreError(code, code)), progress: options.onProgress, signal: options.signal });
      }),
    close() {},
  } as unknown as CoreWorker;
  return { worker, asked };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test('Answers come in the order of the calls, with progress from 0 to 1', async () => {
  const { worker, asked } = slowWorker();
  const work = new LongWork(() => worker);
  const progress: number[] = [];
  const answers = work.answers(core, [call(1), call(4)], (done) => progress.push(done));
  assert.ok(work.isBusy);
  asked[0]!.progress(0.5);
  asked[0]!.answer('first');
  await settled();
  assert.deepEqual(asked[1]!.args, [4, 'none']);
  asked[1]!.answer('second');
  assert.deepEqual(await answers, ['first', 'second']);
  assert.deepEqual(progress, [0.25, 0.5, 1]);
  assert.equal(work.isBusy, false);
});

test('A newer question drops the older one, even when the old answer comes late', async () => {
  const { worker, asked } = slowWorker();
  const work = new LongWork(() => worker);
  const progress: number[] = [];
  const old = work.answers(core, [call(1), call(2)], (done) => progress.push(done));
  const fresh = work.answers(core, [call(3)], () => {});
  assert.ok(asked[0]!.signal.aborted);
  asked[0]!.answer('late');
  asked[0]!.progress(1);
  asked[1]!.answer('new');
  assert.equal(await old, null);
  assert.deepEqual(await fresh, ['new']);
  assert.deepEqual(progress, []);
  assert.equal(asked.length, 2);
});

test('A worker that does not hear of the stop cannot slip its answer in', async () => {
  let answer!: (value: unknown) => void;
  const deaf = { call: () => new Promise((resolve) => (answer = resolve)), close() {} } as unknown as CoreWorker;
  const work = new LongWork(() => deaf);
  const old = work.answers(core, [call(1)], () => {});
  assert.equal(work.cancel(), true);
  answer('late');
  assert.equal(await old, null);
});

test('Stopping says whether there was anything to stop', async () => {
  const { worker } = slowWorker();
  const work = new LongWork(() => worker);
  assert.equal(work.cancel(), false);
  const answers = work.answers(core, [call(1)], () => {});
  assert.equal(work.cancel(), true);
  assert.equal(work.cancel(), false);
  assert.equal(await answers, null);
});

for (const code of ['unavailable', 'internal'] as const)
  test(`When the worker is ${code}, the page does the work and asks no more`, async () => {
    const { worker, asked } = slowWorker();
    const work = new LongWork(() => worker);
    const answers = work.answers(core, [call(16), call(64)], () => {});
    asked[0]!.refuse(code);
    assert.deepEqual(await answers, [4, 8]);
    assert.deepEqual(await work.answers(core, [call(256)], () => {}), [16]);
    assert.equal(asked.length, 1);
  });

test('Work on the page stops between two calls', async () => {
  const { worker, asked } = slowWorker();
  const work = new LongWork(() => worker);
  const progress: number[] = [];
  const answers = work.answers(core, [call(16), call(64), call(256)], (done) => {
    progress.push(done);
    work.cancel();
  });
  asked[0]!.refuse('unavailable');
  assert.equal(await answers, null);
  assert.equal(progress.length, 1);
});

test('What the core refuses is told, not tried again', async () => {
  const { worker, asked } = slowWorker();
  const work = new LongWork(() => worker);
  const answers = work.answers(core, [call(0)], () => {});
  asked[0]!.refuse('too-large');
  await assert.rejects(answers, (error: unknown) => error instanceof CoreError && error.code === 'too-large');
  assert.equal(work.isBusy, false);
});

for (const [stem, lab] of Object.entries(labs)) {
  if (!lab.heavy) continue;
  test(`${stem}: the worker's way and the page's way give the same result`, async () => {
    const values = valuesOf(lab, defaults(lab, wordsOf(stem)));
    const worker = {
      call: async (name: keyof Core, args: unknown[]) => structuredClone((core[name] as (...given: unknown[]) => unknown)(...args)),
      close() {},
    } as unknown as CoreWorker;
    const answers = await new LongWork(() => worker).answers(core, structuredClone(lab.heavy!.calls(values)), () => {});
    assert.deepEqual(lab.heavy!.finish(core, values, answers!), runHere(core, lab.heavy!, values));
  });

  test(`${stem}: with every slider at its end the work is long`, () => {
    const ends = lab.inputs.flatMap((input) => (input.kind === 'slider' && !input.edits ? [[input.name, String(input.max)]] : []));
    const raw = reshape(lab, { ...defaults(lab, wordsOf(stem)), ...Object.fromEntries(ends) });
    assert.ok(lab.heavy!.isLong(valuesOf(lab, raw)));
  });
}

test('scaling: a small sample is done at once', () => {
  const lab = labs['scaling']!;
  const raw = { ...defaults(lab, wordsOf('scaling')), trials: '50', keys: '4' };
  assert.equal(lab.heavy!.isLong(valuesOf(lab, raw)), false);
});
