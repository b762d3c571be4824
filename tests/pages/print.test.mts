// The sheets for paper: reached from every lesson and from the map, and no answer on a page with a question.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { open, visit } from './support/chromium.mts';
import { htmlOf, pages } from './support/dist.mts';
import { stage } from './support/stage.mts';

const { browser, http } = await stage();

for (const script of ['zh-Hant', 'zh-Hans'])
  describe(script, () => {
    const lessons = pages.filter((page) => page.startsWith(`${script}/`) && htmlOf(page).includes('<article class="lesson"'));
    const sheets = pages.filter((page) => page.startsWith(`${script}/print/`) && page !== `${script}/print/index.html`);

    test('every lesson with questions links to its sheet, which has them all and links back', () => {
      for (const lesson of lessons) {
        const [, path] = /^zh-Han[st]\/(.*)$/.exec(lesson)!;
        const cards = [...htmlOf(lesson).matchAll(/<div class="q-card[^"]*" id="q-/g)].length;
        const sheet = `${script}/print/${path}`;
        assert.equal(sheets.includes(sheet), cards > 0, sheet);
        assert.equal(htmlOf(lesson).includes(`href="../../print/${path}"`), cards > 0, lesson);
        if (cards === 0) continue;
        assert.equal([...htmlOf(sheet).matchAll(/class="sheet-question"/g)].length, cards, sheet);
        assert.equal([...htmlOf(sheet).matchAll(/class="sheet-answer"/g)].length, cards, sheet);
        assert.ok(htmlOf(sheet).includes(`href="../../../${path}"`), sheet);
      }
      assert.ok(sheets.length >= 9, `${sheets.length} sheets`);
    });

    test('the map leads to the list, and the list to every sheet', () => {
      assert.ok(htmlOf(`${script}/index.html`).includes('href="print/index.html"'));
      const list = htmlOf(`${script}/print/index.html`);
      for (const sheet of sheets) assert.ok(list.includes(`href="../${sheet.slice(script.length + 1)}"`), sheet);
    });

    test('no answer is printed on a page with a question', async () => {
      const tab = await open(browser, http);
      try {
        await visit(tab, http.url(`${script}/print/quest/scaling/index.html`));
        // One short question and one short answer would fit on one sheet.
        const one = '.sheet-question ~ .sheet-question, .sheet-answer ~ .sheet-answer { display: none } html { font-size: 6pt }';
        assert.equal(await printed(tab.page, `${one} .sheet-answers { display: none }`), 1);
        assert.equal(await printed(tab.page, `${one} .sheet-answers { break-before: auto }`), 1);
        assert.equal(await printed(tab.page, one), 2);
        await tab.page.emulateMedia({ media: 'print' });
        assert.equal(await tab.page.locator('.top-nav:visible, .sheet .place:visible, .sheet button:visible').count(), 0);
        assert.deepEqual(tab.problems, []);
      } finally {
        await tab.close();
      }
    });
  });

/** How many sheets of paper the page takes, with one more rule of style. */
async function printed(page: Page, rule: string): Promise<number> {
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@media print { ${css} }`);
    document.adoptedStyleSheets = [sheet];
  }, rule);
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  return [...pdf.matchAll(/\/Type\s*\/Page\b/g)].length;
}
