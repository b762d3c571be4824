// The core as labs use it: values, shapes of results, named calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callNamed } from '../../web/core/core.ts';
import { CoreError } from '../../web/core/errors.ts';
import { matrix, rowsOf } from '../../web/core/matrix.ts';
import { loadCoreInNode } from '../../web/core/node.ts';

const core = await loadCoreInNode();

const near = (actual: ArrayLike<number>, expected: readonly number[], tolerance = 1e-12): void => {
  assert.equal(actual.length, expected.length);
  expected.forEach((x, i) => assert.ok(Math.abs(actual[i]! - x) <= tolerance, `place ${i}: ${actual[i]} is not ${x}`));
};

test('scores of 0.95 and 0.05 are not weights of 95 % and 5 %', () => {
  near(core.softmax([0.95, 0.05]), [0.7109495026250039, 0.28905049737499605]);
  near(core.softmax([core.requiredGap(0.95), 0]), [0.95, 0.05]);
});

test('temperature is an option, by position and by name', () => {
  const scores = matrix([[1, 2, 4]]);
  near(core.softmaxRows(scores, { temperature: 2 }).data, [...core.softmax([0.5, 1, 2])]);
  assert.deepEqual(
    callNamed(core, 'softmaxRows', { scores: [[1, 2, 4]], temperature: 2 }),
    core.softmaxRows(scores, { temperature: 2 }),
  );
});

test('attention returns every intermediate as a plain object', () => {
  const x = matrix([
    [1, 0],
    [1, 1],
    [3, 0],
  ]);
  const t = core.attention(x, x, x, { causal: true });
  assert.deepEqual(rowsOf(t.weights)[0], [1, 0, 0]);
  assert.equal(rowsOf(t.scores)[0]![1], -Infinity);
  assert.deepEqual(t.fullyMasked, [false, false, false]);
  assert.ok(Math.abs(core.attention(x, x, x).weights.data[2]! - 0.672841798375977) < 1e-12);
  assert.equal(core.symmetryGap(core.attention(x, x, x).scores), 0);
});

test('a mask is a matrix of 0 and 1, and a row that sees nothing is flagged', () => {
  const x = matrix([
    [1, 0],
    [0, 1],
  ]);
  const t = core.attention(x, x, x, { mask: matrix([[0, 0], [1, 0]]) });
  assert.deepEqual(t.fullyMasked, [true, false]);
  assert.deepEqual(rowsOf(t.output), [
    [0, 0],
    [1, 0],
  ]);
  assert.deepEqual(rowsOf(core.combinedMask(core.causalMask(2, 2), core.paddingMask(2, [false, true]))), [
    [0, 0],
    [0, 1],
  ]);
});

test('nested structs cross the border both ways', () => {
  const eye = matrix([
    [1, 0],
    [0, 1],
  ]);
  const t = core.multiHead(eye, { wQ: eye, wK: eye, wV: eye, wO: eye }, 2, { gates: [1, 0], causal: true });
  assert.equal(t.heads.length, 2);
  assert.deepEqual(rowsOf(t.heads[0]!.weights)[0], [1, 0]);
  assert.deepEqual(rowsOf(t.output).map((row) => row[1]), [0, 0]);
  assert.equal(core.multiHeadCost(1024, 512, 8).scoreEntries, 8388608);
});

test('a named call takes the fields of options by name as well', () => {
  const q = [[1], [1]];
  const t = callNamed(core, 'attention', { q, k: q, v: [[2], [4]], causal: true }) as ReturnType<typeof core.attention>;
  assert.deepEqual([...t.output.data], [2, 3]);
  const unknown = (): unknown => callNamed(core, 'attention', { q, k: q, v: q, causl: true });
  assert.throws(unknown, (e) => e instanceof CoreError && e.code === 'invalid-argument' && e.message.includes('causl'));
  assert.throws(() => callNamed(core, 'toString', {}), CoreError);
});

test('the cache grows by values alone', () => {
  const nothing = matrix([]);
  const token = matrix([[1, 2]]);
  const one = core.cacheStep(nothing, nothing, token, token, token);
  const two = core.cacheStep(one.keys, one.values, token, token, token);
  assert.deepEqual([two.keys.rows, two.trace.weights.rows, two.trace.weights.cols], [2, 1, 2]);
  assert.equal(one.keys.rows, 1);
});

test('counted operations are those of the formula', () => {
  assert.deepEqual(core.attentionOperations(4, 4, 2, 2), { multiplications: 64, additions: 68, divisions: 32, exponentials: 16 });
});

test('a matrix of ragged rows is refused before it exists', () => {
  assert.throws(() => matrix([[1, 2], [3]]), (e) => e instanceof CoreError && e.code === 'shape-mismatch');
});
