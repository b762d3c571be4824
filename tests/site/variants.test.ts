// Passages that differ between the two editions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unprotect } from '../../web/site/transforms/protect.ts';
import { chooseDeep, chooseInline, chooseVariants } from '../../web/site/transforms/variants.ts';

const place = { file: 'lessons/x.md', line: 10 };
const choose = (text: string, script: 'zh-Hant' | 'zh-Hans') =>
  unprotect(chooseVariants(text, script, place));

test('an inline variant keeps one side', () => {
  const text = '「{{tw:牠|cn:它}}」看向{{tw:誰|cn:谁}}';
  assert.equal(choose(text, 'zh-Hant'), '「牠」看向誰');
  assert.equal(choose(text, 'zh-Hans'), '「它」看向谁');
});

test('the mainland side is out of reach of every dictionary until the end', () => {
  const chosen = chooseInline('{{tw:牠|cn:它}}', 'zh-Hans');
  assert.doesNotMatch(chosen, /[\u3400-\u9fff]/);
  assert.equal(unprotect(chosen), '它');
});

test('a block of the other edition leaves empty lines, so that line numbers stay', () => {
  const text = '一\n::: tw\n二\n:::\n::: cn\n三\n:::\n四';
  assert.equal(choose(text, 'zh-Hant'), '一\n\n二\n\n\n\n\n四');
  assert.equal(choose(text, 'zh-Hans'), '一\n\n\n\n\n三\n\n四');
});

test('a block may hold other blocks', () => {
  const text = '::: tw\n::: scene\n甲\n:::\n乙\n:::\n丙';
  assert.equal(choose(text, 'zh-Hant'), '\n::: scene\n甲\n:::\n乙\n\n丙');
  assert.equal(choose(text, 'zh-Hans'), '\n\n\n\n\n\n丙');
});

test('an open block and half a variant are faults with file and line', () => {
  assert.throws(() => choose('甲\n::: tw\n乙', 'zh-Hant'), /lessons\/x\.md:11: .*not closed/);
  assert.throws(() => choose('甲\n乙\n{{tw:丙}}', 'zh-Hant'), /lessons\/x\.md:12: a variant/);
});

test('variants inside YAML are chosen at any depth', () => {
  const value = { a: ['{{tw:牠|cn:它}}', 3], b: { c: '{{tw:甲|cn:乙}}' } };
  assert.deepEqual(chooseDeep(value, 'zh-Hant'), { a: ['牠', 3], b: { c: '甲' } });
});
