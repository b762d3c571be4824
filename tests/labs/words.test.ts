import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errorCodes } from '../../web/core/errors.ts';
import { labs } from '../../web/labs/index.ts';
import { fill, lookup, sentences, slotsOf } from '../../web/labs/kit/template.ts';
import { root, strings, wordsOf } from './kit.ts';

/** Silent or misread in names and announcements (accessibility rule R9). */
const SILENT = /[→×÷<>≠±⋅＝＋=+~()_/]/;
const spoken = (template: string) => template.replace(/\{\w+\}/g, '');
const length = (template: string) => [...template.replace(/\{\w+\}/g, '0.00')].length;

const all = [
  ...Object.entries(strings).map(([key, text]) => [key, text] as [string, string]),
  ...Object.keys(labs).flatMap((stem) => {
    const { expect: _, ...words } = wordsOf(stem);
    return [...sentences(words)].map(([key, text]) => [`${stem} ${key}`, text] as [string, string]);
  }),
];

test('Every sentence of the labs, to be read aloud', (t) => {
  for (const [key, text] of all) t.diagnostic(`${key}: ${text}`);
  assert.ok(all.length > 200);
});

test('A slot that is not filled is an error, never a gap', () => {
  assert.equal(fill('「{a}」是 {b}', { a: '貓', b: '{b}' }), '「貓」是 {b}');
  assert.throws(() => fill('「{a}」', {}), /no value for \{a\}/);
  assert.deepEqual(slotsOf('{a} {b} {a}'), ['a', 'b']);
});

test('A path into the words never leaves them', () => {
  assert.equal(lookup(wordsOf('party'), 'inputs.constructor'), undefined);
  assert.equal(lookup(wordsOf('party'), 'title.length'), undefined);
});

test('No sentence of a lab has a character that a screen reader swallows', () => {
  for (const [key, text] of all) assert.doesNotMatch(spoken(text), SILENT, key);
});

test('Digits and letters are half-width, and a bare 列 or 行 never means a row', () => {
  for (const [key, text] of all) {
    assert.doesNotMatch(text, /[０-９Ａ-Ｚａ-ｚ]/, key);
    assert.doesNotMatch(text.replace(/橫列|序列|排列|並列|陣列|列出|平行|執行|一行是一個橫列|第 \{line\} 行/g, ''), /[列行]/, key);
  }
});

test('Sentences are short enough to be heard', () => {
  for (const [key, text] of all) {
    for (const sentence of text.split(/[。！？]/)) assert.ok(length(sentence) <= 60, `${key}: ${length(sentence)}`);
    if (/^\S+ say/.test(key)) assert.ok(length(text) <= 40, key);
    if (!key.includes('picture.') && /\.(label|row|legend|caption|paste|fold|name|button|summary)$|question$/.test(key)) {
      assert.ok(length(text) <= 40, `${key}: ${length(text)}`);
    }
    if (/picture\.(label|even|self)$/.test(key)) assert.ok(length(text) <= 60, key);
    if (/judge\./.test(key)) assert.ok(length(text) <= 5, key);
  }
});

test('Names do not repeat what a screen reader adds', () => {
  for (const [key, text] of all) {
    if (!key.includes('picture.') && /\.(label|row|legend|paste|fold|set|button|name)$|^lab\./.test(key)) {
      assert.doesNotMatch(text, /按鈕|圖片|標題|展開|收合/, key);
    }
  }
});

test('Every code of the core and of the parser has a sentence', () => {
  for (const code of errorCodes) assert.ok(strings[`error.${code}`], code);
  const source = readFileSync(`${root}web/labs/kit/parse.ts`, 'utf8');
  const codes = [...source.matchAll(/bad\('([a-z-]+)'/g)].map((m) => m[1]!);
  assert.ok(codes.length > 10);
  for (const code of codes) assert.ok(strings[`error.${code}`], code);
  for (const code of ['empty', 'not-a-number', 'not-finite', 'percent', 'range']) assert.ok(strings[`error.row-${code}`], code);
});

test('Every word file has a lab and every lab a word file', () => {
  const files = readdirSync(`${root}lessons/labs`).map((file) => file.replace(/\.yaml$/, ''));
  assert.deepEqual(files.sort(), Object.keys(labs).sort());
  for (const [stem, lab] of Object.entries(labs)) assert.equal(lab.stem, stem);
});

test('No lab and no part of the kit computes attention: the numbers come from the core', () => {
  const files = readdirSync(`${root}web/labs`, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  assert.ok(files.length > 20);
  for (const file of files) {
    const source = readFileSync(`${root}web/labs/${file}`, 'utf8');
    // Places on a logarithmic axis are geometry.
    if (file !== 'kit/axis.ts') assert.doesNotMatch(source, /Math\.(exp|log|sqrt|pow|tanh|hypot|cosh|sinh)/, file);
    // Places on a circle and pitches are geometry and sound, nothing that a lab teaches.
    if (file !== 'kit/picture.ts') assert.doesNotMatch(source, /Math\.(sin|cos|PI)/, file);
    if (file !== 'kit/sound.ts') assert.doesNotMatch(source, /\w \*\* \w/, file);
  }
});
