import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv } from '../../web/labs/kit/csv.ts';
import { fixed, grouped, numbers, percent, plain, rowText, scientific } from '../../web/labs/kit/format.ts';
import { History, STEP_MS } from '../../web/labs/kit/history.ts';
import { nearestStop } from '../../web/labs/kit/slider.ts';
import { along, decades } from '../../web/labs/kit/axis.ts';
import { bytes, decimal, people } from '../../web/labs/kit/units.ts';
import { tones } from '../../web/labs/kit/sound.ts';
import { extreme, pageAt, pages, peaks } from '../../web/labs/kit/window.ts';

test('Numbers are spoken with two decimals, an ASCII minus and no minus zero', () => {
  assert.equal(fixed(0.7109495), '0.71');
  assert.equal(fixed(-0.5), '-0.50');
  assert.equal(fixed(-0.001), '0.00');
  assert.equal(fixed(-1e-9, 4), '0.0000');
  assert.equal(percent(0.7109), '71%');
  assert.equal(plain(-0), '0');
  assert.equal(numbers([0.95, 0.05]), '0.95、0.05');
  assert.equal(rowText([1, -0.5]), '1, -0.5');
  assert.deepEqual(scientific(1.11e-16), { mantissa: '1.1', exponent: -16 });
});

const UNITS = { units: { about: '約 {count}', bytes: '{count} 個位元組', e4: '萬', e8: '億', e12: '兆' } };

test('Large counts are said in groups of four digits, two of them at most, and what is rounded says so', () => {
  const said: [number, string][] = [
    [0, '0'],
    [1, '1'],
    [9999, '9999'],
    [10_000, '1 萬'],
    [10_001, '1 萬 1'],
    [16_777_216, '1677 萬 7216'],
    [100_000_000, '1 億'],
    [8_589_934_592, '約 85 億 8993 萬'],
    [4_000_000_000_000, '4 兆'],
    [1_524_155_677_489, '約 1 兆 5242 億'],
    [99_999_999_999, '約 1000 億'],
    [8_192_000_000_000_000, '8192 兆'],
  ];
  for (const [x, text] of said) assert.equal(people(x, UNITS), text);
});

test('Bytes take the unit that leaves at least 1, by 1024', () => {
  assert.equal(bytes(1023, UNITS), '1023 個位元組');
  assert.equal(bytes(1024, UNITS), '1 KiB');
  assert.equal(bytes(33_554_432, UNITS), '32 MiB');
  assert.equal(bytes(1_610_612_736, UNITS), '1.5 GiB');
  assert.equal(bytes(8e12, UNITS), '7.28 TiB');
  assert.equal(bytes(8.192e15, UNITS), '7.28 PiB');
  assert.equal(decimal(145.72972, 1), '145.7');
  assert.equal(decimal(256), '256');
});

test('A table sets thousands apart from 10,000 on', () => {
  assert.equal(grouped(4096, 0), '4096');
  assert.equal(grouped(16_777_216, 0), '16,777,216');
  assert.equal(grouped(-12_345.678, 2), '-12,345.68');
  assert.equal(grouped(0.5, 4), '0.5000');
});

test('A place on an axis is a share of it, by distance or by ratio', () => {
  assert.equal(along(5, 0, 10), 0.5);
  assert.equal(along(64, 1, 4096, true), 0.5);
  assert.deepEqual(decades(1500), [1, 10, 100, 1000]);
});

test('A window shows at most 12 rows at a time and every row once', () => {
  assert.deepEqual(pages(12), [{ start: 0, end: 12 }]);
  assert.deepEqual(pages(24), [{ start: 0, end: 12 }, { start: 12, end: 24 }]);
  assert.deepEqual(pageAt(13, 12), { start: 12, end: 13 });
  assert.deepEqual(pageAt(4, 20), { start: 0, end: 4 });
});

test('Extremes and peaks are found, ties are all named, an even line has none', () => {
  assert.deepEqual(extreme([[1, 5], [7, 0]], 'largest'), { row: 1, col: 0 });
  assert.deepEqual(extreme([[1, 5], [7, 0]], 'smallest'), { row: 1, col: 1 });
  assert.deepEqual(peaks([1, 3, 3]), [1, 2]);
  assert.deepEqual(peaks([2, 2]), []);
});

test('CSV holds exact values and quotes what needs it', () => {
  assert.equal(csv('詞元', ['a,b', 'c"d'], ['甲'], [[0.1, 1e-20]]), '詞元,"a,b","c""d"\r\n甲,0.1,1e-20\r\n');
});

test('A name that a spreadsheet would run as a formula is defused', () => {
  assert.match(csv('', ['=1+1', '@x', '-cmd', '-1'], [], []), /'=1\+1,'@x,'-cmd,-1/);
});

test('A slider stands at the stop that is nearest', () => {
  assert.equal(nearestStop([0.1, 1, 10], 0.4), 0);
  assert.equal(nearestStop([0.1, 1, 10], 7), 2);
});

test('A row of tones lasts at most 3 seconds, rises with the value and runs from left to right', () => {
  for (const count of [1, 2, 24]) {
    const row = tones(Array.from({ length: count }, (_, i) => i / count));
    const last = row[row.length - 1]!;
    assert.ok(last.start + last.duration <= 3.0001);
    for (let i = 1; i < row.length; i++) {
      assert.ok(row[i]!.frequency > row[i - 1]!.frequency);
      assert.ok(row[i]!.pan > row[i - 1]!.pan);
    }
  }
  assert.equal(tones([0])[0]!.frequency, 220);
  assert.equal(tones([1])[0]!.frequency, 880);
});

test('Undo takes back a burst of typing at once and buttons one by one', () => {
  const history = new History();
  history.record({ a: '1' }, 0);
  history.record({ a: '12' }, STEP_MS / 2);
  history.record({ a: '123' }, STEP_MS * 3);
  history.record({ a: '1234' }, STEP_MS * 3 + 1, true);
  assert.deepEqual(history.undo(), { a: '1234' });
  assert.deepEqual(history.undo(), { a: '123' });
  assert.deepEqual(history.undo(), { a: '1' });
  assert.equal(history.undo(), null);
});
