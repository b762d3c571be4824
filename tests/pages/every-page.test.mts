// Every page of dist/, however it is opened. ATTN_PAGES=rest does what `npm run test:all` adds: the costly checks without
// scripts and in the dark, and on every page that shows a source file.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { faults, open, SIDE_BY_SIDE, visit, type Scripts } from './support/chromium.mts';
import { isMirror, isPattern, isProse, pages, REST, type Origin } from './support/dist.mts';
import { stage } from './support/stage.mts';

interface Way {
  protocol: Origin['name'];
  scripts: Scripts;
  look?: BrowserContextOptions;
  pages: string[];
  /** With axe, the rules and the narrow window; else it only has to load in silence. */
  isThorough(page: string): boolean;
}

const always = (): boolean => true;
const never = (): boolean => false;
/** Of pages that are alike, one is loaded in every way; the others once, by the longer run. */
const patterns = pages.filter(isPattern);
const others = pages.filter((page) => !isPattern(page));
const ways: Way[] = REST
  ? [
      { protocol: 'http', scripts: 'on', pages: [...others, ...patterns.filter(isMirror)], isThorough: always },
      { protocol: 'file', scripts: 'on', pages: patterns.filter((page) => !isProse(page)), isThorough: never },
      { protocol: 'http', scripts: 'aborted', pages: patterns, isThorough: (page) => !isMirror(page) },
      { protocol: 'file', scripts: 'aborted', pages: patterns, isThorough: never },
      {
        protocol: 'http',
        scripts: 'on',
        look: { colorScheme: 'dark' },
        pages: patterns.filter((page) => !isMirror(page)),
        isThorough: always,
      },
    ]
  : [
      { protocol: 'http', scripts: 'on', pages: patterns, isThorough: (page) => !isMirror(page) },
      { protocol: 'file', scripts: 'on', pages: pages.filter(isProse), isThorough: never },
    ];

const { browser, origins } = await stage();

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
    for (const page of way.pages)
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
