import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catchCounts } from '../../tools/lib/suites.mjs';

test('Catch2 is counted, in colours or without', () => {
  const passed = 'All tests passed (836857 assertions in 325 test cases)\n';
  assert.deepEqual(catchCounts(0, passed), { passed: 325, failed: 0 });
  assert.deepEqual(catchCounts(0, `\x1b[1;32m${passed.trim()}\x1b[0m\n`), { passed: 325, failed: 0 });
});

test('a failure and a crash count as failed', () => {
  const some = 'test cases: 325 | 324 passed | 1 failed\n';
  assert.deepEqual(catchCounts(42, some), { passed: 324, failed: 1 });
  assert.deepEqual(catchCounts(42, `test cases: 325 | \x1b[32m324 passed\x1b[0m | \x1b[31m1 failed\x1b[0m\n`), { passed: 324, failed: 1 });
  assert.deepEqual(catchCounts(134, ''), { passed: 0, failed: 1 });
});
