// Every page of dist/, however it is opened. ATTN_PAGES=rest does what `npm run test:all` adds: the costly checks without
// scripts and in the dark, and on every page that shows a source file.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { faults, launch, open, SIDE_BY_SIDE, visit, type Scripts } from './support/chromium.mts';
import { fileOrigin, httpOrigin, isPattern, pages, REST, type Origin } from './support/dist.mts';

interface Way {
  protocol: Origin['name'];
  scripts: Scripts;
  look?: BrowserContextOptions;
  /** With axe, the rules and the narrow window; else it only has to load in silence. */
  isThorough(page: string): boolean;
}

const always = (): boolean => true;
const never = (): boolean => false;
const ways: Way[] = REST
  ? [
      { protocol: 'http', scripts: 'on', isThorough: (page) => !isPattern(page) },
      { protocol: 'http', scripts: 'aborted', isThorough: always },
      { protocol: 'file', scripts: 'aborted', isThorough: always },
      { protocol: 'http', scripts: 'on', look: { colorScheme: 'dark' }, isThorough: always },
    ]
  : [
      { protocol: 'http', scripts: 'on', isThorough: isPattern },
      { protocol: 'file', scripts: 'on', isThorough: isPattern },
      { protocol: 'http', scripts: 'aborted', isThorough: never },
      { protocol: 'file', scripts: 'aborted', isThorough: never },
    ];

/** Of pages that are alike, one is loaded in every way, and each of them once. */
function pagesFor({ protocol, scripts, look }: Way): string[] {
  if (!REST && (protocol === 'file' || scripts === 'aborted')) return pages.filter(isPattern);
  if (REST && scripts === 'on' && !look) return pages.filter((page) => !isPattern(page));
  return pages;
}

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

for (const way of ways) {
  const { protocol, scripts, look, isThorough } = way;
  const name = [protocol, `scripts ${scripts}`, ...Object.values(look ?? {})].join(', ');
  describe(`Chromium, ${name}`, SIDE_BY_SIDE, () => {
    for (const page of pagesFor(way))
      test(page, async () => {
        const tab = await open(browser, origins[protocol], { scripts, ...look });
        try {
          await visit(tab, origins[protocol].url(page), scripts);
          if (isThorough(page)) tab.problems.push(...(await faults(tab.page)));
          assert.deepEqual(tab.problems, []);
        } finally {
          await tab.close();
        }
      });
  });
}
