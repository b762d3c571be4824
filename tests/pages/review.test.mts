// A sitting of review by keyboard alone: what is heard, where the focus is, what is kept, undone and exported.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { faultsMidway as faults, open, type Watched } from './support/chromium.mts';
import { DIST, htmlOf, type Origin } from './support/dist.mts';
import { ear } from './support/ear.mts';
import { stage } from './support/stage.mts';

const REVIEW = 'zh-Hant/review/index.html';
const day = 86_400_000;

const { browser, origins } = await stage();

/** The review page of somebody who met these questions so many days ago and got them wrong. */
async function sitting(tab: Watched, protocol: Origin['name'], met: Record<string, object>): Promise<void> {
  await tab.page.addInitScript(ear);
  await tab.page.goto(origins[protocol].url(REVIEW), { waitUntil: 'load' });
  await tab.page.evaluate((records) => {
    for (const [id, record] of Object.entries(records))
      localStorage.setItem(`attn.quiz.${id}`, JSON.stringify({ version: 2, ...record }));
  }, met);
  await tab.page.reload({ waitUntil: 'load' });
}

const metDaysAgo = (days: number, more: object = {}): object => ({
  time: Date.now() - days * day,
  reviews: [[Date.now() - days * day, 1, Date.now() - days * day]],
  ...more,
});

const said = async (page: Page): Promise<string[]> => {
  await page.waitForTimeout(400);
  return page.evaluate(() => (window as unknown as { said: string[] }).said);
};
const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
const state = (page: Page): Promise<string> => page.locator('[data-part="state"]').innerText();
const note = (page: Page): Promise<string> => page.locator('.review [data-part="note"]').innerText();
const recordOf = (
  page: Page,
  id: string,
): Promise<{ reviews: number[][]; text?: string; earlier?: [number, string][] }> =>
  page.evaluate((name) => JSON.parse(localStorage.getItem(`attn.quiz.${name}`)!), id);

/** Tab until the focus stands on something of that name. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const here = await page.evaluate(() => {
      const e = document.activeElement as HTMLInputElement | null;
      return e?.labels?.[0]?.textContent ?? e?.textContent ?? '';
    });
    if (typeof name === 'string' ? here === name : name.test(here)) return;
  }
  assert.fail(`no Tab leads to ${name}`);
}

/** Answers a choice by keyboard: radios are one stop, arrows choose. */
async function choose(page: Page, right: boolean): Promise<void> {
  const place = await page.evaluate((wanted) => {
    const data = JSON.parse(document.querySelector('.q-card .q-data')!.textContent!);
    return data.options.findIndex((option: { correct: boolean }) => option.correct === wanted);
  }, right);
  await tabTo(page, /./);
  while (!(await page.evaluate(() => document.activeElement instanceof HTMLInputElement)))
    await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  for (let guard = 0; guard < 12; guard += 1) {
    const at = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>('.q-card .q-form input')].findIndex((input) => input.checked),
    );
    if (at === place) return;
    await page.keyboard.press('ArrowDown');
  }
  assert.fail('the option cannot be reached');
}

/** The focus goes back to the beginning of the card. */
const toTitle = (page: Page): Promise<void> => page.locator('.q-title').focus();

for (const protocol of ['http', 'file'] as const)
  test(`a sitting by keyboard alone, ${protocol}: wrong, second try, right, undone, done`, async () => {
    const tab = await open(browser, origins[protocol]);
    const { page } = tab;
    try {
      // The longest wait comes first.
      await sitting(tab, protocol, {
        'party-shift': metDaysAgo(9, { picks: [0] }),
        'relay-path': metDaysAgo(8),
        q11: metDaysAgo(7, { text: '上個月寫的' }),
        'party-symmetric': { time: 5, picks: [1] },
      });
      assert.equal(await state(page), '今天有 3 題到期。');
      assert.equal(await page.getByRole('button', { name: '下一題' }).isVisible(), false);
      assert.deepEqual(await said(page), [], 'nothing is said at load');
      assert.deepEqual(await faults(page), []);

      await tabTo(page, '開始複習');
      await page.keyboard.press('Enter');
      await page.locator('.q-card').waitFor();
      assert.match(await focused(page), /^第 1 題：/);
      assert.deepEqual(await said(page), ['今天的第 1 題，共 3 題']);
      assert.equal(await page.locator('.q-card input:checked').count(), 0, 'the card begins empty');
      assert.equal(await page.locator('#q-party-shift').count(), 1);

      await choose(page, false);
      await tabTo(page, '檢查第 1 題');
      await page.keyboard.press('Enter');
      assert.match((await said(page)).at(-1)!, /^第 1 題答錯了。/);
      assert.match(await note(page), /^這一題排在 \d+ 月 \d+ 日再見。$/);
      assert.equal((await recordOf(page, 'party-shift')).reviews.at(-1)![1], 1);
      assert.deepEqual(await faults(page), []);
      await toTitle(page);
      await choose(page, true);
      await tabTo(page, '檢查第 1 題');
      await page.keyboard.press('Enter');
      assert.match((await said(page)).at(-1)!, /^第 2 次檢查：第 1 題答對了。/);
      assert.match(await note(page), /^第二次才答對，這一題排在 \d+ 月 \d+ 日再見。$/);
      assert.deepEqual(
        (await recordOf(page, 'party-shift')).reviews.map(([, grade]) => grade),
        [1, 2],
      );

      // Undone, and the same question again.
      await tabTo(page, '復原上一次作答');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.querySelector('.q-verdict:not([hidden])') === null);
      assert.match(await focused(page), /^第 1 題：/);
      assert.match((await said(page)).at(-1)!, /^「.+」的紀錄復原了，可以重做。$/);
      assert.deepEqual(
        (await recordOf(page, 'party-shift')).reviews.map(([, grade]) => grade),
        [1, 0],
      );
      await choose(page, true);
      await tabTo(page, '檢查第 1 題');
      await page.keyboard.press('Enter');
      assert.match(await note(page), /^這一題先放著，\d+ 月 \d+ 日再見。$/);
      assert.deepEqual(
        (await recordOf(page, 'party-shift')).reviews.map(([, grade]) => grade),
        [1, 0, 3],
      );

      // Passed over: nothing is noted, and it comes again today.
      await tabTo(page, '下一題');
      await page.keyboard.press('Enter');
      await page.locator('#q-relay-path').waitFor();
      assert.match(await focused(page), /^第 2 題：/);
      assert.equal((await said(page)).at(-1), '今天的第 2 題，共 3 題');
      await tabTo(page, '下一題');
      await page.keyboard.press('Enter');
      await page.locator('#q-q11').waitFor();
      assert.equal((await recordOf(page, 'relay-path')).reviews.length, 1);

      // An expert question: the new answer does not take the place of the old one.
      assert.equal(await page.locator('.q-card textarea').inputValue(), '');
      await tabTo(page, '先寫下你自己的第 3 題答案');
      await page.keyboard.insertText('這次寫的');
      await tabTo(page, '記下第 3 題的答案');
      await page.keyboard.press('Enter');
      await tabTo(page, '說中了鑑別點');
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowDown');
      await tabTo(page, '記下第 3 題的自評');
      await page.keyboard.press('Enter');
      assert.match((await said(page)).at(-1)!, /自評記下了：說中了一部分/);
      const expert = await recordOf(page, 'q11');
      assert.equal(expert.text, '這次寫的');
      assert.deepEqual(
        expert.earlier!.map(([, text]) => text),
        ['上個月寫的'],
      );
      assert.equal(expert.reviews.at(-1)![1], 2);
      await tabTo(page, '你以前寫的答案，共 5 個字');
      await page.keyboard.press('Enter');
      assert.equal(await page.locator('.own-words').innerText(), '上個月寫的');
      assert.deepEqual(await faults(page), []);

      await tabTo(page, '下一題');
      await page.keyboard.press('Enter');
      assert.match(await state(page), /^今天做完了，共 2 題，答對 2 題。/);
      assert.equal(await focused(page), '今天的複習');
      assert.equal((await said(page)).at(-1), await state(page));
      assert.deepEqual(await faults(page), []);
      await page.reload();
      assert.equal(await state(page), '今天有 1 題到期。', 'the one that was passed over');
      assert.deepEqual(tab.problems, []);
    } finally {
      await tab.close();
    }
  });

test('after ten minutes a rest is proposed once, and nothing ends by itself', async () => {
  const tab = await open(browser, origins.http);
  const { page } = tab;
  try {
    await page.clock.install();
    await sitting(tab, 'http', { 'party-shift': metDaysAgo(9), 'relay-path': metDaysAgo(8), q11: metDaysAgo(7) });
    await page.getByRole('button', { name: '開始複習' }).click();
    await page.locator('#q-party-shift').waitFor();
    await page.clock.fastForward(11 * 60 * 1000);
    assert.equal(await page.locator('#q-party-shift').count(), 1);
    await page.getByRole('button', { name: '下一題' }).click();
    await page.locator('#q-relay-path').waitFor();
    assert.equal(await note(page), '已經十分鐘了，停在這裡也很好。剩下的題目明天還在。');
    await page.getByRole('button', { name: '下一題' }).click();
    await page.locator('#q-q11').waitFor();
    assert.equal(await page.locator('.review [data-part="note"]').isVisible(), false);
  } finally {
    await tab.close();
  }
});

describe('what there is to do', () => {
  const sentence = async (met: Record<string, object>): Promise<string> => {
    const tab = await open(browser, origins.http);
    try {
      await sitting(tab, 'http', met);
      assert.equal(
        await tab.page.getByRole('button', { name: '開始複習' }).isVisible(),
        /題到期。$/.test(await state(tab.page)) && !/最近/.test(await state(tab.page)),
      );
      assert.deepEqual(await faults(tab.page), []);
      return await state(tab.page);
    } finally {
      await tab.close();
    }
  };

  test('nothing met, nothing due, and a question that is gone from the course', async () => {
    assert.match(await sentence({}), /^還沒有可以複習的題目。/);
    assert.match(
      await sentence({ 'party-shift': metDaysAgo(0) }),
      /^今天沒有到期的題目。最近的一題在 \d+ 月 \d+ 日到期。$/,
    );
    assert.match(await sentence({ 'long-gone': metDaysAgo(9) }), /^還沒有可以複習的題目。/);
  });

  test('when the questions do not load it says so, and another press tries again', async () => {
    const tab = await open(browser, origins.http);
    try {
      await sitting(tab, 'http', { 'party-shift': metDaysAgo(9) });
      await tab.page.route('**/bank/*.js', (route) => route.abort());
      await tab.page.getByRole('button', { name: '開始複習' }).click();
      await tab.page.locator('.review [data-part="note"]').waitFor();
      assert.match(await note(tab.page), /^這一題載入失敗。/);
      await tab.page.unroute('**/bank/*.js');
      await tab.page.reload();
      await tab.page.getByRole('button', { name: '開始複習' }).click();
      await tab.page.locator('#q-party-shift').waitFor();
    } finally {
      await tab.close();
    }
  });
});

test('Anki: what was met, or everything, as a file that says how it is to be read', async () => {
  const tab = await open(browser, origins.http);
  const { page } = tab;
  try {
    await sitting(tab, 'http', { 'party-shift': metDaysAgo(9), q11: metDaysAgo(7, { text: '<b>我的</b>' }) });
    const get = async (name: string): Promise<string[]> => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      return readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\n');
    };
    const met = await get('匯出做過的題目');
    assert.deepEqual(met.slice(0, 4), ['#separator:tab', '#html:true', '#guid column:1', '#tags column:4']);
    assert.deepEqual(
      met
        .slice(4)
        .map((line) => line.split('\t')[0])
        .sort(),
      ['attention-party-shift', 'attention-q11'],
    );
    assert.ok(met.some((line) => line.includes('&#60;b&#62;我的')));
    assert.equal(await page.locator('[data-part="anki"]').innerText(), '匯出了 2 題，檔案已經交給瀏覽器下載。');
    const all = await get('匯出全部題目');
    assert.ok(all.length - 4 >= 90, `${all.length - 4} questions`);
    for (const line of all.slice(4)) assert.equal(line.split('\t').length, 4);
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.close();
  }
});

test('without scripts the page says what it would do, and how the days are chosen', async () => {
  const tab = await open(browser, origins.http, { javaScriptEnabled: false });
  try {
    await tab.page.goto(origins.http.url(REVIEW));
    const words = await tab.page.locator('main').innerText();
    assert.match(words, /這一頁要靠 JavaScript 排日子/);
    assert.match(words, /FSRS/);
    assert.equal(await tab.page.locator('main button:visible').count(), 0);
  } finally {
    await tab.close();
  }
});

describe('what a page costs', () => {
  const budget = 80_000;
  const bytes = (file: string): number => gzipSync(readFileSync(join(DIST, 'zh-Hant', file)), { level: 9 }).length;
  const own = (page: string): number => {
    const files = [...htmlOf(`zh-Hant/${page}`).matchAll(/(?:src|href)="((?:\.\.\/)*assets\/[^"]+\.(?:js|css))"/g)];
    return [page, ...files.map(([, file]) => file!.replace(/^(?:\.\.\/)+/, ''))].reduce(
      (sum, file) => sum + bytes(file),
      0,
    );
  };
  for (const page of ['index.html', 'progress/index.html', 'review/index.html'])
    test(`${page} with all that it loads stays within ${budget} bytes`, () => {
      const sum = own(page);
      console.log(`${page}: ${sum} bytes, gzip -9`);
      assert.ok(sum <= budget, `${sum} bytes`);
    });
  test('a sitting over three lessons stays within it too', () => {
    const banks = readdirSync(join(DIST, 'zh-Hant/assets/bank')).map((file) => bytes(`assets/bank/${file}`));
    const largest = banks.sort((a, b) => b - a).slice(0, 3);
    const sum = own('review/index.html') + largest.reduce((a, b) => a + b, 0);
    console.log(`${sum} bytes; ${banks.length} banks of at most ${largest[0]} bytes`);
    assert.ok(sum <= budget, `${sum} bytes`);
  });
});
