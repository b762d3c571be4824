// Questions in a real browser: checking, announcing, keeping what was typed.
import assert from 'node:assert/strict';
import { after, before, beforeEach, afterEach, test } from 'node:test';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ear } from '../pages/support/ear.mts';
import { bank, bundleClient, launch, numbered, open, scratchPage } from './scratch.ts';

const ids = ['party-shift', 'party-symmetric', 'party-third-guest', 'q11', 'two-halls-post', 'party-broken'];

let browser: Browser;
let client: string;
let html: string;
let context: BrowserContext;
let errors: string[];

before(async () => {
  await numbered;
  html = scratchPage(ids.map((id) => bank.get(id)!));
  client = await bundleClient();
  browser = await launch();
});
after(() => browser.close());

beforeEach(async () => {
  context = await browser.newContext();
  errors = [];
  context.on('weberror', (e) => errors.push(String(e.error())));
  await context.addInitScript(ear);
});
afterEach(async () => {
  await context.close();
  assert.deepEqual(errors, []);
});

const openPage = (query = ''): Promise<Page> => open(context, html, client, query);

const announced = async (page: Page, count: number): Promise<string[]> => {
  await page.waitForFunction((n) => (window as unknown as { said: string[] }).said.length >= n, count);
  await page.waitForTimeout(300);
  return page.evaluate(() => (window as unknown as { said: string[] }).said);
};

const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
const shown = (page: Page, id: string): Promise<string> => page.locator(`#${id}`).innerText();

test('Empty, wrong, wrong again, right: seen after the button and said once each, and the focus stays.', async () => {
  const page = await openPage();
  const button = page.getByRole('button', { name: '檢查第 1 題' });
  const verdict = page.locator('#q-party-shift-said');
  assert.equal(await verdict.isVisible(), false);
  assert.deepEqual(await page.locator('#q-party-shift input:checked').count(), 0);

  await button.focus();
  await page.keyboard.press('Enter');
  assert.equal(await shown(page, 'q-party-shift-said'), '第 1 題還沒有選答案。');
  assert.equal(await verdict.getAttribute('data-verdict'), 'none');
  assert.equal(await page.locator('#q-party-shift .q-reasons').isVisible(), false);

  await page.getByLabel('降到 0.417').check();
  assert.equal(await shown(page, 'q-party-shift-said'), '第 1 題還沒有選答案。', 'choosing alone reveals nothing');
  await button.focus();
  await page.keyboard.press('Enter');
  const wrong =
    '第 2 次檢查：第 1 題答錯了。你選了「降到 0.417」。這個誤解叫「把分數除以總和」。這是 5 除以 12。softmax 要先取 e 的次方，不能直接除以總和。';
  assert.equal(await shown(page, 'q-party-shift-said'), wrong);
  assert.equal(await verdict.getAttribute('data-verdict'), 'wrong');
  assert.equal(await focused(page), '檢查第 1 題');
  const reasons = await page.locator('#q-party-shift .q-reasons').innerText();
  assert.ok(reasons.indexOf('維持 0.665') < reasons.indexOf('升到 0.950'), 'the right one comes before the rest');

  await page.keyboard.press('Enter');
  assert.equal(await shown(page, 'q-party-shift-said'), wrong.replace('第 2 次', '第 3 次'));

  await page.getByLabel('維持 0.665').check();
  await button.focus();
  await page.keyboard.press('Space');
  assert.match(await shown(page, 'q-party-shift-said'), /^第 4 次檢查：第 1 題答對了。/);
  assert.equal(await verdict.getAttribute('data-verdict'), 'right');
  assert.equal(await focused(page), '檢查第 1 題');

  await page.waitForTimeout(300);
  const said = await announced(page, 1);
  assert.equal(said.at(-1), await shown(page, 'q-party-shift-said'), 'the same sentence, once');
  assert.equal(new Set(said).size, said.length);
  assert.ok(await page.getByLabel('升到 0.976').isEnabled(), 'nothing is locked');
});

test('The verdict follows the button directly, and its shape is not colour alone.', async () => {
  const page = await openPage();
  const next = await page.evaluate(() => document.querySelector('#q-party-shift form')!.nextElementSibling!.id);
  assert.equal(next, 'q-party-shift-said');
  const shapeOf = async (label: string) => {
    await page.getByLabel(label).check();
    await page.getByRole('button', { name: '檢查第 1 題' }).click();
    return page.evaluate(() => {
      const { borderRadius, rotate } = getComputedStyle(document.querySelector('#q-party-shift-said')!, '::before');
      return { borderRadius, rotate };
    });
  };
  const wrong = await shapeOf('升到 0.976');
  const right = await shapeOf('維持 0.665');
  assert.notDeepEqual(wrong, right);
});

test('Several choices and a number are checked by keyboard alone, and come back after a reload.', async () => {
  const page = await openPage();
  for (const label of ['兩個投影都是單位矩陣', '查詢與鍵共用同一個投影', '中間那個乘積是對稱矩陣']) {
    await page.getByLabel(label).focus();
    await page.keyboard.press('Space');
  }
  await page.getByRole('button', { name: '檢查第 2 題' }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await shown(page, 'q-party-symmetric-said'), '第 2 題答對了。');

  const field = page.getByLabel('第 3 題的答案');
  await field.focus();
  await page.keyboard.insertText('２．２');
  await page.keyboard.press('Enter');
  assert.match(
    await shown(page, 'q-party-third-guest-said'),
    /^第 3 題答錯了。你填的是 2\.2。這個誤解叫「只算了兩個人」。/,
  );
  assert.equal(await field.inputValue(), '２．２', 'what was typed stays as it was typed');
  await field.fill('很多');
  await field.press('Enter');
  assert.match(await shown(page, 'q-party-third-guest-said'), /看不懂/);
  assert.equal(await field.inputValue(), '很多');
  assert.match((await announced(page, 1)).at(-1)!, /^第 2 次檢查：第 3 題看不懂/);

  await page.reload();
  assert.equal(await field.inputValue(), '很多');
  assert.equal(await page.locator('#q-party-symmetric input:checked').count(), 3);
  assert.equal(await page.locator('#q-party-symmetric-said').isVisible(), false);
});

test('An order is made by keyboard alone: every move is said, the focus stays, and it comes back after a reload.', async () => {
  const page = await openPage();
  const items = () => page.locator('#q-two-halls-post .q-order label').allInnerTexts();
  const earlier = page.getByRole('button', { name: '第 5 題：把選的往前移' });
  const check = page.getByRole('button', { name: '檢查第 5 題' });
  const moved = () => shown(page, 'q-two-halls-post-moved');
  assert.deepEqual(await items(), ['層正規化', '加上原來的輸入', '通過子層']);
  assert.equal(await page.locator('#q-two-halls-post input:checked').count(), 0);

  await earlier.focus();
  await page.keyboard.press('Enter');
  assert.equal(await moved(), '第 5 題還沒有選要移動的一項。');
  assert.deepEqual(await items(), ['層正規化', '加上原來的輸入', '通過子層']);

  await page.getByLabel('通過子層').focus();
  await page.keyboard.press('Space');
  await earlier.focus();
  await page.keyboard.press('Enter');
  assert.equal(await moved(), '「通過子層」移到第 2 個，共 3 個。');
  assert.deepEqual(await items(), ['層正規化', '通過子層', '加上原來的輸入']);
  assert.equal(await focused(page), '第 5 題：把選的往前移');
  await page.waitForTimeout(300);
  assert.equal((await announced(page, 1)).at(-1), await moved());
  await check.focus();
  await page.keyboard.press('Enter');
  assert.match(await shown(page, 'q-two-halls-post-said'), /^第 5 題答錯了。你排的是「先正規化，再過子層，最後加輸入」。/);

  await earlier.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  assert.equal(await moved(), '「通過子層」已經是第 1 個，共 3 個，不能再移。');
  await page.getByLabel('加上原來的輸入').check();
  await earlier.focus();
  await page.keyboard.press('Enter');
  await check.focus();
  await page.keyboard.press('Enter');
  assert.match(await shown(page, 'q-two-halls-post-said'), /^第 2 次檢查：第 5 題答對了。/);
  assert.equal(await focused(page), '檢查第 5 題');

  await page.reload();
  assert.deepEqual(await items(), ['通過子層', '加上原來的輸入', '層正規化']);
  await page.getByLabel('通過子層').check();
  await page.getByRole('button', { name: '第 5 題：把選的往後移' }).click();
  assert.deepEqual(await items(), ['加上原來的輸入', '通過子層', '層正規化']);
});

test('A broken step is found by keyboard alone: its numbers are in its name, and it comes back after a reload.', async () => {
  const page = await openPage();
  const card = page.locator('#q-party-broken');
  assert.deepEqual(await card.locator('.q-steps label').allInnerTexts(), [
    '點積：4.00、2.00；0.00、2.00',
    '縮放：2.00、1.00；0.00、1.00',
    '權重：0.88、0.50；0.12、0.50',
    '輸出：8.81、5.00；1.19、5.00',
  ]);
  const check = page.getByRole('button', { name: '檢查第 6 題' });
  await page.getByLabel('點積：').focus();
  await page.keyboard.press('ArrowDown');
  await check.focus();
  await page.keyboard.press('Enter');
  assert.match(await shown(page, 'q-party-broken-said'), /^第 6 題答錯了。你選了「縮放」，這一步沒有壞。/);
  const reasons = await card.locator('.q-reasons').innerText();
  assert.ok(reasons.indexOf('壞掉的一步') < reasons.indexOf('「點積」沒有壞'), reasons);
  assert.equal(await focused(page), '檢查第 6 題');

  await page.getByLabel('縮放：').focus();
  await page.keyboard.press('ArrowDown');
  await check.focus();
  await page.keyboard.press('Enter');
  assert.match(await shown(page, 'q-party-broken-said'), /^第 2 次檢查：第 6 題答對了。.*應該是 0\.73、0\.27；0\.27、0\.73。/);
  await page.waitForTimeout(300);
  assert.equal((await announced(page, 1)).at(-1), await shown(page, 'q-party-broken-said'));

  await page.reload();
  assert.ok(await page.getByLabel('權重：').isChecked());
});

test('An order that was kept in pieces counts as none.', async () => {
  await context.addInitScript(() => {
    if (location.protocol === 'http:')
      localStorage.setItem('attn.quiz.two-halls-post', JSON.stringify({ version: 1, picks: [2, 2, 9] }));
  });
  const page = await openPage();
  assert.deepEqual(await page.locator('#q-two-halls-post .q-order label').allInnerTexts(), [
    '層正規化',
    '加上原來的輸入',
    '通過子層',
  ]);
});

test('An expert answer is kept, comes back after a reload, and is only ever text.', async () => {
  const page = await openPage();
  const own = page.getByLabel('先寫下你自己的第 4 題答案');
  const save = page.getByRole('button', { name: '記下第 4 題的答案' });
  await save.click();
  assert.equal(await shown(page, 'q-q11-said'), '第 4 題還沒有寫答案。');
  const typed = '<img src=x onerror="document.title=1">\n第二段 {n} W_Q';
  await own.fill(typed);
  await save.click();
  assert.match(await shown(page, 'q-q11-said'), /^第 2 次記下：第 4 題的答案記下了，共 50 個字。/);
  assert.equal(await focused(page), '記下第 4 題的答案');
  assert.equal((await announced(page, 1)).at(-1), await shown(page, 'q-q11-said'));

  await page.getByLabel('說中了一部分').check();
  await page.getByRole('button', { name: '記下第 4 題的自評' }).click();
  assert.equal(await shown(page, 'q-q11-rated'), '第 4 題的自評記下了：說中了一部分。');

  await page.reload();
  assert.equal(await own.inputValue(), typed);
  assert.equal(await shown(page, 'q-q11-said'), '這是你上次寫的第 4 題答案，共 50 個字。');
  assert.ok(await page.getByLabel('說中了一部分').isChecked());
  assert.equal(await page.title(), '題目');
  assert.deepEqual(
    await page.evaluate(() => (window as unknown as { said: string[] }).said),
    [],
    'coming back is not announced',
  );
});

test('An answer that was never saved by hand survives leaving the page at once, 100 000 characters of it.', async () => {
  const page = await openPage();
  const own = page.getByLabel('先寫下你自己的第 4 題答案');
  const long = '長'.repeat(100_000);
  await own.fill(long);
  await page.reload();
  assert.equal((await own.inputValue()).length, 100_000);
  assert.match(await shown(page, 'q-q11-said'), /共 100000 個字/);
});

test('What was typed before the script ran is not overwritten by what was kept.', async () => {
  const page = await openPage();
  await page.getByLabel('先寫下你自己的第 4 題答案').fill('舊的');
  await page.getByRole('button', { name: '記下第 4 題的答案' }).click();
  const early = html.replace(/(<textarea id="q-q11-own"[^>]*>)/, '$1新的');
  const again = await open(context, early, client);
  assert.equal(await again.getByLabel('先寫下你自己的第 4 題答案').inputValue(), '新的');
});

test('With storage refused everything works, and the page says so.', async () => {
  await context.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('refused', 'SecurityError');
      },
    });
  });
  const page = await openPage();
  assert.match(await shown(page, 'q-q11-said'), /不讓網頁儲存資料/);
  const own = page.getByLabel('先寫下你自己的第 4 題答案');
  await own.fill('我的答案');
  await page.getByRole('button', { name: '記下第 4 題的答案' }).click();
  assert.match(await shown(page, 'q-q11-said'), /^第 4 題的答案存不進瀏覽器，只留在框裡。/);
  assert.equal(await own.inputValue(), '我的答案');
  await page.getByLabel('還沒有想到').check();
  await page.getByRole('button', { name: '記下第 4 題的自評' }).click();
  assert.match(await shown(page, 'q-q11-rated'), /「還沒有想到」，但存不進瀏覽器/);
  await page.getByLabel('維持 0.665').check();
  await page.getByRole('button', { name: '檢查第 1 題' }).click();
  assert.match(await shown(page, 'q-party-shift-said'), /答對了/);
});

test('A full storage is told, and the text stays in the field.', async () => {
  await context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  const page = await openPage();
  const own = page.getByLabel('先寫下你自己的第 4 題答案');
  await own.fill('我的答案');
  await page.getByRole('button', { name: '記下第 4 題的答案' }).click();
  assert.match(await shown(page, 'q-q11-said'), /存不進瀏覽器/);
  assert.equal(await own.inputValue(), '我的答案');
});

test('A corrupt record counts as none; a record of a later version is left alone.', async () => {
  const later = JSON.stringify({ version: 99, text: '新版的答案', more: [1] });
  await context.addInitScript((record) => {
    if (location.protocol !== 'http:' || localStorage.length > 0) return;
    localStorage.setItem('attn.quiz.party-shift', '{broken');
    localStorage.setItem('attn.quiz.party-symmetric', JSON.stringify({ version: 1, picks: ['x', 99, -1, null] }));
    localStorage.setItem('attn.quiz.party-third-guest', JSON.stringify({ version: 1, text: { evil: true } }));
    localStorage.setItem('attn.quiz.q11', record);
  }, later);
  const page = await openPage();
  assert.equal(await page.locator('input:checked').count(), 0);
  assert.equal(await page.getByLabel('第 3 題的答案').inputValue(), '');
  await page.getByLabel('維持 0.665').check();
  await page.getByLabel('先寫下你自己的第 4 題答案').fill('我的答案');
  await page.getByRole('button', { name: '記下第 4 題的答案' }).click();
  assert.match(await shown(page, 'q-q11-said'), /存不進瀏覽器/);
  assert.equal(await page.evaluate(() => localStorage.getItem('attn.quiz.q11')), later);
  assert.match((await page.evaluate(() => localStorage.getItem('attn.quiz.party-shift')))!, /"picks":\[2\]/);
});

test('All answers open and close together, announced once; what the reader opened stays open.', async () => {
  const page = await openPage();
  const openCount = () => page.locator('details[open]').count();
  assert.equal(await openCount(), 0);
  await page.locator('#q-q11 summary').click();
  await page.getByLabel('降到 0.417').check();
  await page.getByRole('button', { name: '檢查第 1 題' }).click();
  assert.equal(await openCount(), 1);
  await page.getByRole('button', { name: '展開全部解答' }).click();
  assert.equal(await openCount(), 6);
  assert.equal((await announced(page, 1)).at(-1), '已展開 6 個解答');
  await page.getByRole('button', { name: '收合全部解答' }).click();
  assert.equal(await openCount(), 0);
  assert.equal((await announced(page, 2)).at(-1), '已收合 6 個解答');
  const opened = await openPage('?answers=open');
  assert.equal(await opened.locator('details[open]').count(), 6);
});

test('axe finds nothing in any state of any kind of question: before, wrong, right, expanded.', async () => {
  const page = await openPage();
  await page.addScriptTag({ content: axe.source });
  const violations = () =>
    page.evaluate(async () => {
      const run = (
        window as unknown as {
          axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        }
      ).axe.run;
      const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const { violations: found } = await run({ runOnly: { type: 'tag', values: tags } });
      // The bare page has no banner or skip link; those belong to the site's layout.
      return found.map((v) => `${v.id}: ${v.nodes[0]!.html}`);
    });
  const verdicts = () =>
    page.locator('.q-verdict:visible').evaluateAll((all) => all.map((e) => (e as HTMLElement).dataset.verdict));
  const check = async () => {
    for (const n of [1, 2, 3, 5, 6]) await page.getByRole('button', { name: `檢查第 ${n} 題` }).click();
  };
  assert.deepEqual(await violations(), []);

  await page.getByLabel('降到 0.417').check();
  await page.getByLabel('值投影換成單位矩陣').check();
  await page.getByLabel('第 3 題的答案').fill('18');
  await page.getByLabel('點積：').check();
  await check();
  assert.deepEqual(await verdicts(), Array(5).fill('wrong'));
  assert.deepEqual(await violations(), []);

  await page.getByLabel('維持 0.665').check();
  await page.getByLabel('值投影換成單位矩陣').uncheck();
  for (const label of ['兩個投影都是單位矩陣', '查詢與鍵共用同一個投影', '中間那個乘積是對稱矩陣'])
    await page.getByLabel(label).check();
  await page.getByLabel('第 3 題的答案').fill('2.89');
  await page.getByLabel('通過子層').check();
  const earlier = page.getByRole('button', { name: '第 5 題：把選的往前移' });
  await earlier.click();
  await earlier.click();
  await page.getByLabel('加上原來的輸入').check();
  await earlier.click();
  await page.getByLabel('權重：').check();
  await check();
  assert.deepEqual(await verdicts(), Array(5).fill('right'));
  await page.getByRole('button', { name: '記下第 4 題的答案' }).click();
  assert.deepEqual(await violations(), []);

  await page.getByRole('button', { name: '展開全部解答' }).click();
  assert.deepEqual(await violations(), []);
});

test('Without script the questions read fully and nothing offers what it cannot do.', async () => {
  const still = await browser.newContext({ javaScriptEnabled: false });
  const page = await open(still, html, client);
  assert.equal(await page.locator('button:visible').count(), 0);
  assert.equal(await page.locator('details').count(), 6);
  await page.locator('#q-party-shift summary').click();
  assert.match(await page.locator('#q-party-shift details').innerText(), /「維持 0\.665」是對的/);
  await still.close();
});
