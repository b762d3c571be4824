// What pages cost over the wire, gzip -9: a page with labs until its first result, every other page besides the core.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weights } from '../pages/support/weight.mts';

const WITH_LABS = 300_000;
const WITHOUT = 80_000;

test('every page keeps to its budget', (t) => {
  const all = weights();
  for (const { page, bytes, isLab } of all) assert.ok(bytes <= (isLab ? WITH_LABS : WITHOUT), `${page}: ${bytes} bytes`);
  for (const kind of [true, false]) {
    const heaviest = all.filter(({ isLab }) => isLab === kind).sort((a, b) => b.bytes - a.bytes)[0]!;
    t.diagnostic(`heaviest ${kind ? 'with' : 'without'} a lab: ${heaviest.page}, ${heaviest.bytes} bytes`);
  }
});
