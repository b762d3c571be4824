import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labs } from '../../web/labs/index.ts';
import { defaults, paste, read, reshape, rowsInUse, inputNamed, setSlider, sliderText } from '../../web/labs/kit/raw.ts';
import type { Lab, Raw } from '../../web/labs/kit/types.ts';
import { decodeState, encodeState } from '../../web/labs/kit/url-state.ts';
import { wordsOf } from './kit.ts';

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
  assert.deepEqual(decodeState(lab('party'), 'p-party', '#p-party'), {});
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
