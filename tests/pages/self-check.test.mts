// The primer's self-check in a browser: the advice comes with the last answer, is heard once, and follows a change of mind.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { open, visit } from './support/chromium.mts';
import { stage } from './support/stage.mts';

const { browser, http: origin } = await stage();

interface Card {
  id: string;
  kind: string;
  options: { correct: boolean; value?: number }[];
}

const cards = (page: Page): Promise<Card[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-self-check] .q-data')].map((data) => JSON.parse(data.textContent!)),
  );

/** Answers as a learner does, rightly or with the first wrong option. */
async function answer(page: Page, { id, kind, options }: Card, right: boolean): Promise<void> {
  const place = options.findIndex(({ correct }) => correct === right);
  if (kind === 'number') await page.fill(`#q-${id}-value`, String(options[place]!.value));
  else await page.check(`#q-${id}-${place + 1}`);
  await page.locator(`#q-${id} .q-form button`).click();
}

const heard = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as { said: string[] }).said);

for (const path of ['zh-Hant', 'zh-Hans'].map((script) => `${script}/start/primer/index.html`))
  describe(path, () => {
    test('one wrong answer is one scene to read again; mended, the way is free', async () => {
      const tab = await open(browser, origin);
      const { page } = tab;
      await page.addInitScript(() => {
        const said: string[] = [];
        Object.assign(window, { said });
        document.addEventListener('DOMContentLoaded', () => {
          const region = document.getElementById('say')!;
          new MutationObserver(() => region.textContent && said.push(region.textContent)).observe(region, {
            childList: true,
          });
        });
      });
      try {
        await visit(tab, origin.url(path));
        const all = await cards(page);
        assert.equal(all.length, 8);
        const advice = () => page.locator('.advice').innerText();
        const before = await advice();
        assert.match(before, / 0 .* 8 /);
        for (const [i, card] of all.entries()) await answer(page, card, i !== 2);
        const again = await page.locator('main h2#dot').innerText();
        assert.ok((await advice()).includes(again), await advice());
        await page.waitForTimeout(400);
        const last = (await heard(page)).at(-1)!;
        assert.ok(last.includes(await advice()), `heard: ${last}`);
        assert.ok(last.includes('8'), 'the verdict of the last question is heard before the advice');

        await answer(page, all[2]!, true);
        assert.ok(!(await advice()).includes(again), await advice());
        await page.waitForTimeout(400);
        assert.ok((await heard(page)).at(-1)!.includes(await advice()));
        for (const card of all.filter((_, i) => i === 0 || i === 4 || i === 7)) await answer(page, card, false);
        assert.notEqual(await advice(), before);
        assert.deepEqual(tab.problems, []);
      } finally {
        await tab.close();
      }
    });
    test('without scripts the table alone says what to read again', async () => {
      const tab = await open(browser, origin, { scripts: 'aborted' });
      try {
        await visit(tab, origin.url(path), 'aborted');
        assert.equal(await tab.page.locator('.advice').count(), 0);
        assert.equal(await tab.page.locator('[data-self-check] tbody tr').count(), 8);
      } finally {
        await tab.close();
      }
    });
  });
