// The switch between the two scripts opens the same page at the same place, from http and from a folder.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { open, SIDE_BY_SIDE, visit } from './support/chromium.mts';
import { isFirstEdition, isMirror, isPattern, isProse, pages, REST, type Origin } from './support/dist.mts';
import { stage } from './support/stage.mts';

const { browser, origins } = await stage();

const other = (page: string): string =>
  page.startsWith('zh-Hant/') ? page.replace('zh-Hant/', 'zh-Hans/') : page.replace('zh-Hans/', 'zh-Hant/');

const inFolder = (page: string): boolean => isProse(page) && page.startsWith('zh-Hant/lecture/');
const inEdition = pages.filter((page) => /^zh-Han[ts]\//.test(page));
const chosen: Record<Origin['name'], string[]> = REST
  ? {
      http: inEdition.filter((page) => isPattern(page) && !isMirror(page) && !(isProse(page) && isFirstEdition(page))),
      file: inEdition.filter((page) => isProse(page) && !inFolder(page)),
    }
  : { http: inEdition.filter((page) => isProse(page) && isFirstEdition(page)), file: inEdition.filter(inFolder) };

for (const protocol of ['http', 'file'] as const)
  describe(`the script switch, ${protocol}`, SIDE_BY_SIDE, () => {
    for (const path of chosen[protocol])
      test(path, async () => {
        const tab = await open(browser, origins[protocol]);
        try {
          await visit(tab, origins[protocol].url(path));
          const heading = await tab.page.evaluate(() => {
            const all = [...document.querySelectorAll<HTMLElement>('main :is(h2, h3)[id]')];
            const middle = all[Math.floor(all.length / 2)];
            middle?.scrollIntoView({ behavior: 'instant' });
            return middle?.id ?? '';
          });
          // A reader rests at the heading, then goes to the switch, which scrolls the page to its top.
          await tab.page.waitForTimeout(700);
          await tab.page.locator('[data-script-switch]').focus();
          await Promise.all([tab.page.waitForNavigation({ waitUntil: 'load' }), tab.page.keyboard.press('Enter')]);
          const address = new URL(tab.page.url());
          assert.equal(address.href.split(/[?#]/)[0], origins[protocol].url(other(path)));
          if (heading) {
            const top = await tab.page.evaluate(
              (id) => document.getElementById(id)?.getBoundingClientRect().top,
              heading,
            );
            const atEnd = await tab.page.evaluate(
              () => scrollY + innerHeight >= document.documentElement.scrollHeight - 2,
            );
            assert.ok(top !== undefined && (Math.abs(top) < 200 || atEnd), `${heading} is at ${top}; ${address.hash}`);
          }
          assert.deepEqual(tab.problems, []);
        } finally {
          await tab.close();
        }
      });
  });
