// Every page of dist/: both editions alike, each in its own characters, links that lead somewhere, and the rules for listeners.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { HtmlValidate } from 'html-validate';
import { Converter } from 'opencc-js';
import { CSP } from '../../web/site/csp.ts';
import { SCRIPTS, type Script } from '../../web/site/scripts.ts';
import { readTerms } from '../../web/site/terms.ts';
import {
  attribute,
  closest,
  elements,
  textOf,
  type Element,
  type Node,
} from '../../web/site/transforms/html.ts';
import { DIST, page, pagesOf, words } from './dist.ts';
import { lintPage } from './page-lint.ts';

const scripts = Object.keys(SCRIPTS) as Script[];
const paths = pagesOf('zh-Hant');
const everyPage = [
  'index.html',
  ...scripts.flatMap((script) => paths.map((path) => `${script}/${path}`)),
];

/** Tags and ids of a page, one a line. */
const skeleton = (node: Node): string[] =>
  [...elements(node)].map((element) => `${element.tagName}#${attribute(element, 'id') ?? ''}`);

describe('both editions', () => {
  test('they have the same pages, among them the map, the glossary, the sources and the notes on screen readers', () => {
    assert.deepEqual(pagesOf('zh-Hans'), paths);
    for (const path of [
      'index.html',
      'glossary/index.html',
      'sources/index.html',
      'accessibility/index.html',
      'lecture/party/index.html',
    ])
      assert.ok(paths.includes(path), path);
  });
  for (const path of paths)
    test(`${path} has the same elements and ids in both`, () => {
      assert.deepEqual(skeleton(page(`zh-Hans/${path}`)), skeleton(page(`zh-Hant/${path}`)));
    });
  for (const path of paths)
    test(`${path} shows the same code in both`, () => {
      const code = (script: Script) =>
        [...elements(page(`${script}/${path}`))]
          .filter(({ tagName }) => tagName === 'pre')
          .map(textOf);
      assert.deepEqual(code('zh-Hans'), code('zh-Hant'));
    });
});

describe('characters', () => {
  const toHans = Converter({ from: 't', to: 'cn' });
  const toHant = Converter({ from: 'cn', to: 't' });
  // What Taiwan's own character set holds is at home there, but for a few that came in as rare variants.
  const big5 = new Set<string>();
  const decoder = new TextDecoder('big5');
  for (let lead = 0xa1; lead <= 0xf9; lead += 1)
    for (let trail = 0x40; trail <= 0xfe; trail += 1)
      big5.add(decoder.decode(Uint8Array.of(lead, trail)));
  const isSimplified = (c: string) =>
    toHant(c) !== c && toHans(toHant(c)) === c && (!big5.has(c) || '体个万与机么无'.includes(c));
  const foreign = (script: Script, path: string, isForeign: (c: string) => boolean) => {
    const found = new Set<string>();
    for (const text of words(page(`${script}/${path}`)))
      for (const { 0: c, index } of text.matchAll(/[\u3400-\u9fff]/g))
        if (isForeign(c)) found.add(`${c} in ${text.slice(Math.max(0, index - 8), index + 8)}`);
    return [...found];
  };
  test('the two tests below know both kinds of characters', () => {
    assert.deepEqual([...'這個台灣的占准吃'].filter(isSimplified), []);
    assert.deepEqual(
      [...'这门课与机体'].filter((c) => !isSimplified(c)),
      [],
    );
    assert.equal(toHans('這'), '这');
  });
  for (const path of paths)
    test(`${path} has no character of the other edition`, () => {
      assert.deepEqual(
        foreign('zh-Hans', path, (c) => toHans(c) !== c && c !== '著'),
        [],
      );
      assert.deepEqual(foreign('zh-Hant', path, isSimplified), []);
    });
  test('nothing private is left over from protecting words', () => {
    for (const file of everyPage)
      assert.doesNotMatch(
        readFileSync(join(DIST, file), 'utf8'),
        /[\ue000-\uf8ff\u{f0000}-\u{10ffff}]/u,
        file,
      );
  });
  test('blocked words stand on no mainland page, except where a row of the word list put them', () => {
    const { never, pairs } = readTerms(readFileSync('lessons/terms.yaml', 'utf8'));
    const wanted = new Set(pairs.map(([, cn]) => cn));
    for (const path of paths)
      for (const text of words(page(`zh-Hans/${path}`)))
        for (const word of never)
          if (!wanted.has(word)) assert.ok(!text.includes(word), `${path}: ${word} in ${text}`);
  });
});

describe('code', () => {
  test('each excerpt is what the compiled file says on those lines', () => {
    let count = 0;
    for (const path of paths)
      for (const figure of elements(page(`zh-Hant/${path}`))) {
        if (attribute(figure, 'class') !== 'excerpt') continue;
        const inside = [...elements(figure)];
        const file = textOf(inside.find((at) => attribute(at, 'class') === 'path')!);
        const first = Number(
          attribute(
            inside.find(({ tagName }) => tagName === 'a')!,
            'href',
          )!.split('#L')[1],
        );
        const shown = textOf(inside.find(({ tagName }) => tagName === 'pre')!).split('\n');
        const source = readFileSync(file, 'utf8')
          .split('\n')
          .slice(first - 1, first - 1 + shown.length);
        assert.deepEqual(
          shown.map((line) => line.trim()),
          source.map((line) => line.trim()),
        );
        count += 1;
      }
    assert.ok(count > 0);
  });
});

describe('links', () => {
  const ids = new Map<string, Set<string>>();
  const idsOf = (file: string) => {
    if (!ids.has(file))
      ids.set(
        file,
        new Set([...elements(page(file))].flatMap((element) => attribute(element, 'id') ?? [])),
      );
    return ids.get(file)!;
  };
  for (const file of everyPage)
    test(`${file} links only to files and places that exist, and loads nothing from elsewhere`, () => {
      for (const element of elements(page(file))) {
        for (const name of ['href', 'src', 'srcset', 'poster', 'data', 'action']) {
          const value = attribute(element, name);
          if (value === undefined) continue;
          if (/^https:/.test(value) && element.tagName === 'a') continue;
          assert.doesNotMatch(value, /^([a-z]+:|\/)/i, `${value} is not relative`);
          const [path = '', hash = ''] = value.split('#');
          const target = path === '' ? file : relative(DIST, resolve(DIST, dirname(file), path));
          assert.ok(
            existsSync(join(DIST, target)) && statSync(join(DIST, target)).isFile(),
            `${value} is no file`,
          );
          const id = hash.split('?')[0]!;
          if (id) assert.ok(idsOf(target).has(id), `${value}: no such place`);
        }
      }
    });
});

describe('safety', () => {
  for (const file of everyPage)
    test(`${file} carries the policy and no script or style of its own`, () => {
      const all = [...elements(page(file))];
      const policy = all.find(
        (element) => attribute(element, 'http-equiv') === 'Content-Security-Policy',
      );
      assert.equal(attribute(policy!, 'content'), CSP);
      for (const element of all) {
        assert.notEqual(element.tagName, 'style');
        if (element.tagName === 'script' && attribute(element, 'src') === undefined) {
          assert.equal(attribute(element, 'type'), 'application/json');
          JSON.parse(textOf(element));
        }
        for (const { name } of element.attrs)
          assert.ok(!name.startsWith('on') && name !== 'integrity', name);
      }
    });
});

describe('listening', () => {
  for (const script of scripts)
    for (const path of paths)
      test(`${script}/${path} keeps the rules for screen readers`, () => {
        assert.deepEqual(lintPage(page(`${script}/${path}`), SCRIPTS[script].lang), []);
      });
  test('the page before both editions tags each in its own language', () => {
    const all = [...elements(page('index.html'))];
    const link = (href: string) =>
      all.find((element) => attribute(element, 'href') === href) as Element;
    const languageOf = (element: Element) =>
      attribute(
        closest(element, (at) => attribute(at, 'lang') !== undefined)!,
        'lang',
      );
    assert.equal(languageOf(link('zh-Hant/index.html')), 'zh-TW');
    assert.equal(languageOf(link('zh-Hans/index.html')), 'zh-CN');
  });
  test('every page says where its words stand in the other script', () => {
    for (const script of scripts)
      for (const path of paths) {
        const link = [...elements(page(`${script}/${path}`))].find(
          (element) => attribute(element, 'data-script-switch') !== undefined,
        )!;
        const other = script === 'zh-Hant' ? 'zh-Hans' : 'zh-Hant';
        assert.equal(
          resolve(DIST, script, dirname(path), attribute(link, 'href')!),
          join(DIST, other, path),
        );
        assert.equal(attribute(link, 'lang'), SCRIPTS[other].lang);
      }
  });
});

describe('HTML', () => {
  const validator = new HtmlValidate({
    root: true,
    extends: ['html-validate:recommended', 'html-validate:document', 'html-validate:a11y'],
    elements: ['html5', { 'attn-lab': { flow: true, permittedContent: ['@flow'] } }],
    rules: {
      'doctype-style': ['error', { style: 'lowercase' }],
      // The serializer of parse5 decides these two.
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
      // Temml and the heat of cells write style attributes, which the policy allows.
      'no-inline-style': 'off',
      // Text fields of the labs and the bank carry labels; their forms submit by design of their kit.
      'no-trailing-whitespace': 'off',
      'long-title': 'off',
      // No hosting is known for these files, and integrity is refused on file://.
      'require-sri': 'off',
    },
  });
  for (const file of everyPage)
    test(`${file} is valid`, async () => {
      const { results } = await validator.validateString(readFileSync(join(DIST, file), 'utf8'));
      assert.deepEqual(
        results
          .flatMap(({ messages }) => messages)
          .map(
            ({ ruleId, message, line, selector }) => `${line} ${ruleId}: ${message} ${selector}`,
          ),
        [],
      );
    });
});
