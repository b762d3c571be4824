// What a learner did stays: over a reload, a new name of a question, two tabs, a file, and from page to page where every
// page has a storage of its own.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import type { Browser as Firefox, Page as FirefoxPage } from 'puppeteer-core';
import { faultsMidway as faults, launch, open, visit, type Watched } from './support/chromium.mts';
import { type Origin } from './support/dist.mts';
import { eventually, launchFirefox } from './support/firefox.mts';
import { stage } from './support/stage.mts';

const LESSON = 'zh-Hant/lecture/party/index.html';
const MAP = 'zh-Hant/index.html';
const PROGRESS = 'zh-Hant/progress/index.html';

const { browser, origins } = await stage();

const go = async (tab: Watched, page: string, protocol: Origin['name'] = 'http'): Promise<void> => {
  await tab.page.goto(origins[protocol].url(page), { waitUntil: 'load' });
};

/** Another tab of the same reader. */
async function beside(tab: Watched): Promise<Page> {
  return tab.page.context().newPage();
}

/** The first question of a lesson with options, answered rightly or wrongly through its own data. */
const answer = (page: Page | FirefoxPage, right: boolean): Promise<string> =>
  (page as Page).evaluate((wanted) => {
    const card = document.querySelector<HTMLElement>('.q-choice')!;
    const data = JSON.parse(card.querySelector('.q-data')!.textContent!);
    const place = data.options.findIndex((option: { correct: boolean }) => option.correct === wanted);
    card.querySelectorAll<HTMLInputElement>('.q-form input')[place]!.click();
    card.querySelector<HTMLButtonElement>('.q-form button')!.click();
    return data.id as string;
  }, right);

const markOf = (page: Page | FirefoxPage, lesson = 'lecture/party'): Promise<string> =>
  (page as Page).evaluate(
    (path) => document.querySelector(`[data-lesson="${path}"] .map-mark`)?.textContent ?? '',
    lesson,
  );
const stateOf = (page: Page): Promise<string> => page.locator('[data-part="state"]').innerText();
const kept = (page: Page, key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(name), key);
const choose = (page: Page, name: string, text: string): Promise<void> =>
  page.locator('#progress-file').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
const imported = async (page: Page): Promise<string> => {
  const place = page.locator('[data-part="imported"]');
  await place.waitFor();
  return place.innerText();
};

for (const protocol of ['http', 'file'] as const)
  describe(`progress in Chromium, ${protocol}`, () => {
    test('a question that was answered is marked on the map in words, and the way back leads to the place', async () => {
      const tab = await open(browser, origins[protocol]);
      try {
        await visit(tab, origins[protocol].url(LESSON));
        await answer(tab.page, true);
        const heading = await tab.page.evaluate(() => {
          const all = [...document.querySelectorAll<HTMLElement>('main h2[id]')];
          const middle = all[Math.floor(all.length / 2)]!;
          middle.scrollIntoView({ behavior: 'instant' });
          return middle.id;
        });
        await tab.page.waitForFunction(
          (id) => localStorage.getItem('attn.lesson.lecture/party')?.includes(id),
          heading,
        );
        await tab.page.locator('.top-nav a').first().click();
        await tab.page.locator('.map-mark').first().waitFor();
        const total = await tab.page.evaluate(
          () =>
            document.querySelector<HTMLElement>('[data-lesson="lecture/party"]')!.dataset.questions!.split(' ').length,
        );
        assert.equal(await markOf(tab.page), `讀過。題目共 ${total} 題，做過 1 題，最近答對 1 題。`);
        assert.equal(await markOf(tab.page, 'lecture/relay'), '');
        assert.equal(new URL(tab.page.url()).hash, '', 'the address is as it was');
        await tab.page.getByRole('link', { name: '從上次的地方繼續：相親聯誼會' }).click();
        await tab.page.waitForURL(`**/${LESSON}#${heading}`);
        await tab.page.waitForFunction(
          (id) => Math.abs(document.getElementById(id)!.getBoundingClientRect().top) < 200,
          heading,
        );
        await tab.page.reload();
        assert.equal(await tab.page.locator('.q-choice input:checked').first().isVisible(), true);
        assert.deepEqual(tab.problems, []);
      } finally {
        await tab.close();
      }
    });
  });

describe('the progress page', () => {
  test('it counts, exports, clears only when asked twice, and takes the file back', async () => {
    const tab = await open(browser, origins.http);
    const { page } = tab;
    try {
      await go(tab, PROGRESS);
      assert.match(await page.locator('[data-part="sum"]').innerText(), /^還沒有紀錄。/);
      assert.deepEqual(await faults(page), []);
      await visit(tab, origins.http.url(LESSON));
      const id = await answer(page, false);
      await go(tab, PROGRESS);
      assert.match(
        await page.locator('[data-part="sum"]').innerText(),
        /^你做過 1 題，共 \d+ 題，最近一次答對的有 0 題。$/,
      );
      const row = page.locator('tr[data-lesson="lecture/party"] td');
      assert.deepEqual((await row.allInnerTexts()).slice(1), ['1', '0']);

      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: '匯出進度檔' }).click(),
      ]);
      const text = readFileSync(await file.path(), 'utf8');
      assert.match(file.suggestedFilename(), /^attention-progress-\d{4}-\d\d-\d\d\.json$/);
      assert.ok(text.includes(`"${id}"`));
      assert.equal(
        await page.locator('[data-part="exported"]').innerText(),
        '進度檔已經交給瀏覽器下載，裡面有 1 題、1 課。',
      );

      const ask = page.getByRole('button', { name: '清除全部進度' });
      await ask.focus();
      await page.keyboard.press('Enter');
      assert.match(
        await page.evaluate(() => document.activeElement!.textContent!),
        /^真的要清除嗎？這裡有 1 題、1 課的紀錄。/,
      );
      assert.deepEqual(await faults(page), []);
      await page.getByRole('button', { name: '先不要清除' }).click();
      assert.equal(await page.evaluate(() => document.activeElement!.textContent), '清除全部進度');
      assert.notEqual(await kept(page, `attn.quiz.${id}`), null);
      await ask.click();
      await page.getByRole('button', { name: '確定清除' }).click();
      assert.equal(await page.locator('[data-part="cleared"]').innerText(), '全部進度都清除了。');
      assert.equal(await kept(page, `attn.quiz.${id}`), null);
      assert.deepEqual((await row.allInnerTexts()).slice(1), ['0', '0']);

      await choose(page, 'mine.json', text);
      assert.equal(await imported(page), '匯入了 1 題、1 課。');
      assert.deepEqual((await row.allInnerTexts()).slice(1), ['1', '0']);
      assert.deepEqual(await faults(page), []);
      assert.deepEqual(tab.problems, []);
    } finally {
      await tab.close();
    }
  });

  test('files that are broken, newer, of others, or about questions that are gone: each has its sentence, nothing is lost', async () => {
    const tab = await open(browser, origins.http);
    const { page } = tab;
    try {
      await go(tab, PROGRESS);
      await page.evaluate(() =>
        localStorage.setItem('attn.quiz.q11', JSON.stringify({ version: 2, time: 5, text: '原有的' })),
      );
      const file = (part: object) =>
        JSON.stringify({ format: 'attention-companion-progress', version: 2, questions: {}, lessons: {}, ...part });
      const said: string[] = [];
      for (const text of ['{"broken', '\u0000\u0001', file({ format: 'something-else' }), file({ version: 7 })]) {
        await page.evaluate(() => (document.querySelector<HTMLElement>('[data-part="imported"]')!.hidden = true));
        await choose(page, 'x.json', text);
        said.push(await imported(page));
        assert.match((await kept(page, 'attn.quiz.q11'))!, /原有的/);
      }
      assert.deepEqual(said, [
        '這個檔案不是這門課的進度檔，或已經損壞。原有的進度沒有動。',
        '這個檔案不是這門課的進度檔，或已經損壞。原有的進度沒有動。',
        '這個檔案不是這門課的進度檔，或已經損壞。原有的進度沒有動。',
        '這個檔案來自較新版的課程，這一版讀不懂。原有的進度沒有動，請留著那個檔案。',
      ]);
      await page.evaluate(() => (document.querySelector<HTMLElement>('[data-part="imported"]')!.hidden = true));
      const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
      await choose(
        page,
        'x.json',
        file({ questions: { q11: { time: 9e12, text: markup }, 'long-gone': { time: 5, text: '還在' } } }),
      );
      assert.equal(await imported(page), '匯入了 2 題、0 課。有 1 題已經不在課程裡。紀錄仍然留著，匯出時也會帶走。');
      assert.match(await stateOf(page), /有 1 題已經不在課程裡/);
      assert.match((await kept(page, 'attn.quiz.long-gone'))!, /還在/);
      assert.match((await kept(page, 'attn.quiz.q11'))!, /原有的/, 'the older text stands beside the newer one');
      const lesson = await page.evaluate(
        () =>
          [...document.querySelectorAll<HTMLElement>('tr')].find((row) =>
            row.dataset.questions?.split(' ').includes('q11'),
          )!.dataset.lesson!,
      );
      await visit(tab, origins.http.url(`zh-Hant/${lesson}/index.html`));
      assert.equal(await page.locator('#q-q11-own').inputValue(), markup);
      assert.notEqual(await page.title(), '1');
      assert.deepEqual(tab.problems, []);
    } finally {
      await tab.close();
    }
  });

  test('corrupt and newer records are told apart and leave with the file', async () => {
    const tab = await open(browser, origins.http);
    try {
      await go(tab, PROGRESS);
      await tab.page.evaluate(() => {
        localStorage.setItem('attn.quiz.q11', '{broken');
        localStorage.setItem('attn.quiz.q40', JSON.stringify({ version: 9, text: '新版' }));
      });
      await tab.page.reload();
      const said = await stateOf(tab.page);
      assert.match(said, /有 1 筆紀錄來自較新版的課程/);
      assert.match(said, /有 1 筆紀錄損壞了/);
      const [file] = await Promise.all([
        tab.page.waitForEvent('download'),
        tab.page.getByRole('button', { name: '匯出進度檔' }).click(),
      ]);
      const text = readFileSync(await file.path(), 'utf8');
      assert.ok(text.includes('{broken') && text.includes('新版'), text);
      assert.deepEqual(await faults(tab.page), []);
    } finally {
      await tab.close();
    }
  });
});

test('a renamed question keeps what was kept under its old name', async () => {
  // The real list is built into the page: a page of the same site with one more name in it.
  const tab = await open(browser, origins.http);
  try {
    await tab.page.route('**/assets/site.js', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/=\{\};/, '={"party-old-name":"party-shift"};');
      assert.match(body, /party-old-name/);
      await route.fulfill({ response, body });
    });
    await go(tab, MAP);
    await tab.page.evaluate(() =>
      localStorage.setItem(
        'attn.quiz.party-old-name',
        JSON.stringify({ version: 2, time: 5, picks: [1], reviews: [[5, 3, 5]] }),
      ),
    );
    await visit(tab, origins.http.url(LESSON));
    assert.deepEqual(
      await tab.page.evaluate(() =>
        [...document.querySelectorAll<HTMLInputElement>('#q-party-shift input')].map((i) => i.checked),
      ),
      [false, true, false, false],
    );
    assert.equal(await kept(tab.page, 'attn.quiz.party-old-name'), null);
    await go(tab, MAP);
    assert.match(await markOf(tab.page), /做過 1 題，最近答對 1 題/);
  } finally {
    await tab.close();
  }
});

describe('two tabs', () => {
  test('an answer of one stands in the other at once, and neither takes the place of the other', async () => {
    const tab = await open(browser, origins.http);
    try {
      await visit(tab, origins.http.url(LESSON));
      const other = await beside(tab);
      await other.goto(origins.http.url(LESSON), { waitUntil: 'load' });
      const map = await beside(tab);
      await map.goto(origins.http.url(MAP), { waitUntil: 'load' });
      const id = await answer(tab.page, true);
      await other.waitForFunction((q) => document.querySelector(`#q-${q} input:checked`) !== null, id);
      await map.waitForFunction(() =>
        document.querySelector('[data-lesson="lecture/party"] .map-mark')?.textContent?.includes('做過 1 題'),
      );

      // Two questions, each answered in one tab only.
      const second = other.locator('.q-multi input').first();
      await second.check();
      await answer(tab.page, false);
      const records = await map.evaluate(
        () => Object.keys(localStorage).filter((key) => key.startsWith('attn.quiz.')).length,
      );
      assert.equal(records, 2);
      await tab.page.waitForFunction(() => document.querySelector('.q-multi input:checked') !== null);
      assert.deepEqual(tab.problems, []);
    } finally {
      await tab.close();
    }
  });

  test('a text that is being written is not touched, and the one from the other tab is kept beside it', async () => {
    const tab = await open(browser, origins.http);
    try {
      await visit(tab, origins.http.url(LESSON));
      const other = await beside(tab);
      await other.goto(origins.http.url(LESSON), { waitUntil: 'load' });
      const field = '.q-expert textarea';
      const id = (await tab.page.locator('.q-expert').first().getAttribute('id'))!.slice(2);
      await other.locator(field).first().fill('第二個分頁正在寫');
      await tab.page.bringToFront();
      await tab.page.locator(field).first().fill('第一個分頁');
      await tab.page.locator('.q-expert .q-form button').first().click();
      await other.bringToFront();
      assert.equal(await other.locator(field).first().inputValue(), '第二個分頁正在寫');
      await other.locator(field).first().press('End');
      await other.keyboard.insertText('，寫完了');
      await other.locator('.q-expert .q-form button').first().click();
      const record = JSON.parse((await kept(other, `attn.quiz.${id}`))!);
      assert.equal(record.text, '第二個分頁正在寫，寫完了');
      assert.ok(JSON.stringify(record.earlier).includes('第一個分頁'), JSON.stringify(record));
      assert.deepEqual(tab.problems, []);
    } finally {
      await tab.close();
    }
  });
});

/** As in a private window, or where a reader forbids it. */
async function refuseStorage(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('refused', 'SecurityError');
      },
    });
  });
}

describe('storage that does not keep', () => {
  test('refused: questions work, the lesson and the progress page say so, nothing breaks', async () => {
    const tab = await open(browser, origins.http);
    try {
      await refuseStorage(tab.page.context());
      await visit(tab, origins.http.url(LESSON));
      await answer(tab.page, true);
      assert.match(await tab.page.locator('.q-choice .q-verdict').first().innerText(), /答對了/);
      assert.match(await tab.page.locator('.progress-note').innerText(), /^這個瀏覽器不讓網頁儲存資料/);
      assert.deepEqual(await faults(tab.page), []);
      const [file] = await Promise.all([
        tab.page.waitForEvent('download'),
        tab.page.getByRole('button', { name: '匯出這一頁的進度' }).click(),
      ]);
      assert.match(readFileSync(await file.path(), 'utf8'), /"reviews"/);
      await go(tab, PROGRESS);
      assert.match(await stateOf(tab.page), /^這個瀏覽器不讓網頁儲存資料。題目照樣能做/);
      await go(tab, 'zh-Hant/review/index.html');
      assert.match(await tab.page.locator('[data-part="state"]').innerText(), /^這個瀏覽器不讓網頁儲存資料，記不得/);
      await go(tab, MAP);
      assert.deepEqual(tab.problems, []);
    } finally {
      await tab.close();
    }
  });

  test('full: the page says so, offers the file, and what was kept is still there', async () => {
    const tab = await open(browser, origins.http);
    try {
      await visit(tab, origins.http.url(LESSON));
      await tab.page.evaluate(() => {
        const fill = (step: number) => {
          for (let text = localStorage.getItem('other') ?? ''; ;) {
            try {
              localStorage.setItem('other', (text += 'x'.repeat(step)));
            } catch {
              return;
            }
          }
        };
        for (const step of [500_000, 10_000, 100, 1]) fill(step);
      });
      await answer(tab.page, true);
      assert.match(
        await tab.page.locator('.progress-note').innerText(),
        /^瀏覽器給這個網站的空間滿了，剛才的紀錄沒有存下。/,
      );
      assert.match(await tab.page.locator('.q-choice .q-verdict').first().innerText(), /答對了/);
      assert.notEqual(await kept(tab.page, 'attn.lesson.lecture/party'), null);
      assert.deepEqual(await faults(tab.page), []);
      assert.deepEqual(tab.problems, []);
    } finally {
      await tab.close();
    }
  });
});

test('without scripts the page says what it would do, and offers nothing that it cannot', async () => {
  const tab = await open(browser, origins.http, { javaScriptEnabled: false });
  try {
    await go(tab, PROGRESS);
    assert.match(await tab.page.locator('main').innerText(), /這一頁要靠 JavaScript 讀出進度/);
    assert.equal(await tab.page.locator('main button:visible, main input:visible').count(), 0);
    assert.ok(!(await tab.page.locator('main').innerText()).includes('你做過'));
  } finally {
    await tab.close();
  }
});

describe('Firefox, opened as a file, where every page has a storage of its own', () => {
  let firefox: Firefox;
  before(async () => {
    firefox = await launchFirefox();
  });
  after(() => firefox.close());

  /** Follows a link as a reader does. */
  async function follow(page: FirefoxPage, selector: string): Promise<void> {
    await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.click(selector)]);
  }

  test('the storage is indeed one for each page', async () => {
    const page = await firefox.newPage();
    await page.goto(origins.file.url(MAP), { waitUntil: 'load' });
    await page.evaluate(() => localStorage.setItem('trace', '1'));
    await page.goto(origins.file.url(PROGRESS), { waitUntil: 'load' });
    assert.equal(await page.evaluate(() => localStorage.getItem('trace')), null);
    await page.close();
  });

  test('progress goes along with our own links, and leaves no trace in the address', async () => {
    const page = await firefox.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(origins.file.url(LESSON), { waitUntil: 'load' });
    await answer(page, true);
    await follow(page, '.top-nav a[href$="index.html"]');
    assert.match(await markOf(page), /^讀過。題目共 \d+ 題，做過 1 題，最近答對 1 題。$/);
    assert.equal(page.url(), origins.file.url(MAP));
    assert.ok(
      !(await page.evaluate(() => document.body.innerHTML)).includes('~progress='),
      'a link that is copied carries nothing',
    );

    // On to the other edition, to the progress page there, and back to the lesson at its place.
    await follow(page, '[data-script-switch]');
    await follow(page, '.top-nav a[href*="progress"]');
    assert.match(await page.$eval('[data-part="sum"]', (e) => e.textContent!), /^你做过 1 题/);
    assert.match(await page.$eval('[data-part="state"]', (e) => e.textContent!), /每一页各记各的/);
    await page.goto(origins.file.url(PROGRESS), { waitUntil: 'load' });
    assert.match(
      await page.$eval('[data-part="sum"]', (e) => e.textContent!),
      /^還沒有紀錄/,
      'typed in by hand, it knows nothing',
    );

    // Clearing goes along too.
    await page.goto(origins.file.url(LESSON), { waitUntil: 'load' });
    await follow(page, '.top-nav a[href*="progress"]');
    assert.match(await page.$eval('[data-part="sum"]', (e) => e.textContent!), /^你做過 1 題/);
    await page.click('[data-do="ask"]');
    await page.click('[data-do="clear"]');
    await follow(page, 'tr[data-lesson="lecture/party"] a');
    assert.equal(await page.$$eval('.q-card input:checked', (all) => all.length), 0);
    assert.deepEqual(errors, []);
    await page.close();
  });

  test('review asks for what was met on another page, and what it notes goes on', async () => {
    const page = await firefox.newPage();
    await page.goto(origins.file.url(LESSON), { waitUntil: 'load' });
    const id = await answer(page, false);
    // Nine days later.
    await page.evaluate((name) => {
      const then = Date.now() - 9 * 86_400_000;
      localStorage.setItem(`attn.quiz.${name}`, JSON.stringify({ version: 2, time: then, reviews: [[then, 1, then]] }));
    }, id);
    await follow(page, '.top-nav a[href*="review"]');
    assert.equal(await page.$eval('[data-part="state"]', (e) => e.textContent), '今天有 1 題到期。');
    await page.click('[data-do="begin"]');
    await eventually(page, (name) => document.getElementById(`q-${name}`) !== null, id);
    await answer(page, true);
    await eventually(page, () => /再見。$/.test(document.querySelector('.review [data-part="note"]')!.textContent!));
    await follow(page, '.top-nav a[href*="progress"]');
    assert.match(
      await page.$eval('[data-part="sum"]', (e) => e.textContent!),
      /^你做過 1 題，共 \d+ 題，最近一次答對的有 1 題。$/,
    );
    await page.close();
  });

  test('a link with a place still leads there', async () => {
    const page = await firefox.newPage();
    await page.goto(origins.file.url(LESSON), { waitUntil: 'load' });
    await answer(page, false);
    await follow(page, '.around a[href*="#track-"]');
    const hash = new URL(page.url()).hash;
    assert.equal(hash, '#track-lecture');
    await eventually(page, () => Math.abs(document.getElementById('track-lecture')!.getBoundingClientRect().top) < 300);
    assert.match(await markOf(page), /做過 1 題/);
    await page.close();
  });

  test('what is too long for a link stays where it is, which is said, with a way to save it', async () => {
    const page = await firefox.newPage();
    await page.goto(origins.file.url(LESSON), { waitUntil: 'load' });
    const id = await answer(page, true);
    await page.$eval('.q-expert textarea', (field) => {
      (field as HTMLTextAreaElement).value = '長'.repeat(100_000);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await eventually(page, () => document.querySelector('.progress-note') !== null);
    assert.match(
      await page.$eval('.progress-note', (e) => e.textContent!),
      /^你寫的答案太長，跟不上站內的連結，只留在這一頁。 匯出這一頁的進度$/,
    );
    await follow(page, '.top-nav a[href*="progress"]');
    assert.match(await page.$eval('[data-part="sum"]', (e) => e.textContent!), /^你做過 1 題/, id);
    await page.goto(origins.file.url(LESSON), { waitUntil: 'load' });
    assert.equal(await page.$eval('.q-expert textarea', (e) => (e as HTMLTextAreaElement).value.length), 100_000);
    await page.close();
  });
});
