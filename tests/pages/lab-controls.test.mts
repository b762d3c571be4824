// The controls that walk and shuffle, by keyboard alone, in both scripts; and every lab, in every state that its presets
// lead to, in the narrow window of somebody who reads at 400 %.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { open, overflow, SIDE_BY_SIDE, visit } from './support/chromium.mts';
import { isMirror, labPages, quarter } from './support/dist.mts';
import { idle, labIdsOf, reveal } from './support/lab.mts';
import { stage } from './support/stage.mts';

const { browser, http } = await stage();

/** As long as the hands rest, and the announcer after them. */
const REST_MS = 1200;

async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`the keyboard does not reach ${selector}`);
}

const state = (page: Page): Promise<string> => page.locator('[data-part="state"]').innerText();

/** Presses the focused button and gives what is said, and that the focus stayed. */
async function press(page: Page, selector: string): Promise<string> {
  await page.keyboard.press('Enter');
  await page.waitForTimeout(REST_MS);
  assert.ok(await page.evaluate((s) => document.activeElement!.matches(s), selector), 'the focus has left the button');
  return page.locator('#say').innerText();
}

async function onLab(script: string, stem: string, work: (page: Page) => Promise<void>): Promise<void> {
  const tab = await open(browser, http);
  try {
    await visit(tab, http.url(`${script}/labs/${stem}/index.html`));
    await tabTo(tab.page, '[data-do="skip"]');
    await tab.page.keyboard.press('Enter');
    await work(tab.page);
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.close();
  }
}

for (const script of ['zh-Hant', 'zh-Hans']) {
  test(`${script}: blocks are merged one key press at a time, each with its sentence`, () =>
    onLab(script, 'online-softmax', async (page) => {
      const next = '[data-do="step"][data-value="1"]';
      await tabTo(page, next);
      assert.match(await state(page), /3\.00.*1\.14.*0\.12、0\.88/);
      assert.match(await press(page, next), /1.*2.*3\.00.*1\.22/);
      assert.match(await state(page), /3\.00.*1\.22.*0\.05、0\.89/);
      assert.match(await press(page, next), /4\.00.*1\.59/);
      assert.match(await state(page), /4\.00.*1\.59.*1\.95、-0\.33/);
      const before = await state(page);
      assert.match(await press(page, next), /^已.是最[后後]一步。$/);
      assert.equal(await state(page), before);
    }));

  test(`${script}: one press leads to the next hidden cell, and after the last to the first`, () =>
    onLab(script, 'causal-mask', async (page) => {
      const jump = '[data-do="jump-masked"]';
      const here = () =>
        page.evaluate(() => {
          const cell = document.activeElement as HTMLTableCellElement;
          return [(cell.closest('tr') as HTMLTableRowElement).rowIndex, cell.cellIndex, cell.textContent];
        });
      const seen = [];
      for (let i = 0; i < 7; i++) {
        await page.locator(jump).focus();
        await page.keyboard.press('Enter');
        seen.push(await here());
      }
      assert.deepEqual(seen.map(([row, col]) => `${row},${col}`), ['1,2', '1,3', '1,4', '2,3', '2,4', '3,4', '1,2']);
      for (const [, , text] of seen) assert.match(String(text), /^遮住$|^遮住|^掩/);
      await page.locator('[data-field="kind"][value="none"]').check();
      await page.waitForTimeout(REST_MS);
      await page.locator(jump).focus();
      assert.match(await press(page, jump), /^[「“].+[」”][没沒]有.+。$/);
    }));

  test(`${script}: a token is moved to the end without a mouse, and every move is heard`, () =>
    onLab(script, 'permutation', async (page) => {
      const later = '[data-do="move"][data-value="1"]';
      await tabTo(page, later);
      assert.match(await press(page, later), /3.*0\.00.*2\.31/);
      assert.match(await press(page, later), /4.*0\.00.*2\.31/);
      assert.match(await press(page, later), /不能再往[后後]了。$/);
      assert.equal(await page.locator('[data-part="order"]').inputValue(), '3、4、2、1');
    }));
}

/** What a window of 1280 by 1024 px holds at 400 %. */
const MAGNIFIED = { width: 320, height: 256 };

describe('at 400 %, no page scrolls sideways', SIDE_BY_SIDE, () => {
  for (const path of quarter(labPages.filter((page) => page.includes('/labs/') && !isMirror(page))))
    test(path, async () => {
      const tab = await open(browser, http, { viewport: MAGNIFIED });
      try {
        await visit(tab, http.url(path));
        const [id] = await labIdsOf(tab.page);
        await reveal(tab.page, id!);
        assert.deepEqual(await overflow(tab.page), [], 'at the defaults');
        for (const preset of await tab.page.locator(`#${id} [data-do="preset"]`).all()) {
          await preset.press('Enter');
          await idle(tab.page);
          assert.deepEqual(await overflow(tab.page), [], (await preset.textContent())!);
        }
        assert.deepEqual(tab.problems, []);
      } finally {
        await tab.close();
      }
    });
});
