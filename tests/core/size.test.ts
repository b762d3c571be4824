// What a page pays for the core. Needs build/web/core.js.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { corePath } from '../../web/core/node.ts';

const budget = 180_000;

test('core.js costs at most 180 000 bytes over the wire', () => {
  const bytes = gzipSync(readFileSync(corePath), { level: 9 }).length;
  console.log(`core.js: ${bytes} bytes, gzip -9`);
  assert.ok(bytes <= budget, `${bytes} bytes`);
});
