// The border: whatever is passed in, a CoreError with the right code comes out, and the module lives on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { facade, makeCore, type Core, type CoreName } from '../../web/core/core.ts';
import { CoreError, type ErrorCode } from '../../web/core/errors.ts';
import type { RawModule } from '../../web/core/facade.ts';
import { matrix } from '../../web/core/matrix.ts';
import { coreModuleInNode } from '../../web/core/node.ts';

interface Counters extends RawModule {
  readonly HEAP8: Int8Array;
  readonly count_emval_handles: () => number;
}

const raw = (await (await coreModuleInNode()).loadRaw()) as Counters;
const core = makeCore(raw);

const eye = matrix([
  [1, 0],
  [0, 1],
]);

const refused = (code: ErrorCode, call: () => unknown): void =>
  assert.throws(call, (e: unknown) => {
    assert.ok(e instanceof CoreError, String(e));
    assert.equal(e.code, code, e.message);
    assert.ok(e.message.startsWith(`${code}: `), e.message);
    return true;
  });

const state = (): [number, number] => [raw.count_emval_handles(), raw.HEAP8.length];

test('a thing that is no matrix is refused by code', () => {
  const bad = (m: unknown): (() => unknown) => () => core.softmaxRows(m as never);
  for (const m of [null, undefined, 7, 'x', [], {}, [[1, 2]]]) refused('invalid-argument', bad(m));
  refused('invalid-argument', bad({ rows: 1, cols: 2, data: [1, 2] }));
  refused('invalid-argument', bad({ rows: 1, cols: 2, data: new Float32Array(2) }));
  refused('invalid-argument', bad({ rows: NaN, cols: 2, data: new Float64Array(2) }));
  refused('invalid-argument', bad({ rows: 1.5, cols: 2, data: new Float64Array(3) }));
  refused('invalid-argument', bad({ rows: -1, cols: -2, data: new Float64Array(2) }));
  refused('invalid-argument', bad({ rows: '1', cols: 2, data: new Float64Array(2) }));
  refused('shape-mismatch', bad({ rows: 2, cols: 2, data: new Float64Array(3) }));
  refused('too-large', bad({ rows: 1e9, cols: 1, data: new Float64Array(1) }));
  refused('too-large', bad({ rows: 1e9, cols: 0, data: new Float64Array(0) }));
  refused('empty-input', bad({ rows: 0, cols: 0, data: new Float64Array(0) }));
  refused('not-finite', bad(matrix([[1, NaN]])));
  refused('not-finite', bad(matrix([[1, Infinity]])));
});

test('shapes, numbers and options that do not fit are refused by code', () => {
  refused('shape-mismatch', () => core.attention(eye, matrix([[1, 2, 3]]), matrix([[1]])));
  refused('invalid-argument', () => core.attention(eye, eye, eye, { causal: 1 as never }));
  refused('invalid-argument', () => core.attention(eye, eye, eye, { mask: matrix([[1, 2], [0, 1]]) }));
  refused('invalid-argument', () => core.attention(eye, eye, eye, { masks: eye } as never));
  refused('invalid-argument', () => core.attention(eye, eye, eye, 'causal' as never));
  refused('invalid-argument', () => (core.requiredGap as (...a: unknown[]) => unknown)(0.5, 1));
  refused('not-finite', () => core.requiredGap(NaN));
  refused('invalid-argument', () => core.requiredGap('0.5' as never));
  refused('invalid-argument', () => core.softmax([1, 2], { temperature: 0 }));
  refused('invalid-argument', () => core.softmax([1, '2'] as never));
  refused('invalid-argument', () => core.softmax('12' as never));
  refused('invalid-argument', () => core.softmax({ length: 2 } as never));
  refused('empty-input', () => core.softmax([]));
  refused('too-large', () => core.uniforms(1, 1e9));
  refused('invalid-argument', () => core.uniforms(-1, 2));
  refused('invalid-argument', () => core.uniforms(2 ** 32, 2));
  refused('invalid-argument', () => core.uniforms(1, NaN));
  refused('too-large', () => core.uniforms(1, 2 ** 40));
  refused('too-large', () => core.causalMask(1e9, 1e9));
  refused('invalid-argument', () => core.paddingMask(2, [1, 0] as never));
  refused('invalid-argument', () => core.permutedRows(eye, [0, 0]));
  refused('diverged', () => core.product(matrix([[1e200]]), matrix([[1e200]])));
});

const junk: readonly unknown[] = [
  null,
  undefined,
  NaN,
  -1,
  1e9,
  2 ** 60,
  'x',
  true,
  [],
  [null],
  {},
  Symbol('s'),
  () => 1,
  new Float32Array(2),
  new Float64Array(0),
  { rows: NaN, cols: 1, data: new Float64Array(1) },
  { rows: 1e9, cols: 1e9, data: new Float64Array(1) },
  { rows: 2, cols: 2, data: new Float64Array(3) },
  { rows: 1, cols: 1, data: Float64Array.of(NaN) },
];
const samples: readonly unknown[] = [eye, 2, true, [0.5, 0.5], [true, false], {}];

test('no function of the core can be made to throw anything but a CoreError, and none leaks a handle', () => {
  const before = state()[0];
  for (const [name, parameters] of Object.entries(facade)) {
    const call = core[name as CoreName] as (...args: unknown[]) => unknown;
    const attempt = (args: unknown[]): void => {
      try {
        call(...args);
      } catch (e) {
        assert.ok(e instanceof CoreError, `${name}: ${String(e)}`);
        assert.notEqual(e.code, 'internal', `${name}: ${e.message}`);
      }
    };
    const kinds = Object.entries(parameters).filter(([, p]) => typeof p === 'function');
    const plain = kinds.map(([key, kind]) =>
      samples.find((sample) => {
        try {
          (kind as (n: string, v: unknown) => unknown)(key, sample);
          return true;
        } catch {
          return false;
        }
      }),
    );
    attempt([]);
    attempt(plain);
    for (let place = 0; place <= plain.length; ++place)
      for (const value of junk) attempt([...plain.slice(0, place), value, ...plain.slice(place + 1)]);
  }
  assert.equal(state()[0], before);
});

test('100 000 good calls and 100 000 failing ones leave heap and handles as they were', () => {
  const bad = matrix([[1, 2, 3]]);
  const good = (): unknown => core.attention(eye, eye, eye, { causal: true });
  const failing = (): void => {
    try {
      core.attention(eye, bad, eye);
      assert.fail('a misfit was accepted');
    } catch (e) {
      if (!(e instanceof CoreError)) throw e;
    }
  };
  good();
  failing();
  const before = state();
  for (let i = 0; i < 100_000; ++i) good();
  assert.deepEqual(state(), before);
  for (let i = 0; i < 100_000; ++i) failing();
  assert.deepEqual(state(), before);
});

test('refused memory is a CoreError, and the module lives on', () => {
  const { grow } = WebAssembly.Memory.prototype;
  const big = { rows: 1024, cols: 1024, data: new Float64Array(2 ** 20) };
  const [handles, bytes] = state();
  WebAssembly.Memory.prototype.grow = () => {
    throw new RangeError('refused by the test');
  };
  try {
    refused('out-of-memory', () => core.transpose(big));
    assert.deepEqual(state(), [handles, bytes]);
    assert.equal(core.softmax([0, 0])[0], 0.5);
  } finally {
    WebAssembly.Memory.prototype.grow = grow;
  }
  assert.equal(core.transpose(big).data.length, 2 ** 20);
  assert.equal(state()[0], handles);
});

test('results are copies that later calls do not touch', () => {
  const first = core.softmax([0, 0]);
  for (let i = 0; i < 100; ++i) core.softmax([i, 0, 1]);
  assert.deepEqual([...first], [0.5, 0.5]);
  assert.notEqual(first.buffer, raw.HEAP8.buffer);
  const input = Float64Array.of(1, 2);
  core.softmax(input);
  assert.deepEqual([...input], [1, 2]);
});

test('a misuse of the module below the facade is reported as internal', () => {
  const broken: Core = makeCore({ ...raw, softmaxRows: () => ({ error: { code: 'internal', message: 'internal: broken' } }) } as RawModule);
  refused('internal', () => broken.softmaxRows(eye));
  const missing = makeCore({});
  refused('internal', () => missing.softmaxRows(eye));
});
