import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { MAX_PASTE, parseNumber, parseOrder, parsePaste, parseRow, parseRows, parseTokens } from '../../web/labs/kit/parse.ts';

const number = (text: string) => {
  const parsed = parseNumber(text);
  return parsed.ok ? parsed.value : parsed.problem.code;
};
const row = (text: string) => {
  const parsed = parseRow(text, 1000, 16);
  return parsed.ok ? parsed.value : `${parsed.problem.code} ${parsed.problem.slots.col ?? ''}`.trim();
};

test('A number is read as learners type it', () => {
  const typed: [string, number | string][] = [
    ['12', 12],
    ['１２', 12],
    ['－０．５', -0.5],
    ['−0.5', -0.5],
    ['–0.5', -0.5],
    ['＋３', 3],
    ['0。5', 0.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['１Ｅ－３', 0.001],
    ['1,234', 1234],
    ['-1,234,567.5', -1234567.5],
    ['　7 ', 7],
    ['-0', -0],
  ];
  for (const [text, value] of typed) assert.equal(number(text), value, text);
});

test('What is not a finite number is refused with a reason', () => {
  const typed: [string, string][] = [
    ['', 'empty'],
    [' 　', 'empty'],
    ['NaN', 'not-finite'],
    ['ｎａｎ', 'not-finite'],
    ['Infinity', 'not-finite'],
    ['-∞', 'not-finite'],
    ['無限大', 'not-finite'],
    ['1e999', 'not-finite'],
    ['95%', 'percent'],
    ['９５％', 'percent'],
    ['abc', 'not-a-number'],
    ['1O', 'not-a-number'],
    ['3²', 'not-a-number'],
    ['0x10', 'not-a-number'],
    ['1,23', 'not-a-number'],
    ['1.2.3', 'not-a-number'],
    ['--1', 'not-a-number'],
    ['一', 'not-a-number'],
  ];
  for (const [text, code] of typed) assert.equal(number(text), code, text);
});

test('A number outside its range is refused and the range is named', () => {
  const parsed = parseNumber('10.5', -10, 10);
  assert.deepEqual(parsed, { ok: false, problem: { code: 'range', slots: { text: '10.5', min: '-10', max: '10' } } });
});

test('A row takes commas, spaces, semicolons, 、, tabs and brackets', () => {
  for (const text of ['1, -2, 3', '1 -2 3', '1，−2，３', '1、-2、3', '1;-2;3', '1\t-2\t3', '[1, -2, 3]', '1, -2, 3,', ' 1  ,-2　3']) {
    assert.deepEqual(row(text), [1, -2, 3], text);
  }
});

test('Thousands separators are read where commas cannot separate cells', () => {
  assert.deepEqual(row('1,000\t-2'), [1000, -2]);
  assert.deepEqual(row('"1,000",2'), [1000, 2]);
  assert.deepEqual(row('1,000'), [1, 0]);
});

test('A problem in a row names its place', () => {
  assert.equal(row('1, x, 3'), 'row-not-a-number 2');
  assert.equal(row('1,, 3'), 'row-empty 2');
  assert.equal(row('1\t\t3'), 'row-empty 2');
  assert.equal(row('1, 2, NaN'), 'row-not-finite 3');
  assert.equal(row('1, 2000'), 'row-range 2');
  assert.equal(row('5%, 1'), 'row-percent 1');
  assert.equal(row('  '), 'empty-row');
  assert.equal(row(Array(17).fill('1').join(',')), 'too-many-cols');
});

test('Ragged rows are refused at the first row that differs', () => {
  const parsed = parseRows(['1, 2', '3', '4, 5'], 10, 4);
  assert.deepEqual(parsed, { ok: false, problem: { code: 'ragged', slots: { got: '1', want: '2', row: '2' }, row: 1 } });
});

test('A paste becomes one text a row, whatever it was copied from', () => {
  for (const text of ['1,2\n3,4', '1\t2\r\n3\t4\r\n', '1 2\n\n3 4\n', '[[1, 2], [3, 4]]', '[\n[1,2],\n[3,4]\n]']) {
    const parsed = parsePaste(text, 10);
    assert.ok(parsed.ok, text);
    const rows = parseRows(parsed.value, 10, 4);
    assert.ok(rows.ok, text);
    assert.deepEqual(rows.value, [[1, 2], [3, 4]], text);
  }
});

test('A paste that is empty, too long or has too many rows is refused before it is read', () => {
  const code = (text: string, max = 10) => {
    const parsed = parsePaste(text, max);
    return parsed.ok ? 'ok' : parsed.problem.code;
  };
  assert.equal(code('\n \n'), 'empty-paste');
  assert.equal(code('1\n'.repeat(11)), 'too-many-rows');
  assert.equal(code('1\n'.repeat(MAX_PASTE)), 'too-long');
});

test('Tokens are split at every separator a learner would use', () => {
  const tokens = (text: string) => {
    const parsed = parseTokens(text, 2, 4);
    return parsed.ok ? parsed.value.join('|') : parsed.problem.code;
  };
  for (const text of ['貓 坐 墊', '貓、坐、墊', '貓,坐，墊', '貓\n坐\t墊', ' 貓；坐; 墊 ']) assert.equal(tokens(text), '貓|坐|墊', text);
  assert.equal(tokens('貓'), 'too-few-tokens');
  assert.equal(tokens('一 二 三 四 五'), 'too-many-tokens');
  assert.equal(tokens(`貓 ${'坐'.repeat(13)}`), 'long-token');
});

test('Every expression that reads typed text takes time in proportion to its length', () => {
  const literal = /(?<=[(,=:!&|]\s*)\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+)\/[dgimsuvy]*/g;
  for (const file of ['parse', 'raw', 'template', 'csv', 'url-state', 'predict', 'slider', 'format']) {
    const source = readFileSync(new URL(`../../web/labs/kit/${file}.ts`, import.meta.url), 'utf8');
    for (const [, pattern = ''] of source.matchAll(literal)) {
      const atom = String.raw`(?:\\p\{\w+\}|\\.|\[(?:\\.|[^\]\\])*\])`;
      const where = `${file}.ts: ${pattern}`;
      // Tried again from each place of a long run, an unanchored one that fails after a repeat is quadratic.
      for (const way of pattern.split('|')) {
        if (!way.startsWith('^')) assert.doesNotMatch(way, new RegExp(`${atom}[+*](?![?]?(?:\\)|$))`), where);
      }
      // So is a run that can be parted between two repeats in as many ways as it is long.
      assert.doesNotMatch(pattern, new RegExp(`(${atom})[+*](?:[^()|]+[?*])?\\1[+*]`), where);
    }
  }
});

test('Runs of a hundred thousand tabs, spaces, brackets and digits are read or refused', () => {
  const long = (piece: string) => piece.repeat(Math.floor((MAX_PASTE - 10) / piece.length));
  for (const piece of ['\t', ' ', '　', '[', ']', '],[', ', ', '"', '\n', '1', '1.', '\u0000', '\t ']) {
    for (const text of [long(piece), `1${long(piece)}x`, `]${long(piece)}x`, `1\t${long(piece)}`]) {
      parseNumber(text);
      parseRow(text, 1000, 16);
      parsePaste(text, 10);
      parseTokens(text, 1, 4);
      parseOrder(text, 4);
    }
  }
  const block = parsePaste(`[1, 2]${' '.repeat(60_000)},${' '.repeat(30_000)}[3, 4]`, 10);
  assert.deepEqual(block, { ok: true, value: ['1, 2', '3, 4'] });
  assert.deepEqual(row(`1\t2${'\t'.repeat(90_000)}`), [1, 2]);
});

test('Names that cannot be seen, and signs that turn the text around them, are left out', () => {
  const tokens = (text: string) => {
    const parsed = parseTokens(text, 1, 4);
    return parsed.ok ? parsed.value : parsed.problem.code;
  };
  for (const unseen of ['\u200b', '\u202e', '\u2066', '\u200d', '\ufe0f', '\u3164', '\u2800', '\u0301']) {
    assert.equal(tokens(unseen), 'too-few-tokens');
    assert.deepEqual(tokens(`貓 ${unseen} 坐`), ['貓', '坐']);
  }
  assert.deepEqual(tokens('\u202e貓\u202c 👩\u200d🔬'), ['貓', '👩\u200d🔬']);
});
