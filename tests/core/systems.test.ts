// The table of DESIGN.md: every header has a row, and the files that a row names exist.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);
const exists = (path: string): boolean => existsSync(new URL(path, root));

const rows = [...readFileSync(new URL('DESIGN.md', root), 'utf8').matchAll(/^\| [^|]+ \| `(\w+\.hpp)` \| `(\w+\.cpp)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, header, tested, facade, labs]) => ({ header: header!, tested: tested!, facade: facade!, labs: labs! }),
);

test('every public header has one row', () => {
  const headers = readdirSync(new URL('cpp/include/attn', root)).filter((name) => name.endsWith('.hpp'));
  assert.deepEqual(rows.map((row) => row.header).sort(), headers.sort());
});

test('the tests, facades and labs that a row names exist', () => {
  for (const { header, tested, facade, labs } of rows) {
    assert.ok(exists(`tests/cpp/${tested}`), `${header}: ${tested}`);
    const file = /`(.+)`/.exec(facade)?.[1];
    if (file) assert.ok(exists(`web/core/${file}`), `${header}: ${file}`);
    for (const [, lab, later] of labs.matchAll(/`([\w-]+)`( \(to come\))?/g))
      assert.ok(later || exists(`web/labs/${lab}.ts`), `${header}: the lab ${lab} is not there`);
  }
});
