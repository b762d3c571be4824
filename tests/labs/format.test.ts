import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv } from '../../web/labs/kit/csv.ts';
import { fixed, numbers, percent, plain, rowText, scientific } from '../../web/labs/kit/format.ts';
import { History, STEP_MS } from '../../web/labs/kit/history.ts';
import { nearestStop } from '../../web/labs/kit/slider.ts';
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
