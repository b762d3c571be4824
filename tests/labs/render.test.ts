import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { parse, type DefaultTreeAdapterMap } from 'parse5';
import type { Core } from '../../web/core/core.ts';
import { labs } from '../../web/labs/index.ts';
import { defaults, read, reshape } from '../../web/labs/kit/raw.ts';
import { renderInputs } from '../../web/labs/kit/render-inputs.ts';
import { renderTables } from '../../web/labs/kit/render-result.ts';
import type { Raw } from '../../web/labs/kit/types.ts';
import { loadCore, page, show, strings, wordsOf } from './kit.ts';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

let core: Core;
const pages = new Map<string, Element[]>();
before(async () => {
  core = await loadCore();
  for (const stem of Object.keys(labs)) pages.set(stem, elements(parse(page(stem, core))));
});

function elements(node: Node): Element[] {
  const own = 'tagName' in node ? [node] : [];
  return 'childNodes' in node ? [...own, ...node.childNodes.flatMap(elements)] : own;
}

const attr = (e: Element, name: string) => e.attrs.find((a) => a.name === name)?.value;
const textOf = (node: Node): string => ('value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '');
const all = (stem: string, ...tags: string[]) => pages.get(stem)!.filter((e) => tags.includes(e.tagName));

/** Silent or misread in names (accessibility rule R9). */
const SILENT = /[→×÷<>≠±⋅＝＋=+~()_/]/;

for (const stem of Object.keys(labs)) {
  test(`${stem}: ids are unique and everything that points at one finds it`, () => {
    const ids = pages.get(stem)!.map((e) => attr(e, 'id')).filter((id) => id !== undefined);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, new RegExp(`^test-${stem}`));
    for (const e of pages.get(stem)!) {
      for (const name of ['for', 'aria-labelledby', 'aria-describedby']) {
        const target = attr(e, name);
        if (target !== undefined) assert.ok(ids.includes(target), `${name}=${target}`);
      }
    }
  });

  test(`${stem}: every field has a label, every group a legend, every table a caption and scopes`, () => {
    const labelled = new Set(all(stem, 'label').map((e) => attr(e, 'for')));
    for (const field of all(stem, 'input', 'select', 'textarea')) assert.ok(labelled.has(attr(field, 'id')), attr(field, 'id'));
    for (const group of all(stem, 'fieldset')) assert.equal((group.childNodes[0] as Element).tagName, 'legend');
    for (const table of all(stem, 'table')) assert.equal((table.childNodes[0] as Element).tagName, 'caption');
    for (const th of all(stem, 'th')) assert.ok(['col', 'row'].includes(attr(th, 'scope')!), textOf(th));
    for (const cell of all(stem, 'td', 'th')) assert.notEqual(textOf(cell).trim(), '');
    assert.equal(all(stem, 'table').some((t) => elements(t).some((e) => attr(e, 'colspan') || attr(e, 'rowspan'))), false);
  });

  test(`${stem}: names hold no silent characters and are short`, () => {
    const named = [
      ...all(stem, 'label', 'legend', 'summary', 'caption', 'button', 'h3', 'h4', 'option', 'th').map(textOf),
      ...pages.get(stem)!.flatMap((e) => [attr(e, 'aria-label'), attr(e, 'aria-valuetext')]).filter((v) => v !== undefined),
    ];
    for (const name of named) {
      assert.doesNotMatch(name, SILENT);
      assert.ok([...name].length <= 60, name);
    }
    for (const e of all(stem, 'label', 'legend', 'summary', 'caption')) assert.ok([...textOf(e)].length <= 40, textOf(e));
    const summaries = all(stem, 'summary').map(textOf);
    assert.equal(new Set(summaries).size, summaries.length);
  });

  test(`${stem}: sliders have at most 40 stops, a spoken value and a box that takes every value`, () => {
    for (const input of labs[stem]!.inputs) {
      if (input.kind !== 'slider') continue;
      assert.ok(input.stops.length <= 40, input.name);
      assert.deepEqual([...input.stops].sort((a, b) => a - b), input.stops);
      assert.ok(input.stops.includes(input.initial) && input.stops[0] === input.min && input.stops.at(-1) === input.max);
      const range = pages.get(stem)!.find((e) => attr(e, 'id') === `test-${stem}-${input.name}`)!;
      assert.ok([...attr(range, 'aria-valuetext')!].length <= 12);
      assert.ok(pages.get(stem)!.some((e) => attr(e, 'id') === `test-${stem}-${input.name}-box`));
    }
  });

  test(`${stem}: the picture is one image with hidden innards`, () => {
    const pictures = all(stem, 'svg');
    assert.equal(pictures.length, 1);
    assert.equal(attr(pictures[0]!, 'role'), 'img');
    const children = pictures[0]!.childNodes as Element[];
    assert.deepEqual(children.map((e) => [e.tagName, attr(e, 'aria-hidden')]), [['g', 'true']]);
  });

  test(`${stem}: nothing is live, nothing steals keys, nothing is checked before the learner has chosen`, () => {
    for (const e of pages.get(stem)!) {
      assert.equal(attr(e, 'aria-live') ?? attr(e, 'accesskey') ?? attr(e, 'aria-roledescription'), undefined);
      assert.ok(!['status', 'alert', 'application'].includes(attr(e, 'role') ?? ''));
      assert.ok(Number(attr(e, 'tabindex') ?? 0) <= 0);
      if (attr(e, 'name')?.endsWith('-guess')) assert.equal(attr(e, 'checked'), undefined);
    }
  });

  test(`${stem}: heading, introduction, inputs, state, picture, tables come in this order`, () => {
    const html = page(stem, core);
    const at = ['<h3', 'lab-intro', 'data-part="inputs"', 'data-part="state"', '<svg', '<table', 'lab-verdict', '<pre', 'lab-think'].map((part) => html.indexOf(part));
    assert.ok(at.every((place) => place > 0));
    assert.deepEqual([...at].sort((a, b) => a - b), at);
  });

  test(`${stem}: before a script takes over the fields are readable but closed, and the words can be embedded`, () => {
    const html = page(stem, core);
    assert.ok(all(stem, 'fieldset').filter((e) => attr(e, 'class') === 'lab-inputs').every((e) => attr(e, 'disabled') !== undefined));
    const embedded = JSON.parse(/<script type="application\/json" class="lab-words">(.*?)<\/script>/s.exec(html)![1]!) as object;
    const { expect: _, ...words } = wordsOf(stem);
    assert.deepEqual(embedded, words);
  });
}

const rendered = (stem: string, typed: Raw) => {
  const lab = labs[stem]!;
  const raw = reshape(lab, { ...defaults(lab, wordsOf(stem)), ...typed });
  const reading = read(lab, raw);
  const problems = 'problems' in reading ? reading.problems : [];
  return elements(parse(renderInputs({ lab, id: 'x', words: wordsOf(stem), strings, raw, problems, disabled: false })));
};

test('A bad entry is marked at its own field, in words, and what was typed stays', () => {
  const tree = rendered('qkv', { x: ['1, 0, 1', '0, 二, 0', '1, 1, 0', '0, 0, 1'] });
  const bad = tree.filter((e) => attr(e, 'aria-invalid') === 'true');
  assert.deepEqual(bad.map((e) => [attr(e, 'id'), attr(e, 'value')]), [['x-x-2', '0, 二, 0']]);
  const text = textOf(tree.find((e) => attr(e, 'id') === attr(bad[0]!, 'aria-describedby'))!);
  assert.equal(text, '第 2 橫列第 2 個是「二」，不是數字。');
});

test('A description is at most 40 characters; a longer complaint stands after its field', () => {
  const tree = rendered('party', { temperature: '很熱很熱很熱很熱很熱很熱' });
  const box = tree.find((e) => attr(e, 'id') === 'x-temperature-box')!;
  const complaint = tree.find((e) => attr(e, 'id') === 'x-temperature-box-error')!;
  assert.match(textOf(complaint), /不是數字/);
  assert.equal(attr(box, 'aria-describedby') !== undefined, [...textOf(complaint)].length <= 40);
});

test('A table larger than 12 by 12 shows a window, says which, and can be moved', () => {
  const tokens = Array.from({ length: 24 }, (_, i) => `詞${i + 1}`).join(' ');
  const { view } = show(labs['qkv']!, core, wordsOf('qkv'), { tokens });
  const context = { id: 'x', words: wordsOf('qkv'), strings, corners: { weights: { row: 12, col: 0 } }, level: 3, live: true };
  const tree = elements(parse(renderTables(context, view)));
  const weights = tree.find((e) => attr(e, 'id') === 'x-weights')!;
  const rows = elements(weights).filter((e) => e.tagName === 'tr');
  assert.equal(rows.length, 13);
  assert.equal(textOf(elements(rows[1]!)[1]!), '詞13');
  assert.ok(rows.every((row) => elements(row).length === 14));
  const text = textOf(parse(renderTables(context, view)));
  assert.match(text, /顯示第 13 到 24 橫列、第 1 到 12 直欄。全部是 24 橫列、24 直欄。/);
  const selects = tree.filter((e) => e.tagName === 'select' && attr(e, 'data-window') === 'weights');
  assert.deepEqual(selects.map((e) => attr(e, 'data-axis')), ['row', 'col']);
});

test('The largest cell of a row says so in words, and equal ones share the word', () => {
  const { view } = show(labs['qkv']!, core, wordsOf('qkv'), { tokens: '貓 坐 在', x: ['1 0 1', '0 2 0', '0 2 0'] });
  const html = renderTables({ id: 'x', words: wordsOf('qkv'), strings, corners: {}, level: 3, live: false }, view);
  assert.match(html, /<td class="lab-peak"[^>]*>0\.\d{4}，最大</);
  assert.match(html, /<td class="lab-peak"[^>]*>0\.\d{4}，並列最大</);
});
