// What learners may type into a number question.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNumber } from '../../web/quiz/numbers.ts';

const accepted: [typed: string, value: number, unit?: string][] = [
  ['2.94', 2.94],
  ['  2.94\u3000', 2.94],
  ['.5', 0.5],
  ['5.', 5],
  ['２．９４', 2.94],
  ['２。９４', 2.94],
  ['－0.5', -0.5],
  ['−0.5', -0.5],
  ['-0.5', -0.5],
  ['負 0.5', -0.5],
  ['负0.5', -0.5],
  ['+3', 3],
  ['1.6e7', 1.6e7],
  ['1.6E7', 1.6e7],
  ['1e-3', 1e-3],
  ['1.6×10⁷', 1.6e7],
  ['1.6 × 10^7', 1.6e7],
  ['1.6x10^7', 1.6e7],
  ['1.6*10**7', 1.6e7],
  ['１．６×１０⁷', 1.6e7],
  ['3.7×10⁻⁴⁴', 3.7e-44],
  ['3.7×10^(-44)', 3.7e-44],
  ['10⁷', 1e7],
  ['2^24', 16777216],
  ['2²⁴', 16777216],
  ['3×2^4', 48],
  ['1678萬', 16780000],
  ['1678万', 16780000],
  ['1.2 億', 1.2e8],
  ['3千', 3000],
  ['19/20', 0.95],
  ['１９／２０', 0.95],
  ['-1/4', -0.25],
  ['95%', 0.95],
  ['９５％', 0.95],
  ['百分之 95', 0.95],
  ['95%', 95, '%'],
  ['95', 95, '%'],
  ['512 個詞元', 512, '個詞元'],
  ['16,777,216', 16777216],
  ['１６，７７７，２１６', 16777216],
  ['約 2.94', 2.94],
  ['≈2.94', 2.94],
  ['0', 0],
];

for (const [typed, value, unit] of accepted) {
  test(`「${typed}」 is ${value}`, () => {
    const parsed = parseNumber(typed, unit);
    assert.ok(parsed.ok, JSON.stringify(parsed));
    assert.ok(Math.abs(parsed.value - value) <= 1e-15 * Math.abs(value), String(parsed.value));
  });
}

const refused: [typed: string, reason: string][] = [
  ['', 'empty'],
  [' \u3000', 'empty'],
  ['abc', 'unreadable'],
  ['NaN', 'unreadable'],
  ['Infinity', 'unreadable'],
  ['∞', 'unreadable'],
  ['1,5', 'unreadable'],
  ['1,67,8', 'unreadable'],
  ['2.9.4', 'unreadable'],
  ['1/0', 'unreadable'],
  ['2.94 左右', 'unreadable'],
  ['--3', 'unreadable'],
  ['0x10', 'unreadable'],
  ['3 億 5 千萬', 'unreadable'],
  ['<b>1</b>', 'unreadable'],
  ['1e400', 'too-large'],
  ['10^400', 'too-large'],
  ['9'.repeat(100_000), 'too-large'],
];

for (const [typed, reason] of refused) {
  test(`「${typed.slice(0, 20)}」 is ${reason}`, () => {
    assert.deepEqual(parseNumber(typed), { ok: false, reason });
  });
}
