// The button for the colours: it goes round, the choice is remembered, and a browser that refuses to remember is said to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, visit } from './support/chromium.mts';
import { stage } from './support/stage.mts';

const { browser, http } = await stage();

const LIGHT = 'rgb(251, 249, 244)';
const DARK = 'rgb(21, 22, 26)';

test('system, light, dark and round again, spoken and kept for the next page', async () => {
  const tab = await open(browser, http, { colorScheme: 'dark' });
  const { page } = tab;
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await visit(tab, http.url('zh-Hant/index.html'));
  const button = page.locator('[data-theme-button]');
  assert.deepEqual([await button.textContent(), await paper()], ['配色：跟隨系統', DARK]);
  await button.click();
  assert.deepEqual([await button.textContent(), await paper()], ['配色：淺色', LIGHT]);
  await page.waitForFunction(
    () => document.getElementById('say')!.textContent === '配色改成淺色。',
  );
  await visit(tab, http.url('zh-Hant/glossary/index.html'));
  assert.deepEqual([await button.textContent(), await paper()], ['配色：淺色', LIGHT]);
  await button.click();
  assert.deepEqual([await button.textContent(), await paper()], ['配色：深色', DARK]);
  await button.click();
  assert.deepEqual([await button.textContent(), await paper()], ['配色：跟隨系統', DARK]);
  assert.equal(await page.locator('[data-theme-note]').isVisible(), false);
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('where storage is refused the colours still change, and the page says that they will not last', async () => {
  const tab = await open(browser, http, { colorScheme: 'light' });
  const { page } = tab;
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'localStorage', {
      get() {
        throw new DOMException('refused', 'SecurityError');
      },
    });
  });
  await visit(tab, http.url('zh-Hans/index.html'));
  const button = page.locator('[data-theme-button]');
  await button.click();
  await button.click();
  assert.equal(await button.textContent(), '配色：深色');
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), DARK);
  assert.match((await page.locator('[data-theme-note]').textContent())!, /不让网页记住/);
  assert.equal(await page.locator('[data-theme-note]').isVisible(), true);
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('paper is light, whatever the screen is', async () => {
  const tab = await open(browser, http, { colorScheme: 'dark' });
  const { page } = tab;
  await page.addInitScript(() => localStorage.setItem('attn-theme', 'dark'));
  await visit(tab, http.url('zh-Hant/index.html'));
  await page.emulateMedia({ media: 'print' });
  const colours = await page.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.body);
    return [backgroundColor, color];
  });
  assert.deepEqual(colours, ['rgb(255, 255, 255)', 'rgb(29, 27, 24)']);
  await tab.close();
});
