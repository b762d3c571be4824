import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Core } from '../../web/core/core.ts';
import { labs } from '../../web/labs/index.ts';
import { allTables } from '../../web/labs/kit/render-result.ts';
import { renderTools } from '../../web/labs/kit/render-tools.ts';
import type { Raw } from '../../web/labs/kit/types.ts';
import { nextMasked, type Corner } from '../../web/labs/kit/window.ts';
import { loadCore, show, strings, wordsOf } from './kit.ts';

let core: Core;
before(async () => {
  core = await loadCore();
});

const view = (stem: string, raw: Raw = {}) => show(labs[stem]!, core, wordsOf(stem), raw).view;
const table = (stem: string, id: string, raw: Raw = {}) => allTables(view(stem, raw)).find((one) => one.id === id)!;

test('From hidden cell to hidden cell, row by row, and round again', () => {
  const masked = [[false, true, true], [false, false, true], [false, false, false]];
  const seen: Corner[] = [];
  let here: Corner | null = null;
  for (let i = 0; i < 4; i++) seen.push((here = nextMasked(masked, here)!));
  assert.deepEqual(seen, [{ row: 0, col: 1 }, { row: 0, col: 2 }, { row: 1, col: 2 }, { row: 0, col: 1 }]);
  assert.deepEqual(nextMasked(masked, { row: 2, col: 0 }), { row: 0, col: 1 });
  assert.equal(nextMasked([[false]], null), null);
  assert.equal(nextMasked([], { row: 3, col: 3 }), null);
});

test('causal-mask: what is hidden is what the mask says, wherever it is applied', () => {
  const upper = (strict: boolean) => Array.from({ length: 4 }, (_, i) => Array.from({ length: 4 }, (__, j) => (strict ? j >= i : j > i)));
  assert.deepEqual(table('causal-mask', 'weights').masked, upper(false));
  assert.deepEqual(table('causal-mask', 'scores').masked, upper(false));
  assert.deepEqual(table('causal-mask', 'weights', { kind: 'strict' }).masked, upper(true));
  assert.deepEqual(table('causal-mask', 'weights', { kind: 'none' }).masked!.flat(), Array<boolean>(16).fill(false));
  assert.deepEqual(table('causal-mask', 'weights', { kind: 'after' }).masked, upper(false));
  // After softmax the scores are as they were.
  assert.deepEqual(table('causal-mask', 'scores', { kind: 'after' }).masked!.flat(), Array<boolean>(16).fill(false));
});

test('Every hidden cell holds no weight, in every lab that has some', () => {
  let hidden = 0;
  const shown: Record<string, Raw[]> = { 'causal-mask': [{}, { kind: 'strict' }, { kind: 'after' }], permutation: [{ mask: 'causal' }, {}] };
  for (const [stem, raws] of Object.entries(shown))
    for (const raw of raws)
      for (const { masked, cells } of allTables(view(stem, raw)))
        masked?.forEach((line, i) =>
          line.forEach((isHidden, j) => {
            if (!isHidden) return;
            hidden += 1;
            assert.ok([0, -Infinity].includes(cells[i]![j]!), `${stem} ${i},${j}: ${cells[i]![j]}`);
          }),
        );
  assert.ok(hidden > 30);
});

test('The jump is offered where a table may have hidden cells, and nowhere else', () => {
  for (const stem of ['causal-mask', 'permutation', 'party', 'qkv']) {
    const shown = view(stem);
    const offers = renderTools('x', shown, wordsOf(stem), strings, '').includes('data-do="jump-masked"');
    assert.equal(offers, allTables(shown).some(({ masked }) => masked !== undefined), stem);
    assert.equal(offers, ['causal-mask', 'permutation'].includes(stem), stem);
  }
});
