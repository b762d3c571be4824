// Every lab has a page of its own, the gallery leads to it, and no page loads a lab that does not stand on it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { labs } from '../../web/labs/index.ts';
import { grouped, THEMES } from '../../web/labs/themes.ts';
import { readRegion } from '../../web/site/transforms/regions.ts';

const stems = Object.keys(labs);
const read = (path: string) => readFileSync(`dist/${path}`, 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!);
const loaded = (html: string) => all(html, /assets\/labs\/([\w-]+)\.js/g);

test('each lab stands in the gallery once, and every theme has its words', () => {
  assert.deepEqual(grouped(stems).flatMap((group) => group.stems).sort(), [...stems].sort());
  const named = THEMES.flatMap((theme) => theme.stems);
  assert.equal(new Set(named).size, named.length);
  assert.deepEqual(grouped(['party', 'unheard-of']), [{ id: 'softmax', stems: ['party'] }, { id: 'more', stems: ['unheard-of'] }]);
  for (const script of ['zh-Hant', 'zh-Hans']) {
    const html = read(`${script}/labs/index.html`);
    assert.deepEqual(all(html, /<h3 id="card-[\w-]+"><a href="([\w-]+)\/index\.html">/g).sort(), [...stems].sort());
    assert.deepEqual(loaded(html), []);
  }
});

test('header and map lead to the gallery', () => {
  for (const page of ['index.html', 'lecture/party/index.html']) assert.match(read(`zh-Hant/${page}`), /href="[./]*labs\/index\.html"/);
});

for (const stem of stems)
  test(`${stem} has a page in both scripts that loads the kit and this lab alone`, () => {
    for (const script of ['zh-Hant', 'zh-Hans']) {
      const html = read(`${script}/labs/${stem}/index.html`);
      assert.deepEqual(loaded(html), [stem]);
      assert.ok(html.indexOf(`assets/labs/${stem}.js`) < html.indexOf('assets/labs.js'));
      assert.match(html, new RegExp(`<attn-lab name="${stem}" id="lab-${stem}" data-level="2">`));
      assert.ok(existsSync(`dist/${script}/assets/labs/${stem}.js`));
      assert.ok(statSync(`dist/${script}/assets/labs/${stem}.js`).size < 30_000);
    }
  });

test('a lab script registers its lab under its stem and nothing else', () => {
  for (const stem of stems) {
    const run = new Function(`${read(`zh-Hant/assets/labs/${stem}.js`)};return attnLabs`) as () => Record<string, { lab: { stem: string } }>;
    assert.deepEqual(Object.entries(run()).map(([name, { lab }]) => [name, lab.stem]), [[stem, stem]]);
  }
});

test('a lesson loads the labs that stand in it', () => {
  const html = read('zh-Hant/lecture/party/index.html');
  assert.deepEqual(loaded(html).sort(), all(html, /<attn-lab name="([\w-]+)"/g).sort());
});

test('a lab page names the lessons that use it', () => {
  assert.match(read('zh-Hant/labs/party/index.html'), /<a href="\.\.\/\.\.\/lecture\/party\/index\.html">/);
});

test('a function without marks is shown whole, by its name', () => {
  const source = 'int twice(int x);\n\nint other() { return twice(1); }\n\nint twice(\n    int x) {\n  return 2 * x;\n}\n\nint last() {\n  return 1;\n}\n';
  assert.deepEqual(readRegion(source, 'twice'), { lines: ['int twice(', '    int x) {', '  return 2 * x;', '}'], first: 5 });
  assert.throws(() => readRegion(source, 'thrice'), /no region thrice/);
  assert.throws(() => readRegion(source.repeat(2), 'last'), /no region last/);
});
