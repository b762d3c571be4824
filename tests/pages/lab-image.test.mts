// The learner's own picture: chosen, pasted, far too large, and none at all.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, open, visit } from './support/chromium.mts';
import { fileOrigin } from './support/dist.mts';
import { reveal } from './support/lab.mts';
import { stage } from './support/stage.mts';

const { browser, http } = await stage();

const id = 'lab-patchify';

/** As long as the hands rest, and the announcer after them. */
const REST_MS = 1200;

async function onLab(script: string, work: (page: Page) => Promise<void>, origin = http): Promise<void> {
  const tab = await open(browser, origin);
  try {
    await visit(tab, origin.url(`${script}/labs/patchify/index.html`));
    await reveal(tab.page, id);
    await work(tab.page);
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.close();
  }
}

/** The upper half red, the lower half blue. */
async function flag(page: Page, width: number, height: number): Promise<Buffer> {
  const url = await page.evaluate(
    ([w, h]) => {
      const canvas = document.createElement('canvas');
      canvas.width = w!;
      canvas.height = h!;
      const context = canvas.getContext('2d')!;
      context.fillStyle = 'rgb(220, 30, 30)';
      context.fillRect(0, 0, w!, h! / 2);
      context.fillStyle = 'rgb(30, 60, 220)';
      context.fillRect(0, h! / 2, w!, h! / 2);
      return canvas.toDataURL('image/png');
    },
    [width, height],
  );
  return Buffer.from(url.split(',')[1]!, 'base64');
}

const means = (page: Page): Promise<string[]> => page.locator(`#${id}-means tbody tr`).allInnerTexts();
const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) => page.locator(`#${id}-picture-file`).setInputFiles({ name, mimeType, buffer });
const note = (page: Page): Promise<string> => page.locator(`#${id} .lab-image .lab-small`).innerText();

for (const script of ['zh-Hant', 'zh-Hans']) {
  test(`${script}: a large picture is shrunk, said to be, cut into patches, kept over a reload and undone`, () =>
    onLab(script, async (page) => {
      const before = await means(page);
      await choose(page, 'flag.png', 'image/png', await flag(page, 3000, 2000));
      await page.waitForFunction((old) => document.querySelector('#lab-patchify-means tbody')!.textContent !== old, before.join(''));
      await page.waitForTimeout(REST_MS);
      const rows = await means(page);
      // Where the two halves meet, shrinking mixes them a little.
      assert.match(rows[0]!, /[紅红]色\s+2[12]\d\.\d\s+3\d\.\d\s+3\d\.\d/);
      assert.match(rows[3]!, /[藍蓝]色\s+3\d\.\d\s+[56]\d\.\d\s+2[12]\d\.\d/);
      assert.match(await note(page), /3000.*2000.*32/);
      assert.match(await page.locator('#say').innerText(), /3000.*2000/);
      assert.deepEqual(await axe(page), []);
      await page.reload({ waitUntil: 'load' });
      await page.waitForFunction(() => /3000/.test(document.querySelector('.lab-image')!.textContent!));
      assert.deepEqual(await means(page), rows);
      await page.locator(`#${id} [data-do="reset"]`).click();
      assert.deepEqual(await means(page), before);
      await page.locator(`#${id} [data-do="undo"]`).click();
      assert.deepEqual(await means(page), rows);
    }));

  test(`${script}: what is no picture is refused in words, and the old picture stays`, () =>
    onLab(script, async (page) => {
      const before = await means(page);
      for (const [name, type, text] of [['a.txt', 'text/plain', 'hello'], ['b.png', 'image/png', 'not a picture'], ['c.svg', 'image/svg+xml', '<svg/>'], ['d.png', 'image/png', '']] as const) {
        await choose(page, name, type, Buffer.from(text));
        await page.locator(`#${id} .lab-image .lab-error`).waitFor();
        assert.match(await page.locator(`#${id} .lab-image .lab-error`).innerText(), /PNG、JPEG、GIF/);
        assert.deepEqual(await means(page), before, name);
      }
      await choose(page, 'flag.png', 'image/png', await flag(page, 8, 8));
      await page.locator(`#${id} .lab-image .lab-error`).waitFor({ state: 'detached' });
      assert.match(await note(page), /8.*8.*放大/);
    }));
}

/** Puts a file, or a text, on the clipboard and pastes it into the field. */
const pasteInto = (page: Page, png: number[] | null): Promise<void> =>
  page.evaluate((bytes) => {
    const data = new DataTransfer();
    if (bytes) data.items.add(new File([new Uint8Array(bytes)], 'flag.png', { type: 'image/png' }));
    else data.setData('text/plain', 'words');
    document.querySelector('#lab-patchify-picture-paste')!.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, png);

test('a picture can be pasted, and words cannot, over http and as a file', async () => {
  for (const origin of [http, fileOrigin()])
    await onLab(
      'zh-Hant',
      async (page) => {
        await pasteInto(page, null);
        await page.locator(`#${id} .lab-image .lab-error`).waitFor();
        assert.match(await page.locator(`#${id} .lab-image .lab-error`).innerText(), /剪貼簿裡沒有圖/);
        await pasteInto(page, [...(await flag(page, 64, 64))]);
        await page.waitForFunction(() => /220\.0/.test(document.querySelector('#lab-patchify-means')!.textContent!));
        assert.match((await means(page))[0]!, /紅色/);
        assert.match(await note(page), /64 乘 64.*圖沒有上傳/);
      },
      origin,
    );
});
