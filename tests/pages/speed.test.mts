// 「這台電腦有多快」: a real run of the fast kernels, over http and from a folder; long, stopped, too large, and without workers to spare.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, open, overflow, type Watched } from './support/chromium.mts';
import { type Origin } from './support/dist.mts';
import { stage } from './support/stage.mts';

const { browser, origins } = await stage();

async function onPage(origin: Origin, script: string, work: (tab: Watched) => Promise<void>): Promise<void> {
  const tab = await open(browser, origin);
  try {
    await tab.page.goto(origin.url(`${script}/speed/index.html`), { waitUntil: 'load' });
    await work(tab);
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.close();
  }
}

const part = (page: Page, name: string) => page.locator(`[data-part="${name}"]`);
const choose = (page: Page, n: number, heads = 8): Promise<unknown> =>
  Promise.all([page.selectOption('#speed-n', String(n)), page.selectOption('#speed-heads', String(heads))]);
const finished = (page: Page): Promise<unknown> => part(page, 'stop').waitFor({ state: 'hidden', timeout: 120_000 });

/** Name of a way, least and median milliseconds, rate. */
const rows = (page: Page): Promise<string[][]> =>
  page.evaluate(() => [...document.querySelectorAll('[data-part="rows"] tr')].map((row) => [...row.children].map((cell) => cell.textContent!)));

for (const [protocol, script] of [['http', 'zh-Hant'], ['file', 'zh-Hans']] as const)
  describe(`${protocol}, ${script}`, { concurrency: 1 }, () => {
    test('a run by keyboard gives times, a sentence and a check against the reference', () =>
      onPage(origins[protocol], script, async ({ page }) => {
        await choose(page, 512);
        await page.focus('#speed-causal');
        await page.keyboard.press('Space');
        await part(page, 'run').focus();
        await page.keyboard.press('Enter');
        await part(page, 'result').waitFor({ timeout: 120_000 });
        await finished(page);
        const table = await rows(page);
        const cores = await page.evaluate(() => navigator.hardwareConcurrency);
        assert.equal(table.length, cores > 1 ? 3 : 2);
        for (const [name, least, median, rate] of table) {
          assert.ok(Number(least) > 0 && Number(least) <= Number(median), `${name}: ${least}, ${median}`);
          assert.ok(Number(rate!.replaceAll(',', '')) > 0, rate);
        }
        const sentence = (await part(page, 'sentence').textContent())!;
        assert.ok(sentence.includes('512') && sentence.includes(table[0]![1]!), sentence);
        assert.equal(await part(page, 'status').textContent().then((text) => text!.endsWith(sentence)), true);
        await page.waitForFunction((said) => document.getElementById('say')!.textContent!.endsWith(said), sentence);
        const [, mantissa, exponent] = /(\d\.\d) .+ (\d+) /.exec((await part(page, 'check').textContent())!)!;
        assert.ok(Number(mantissa) * 10 ** -Number(exponent) < 1e-5, `${mantissa}e-${exponent}`);
        assert.equal(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.part), 'run');
        assert.deepEqual([...(await axe(page)), ...(await overflow(page))], []);
      }));

    test('what is stopped leaves no result, and the next run works', () =>
      onPage(origins[protocol], script, async ({ page }) => {
        await choose(page, 8192);
        await part(page, 'run').click();
        await page.waitForFunction(() => /[1-9]\d*%/.test(document.querySelector('[data-part="status"]')!.textContent!), undefined, { timeout: 60_000 });
        await part(page, 'stop').click();
        await finished(page);
        assert.ok(await part(page, 'result').isHidden());
        await choose(page, 256, 1);
        await part(page, 'run').click();
        await part(page, 'result').waitFor({ timeout: 60_000 });
        assert.equal((await rows(page)).length, 2);

        const before = await rows(page);
        await choose(page, 8192);
        await part(page, 'run').click();
        await part(page, 'stop').click();
        await finished(page);
        assert.deepEqual(await rows(page), before);
        assert.match((await part(page, 'status').textContent())!, /上一次的[結结]果/);
      }));
  });

test('what the whole matrix cannot hold is said and not tried; many heads give way to one', () =>
  onPage(origins.http, 'zh-Hant', async ({ page }) => {
    await choose(page, 16384);
    await page.check('#speed-causal');
    await part(page, 'run').click();
    await part(page, 'result').waitFor({ timeout: 120_000 });
    const table = await rows(page);
    assert.deepEqual(table.map(([name]) => name), ['分塊，1 個工人']);
    assert.match((await part(page, 'sentence').textContent())!, /268,435,456 個數，超過 16,777,216 個的上限/);
    assert.match((await part(page, 'status').textContent())!, /^長度超過 8192 時只量 1 個頭/);
    assert.match((await part(page, 'scratch').textContent())!, / \d+\.\d KiB/);
  }));

test('without SIMD the page says so and offers no form', async () => {
  const tab = await open(browser, origins.http);
  try {
    await tab.page.addInitScript(() => {
      WebAssembly.validate = () => false;
    });
    await tab.page.goto(origins.http.url('zh-Hant/speed/index.html'), { waitUntil: 'load' });
    assert.match((await part(tab.page, 'status').textContent())!, /SIMD/);
    assert.ok(await part(tab.page, 'live').isHidden());
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.close();
  }
});
