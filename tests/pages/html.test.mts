// The HTML as it lies in dist/: valid, every link leads somewhere, and both scripts have the same bones.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { join as joinPath } from 'node:path';
import { describe, test } from 'node:test';
import { HtmlValidate } from 'html-validate';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { DIST, htmlOf, pages } from './support/dist.mts';

// Conformance and accessibility; how attributes are written out is the serialiser's business.
const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
  // Chromium refuses `integrity` on file://.
  rules: { 'require-sri': 'off' },
  elements: ['html5', { 'attn-lab': { flow: true, phrasing: false } }],
});

type Element = DefaultTreeAdapterTypes.Element;

const parsed = new Map<string, Element[]>();

function elementsOf(page: string): Element[] {
  const known = parsed.get(page);
  if (known) return known;
  const found: Element[] = [];
  const visit = (node: DefaultTreeAdapterTypes.ParentNode): void => {
    for (const child of node.childNodes)
      if ('tagName' in child) {
        found.push(child);
        visit(child);
      }
  };
  visit(parse(htmlOf(page)));
  parsed.set(page, found);
  return found;
}

const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((a) => a.name === name)?.value;

const ids = new Map<string, Set<string>>();

function idsOf(page: string): Set<string> {
  const known = ids.get(page) ?? new Set(elementsOf(page).flatMap((element) => attribute(element, 'id') ?? []));
  ids.set(page, known);
  return known;
}

describe('valid HTML', () => {
  for (const page of pages)
    test(page, async () => {
      const { results } = await validator.validateString(htmlOf(page), page);
      const messages = results.flatMap((result) =>
        result.messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId}: ${message}`),
      );
      assert.deepEqual(messages, []);
    });
});

describe('links', () => {
  for (const page of pages)
    test(page, () => {
      const dead: string[] = [];
      for (const element of elementsOf(page))
        for (const name of ['href', 'src']) {
          const target = attribute(element, name);
          if (target === undefined || /^[a-z]+:/i.test(target)) continue;
          const [path = '', fragment = ''] = target.split('#') as [string, string?];
          const file = path ? join(dirname(page), decodeURIComponent(path.split('?')[0]!)) : page;
          if (!existsSync(joinPath(DIST, file))) dead.push(`${target}: no such file`);
          else if (path && element.tagName === 'a' && !/\.[a-z0-9]+$/i.test(file))
            dead.push(`${target}: opens a listing from a folder`);
          // What follows a `?` in a fragment is the state of a lab.
          else if (
            fragment &&
            file.endsWith('.html') &&
            !idsOf(file).has(decodeURIComponent(fragment.split('?')[0]!))
          )
            dead.push(`${target}: no such place`);
        }
      assert.deepEqual(dead, []);
    });
});

describe('both scripts have the same bones', () => {
  const bones = (page: string): string[] =>
    elementsOf(page)
      .filter(({ tagName }) => /^(h[1-6]|table|tr|form|fieldset|details|attn-lab|math|main|nav)$/.test(tagName))
      .map((element) => {
        const id = attribute(element, 'id');
        return element.tagName + (id ? `#${id}` : '');
      });
  for (const page of pages.filter((p) => p.startsWith('zh-Hant/')))
    test(page, () => {
      const twin = page.replace('zh-Hant/', 'zh-Hans/');
      assert.ok(pages.includes(twin), `${twin} is missing`);
      assert.deepEqual(bones(twin), bones(page));
    });
  test('zh-Hans has no page of its own', () => {
    assert.deepEqual(
      pages.filter((p) => p.startsWith('zh-Hans/') && !pages.includes(p.replace('zh-Hans/', 'zh-Hant/'))),
      [],
    );
  });
});
