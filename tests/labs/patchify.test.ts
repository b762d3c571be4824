import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import type { Core } from '../../web/core/core.ts';
import { rowsOf } from '../../web/core/matrix.ts';
import { labs } from '../../web/labs/index.ts';
import { colourName } from '../../web/labs/kit/colour.ts';
import { imageText, readImage } from '../../web/labs/kit/image-text.ts';
import { defaults, read, reshape } from '../../web/labs/kit/raw.ts';
import { imageNote, problemText, renderInputs } from '../../web/labs/kit/render-inputs.ts';
import { lookup, phrase } from '../../web/labs/kit/template.ts';
import { trustLines } from '../../web/labs/kit/trust.ts';
import type { Lab, Raw, Words } from '../../web/labs/kit/types.ts';
import { decodeState, encodeState } from '../../web/labs/kit/url-state.ts';
import { loadCore, root, show, strings, wordsOf } from './kit.ts';

let core: Core;
before(async () => {
  core = await loadCore();
});

const lab: Lab = labs.patchify!;
const words = wordsOf('patchify');
const vector = (id: string): any => JSON.parse(readFileSync(`${root}tests/vectors/15_patchify.json`, 'utf8')).cases.find((c: any) => c.id === id);

/** A picture of numbers that tell their places, as far as a byte can. */
const counting = Array.from({ length: 32 * 32 * 3 }, (_, i) => i % 256);
const picture = (rgb: number[], width = 640, height = 480): Raw => ({ picture: imageText({ width, height, rgb }) });

test('every state, announcement and fact is reached, whole and short enough, and every self-check passes', (t) => {
  const used = new Set<string>();
  const inputs: Raw[] = [
    ...lab.presets.map(({ raw }) => raw(core, words)),
    { tile: '64' },
    ...['32', '224', '384'].flatMap((size) => ['4', '8', '16', '32'].flatMap((patch) => ['yes', 'no'].map((cls) => ({ size, patch, cls })))),
    picture(counting),
    picture(counting.map(() => 0)),
    picture(counting.map(() => 255)),
  ];
  for (const raw of inputs) {
    const { values, result, view } = show(lab, core, words, raw);
    for (const message of [view.state, view.say!, ...view.facts, view.picture.label, view.sound!.intro]) {
      used.add(message.key);
      for (const sentence of phrase(words, message).split('。')) assert.ok([...sentence].length <= 60, sentence);
    }
    t.diagnostic(phrase(words, view.state));
    assert.match(phrase(words, view.state), /^現在：.*。$/);
    assert.ok([...phrase(words, view.say!)].length <= 40);
    for (const line of trustLines(lab, core, values, result)) assert.ok(line.passes, `${JSON.stringify(raw).slice(0, 80)} ${line.key} ${line.value}`);
  }
  const leaves = (node: Words, path: string): string[] => Object.keys(node).map((key) => `${path}.${key}`);
  const wanted = [...leaves(lookup(words, 'state') as Words, 'state'), ...leaves(lookup(words, 'facts') as Words, 'facts'), 'say', 'picture.label'];
  assert.deepEqual(wanted.filter((key) => !used.has(key)), []);
});

test('a picture is cut row by row, and in a patch row, column, channel, as in the vectors', () => {
  const { expected } = vector('32x32x3_patch16');
  const { result } = show(lab, core, words, picture(counting));
  const rows = rowsOf(result.tokens);
  assert.deepEqual([rows.length, rows[0]!.length], [expected.num_tokens, expected.token_dim]);
  rows.forEach((row, i) => {
    assert.deepEqual(row.slice(0, 6), expected.first_6[i].map((x: number) => x % 256));
    assert.deepEqual(row.slice(-3), expected.last_3[i].map((x: number) => x % 256));
    assert.deepEqual(row.slice(48, 51), expected.index_48_first_3[i].map((x: number) => x % 256));
  });
});

test('counts as in the vectors, and the class token is left out when it is switched off', () => {
  const { input, expected } = vector('counts');
  const { result } = show(lab, core, words);
  for (const { side, patch, counts } of result.cuts) {
    const i = input.configs.findIndex(([s, p]: number[]) => s === side && p === patch);
    if (i < 0) continue;
    assert.deepEqual([counts.tokens, counts.width, counts.withClass, counts.attentionEntries], [expected.tokens[i], expected.dim[i], expected.with_cls[i], expected.attention_entries_per_head_with_cls[i]]);
  }
  assert.equal(show(lab, core, words, { size: '224', cls: 'no' }).result.entries, 196 * 196);
  assert.equal(show(lab, core, words, { cls: 'no' }).result.halved, 16);
});

test('the name of a patch is the everyday name of its mean colour', () => {
  const names: [number, number, number, string][] = [
    [0, 0, 0, 'black'], [255, 255, 255, 'white'], [128, 128, 128, 'grey'], [60, 60, 62, 'dark-grey'], [200, 202, 205, 'light-grey'],
    [220, 40, 40, 'red'], [240, 150, 30, 'orange'], [250, 220, 60, 'yellow'], [60, 170, 60, 'green'], [40, 190, 190, 'cyan'], [40, 80, 220, 'blue'],
    [130, 60, 200, 'purple'], [240, 90, 170, 'pink'], [110, 60, 45, 'brown'], [150, 205, 240, 'light-blue'], [10, 30, 90, 'dark-blue'], [90, 8, 10, 'dark-red'],
  ];
  for (const [r, g, b, name] of names) assert.equal(colourName([r, g, b]), name, `${r} ${g} ${b}`);
  const spoken = lookup(words, 'colours') as Words;
  for (let r = 0; r < 256; r += 15) for (let g = 0; g < 256; g += 15) for (let b = 0; b < 256; b += 15) assert.ok(spoken[colourName([r, g, b])], `${r} ${g} ${b}`);
  const seen = phrase(words, show(lab, core, words, picture(counting.map((_, i) => [230, 40, 35][i % 3]!))).view.facts[0]!);
  assert.match(seen, /平均是紅色：紅 230、綠 40、藍 35。$/);
});

test('a picture as text comes back as it was, and nothing else is taken for one', () => {
  const small = { width: 640, height: 480, rgb: counting };
  assert.deepEqual(readImage(imageText(small), 32), small);
  for (const text of ['', 'x', '640x480:', `640x480:${'0'.repeat(6143)}`, `640x480:${'g'.repeat(6144)}`, `0x480:${'0'.repeat(6144)}`, `640x480:${'0'.repeat(6146)}`, `<b>:${'0'.repeat(6144)}`])
    assert.equal(readImage(text, 32), null, text.slice(0, 20));
});

test('a link carries the picture, and a broken one is refused at its field', () => {
  const start = reshape(lab, defaults(lab, words));
  const hash = encodeState(lab, 'x', { ...start, ...picture(counting) }, start);
  assert.ok(hash.length < 7000, `${hash.length}`);
  const opened = show(lab, core, words, decodeState(lab, 'x', hash)!);
  assert.deepEqual(opened.values.picture, counting);
  const broken = read(lab, { ...start, picture: '640x480:00' });
  assert.ok('problems' in broken);
  assert.deepEqual(broken.problems, [{ field: 'picture', code: 'image-broken', slots: {} }]);
  assert.match(problemText(broken.problems[0]!, words, strings), /讀不了。/);
  const html = renderInputs({ lab, id: 'x', words, strings, raw: { ...start, picture: 'x' }, problems: broken.problems, disabled: false });
  assert.match(html, /class="lab-error">這組輸入裡的圖讀不了/);
});

test('what became of a picture is said: its old size, smaller or larger, its shape, and that it was not sent', () => {
  const note = (width: number, height: number) => imageNote({ width, height }, 32, strings);
  assert.equal(note(640, 480), '你的圖有 640 乘 480 像素，太大了，縮成 32 乘 32。長寬比也變了。圖沒有上傳。');
  assert.equal(note(16, 16), '你的圖只有 16 乘 16 像素，放大成 32 乘 32。圖沒有上傳。');
  assert.equal(note(32, 32), '你的圖剛好是 32 乘 32 像素。圖沒有上傳。');
});
