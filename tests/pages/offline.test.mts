// Over http from this machine the course is kept by the browser: visited pages, the whole of it on request, one version at a
// time. From a file, and from another machine over plain http, nothing is registered.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { writeWorker } from '../../web/site/offline/build.ts';
import { launch, open, visit, type Watched } from './support/chromium.mts';
import { DIST, fileOrigin, httpOrigin, type Origin } from './support/dist.mts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PARTY = 'zh-Hant/lecture/party/index.html';
const SEATS = 'zh-Hant/lecture/seats/index.html';
const OFFLINE = 'zh-Hant/offline/index.html';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** Everything that a browser was told through the page's only live region, sentence by sentence. */
const LISTEN = `addEventListener('DOMContentLoaded', () => {
  globalThis.heard = [];
  const say = document.getElementById('say');
  if (say) new MutationObserver(() => say.textContent && heard.push(say.textContent)).observe(say, { childList: true });
})`;
const heard = (page: Page): Promise<string[]> => page.evaluate('heard');
const state = (page: Page): Promise<string> => page.locator('[data-offline-state]').innerText();
const h1 = (page: Page): Promise<string> => page.locator('h1').innerText();
/** Asks from outside: the page's policy lets nothing be evaluated inside. A page that is just leaving has no answer. */
async function waitFor(page: Page, condition: string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await page.waitForTimeout(50))
    if (await page.evaluate(condition).catch(() => false)) return;
  assert.fail(`not so after 30 s: ${condition}`);
}
const caches = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names = await globalThis.caches.keys();
    const kept = await Promise.all(
      names.map(async (name) => (await (await globalThis.caches.open(name)).keys()).map(({ url }) => url)),
    );
    return kept.flat();
  });
/** Until the worker looks after the page, and has what the page was made of. */
async function saved(page: Page): Promise<void> {
  await waitFor(page, 'navigator.serviceWorker.controller !== null');
  await waitFor(
    page,
    `(async () => {
      for (const name of await caches.keys()) if (await (await caches.open(name)).match(location.href)) return true;
    })()`,
  );
}

/** A site of its own, which may change or vanish, and a browser that has never seen it. */
async function site<T>(work: (tab: Watched, origin: Origin, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'attn-offline-'));
  cpSync(DIST, folder, { recursive: true });
  const origin = await httpOrigin(folder);
  const tab = await open(browser, origin, { keeps: true });
  await tab.page.addInitScript(LISTEN);
  try {
    return await work(tab, origin, folder);
  } finally {
    await tab.close();
    origin.close();
    rmSync(folder, { recursive: true });
  }
}

const contextOf = (tab: Watched): BrowserContext => tab.page.context();

describe('a visited page', () => {
  test('stands again without a network, its lab at work; an unvisited one says what is wrong', () =>
    site(async (tab, origin) => {
      const { page } = tab;
      await visit(tab, origin.url(PARTY));
      await saved(page);
      await contextOf(tab).setOffline(true);
      await page.reload();
      await visit(tab, origin.url(PARTY));
      assert.match(await h1(page), /聯誼會/);
      assert.ok(await page.locator('attn-lab button').first().isVisible());
      await visit(tab, origin.url('zh-Hant/'));
      assert.match(await h1(page), /注意力課伴/);
      assert.deepEqual(tab.problems, []);

      await page.goto(origin.url(SEATS));
      assert.equal(await h1(page), '這一頁還沒有存下來');
      assert.equal(await page.locator('html').getAttribute('lang'), 'zh-TW');
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).margin), '0px', 'its style sheet came');
      await page.getByRole('link', { name: '到課程地圖挑讀過的課' }).click();
      assert.match(await h1(page), /注意力課伴/);

      await page.goto(origin.url(SEATS.replace('zh-Hant', 'zh-Hans')));
      assert.equal(await h1(page), '这一页还没有存下来');
      assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');

      await contextOf(tab).setOffline(false);
      await page.goto(origin.url(SEATS));
      assert.match(await h1(page), /座位/);
    }));
});

describe('the whole course', () => {
  test('is saved when asked, with its size said before and the result after, and then every page stands', () =>
    site(async (tab, origin) => {
      const { page } = tab;
      await page.goto(origin.url(OFFLINE));
      const button = page.getByRole('button', { name: /存下整門課，大約 \d+\.\d MB/ });
      await button.waitFor({ timeout: 30_000 });
      assert.match(await state(page), /一共 \d+ 個檔案，大約 \d+\.\d MB。已經存了 \d+ 個/);
      await button.click();
      await waitFor(page, `heard.includes('整門課存好了。')`);
      assert.deepEqual(await heard(page), ['開始存整門課。', '已經存了一半。', '整門課存好了。']);
      assert.match(await state(page), /^整門課都存好了，一共 \d+ 個檔案，\d+\.\d MB。/);

      await contextOf(tab).setOffline(true);
      for (const path of [SEATS, 'zh-Hant/labs/museum/index.html']) {
        await visit(tab, origin.url(path));
        assert.notEqual(await h1(page), '這一頁還沒有存下來');
      }
      assert.deepEqual(tab.problems, []);
    }));

  test('that cannot be saved to its end says so, and the next try goes on', () =>
    site(async (tab, origin) => {
      const { page } = tab;
      await page.goto(origin.url(OFFLINE));
      const button = page.getByRole('button', { name: /存下整門課/ });
      await button.waitFor({ timeout: 30_000 });
      await saved(page);
      await contextOf(tab).setOffline(true);
      await button.click();
      await waitFor(page, `heard.includes('沒有存完。原因寫在這一頁上。')`);
      assert.match(await state(page), /^網路斷了，沒有存完。/);
      await contextOf(tab).setOffline(false);
      await button.click();
      await waitFor(page, `heard.includes('整門課存好了。')`);
      assert.match(await state(page), /^整門課都存好了/);
    }));
});

describe('a new version', () => {
  /** The same site with other words on one page. */
  async function change(folder: string): Promise<void> {
    const file = join(folder, PARTY);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/<h1>[^<]*/, '<h1>新的一課'));
    await writeWorker(ROOT, folder);
  }
  const update = (page: Page) =>
    page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())!.update()));

  test('waits while a tab is open, and comes at the button, with what was saved', () =>
    site(async (tab, origin, folder) => {
      const { page } = tab;
      await visit(tab, origin.url(PARTY));
      await saved(page);
      await visit(tab, origin.url('zh-Hant/glossary/index.html'));
      await saved(page);
      await change(folder);
      await update(page);
      await page.locator('[data-update]').waitFor({ timeout: 30_000 });
      await waitFor(page, `heard.includes('課程有新版本，可以在頁尾更換。')`);
      await visit(tab, origin.url(PARTY));
      assert.match(await h1(page), /聯誼會/, 'the old version, as long as it is not asked to go');
      const before = await caches(page);

      await page.getByRole('button', { name: '換成新版本' }).click();
      await waitFor(page, `document.querySelector('h1').textContent === '新的一課'`);
      assert.equal(await page.locator('[data-update]').isVisible(), false);
      const now = await caches(page);
      assert.equal(new Set(now).size, now.length, 'the old version is gone');
      assert.deepEqual(new Set(now), new Set(before), 'what was saved still is');
      await contextOf(tab).setOffline(true);
      await page.reload();
      assert.equal(await h1(page), '新的一課');
      await page.goto(origin.url('zh-Hant/glossary/index.html'));
      assert.equal(await h1(page), '詞彙表');
      assert.deepEqual(tab.problems, []);
    }));

  test('is met on the server: its page stands, uncached, and the whole course waits for it', () =>
    site(async (tab, origin, folder) => {
      const { page } = tab;
      await page.goto(origin.url(OFFLINE));
      const button = page.getByRole('button', { name: /存下整門課/ });
      await button.waitFor({ timeout: 30_000 });
      await saved(page);
      await change(folder);
      await button.click();
      await waitFor(page, `heard.includes('沒有存完。原因寫在這一頁上。')`);
      assert.match(await state(page), /^網站上的課程剛換了新版本/);
      await page.locator('[data-update]').waitFor({ timeout: 30_000 });
      await visit(tab, origin.url(PARTY));
      assert.equal(await h1(page), '新的一課');
      assert.ok(!(await caches(page)).includes(origin.url(PARTY)), 'a cache holds one version');
      assert.deepEqual(tab.problems, []);
    }));

  test('comes by itself when every tab was closed', () =>
    site(async (tab, origin, folder) => {
      const { page } = tab;
      await visit(tab, origin.url(PARTY));
      await saved(page);
      await change(folder);
      await update(page);
      await page.locator('[data-update]').waitFor({ timeout: 30_000 });
      const context = contextOf(tab);
      await page.close();
      const next = await context.newPage();
      for (let round = 0; round < 50; round += 1) {
        await next.goto(origin.url(PARTY));
        if ((await h1(next)) === '新的一課') break;
        await next.goto('about:blank');
        await next.waitForTimeout(200);
      }
      assert.equal(await h1(next), '新的一課');
    }));
});

describe('nowhere else', () => {
  test('a page from a file registers nothing, links no manifest and says that it needs no network', async () => {
    const origin = fileOrigin();
    const tab = await open(browser, origin, { keeps: true });
    try {
      await visit(tab, origin.url(OFFLINE));
      await tab.page.waitForTimeout(500);
      assert.deepEqual(tab.problems, []);
      assert.equal(await tab.page.locator('link[rel=manifest]').count(), 0);
      assert.equal(await tab.page.locator('[data-offline]').isVisible(), false);
      assert.match(await state(tab.page), /本來就不用網路/);
    } finally {
      await tab.close();
    }
  });

  test('the manifest of a served page is one that the browser takes, with all its icons', () =>
    site(async (tab, origin) => {
      await visit(tab, origin.url(PARTY));
      await saved(tab.page);
      const client = await contextOf(tab).newCDPSession(tab.page);
      const { url, errors, data } = await client.send('Page.getAppManifest');
      assert.match(url, /zh-Hant\/assets\/manifest\.webmanifest$/);
      assert.deepEqual(errors, []);
      const { name, icons } = JSON.parse(data!);
      assert.equal(name, '注意力課伴');
      for (const { src, sizes, type, purpose } of icons.filter(({ type }: { type: string }) => type === 'image/png')) {
        const [width, corner] = await tab.page.evaluate(async (address) => {
          const picture = await createImageBitmap(await (await fetch(address)).blob());
          const canvas = new OffscreenCanvas(picture.width, picture.height);
          const context = canvas.getContext('2d')!;
          context.drawImage(picture, 0, 0);
          return [picture.width, context.getImageData(0, 0, 1, 1).data[3]];
        }, new URL(src, url).href);
        assert.equal(`${width}x${width}`, sizes, type);
        assert.equal(corner, purpose === 'maskable' ? 255 : 0, `${src}: its corner`);
      }
      const { installabilityErrors } = await client.send('Page.getInstallabilityErrors');
      assert.deepEqual(
        installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'),
        [],
      );
    }));
});
