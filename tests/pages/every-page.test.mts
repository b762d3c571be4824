// Every page of dist/, however it is opened. ATTN_PAGES=rest does what `npm run test:all` adds: the costly checks in every
// other way of opening a page too.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { axe, launch, open, overflow, visit, type Scripts } from './support/chromium.mts';
import { fileOrigin, httpOrigin, pages, type Origin } from './support/dist.mts';
import { rules } from './support/rules.mts';

interface Way {
  protocol: Origin['name'];
  scripts: Scripts;
  look?: BrowserContextOptions;
  /** With axe, the rules and the narrow window; else it only has to load in silence. */
  thorough: boolean;
}

const rest = process.env.ATTN_PAGES === 'rest';
const ways: Way[] = [
  { protocol: 'http', scripts: 'aborted', thorough: rest },
  { protocol: 'file', scripts: 'on', thorough: rest },
  { protocol: 'file', scripts: 'aborted', thorough: rest },
  ...(rest
    ? ([
        { protocol: 'http', scripts: 'on', look: { colorScheme: 'dark' }, thorough: true },
      ] satisfies Way[])
    : ([{ protocol: 'http', scripts: 'on', thorough: true }] satisfies Way[])),
];

let browser: Browser;
const origins = {} as Record<Origin['name'], Origin>;

before(async () => {
  browser = await launch();
  origins.http = await httpOrigin();
  origins.file = fileOrigin();
});
after(async () => {
  await browser.close();
  origins.http.close();
});

test('there are pages in both scripts', () => {
  for (const script of ['zh-Hant', 'zh-Hans'])
    assert.ok(
      pages.some((page) => page.startsWith(`${script}/`)),
      `dist/${script} has no page`,
    );
});

for (const { protocol, scripts, look, thorough } of ways) {
  const name = [protocol, `scripts ${scripts}`, ...Object.values(look ?? {})].join(', ');
  describe(`Chromium, ${name}`, () => {
    for (const page of pages)
      test(page, async () => {
        const tab = await open(browser, origins[protocol], { scripts, ...look });
        try {
          await visit(tab, origins[protocol].url(page), scripts);
          if (thorough) {
            tab.problems.push(...(await axe(tab.page)), ...(await tab.page.evaluate(rules)));
            tab.problems.push(...(await overflow(tab.page)));
          }
          assert.deepEqual(tab.problems, []);
        } finally {
          await tab.close();
        }
      });
  });
}
