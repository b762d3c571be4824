// The three ways through the wall: numbers of the fact sheet, beyond what `expect` in their words holds.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Core } from '../../web/core/core.ts';
import { rowsOf } from '../../web/core/matrix.ts';
import { labs } from '../../web/labs/index.ts';
import { blocksFor } from '../../web/labs/flash-steps.ts';
import { phrase } from '../../web/labs/kit/template.ts';
import { trustLines } from '../../web/labs/kit/trust.ts';
import type { Lab, Raw } from '../../web/labs/kit/types.ts';
import { loadCore, show, valuesOf, wordsOf } from './kit.ts';
import { defaults, reshape } from '../../web/labs/kit/raw.ts';

let core: Core;
before(async () => {
  core = await loadCore();
});

const lab = (stem: string): Lab => labs[stem]!;
const at = (stem: string, typed: Raw = {}) => show(lab(stem), core, wordsOf(stem), typed);
const said = (stem: string, typed: Raw = {}) => {
  const { view } = at(stem, typed);
  return { state: phrase(wordsOf(stem), view.state), facts: view.facts.map((fact) => phrase(wordsOf(stem), fact)) };
};
const total = ({ traffic }: any): number => traffic.reads + traffic.writes;
const near = (actual: number, expected: number, digits: number) => assert.ok(Math.abs(actual - expected) <= 0.5 * 10 ** -digits, `${actual} is not ${expected}`);

test('flash: traffic at the settings of the fact sheet', () => {
  const { result: r } = at('flash');
  assert.equal(total(r.standard), 68_157_440);
  assert.equal(total(r.tiled), 18_186_240);
  assert.deepEqual(r.blocks, { keys: 192, queries: 64 });
  near(total(r.standard) / total(r.tiled), 3.7477477477477477, 12);
  const passes = at('flash', { passes: '3' }).result;
  near(total(passes.standard) / total(passes.tiled), 9.282882882882882, 12);
  near((r.twice.reads + r.twice.writes) / total(r.tiled), 70090752 / 18186240, 12);
  const wide = at('flash', { d: '128' });
  near(total(wide.result.standard) / total(wide.result.tiled), 0.9974025974025974, 12);
  assert.match(said('flash', { d: '128' }).state, /分塊沒有省，是標準的 1\.00 倍。$/);
  assert.equal(total(at('flash', { order: 'queriesOutside' }).result.tiled), 34_082_816);
  assert.equal(r.standard.traffic.extra, 2 * 4096 * 4096);
  assert.equal(r.tiled.traffic.extra, 2 * 4096);
});

test('flash: more arithmetic and less traffic, both ways', () => {
  const { result: r } = at('flash');
  const sums = ({ operations }: any) => operations.multiplications + operations.additions;
  assert.ok(sums(r.tiled) > sums(r.standard));
  assert.ok(sums(r.tiledBack) > 1.2 * sums(r.standardBack));
  assert.ok(total(r.tiled) < total(r.standard));
  assert.ok(total(r.tiledBack) < total(r.standardBack));
  assert.equal(r.tiled.operations.multiplications, 2 * 4096 ** 2 * 64 + 4096 ** 2 + 22 * 4096 * 66);
});

test('flash: every memory from 16 KiB to 1 MiB at every setting, and no saving without its setting', () => {
  for (const n of ['16', '1000', '8192'])
    for (const d of ['32', '64', '128'])
      for (const [sram, order] of [['16', 'keysOutside'], ['1024', 'queriesOutside']] as const) {
        const { values, result } = at('flash', { n, d, sram, order });
        for (const line of trustLines(lab('flash'), core, values, result)) assert.ok(line.passes, `${n} ${d} ${sram} ${line.key} ${line.value}`);
        const { state } = said('flash', { n, d, sram, order });
        assert.match(state, new RegExp(`長度 ${n}，每頭 ${d} 維，SRAM ${sram} KiB。`));
        assert.match(state, /在這個設定下/);
      }
});

test('flash-steps: the lab cuts tiles as the core does', () => {
  for (let d = 1; d <= 4; d++)
    for (let sram = 7 * d; sram <= 256; sram++) {
      assert.deepEqual(blocksFor(sram, d), { forward: core.flashBlocks(sram, d), backward: core.flashBackwardBlocks(sram, d) });
    }
});

test('flash-steps: every stage of every setting has its step, in both orders and with a mask', () => {
  const words = wordsOf('flash-steps');
  for (const sram of ['14', '16', '28', '256'])
    for (const order of ['keysOutside', 'queriesOutside'])
      for (const causal of ['yes', 'no']) {
        const { result } = at('flash-steps', { sram, order, causal });
        const all = result.forward.steps.length + result.backward.steps.length;
        for (let stage = 0; stage < all; stage++) {
          const { values, view } = at('flash-steps', { sram, order, causal, stage: String(stage) });
          assert.equal(values.stage, stage);
          assert.match(phrase(words, view.state), /^現在：.*已經搬了 \d+ 個數。$/);
        }
        // There is no stage beyond the last.
        assert.equal(at('flash-steps', { sram, order, causal, stage: String(all) }).values.stage, all - 1);
      }
  assert.match(said('flash-steps', { causal: 'yes', stage: '1' }).state, /全是未來，跳過/);
  assert.equal(lab('flash-steps').fits!({ sram: 13, q: [[1, 2]], k: [[1, 2]], v: [[1, 2]] })?.code, 'small');
});

test('linformer: error, leak and cost as in the vectors', () => {
  const { result: r } = at('linformer');
  near(r.error, 0.004502192654100845, 12);
  near(r.leak.before.data[0], 0.6739903131513351, 12);
  near(r.leak.after.data[0], 24.729621542407685, 12);
  assert.equal(r.causal[0], 0);
  assert.ok(r.causal[1] > 1);
  assert.equal(r.large.ratio, 16);
  near(r.theorem, 332.71064666877373, 9);
  assert.equal(at('linformer', { kind: 'identity' }).result.error, 0);
  assert.equal(r.rungs.at(-1).pool, 0);
  assert.ok(r.rungs.at(-1).random.mean > 0.01, 'random mixing does not become exact');
  assert.match(said('linformer', { amount: '0' }).state, /沒有動。$/);
  assert.equal(lab('linformer').fits!({ slots: 5, kind: 'mean', tokens: ['a', 'b'] })?.code, 'slots');
});

test('linformer: 64 tokens of width 8 are a whole result', () => {
  const tokens = Array.from({ length: 64 }, (_, i) => `詞${i + 1}`).join(' ');
  const rows = (k: number) => Array.from({ length: 64 }, (_, i) => Array.from({ length: 8 }, (_, j) => (((i * k + j * 3) % 7) - 3) / 3).join(' '));
  const raw = { tokens, q: rows(3), k: rows(5), v: rows(2), slots: '8', key: Array(8).fill('9'), value: Array(8).fill('0') };
  const { values, result } = at('linformer', raw);
  assert.equal(result.now.work.multiplications, 4 * 64 * 8 * 8);
  assert.ok(result.now.work.multiplications < result.exactWork.multiplications);
  for (const line of trustLines(lab('linformer'), core, values, result)) assert.ok(line.passes, line.key);
});

test('performer: single draws, errors and the explosion as in the vectors', () => {
  const { result: r } = at('performer');
  near(r.estimates.positive.estimate, 1.1142341374004232, 12);
  near(r.estimates.hyperbolic.estimate, 0.8933183848777605, 12);
  near(r.estimates.trigonometric.estimate, 1.2116569063331883, 12);
  near(r.mse.positive, 0.2800565096687947, 12);
  near(r.mse.hyperbolic, 0.06908756152399263, 12);
  near(r.mse.trigonometric, 0.02331385628424629, 12);
  near(r.typical, 186.3098637069006, 9);
  near(r.error, 0.02310897773014764, 12);
  near(rowsOf(r.causal)[1]![0]!, 0.5083062891830078, 12);
  assert.ok(r.example[1] / r.example[0] > 14);
  near(r.mse.norm2Sum, 0.68, 12);
  assert.match(said('performer').facts[2]!, /三角特徵：正特徵不是永遠最好/);
});

test('performer: more directions bring the output nearer, for each kind', () => {
  for (const kind of ['positive', 'hyperbolic', 'trigonometric'])
    for (const orthogonal of ['yes', 'no']) {
      const { result: r } = at('performer', { kind, orthogonal, draw: 'random', features: '100' });
      assert.deepEqual(r.rungs.map((rung: any) => rung.features), [4, 8, 16, 32, 64, 100, 128, 256, 512]);
      for (const way of ['independent', 'orthogonal']) assert.ok(r.rungs.at(-1)[way].mean < r.rungs[0][way].mean / 4);
    }
});

test('performer: the longest vectors that may be typed still have numbers', () => {
  const xy = ['1 1 1 1', '1 1 1 1'];
  for (const kind of ['positive', 'hyperbolic', 'trigonometric']) {
    const { view } = at('performer', { xy, scale: '2', kind, draw: 'random' });
    for (const fact of view.facts) assert.doesNotMatch(phrase(wordsOf('performer'), fact), /NaN|Infinity/);
  }
  assert.match(said('performer', { xy, scale: '2', draw: 'random' }).facts[2]!, /乘以 10 的 \d+ 次方/);
});

test('attention-matrix: growth since the last setting is said where there was one', () => {
  const words = wordsOf('attention-matrix');
  const matrixLab = lab('attention-matrix');
  const settled = (n: string) => {
    const values = valuesOf(matrixLab, reshape(matrixLab, { ...defaults(matrixLab, words), n }));
    return { values, result: matrixLab.run(core, values) };
  };
  const [old, now] = [settled('512'), settled('8192')];
  const facts = (before?: { values: any; result: any }) => matrixLab.view(now.values, now.result, words, before).facts.map((fact) => phrase(words, fact));
  assert.equal(facts(old)[0], '從上一個長度 512 到現在的 8192：長度是 16 倍，元素是 256 倍。');
  assert.equal(facts().length, facts(old).length - 1);
  assert.equal(facts(now).length, facts().length);
});
