// The fast module as pages get it: either build, its border, and which one an engine takes. Needs build/web/fast*.js (tools/pack-fast.mts),
// or ATTN_FAST, the folder where they are.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { CoreError, type ErrorCode } from '../../web/core/errors.ts';
import type { RawModule } from '../../web/core/facade.ts';
import { fastModuleInNode, fastPath } from '../../web/core/fast-node.ts';
import { fastBuild, type FastBuild } from '../../web/core/fast-support.ts';
import { fast, makeFast, tensorOf, type Tensor } from '../../web/core/fast.ts';
import { random } from './random.ts';

const folder = process.env.ATTN_FAST ?? dirname(fastPath('fast'));
const builds: readonly FastBuild[] = fastBuild() === 'fast-relaxed' ? ['fast', 'fast-relaxed'] : ['fast'];

/** Attention of one head in double, causal: the sentence of the formula and nothing else. */
function plain(q: Tensor, k: Tensor, v: Tensor): number[] {
  const out: number[] = [];
  for (let i = 0; i < q.rows; i++) {
    const scores = Array.from({ length: Math.min(i + 1, k.rows) }, (_, j) => {
      let dot = 0;
      for (let c = 0; c < q.cols; c++) dot += q.data[i * q.cols + c]! * k.data[j * k.cols + c]!;
      return dot / Math.sqrt(q.cols);
    });
    const top = Math.max(...scores);
    const weights = scores.map((s) => Math.exp(s - top));
    const sum = weights.reduce((a, b) => a + b);
    for (let c = 0; c < v.cols; c++) out.push(weights.reduce((a, w, j) => a + w * v.data[j * v.cols + c]!, 0) / sum);
  }
  return out;
}

const gap = (a: ArrayLike<number>, b: readonly number[]): number =>
  Math.max(...b.map((x, i) => Math.abs(a[i]! - x))) / Math.max(...b.map(Math.abs));

const refused = (code: ErrorCode, call: () => unknown): void =>
  assert.throws(call, (e: unknown) => e instanceof CoreError && e.code === code && e.message.startsWith(`${code}: `));

test('an engine takes the best build that it validates, and none without SIMD', () => {
  const asked: number[] = [];
  const engine = (level: number) => (bytes: Uint8Array): boolean => {
    asked.push(bytes.length);
    return bytes.includes(0x85) ? level > 1 : level > 0;
  };
  assert.equal(fastBuild(engine(2)), 'fast-relaxed');
  assert.equal(fastBuild(engine(1)), 'fast');
  assert.equal(fastBuild(engine(0)), null);
  assert.equal(asked.length, 5);
  assert.notEqual(fastBuild(), null);
});

for (const build of builds) {
  const path = join(folder, `${build}.js`);
  const raw = await (await fastModuleInNode(path)).loadRaw();
  const core = makeFast(raw);

  test(`${build}: at most 40 KiB as served`, () => {
    assert.ok(gzipSync(readFileSync(path), { level: 9 }).length <= 40 * 1024);
  });

  test(`${build}: exports what the facade names`, () => {
    for (const name of Object.keys(fast)) assert.equal(typeof raw[name], 'function', name);
  });

  test(`${build}: attention is that of the formula`, () => {
    for (const [n, d] of [[1, 4], [9, 8], [67, 64], [70, 20], [130, 128]] as const) {
      const [q, k, v] = [random(n, n, d), random(n + 1, n, d), random(n + 2, n, d)];
      assert.ok(gap(core.attention(q, k, v, { causal: true }).output.data, plain(q, k, v)) < 1e-5, `${n} x ${d}`);
    }
  });

  // The two builds take rows by fours and by sixes: every remainder of either.
  test(`${build}: every width of a head and every length around the tiles`, () => {
    for (let d = 4; d <= 256; d += 4) {
      const [q, k, v] = [random(d, 23, d), random(d + 1, 23, d), random(d + 2, 23, d)];
      assert.ok(gap(core.attention(q, k, v, { causal: true }).output.data, plain(q, k, v)) < 1e-5, `width ${d}`);
    }
    for (let n = 1; n <= 80; n++) {
      const [q, k, v] = [random(n, n, 64), random(n + 1, n, 64), random(n + 2, n, 64)];
      assert.ok(gap(core.attention(q, k, v, { causal: true }).output.data, plain(q, k, v)) < 1e-5, `length ${n}`);
    }
  });

  test(`${build}: products of every remainder of rows and columns`, () => {
    for (let rows = 1; rows <= 13; rows++)
      for (const cols of [1, 4, 7, 8, 12, 19]) {
        const [x, w] = [random(rows, rows, 9), random(cols, 9, cols)];
        const expected = Array.from({ length: rows * cols }, (_, at) => {
          let sum = 0;
          for (let c = 0; c < 9; c++) sum += x.data[Math.floor(at / cols) * 9 + c]! * w.data[c * cols + (at % cols)]!;
          return sum;
        });
        assert.ok(gap(core.linear(x, w).data, expected) < 1e-5, `${rows} x ${cols}`);
      }
  });

  test(`${build}: every option crosses the border`, () => {
    const x = random(3, 6, 16);
    const outputs = [
      core.attention(x, x, x),
      core.attention(x, x, x, { heads: 2 }),
      core.attention(x, x, x, { heads: 2, layout: 'stacked' }),
      core.attention(x, x, x, { causal: true }),
      core.attention(x, x, x, { causal: true, queryOffset: 2 }),
      core.attention(x, x, x, { scaled: false }),
      core.attention(x, x, x, { realKeys: Uint8Array.of(1, 1, 0, 1, 0, 1) }),
      core.attention(x, x, x, { mask: { rows: 6, cols: 6, data: Uint8Array.from({ length: 36 }, (_, i) => (i < 6 ? 0 : i % 2)) } }),
      core.attention(x, x, x, { alibiSlopes: Float32Array.of(0.5) }),
      core.attention(x, x, x, { rotary: {} }),
      core.attention(x, x, x, { rotary: { layout: 'halfSplit' } }),
      core.attention(x, x, x, { rotary: { base: 100 } }),
      core.attention(x, x, x, { rotary: { positionScale: 0.5 } }),
    ];
    const texts = outputs.map(({ output }) => output.data.join());
    assert.equal(new Set(texts).size, outputs.length);
    assert.deepEqual([...outputs[7]!.fullyMasked], [1, 0, 0, 0, 0, 0]);
    assert.deepEqual([...outputs[7]!.output.data.slice(0, 16)], new Array(16).fill(0));
  });

  test(`${build}: gradients are finite differences`, () => {
    const [q, k, v, g] = [random(4, 5, 8), random(5, 7, 8), random(6, 7, 8), random(7, 5, 8)];
    const loss = (a: Tensor, b: Tensor, c: Tensor): number => core.attention(a, b, c).output.data.reduce((sum, y, i) => sum + y * g.data[i]!, 0);
    const back = core.attentionGradients(q, k, v, core.attention(q, k, v), g);
    const nudged = (m: Tensor, i: number, step: number): Tensor => ({ ...m, data: m.data.map((x, at) => (at === i ? x + step : x)) });
    const long = random(9, 101, 24);
    const far = core.attentionGradients(long, long, long, core.attention(long, long, long, { causal: true }), long, { causal: true });
    const longLoss = (a: Tensor): number => core.attention(a, long, long, { causal: true }).output.data.reduce((sum, y, i) => sum + y * long.data[i]!, 0);
    for (const i of [0, 47 * 24 + 5, 48 * 24, 100 * 24 + 23])
      assert.ok(Math.abs((longLoss(nudged(long, i, 0.01)) - longLoss(nudged(long, i, -0.01))) / 0.02 - far.dQ.data[i]!) < 2e-2, `dQ at ${i}`);
    for (let i = 0; i < 40; i += 7) {
      assert.ok(Math.abs((loss(nudged(q, i, 0.01), k, v) - loss(nudged(q, i, -0.01), k, v)) / 0.02 - back.dQ.data[i]!) < 1e-3);
      assert.ok(Math.abs((loss(q, nudged(k, i, 0.01), v) - loss(q, nudged(k, i, -0.01), v)) / 0.02 - back.dK.data[i]!) < 1e-3);
      assert.ok(Math.abs((loss(q, k, nudged(v, i, 0.01)) - loss(q, k, nudged(v, i, -0.01))) / 0.02 - back.dV.data[i]!) < 1e-3);
    }
  });

  test(`${build}: the layers around attention`, () => {
    const x = tensorOf([[1, 2], [3, 5]]);
    assert.deepEqual([...core.linear(x, x, { b: Float32Array.of(1, -1) }).data], [8, 11, 19, 30]);
    const back = core.linearGradients(x, x, tensorOf([[1, 0], [0, 1]]));
    assert.deepEqual([[...back.dX.data], [...back.dW.data], [...back.dB]], [[1, 3, 2, 5], [1, 3, 2, 5], [1, 1]]);
    assert.ok(gap(core.layerNorm(x, { gamma: Float32Array.of(1, 2) }).data, [-1, 2, -1, 2]) < 1e-4);
    assert.ok(gap(core.gelu(x).data, [0.8413447460685429, 1.9544997361036416, 2.9959503059175585, 4.999998566741424]) < 1e-6);
    assert.ok(gap(core.geluTanh(x).data, [0.8411919906082768, 1.954597694087775, 2.9963627039204055, 4.9999997710]) < 1e-6);
    assert.ok(gap(core.softmaxRows(x, { temperature: 0.5 }).data, [0.11920292, 0.88079708, 0.01798621, 0.98201379]) < 1e-6);
    assert.ok(core.attentionScratchBytes(64, 64) <= 65536);
  });

  test(`${build}: what is wrong is refused by code, and the module lives on`, () => {
    const x = random(8, 4, 8);
    const { HEAP8, count_emval_handles: handles } = raw as RawModule & { HEAP8: Int8Array; count_emval_handles: () => number };
    const before = handles();
    for (let round = 0; round < 200; round++) {
      refused('shape-mismatch', () => core.attention(x, random(1, 4, 4), x));
      refused('invalid-argument', () => core.attention(x, x, x, { heads: 3 }));
      refused('not-finite', () => core.gelu(tensorOf([[Number.NaN]])));
    }
    refused('invalid-argument', () => core.attention(x, x, { rows: 4, cols: 8, data: [...x.data] } as never));
    refused('invalid-argument', () => core.attention(x, x, { rows: 4, cols: 8, data: new Float64Array(32) } as never));
    refused('shape-mismatch', () => core.gelu({ rows: 2, cols: 2, data: new Float32Array(3) }));
    refused('too-large', () => core.gelu({ rows: 2 ** 13, cols: 2 ** 12, data: new Float32Array(1) }));
    refused('invalid-argument', () => core.attention(x, x, x, { causl: true } as never));
    refused('invalid-argument', () => core.attention(x, x, x, { rotary: { layout: 'spiral' } } as never));
    refused('empty-input', () => core.softmaxRows({ rows: 0, cols: 0, data: new Float32Array() }));
    refused('diverged', () => core.linear(tensorOf([[1e30]]), tensorOf([[1e30]])));
    assert.equal(handles(), before);
    assert.ok(HEAP8.length <= 8 * 2 ** 20);
    assert.equal(core.attention(x, x, x).output.data.length, 32);
  });
}

// The engine of this Node may need to be told; then all of the above runs once more with both builds.
test('the relaxed build, in an engine that is told to know relaxed SIMD', { skip: builds.length === 2 }, () => {
  const args = ['--experimental-wasm-relaxed-simd', '--import', 'tsx', '--test-reporter=tap', import.meta.filename ?? process.argv[1]!];
  // The variable by which a test runner knows its children would silence the child.
  const env = { ...process.env, ATTN_FAST: folder, NODE_TEST_CONTEXT: undefined };
  const output = execFileSync(process.execPath, args, { env, encoding: 'utf8' });
  assert.match(output, /ok \d+ - fast-relaxed: attention is that of the formula/);
  assert.doesNotMatch(output, /^not ok/m);
});
