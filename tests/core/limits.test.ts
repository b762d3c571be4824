// The limits that are tested are those of the table in lessons/STYLE.md, and no header is without one.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const tested = [...read('tests/cpp/limits_test.cpp').matchAll(/\{"(\w+)", "([^"]+)",\s*"([^"]+)"/g)].map(([, ...row]) => row.join(' | '));
const shown = [...read('lessons/STYLE.md').matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)].map(([, ...row]) => row.join(' | '));

test('the limits of STYLE.md are those that the suite walks', () => {
  assert.ok(tested.length > 30, 'the rows of limits_test.cpp are no longer read');
  assert.deepEqual([...shown].sort(), [...tested].sort());
});

test('every header has a limit', () => {
  const withoutAny = ['counted', 'error', 'spread'];
  const headers = readdirSync(new URL('cpp/include/attn', root))
    .filter((name) => name.endsWith('.hpp'))
    .map((name) => name.replace('.hpp', ''));
  const limited = new Set(tested.map((row) => row.split(' | ')[0]!));
  assert.deepEqual(headers.filter((name) => !limited.has(name)), withoutAny);
});
