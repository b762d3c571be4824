// Work that takes seconds: the page stays free, says so once, can be stopped, and does without workers where there are none.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { labsReady, open, type Watched } from './support/chromium.mts';
import { fileOrigin, type Origin } from './support/dist.mts';
import { enter, idle } from './support/lab.mts';
import { stage } from './support/stage.mts';

const PAGE = 'zh-Hant/labs/scaling/index.html';
const { browser, http } = await stage();

const text = async (page: Page, part: string): Promise<string> => (await page.locator(`[data-part="${part}"]`).textContent()) ?? '';
const box = (page: Page, name: string) => page.locator(`#lab-scaling-${name}-box`);

/** Opens the lab and writes down everything that the announcer says. */
async function listen(origin: Origin, prepare?: (tab: Watched) => Promise<unknown>): Promise<{ tab: Watched; said: string[] }> {
  const tab = await open(browser, origin);
  const said: string[] = [];
  await prepare?.(tab);
  await tab.page.exposeFunction('hear', (words: string) => said.push(words));
  await tab.page.goto(origin.url(PAGE), { waitUntil: 'load' });
  await labsReady(tab.page);
  await tab.page.evaluate(() => {
    const say = document.getElementById('say')!;
    new MutationObserver(() => {
      if (say.textContent) (globalThis as unknown as { hear(words: string): void }).hear(say.textContent);
    }).observe(say, { childList: true });
  });
  await tab.page.locator('[data-do="skip"]').click();
  return { tab, said };
}

for (const origin of ['http', 'file'] as const)
  test(`over ${origin} it is said once that work began and once that it ended, and the focus stays`, async () => {
    const { tab, said } = await listen(origin === 'http' ? http : fileOrigin());
    const { page } = tab;
    const before = await text(page, 'state');
    await box(page, 'keys').fill('64');
    await box(page, 'trials').fill('2000');
    assert.match(await text(page, 'work-text'), /^計算中，已完成 \d+%。下面仍是前一次輸入的結果。$/);
    assert.equal(await text(page, 'state'), before);
    await page.locator('attn-lab:not([data-busy])').waitFor({ timeout: 60_000 });
    await page.waitForTimeout(1500);
    assert.notEqual(await text(page, 'state'), before);
    assert.match(await text(page, 'work-text'), /^算完了，用了 [\d.]+ 秒。$/);
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'lab-scaling-trials-box');
    assert.equal(said.filter((words) => words === '計算中。').length, 1, said.join('|'));
    assert.equal(said.filter((words) => /^算完了，用了 [\d.]+ 秒。最大權重平均/.test(words)).length, 1, said.join('|'));
    assert.ok(said.every((words) => !words.includes('%')), said.join('|'));
    assert.deepEqual(tab.problems, []);
    await tab.close();
  });

test('it can be stopped by keyboard; the old result stays, and the next question is answered', async () => {
  const { tab, said } = await listen(http);
  const { page } = tab;
  const before = await text(page, 'state');
  await box(page, 'keys').fill('64');
  await box(page, 'trials').fill('2000');
  await page.locator('[data-do="cancel"]').press('Enter');
  assert.equal(await text(page, 'work-text'), '已停止計算，下面仍是前一次輸入的結果。');
  assert.equal(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.do), 'cancel');
  await page.waitForTimeout(2500);
  assert.equal(await text(page, 'state'), before);
  assert.ok(said.some((words) => words.startsWith('已停止計算')));
  assert.equal(await text(page, 'stale'), '已停止計算，下面仍是前一次輸入的結果。');
  await box(page, 'keys').fill('16');
  await enter(box(page, 'trials'), '800');
  assert.ok(await page.locator('[data-part="stale"]').isHidden());
  assert.match(await page.locator('#lab-scaling-now-caption').textContent() ?? '', /維度 64/);
  assert.equal(await page.locator('.lab-facts li').last().textContent().then((fact) => /抽了 800 次/.test(fact ?? '')), true);
  await tab.close();
});

test('an answer to an older question never shows', async () => {
  const { tab } = await listen(http);
  const { page } = tab;
  for (const trials of ['1200', '1600', '400', '800']) await box(page, 'trials').fill(trials);
  await idle(page);
  await page.waitForTimeout(1500);
  assert.match((await page.locator('.lab-facts li').last().textContent()) ?? '', /抽了 800 次/);
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('without workers the page does the work itself', async () => {
  const { tab } = await listen(http, ({ page }) =>
    page.addInitScript(() => {
      (globalThis as { Worker: unknown }).Worker = class {
        constructor() {
          throw new DOMException('workers are refused', 'SecurityError');
        }
      };
    }),
  );
  await enter(box(tab.page, 'trials'), '500');
  assert.match((await tab.page.locator('.lab-facts li').last().textContent()) ?? '', /抽了 500 次/);
  assert.deepEqual(tab.problems, []);
  await tab.close();
});
