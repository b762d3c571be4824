import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labs } from '../../web/labs/index.ts';
import { defaults, paste, read, reshape, rowsInUse, inputNamed, setSlider, sliderText } from '../../web/labs/kit/raw.ts';
import { readMemory } from '../../web/labs/kit/memory.ts';
import { pasteText } from '../../web/labs/kit/paste-text.ts';
import type { Lab, Raw } from '../../web/labs/kit/types.ts';
import { decodeState, encodeState, isRefused, tooLong } from '../../web/labs/kit/url-state.ts';
import { strings, wordsOf } from './kit.ts';

const lab = (stem: string): Lab => labs[stem]!;
const start = (stem: string): Raw => reshape(lab(stem), defaults(lab(stem), wordsOf(stem)));

const travel = (stem: string, raw: Raw): Raw => {
  const hash = encodeState(lab(stem), `page-${stem}`, raw, start(stem));
  return reshape(lab(stem), { ...start(stem), ...decodeState(lab(stem), `page-${stem}`, hash)! });
};

test('The default input needs no state in its link', () => {
  for (const stem of Object.keys(labs)) assert.equal(encodeState(lab(stem), stem, start(stem), start(stem)), `#${stem}`);
});

test('A link brings back what was typed, whatever it was', () => {
  const typed: [string, Raw][] = [
    ['party', { names: '老漁夫 草地、小狗', scores: ['0.15', '0.05', '0.95'], guest: '2', temperature: '0.5' }],
    ['party', { names: 'a&b=c #? 100%', scores: ['１２', 'x', '', '', ''], temperature: '<b>' }],
    ['qkv', { tokens: '🐱 坐', x: ['1, 2, 3, 4', '0 0 0 0'], wq: ['1', '2', '3', '4'] }],
    ['identity-projections', { scheme: 'shared', a: '1', b: '0' }],
  ];
  for (const [stem, raw] of typed) {
    const before = reshape(lab(stem), { ...start(stem), ...raw });
    const after = travel(stem, before);
    assert.deepEqual(read(lab(stem), after), read(lab(stem), before), stem);
    for (const input of lab(stem).inputs) {
      if (input.kind === 'matrix') assert.deepEqual(rowsInUse(lab(stem), after, input), rowsInUse(lab(stem), before, input));
    }
  }
});

test('A link for another lab, or a page anchor that only begins alike, is left alone', () => {
  assert.equal(decodeState(lab('party'), 'p-party', '#p-party-title'), null);
  assert.equal(decodeState(lab('party'), 'p-party', '#p-qkv?row=1'), null);
  assert.equal(decodeState(lab('party'), 'p-party', ''), null);
  assert.equal(decodeState(lab('party'), 'p-party', `#p-party?names=${'x'.repeat(30_000)}`), null);
  assert.equal(decodeState(lab('party'), 'p-party', '#p-party'), null, 'a bare link leads there and changes nothing');
  assert.deepEqual(decodeState(lab('party'), 'p-party', '#p-party?'), {});
  assert.deepEqual(decodeState(lab('party'), 'p-party', '#p-party?evil=1&score=5&__proto__=x'), {});
});

test('More tokens bring rows of zeros; fewer tokens keep the rows for later', () => {
  const l = lab('qkv');
  const x = inputNamed(l, 'x', 'matrix');
  const grown = reshape(l, { ...start('qkv'), tokens: '貓 坐 在 墊 上' });
  assert.deepEqual(rowsInUse(l, grown, x)[4], '0, 0, 0');
  const shrunk = reshape(l, { ...grown, tokens: '貓 坐' });
  assert.equal(rowsInUse(l, shrunk, x).length, 2);
  const back = reshape(l, { ...shrunk, tokens: '貓 坐 在 墊' });
  assert.deepEqual(rowsInUse(l, back, x), rowsInUse(l, start('qkv'), x));
});

test('A wider input gives the projections as many rows as it has columns', () => {
  const l = lab('qkv');
  const wide = reshape(l, { ...start('qkv'), x: ['1 0 1 2', '0 2 0 2', '1 1 0 2', '0 0 1 2'] });
  for (const name of ['wq', 'wk', 'wv']) assert.equal(rowsInUse(l, wide, inputNamed(l, name, 'matrix')).length, 4);
  assert.ok('values' in read(l, wide));
});

test('A paste sets the number of tokens and names the new ones', () => {
  const l = lab('party');
  const pasted = paste(l, start('party'), 'scores', '1\n2\n3\n4', wordsOf('party'));
  assert.ok(pasted.ok);
  assert.equal(pasted.raw.names, '阿明、阿華、賓客3、賓客4');
  const across = paste(l, start('party'), 'scores', '1, 2, 3', wordsOf('party'));
  assert.ok(across.ok);
  assert.deepEqual(across.raw.scores, ['1', '2', '3']);
});

test('A paste that does not fit is refused with the numbers that clash', () => {
  const refused = (stem: string, name: string, text: string) => {
    const pasted = paste(lab(stem), start(stem), name, text, wordsOf(stem));
    return pasted.ok ? null : pasted.problem;
  };
  assert.deepEqual(refused('qkv', 'wq', '1 2\n3 4'), { code: 'paste-rows', slots: { got: '2', want: '3' } });
  assert.deepEqual(refused('party', 'scores', '1\n'.repeat(25)), { code: 'too-many-rows', slots: { got: '25', max: '24' } });
  assert.equal(refused('qkv', 'x', '  ')?.code, 'empty-paste');
});

test('A slider can edit one row of a matrix', () => {
  const l = lab('party');
  const score = inputNamed(l, 'score', 'slider');
  const second = { ...start('party'), guest: '1' };
  assert.equal(sliderText(l, second, score), '0.05');
  assert.deepEqual(setSlider(l, second, score, '3').scores, ['0.95', '3']);
});

test('A state too long for a link is known before the link is copied, by the same measure that refuses it', () => {
  const big = { ...start('qkv'), x: Array.from({ length: 24 }, () => Array.from({ length: 16 }, () => '0.'.padEnd(80, '1')).join(', ')) };
  const hash = encodeState(lab('qkv'), 'p', { ...big, tokens: Array.from({ length: 24 }, (_, i) => `詞${i}`).join('、') }, start('qkv'));
  assert.ok(tooLong(hash) && isRefused('p', hash));
  assert.equal(decodeState(lab('qkv'), 'p', hash), null);
  assert.ok(!isRefused('q', hash) && !isRefused('p', '#p?x=1'));
});

/** The raw fields and the sentence of a paste. */
const pasted = (stem: string, name: string, text: string, typed: Raw = {}) => {
  const done = paste(lab(stem), reshape(lab(stem), { ...start(stem), ...typed }), name, text, wordsOf(stem));
  return done.ok ? { raw: done.raw, said: pasteText(done, strings) } : done.problem.code;
};

test('Titles and names around pasted numbers are told apart from them', () => {
  for (const text of ['name,score\n小明,0.5\n小華,1', 'name\tscore\r\n小明\t0.5\r\n小華\t1', ',score\n小明,0.5\n小華,1']) {
    const done = pasted('party', 'scores', text);
    assert.ok(typeof done === 'object', text);
    assert.deepEqual([done.raw.names, done.raw.scores], ['小明、小華', ['0.5', '1']]);
    assert.equal(done.said, `已套用貼上的 2 個橫列。${strings['lab.paste-titles']}${strings['lab.paste-names']}`);
  }
  const column = pasted('party', 'scores', 'score\n1\n2');
  assert.ok(typeof column === 'object' && column.said === `已套用貼上的 2 個橫列。${strings['lab.paste-titles']}`);
  const unfit = pasted('party', 'scores', `${'長'.repeat(20)}\t1\n乙\t2`);
  assert.ok(typeof unfit === 'object');
  assert.deepEqual([unfit.raw.names, unfit.said], ['阿明、阿華', `已套用貼上的 2 個橫列。${strings['lab.paste-no-names']}`]);
});

test('A paste that cannot be read changes nothing, and one that is too short is refused', () => {
  assert.equal(pasted('party', 'scores', '5'), 'too-few-rows');
  assert.equal(pasted('party', 'scores', 'name,score'), 'row-not-a-number');
  assert.equal(pasted('party', 'scores', '1\nx'), 'row-not-a-number');
  assert.equal(pasted('party', 'scores', '1\n1e9'), 'row-range');
  assert.equal(pasted('qkv', 'x', '1 2\n3'), 'ragged');
  for (const code of ['too-few-rows', 'row-not-a-number', 'row-range', 'ragged']) assert.ok(strings[`error.${code}`]);
});

test('Names that lose their row are told', () => {
  const done = pasted('party', 'scores', '1\n2', { names: '甲 乙 丙 丁' });
  assert.ok(typeof done === 'object');
  assert.equal(done.raw.names, '甲、乙');
  assert.equal(done.said, '已套用貼上的 2 個橫列。橫列比名字少，拿掉了「丙」、「丁」。');
});

test('What storage holds is taken only as far as it has the shape of the lab', () => {
  for (const saved of [null, 5, 'x', [], {}, { raw: null }, { raw: [] }]) assert.equal(readMemory(lab('party'), saved), null);
  const raw = { names: ['甲'], scores: 'x', guest: 7, temperature: '2', score: null, extra: '1', __proto__: { names: '乙' } };
  assert.deepEqual(readMemory(lab('party'), { raw, revealed: 1 }), { raw: { temperature: '2' }, revealed: false });
  assert.deepEqual(readMemory(lab('party'), { raw: { scores: ['1', 2] } })!.raw, {});
  const good = { raw: { names: '甲 乙', scores: ['1', '2'] }, revealed: true };
  assert.deepEqual(readMemory(lab('party'), good), good);
});
