import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { parse, type DefaultTreeAdapterMap } from 'parse5';
import type { Core } from '../../web/core/core.ts';
import { matrix, rowsOf } from '../../web/core/matrix.ts';
import { labs } from '../../web/labs/index.ts';
import { labels } from '../../web/labs/kit/labels.ts';
import { columns, differenceOf, sumOf } from '../../web/labs/kit/matrices.ts';
import { parseOrder } from '../../web/labs/kit/parse.ts';
import { renderPicture } from '../../web/labs/kit/picture.ts';
import { reconcile } from '../../web/labs/kit/predict.ts';
import { defaults, moved, read, reshape, stepped } from '../../web/labs/kit/raw.ts';
import { renderInputs } from '../../web/labs/kit/render-inputs.ts';
import { isPlaying, play, tones } from '../../web/labs/kit/sound.ts';
import { phrase } from '../../web/labs/kit/template.ts';
import type { Lab, Message, Raw } from '../../web/labs/kit/types.ts';
import { loadCore, page, show, strings, wordsOf } from './kit.ts';

let core: Core;
before(async () => {
  core = await loadCore();
});

const shuffle: Lab = labs.permutation!;
const blocks: Lab = labs['online-softmax']!;
const start = (lab: Lab, typed: Raw = {}): Raw => reshape(lab, { ...defaults(lab, wordsOf(lab.stem)), ...typed });

test('An order may be written with any separator, in full width, or without a gap; anything else is refused', () => {
  for (const text of ['3 1 4 2', '3、1、4、2', '3,1, 4;2', '３　１　４　２', '3142', ' 3\n1\n4\n2 ']) {
    assert.deepEqual(parseOrder(text, 4), { ok: true, value: [2, 0, 3, 1] }, text);
  }
  for (const text of ['', '3 1 4', '3 1 4 4', '0 1 2 3', '1 2 3 5', '1 2 3 x', '1 2 3 4 5', '31425', '-1 2 3 4', '1.0 2 3 4']) {
    assert.deepEqual(parseOrder(text, 4), { ok: false, problem: { code: 'order', slots: { count: '4' } } }, text);
  }
});

test('The picked token moves one place at a time and stops at both ends', () => {
  let raw = start(shuffle);
  const seen = [];
  for (let next: Raw | null = raw; next; next = moved(shuffle, raw, 'order', 1)) seen.push((raw = next).order);
  assert.deepEqual(seen, ['3、1、4、2', '3、4、1、2', '3、4、2、1']);
  for (let i = 0; i < 3; i++) raw = moved(shuffle, raw, 'order', -1)!;
  assert.equal(raw.order, '1、3、4、2');
  assert.equal(moved(shuffle, raw, 'order', -1), null);
  assert.equal(moved(shuffle, { ...raw, order: '1 2' }, 'order', 1), null);
});

test('An order follows the list: a token that goes leaves it, one that comes stands last', () => {
  assert.equal(start(shuffle, { tokens: '貓 坐 在' }).order, '3、1、2');
  assert.equal(start(shuffle, { tokens: '貓 坐 在 墊 上' }).order, '3、1、4、2、5');
  assert.equal(start(shuffle, { order: '4 4' }).order, '4 4');
});

test('Steps walk from the first stage to the last, stay inside when there are fewer, and go back to the start', () => {
  let raw = start(blocks);
  assert.equal(stepped(blocks, raw, 'stage', -1), null);
  assert.equal(stepped(blocks, raw, 'stage', 0), null);
  raw = stepped(blocks, stepped(blocks, raw, 'stage', 1)!, 'stage', 1)!;
  assert.equal(raw.stage, '2');
  assert.equal(stepped(blocks, raw, 'stage', 1), null);
  assert.equal(stepped(blocks, raw, 'stage', 0)!.stage, '0');
  const fewer = read(blocks, { ...raw, block: '6' });
  assert.equal('values' in fewer && fewer.values.stage, 0);
  for (const stage of ['', '-1', '1.5', 'x', '99999999']) {
    const reading = read(blocks, { ...raw, stage });
    assert.ok('values' in reading && [0, 2].includes(reading.values.stage as number), stage);
  }
  assert.equal(stepped(blocks, { ...raw, block: 'x' }, 'stage', 1), null);
});

test('Both controls are plain buttons with a word on each, and a field with a label', () => {
  const [order, steps] = [page('permutation', core), page('online-softmax', core)];
  assert.equal(order.match(/<button[^>]*data-do="move"[^>]*>[^<]+<\/button>/g)!.length, 2);
  assert.match(order, /<label for="test-permutation-order">[^<]+<\/label>/);
  assert.equal(steps.match(/<button[^>]*data-do="step"[^>]*>[^<]+<\/button>/g)!.length, 3);
});

test('Sum, difference and a slice of columns', () => {
  const [a, b] = [matrix([[1, 2], [3, 4]]), matrix([[10, 20], [30, 40]])];
  assert.deepEqual(rowsOf(sumOf(core, a, b)), [[11, 22], [33, 44]]);
  assert.deepEqual(rowsOf(differenceOf(core, a, b)), [[-9, -18], [-27, -36]]);
  assert.deepEqual(rowsOf(columns(a, 1, 1)), [[2], [4]]);
});

test('A sound with a range of its own uses all of both octaves, and an even one none', () => {
  assert.deepEqual(tones([-1, 0, 1], [-1, 1]).map(({ frequency }) => frequency), [220, 440, 880]);
  assert.deepEqual(tones([5, 5], [5, 5]).map(({ frequency }) => frequency), [220, 220]);
});

const say = (key: string): Message => ({ key });
const words = { a: '甲', b: '<乙>', label: '圖' };

function shapes(html: string, name: string): DefaultTreeAdapterMap['element'][] {
  const walk = (node: DefaultTreeAdapterMap['node']): DefaultTreeAdapterMap['element'][] => [
    ...('tagName' in node && node.tagName === name ? [node] : []),
    ...('childNodes' in node ? node.childNodes.flatMap(walk) : []),
  ];
  return walk(parse(html));
}

test('Waves have a band and a line each, inside their band whatever the value', () => {
  const html = renderPicture(
    { kind: 'waves', label: say('label'), x: [0, 1, 2], xTitle: say('a'), bands: [{ name: say('a'), y: [0, 1, -1] }, { name: say('b'), y: [9, 0, -9], strong: true }], range: [-1, 1] },
    words,
  );
  const lines = shapes(html, 'path').filter((e) => e.attrs.some(({ value }) => value.startsWith('lab-curve')));
  assert.equal(lines.length, 2);
  const bandOf = shapes(html, 'rect').map((e) => Object.fromEntries(e.attrs.map(({ name, value }) => [name, value])));
  lines.forEach((line, i) => {
    const heights = [...line.attrs.find(({ name }) => name === 'd')!.value.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map((m) => Number(m[1]));
    assert.equal(heights.length, 3);
    for (const y of heights) assert.ok(y >= Number(bandOf[i]!.y) && y <= Number(bandOf[i]!.y) + Number(bandOf[i]!.height));
  });
  assert.match(html, /&lt;乙&gt;/);
});

test('Grids shade one cell a number, for 1 to 16 of them, inside the frame', () => {
  for (const count of [1, 2, 4, 8, 16]) {
    const html = renderPicture(
      { kind: 'grids', label: say('label'), row: 1, grids: Array.from({ length: count }, () => ({ name: say('a'), cells: [[0.25, 0.75], [1, 0]] })) },
      words,
    );
    const cells = shapes(html, 'rect').filter((e) => e.attrs.some(({ value }) => value === 'lab-cell'));
    assert.equal(cells.length, 4 * count);
    assert.deepEqual(cells.slice(0, 4).map((e) => e.attrs.find(({ name }) => name === 'fill-opacity')!.value), ['0.250', '0.750', '1.000', '0.000']);
    const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(html)!.map(Number) as [number, number, number];
    for (const e of cells) {
      const at = (key: string) => Number(e.attrs.find(({ name }) => name === key)!.value);
      assert.ok(at('x') >= 0 && at('x') + at('width') <= width + 0.2 && at('y') + at('height') <= height + 0.2);
    }
  }
});

test('Links lead every name to its new place', () => {
  const html = renderPicture(
    { kind: 'links', label: say('label'), before: ['甲', '乙', '丙'], order: [2, 0, 1], beforeTitle: say('a'), afterTitle: say('a'), strong: 0 },
    words,
  );
  const ends = shapes(html, 'path').map((e) => /^M\d+ ([\d.]+)C.* ([\d.]+)$/.exec(e.attrs.find(({ name }) => name === 'd')!.value)!);
  const place = (y: string | undefined) => (Number(y) - 55) / 42;
  assert.deepEqual(ends.map((m) => [place(m[1]), place(m[2])]), [[2, 0], [0, 1], [1, 2]]);
});

test('Labels that are cut are told apart by their place, and the others stay whole', () => {
  const alike = Array.from({ length: 24 }, (_, i) => `一二三四五六七八九十甲${'乙丙'[i % 2]}`);
  for (const chars of [2, 4, 6]) {
    const cut = labels(alike, chars);
    assert.equal(new Set(cut).size, 24);
    for (const [i, label] of cut.entries()) assert.ok(label.startsWith(chars > 2 ? `${i + 1} 一` : `${i + 1}一`));
  }
  assert.deepEqual(labels(['貓', '很長的名字'], 4), ['貓', '2 很長']);
  const bars = renderPicture(show(labs.party!, core, wordsOf('party'), { names: alike.join('、') }).view.picture, wordsOf('party'));
  assert.equal(new Set(bars.match(/(?<=lab-name[^>]*>)[^<]+/g)).size, 24);
});

test('When several share the smallest or the largest weight, none of them is named as the one', () => {
  const party = (typed: Raw) => {
    const { view } = show(labs.party!, core, wordsOf('party'), typed);
    return [view.state, view.say!, view.picture.label].map((message) => phrase(wordsOf('party'), message));
  };
  const names = '甲 乙 丙 丁 戊';
  assert.match(party({ names, scores: ['1', '0', '0', '0', '0'] })[0]!, /最小的有 4 位並列/);
  assert.match(party({ names, scores: ['1', '0.5', '0.5', '0.5', '0'] })[0]!, /「戊」最小/);
  for (const text of party({ names, scores: ['1', '1', '0', '0', '0'] })) assert.match(text, /「甲」等 2 位並列最大/);
  for (const text of party({ names, scores: ['0', '0', '0', '0', '0'] })) assert.match(text, /權重一樣大/);

  const words = wordsOf('qkv');
  const blank = show(labs.qkv!, core, words, { wq: ['0, 0', '0, 0', '0, 0'] });
  for (const guess of ['0', '1', '3']) assert.match(reconcile(labs.qkv!, guess, blank.values, blank.result, words), /每個詞元一樣看重/);
  const { view } = show(labs.qkv!, core, words, { x: ['1, 0, 1', '0, 2, 0', '0, 2, 0', '0, 2, 0'] });
  assert.match(phrase(words, view.state), /「坐」等 3 個，並列最大/);
  const low = show(labs.qkv!, core, words, { x: ['1, 0, 1', '0, 2, 0', '1, 0, 1', '1, 1, 0'] }).view;
  assert.match(low.facts.map((fact) => phrase(words, fact)).join(''), /權重最小的有 \d 個並列/);
});

test('A number box that edits a row has the complaint of that row beside it, and its slider names no value', () => {
  const lab = labs.party!;
  const form = (scores: string[], guest = '0') => {
    const raw = start(lab, { scores, guest });
    const reading = read(lab, raw);
    const problems = 'problems' in reading ? reading.problems : [];
    return renderInputs({ lab, id: 'p', words: wordsOf('party'), strings, raw, problems, disabled: false });
  };
  const box = (html: string) => html.match(/<input[^>]*id="p-score-box"[^>]*>/)![0];
  for (const [typed, error] of [['abc', '「abc」不是數字'], ['', '是空的，請填一個數字'], ['50', '「50」超出範圍']] as const) {
    const html = form([typed, '0.05']);
    assert.match(box(html), /aria-invalid="true" aria-describedby="p-score-box-error"/);
    assert.match(html.match(/id="p-score-box-error">([^<]*)/)![1]!, new RegExp(error));
    assert.ok(html.includes(`aria-valuetext="${strings['lab.no-value']}"`));
  }
  assert.doesNotMatch(box(form(['abc', '0.05'], '1')), /aria-invalid/);
  assert.doesNotMatch(form(['0.95', '0.05']), /aria-invalid|lab-error/);
});

test('A browser that refuses a sound is a refusal, not a failure', () => {
  const real = globalThis.AudioContext;
  try {
    globalThis.AudioContext = class {
      constructor() {
        throw new DOMException('no more contexts', 'NotSupportedError');
      }
    } as unknown as typeof AudioContext;
    assert.equal(play(tones([0.5, 1]), 1), false);
    assert.equal(isPlaying(), false);
  } finally {
    globalThis.AudioContext = real;
  }
});
