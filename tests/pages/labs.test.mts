// Every lab on every page, as learners may find it: with input of all kinds, and in browsers that refuse things.
import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { labsReady, open, SIDE_BY_SIDE, visit, type Watched } from './support/chromium.mts';
import { fileOrigin, isFirstEdition, labPages, REST } from './support/dist.mts';
import { enter, fieldsOf, fullWidth, idle, labIdsOf, otherInput, resultOf, reveal } from './support/lab.mts';
import { stage } from './support/stage.mts';

/** A navigation to the first result may take this long, on a slow and busy machine. */
const LONGEST_WAIT_MS = 8000;

/** What is wrong for a number or a row of numbers. */
const BAD: [string, string][] = [
  ['letters', 'abc'],
  ['Chinese', '一二三'],
  ['NaN', 'NaN'],
  ['Infinity', 'Infinity'],
  ['a billion', '1e9'],
  ['nothing', ''],
  ['a percentage', '95%'],
  ['too many numbers', '1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9'],
];

/** And for a list of names, which takes any words. */
const BAD_LISTS: [string, string][] = [
  ['nothing', ''],
  ['a hundred names', Array.from({ length: 100 }, (_, i) => `甲${i}`).join('、')],
];

const { browser, http } = await stage();

const isChinese = (text: string | null): boolean => /\p{Script=Han}.*。$/u.test((text ?? '').trim());

async function onPage(
  url: string,
  work: (tab: Watched) => Promise<void>,
  prepare?: (tab: Watched) => Promise<unknown>,
  waitUntil: 'load' | 'domcontentloaded' = 'load',
): Promise<void> {
  const tab = await open(browser, http, { permissions: ['clipboard-read', 'clipboard-write'] });
  try {
    await prepare?.(tab);
    await tab.page.goto(url, { waitUntil });
    await work(tab);
  } finally {
    await tab.close();
  }
}

const readyPage = (page: string, work: (tab: Watched) => Promise<void>): Promise<void> =>
  onPage(http.url(page), async (tab) => {
    await labsReady(tab.page);
    await work(tab);
    assert.deepEqual(tab.problems, []);
  });

test('there are labs in both scripts', () => {
  for (const script of ['zh-Hant', 'zh-Hans']) assert.ok(labPages.some((page) => page.startsWith(script)));
});

/**
 * For `npm test` everything is tried on one lab of the gallery and on the lesson of the party, which has several, in
 * both editions. ATTN_PAGES=rest tries everything on the rest of the gallery, and the other lessons have to start and to do without
 * storage, in one edition: the other runs the same scripts on the same fields.
 */
const inGallery = (page: string): boolean => page.includes('/labs/');
const sample = 'zh-Hant/labs/causal-mask/index.html';
const isSample = (page: string): boolean => page === sample || page.endsWith('/lecture/party/index.html');
const tried = labPages.filter((page) => (REST ? isFirstEdition(page) && !isSample(page) : isSample(page)));

/** The browser has one clipboard for all its pages, so they take turns. */
let clipboard = Promise.resolve();
function atClipboard(work: () => Promise<void>): Promise<void> {
  const turn = clipboard.then(work);
  clipboard = turn.catch(() => undefined);
  return turn;
}

describe('labs as learners find them', SIDE_BY_SIDE, () => {
  for (const page of tried)
    describe(page, { concurrency: 1 }, () => {
      test('gives a first result soon', async (t: TestContext) => {
        for (const origin of [http, fileOrigin()]) {
          const tab = await open(browser, origin);
          try {
            // Noted in the page itself, so that the test's own pace does not count.
            await tab.page.addInitScript(() => {
              new MutationObserver((_, observer) => {
                const status = document.querySelector('attn-lab [data-part="status"]');
                const strings = document.getElementById('strings')?.textContent;
                if (!status || !strings || status.textContent !== JSON.parse(strings)['lab.ready']) return;
                observer.disconnect();
                (globalThis as { firstResult?: number }).firstResult = performance.now();
              }).observe(document, { subtree: true, childList: true, characterData: true });
            });
            await visit(tab, origin.url(page));
            const time = await tab.page.evaluate(() => (globalThis as { firstResult?: number }).firstResult);
            assert.ok(time !== undefined && time < LONGEST_WAIT_MS, `${time} ms`);
            t.diagnostic(`first result over ${origin.name}: ${Math.round(time)} ms after navigation`);
          } finally {
            await tab.close();
          }
        }
      });

      test('when storage is refused, labs and questions go on', () =>
        onPage(
          http.url(page),
          async (tab) => {
            await labsReady(tab.page);
            for (const id of await labIdsOf(tab.page)) {
              await reveal(tab.page, id);
              const { field, typed } = await otherInput(tab.page, id);
              const before = await resultOf(tab.page, id);
              await enter(field, typed);
              assert.notEqual(await resultOf(tab.page, id), before);
            }
            for (const form of await tab.page.locator('.q-form').all()) {
              await form.locator('button[type="submit"]').click();
              const said = form.locator('xpath=following-sibling::p[contains(@class,"q-verdict")]').first();
              assert.ok(await said.isVisible());
              assert.ok(isChinese(await said.textContent()));
            }
            assert.deepEqual(tab.problems, []);
          },
          ({ page: tab }) =>
            tab.addInitScript(() => {
              for (const name of ['localStorage', 'sessionStorage'])
                Object.defineProperty(globalThis, name, {
                  get() {
                    throw new DOMException('The operation is insecure.', 'SecurityError');
                  },
                });
            }),
        ));
      if (!isSample(page) && !inGallery(page)) return;

      for (const [kind, list] of [
        ['number', BAD],
        ['list', BAD_LISTS],
      ] as const)
        test(`what is wrong in a ${kind} field is refused in Chinese, and nothing is lost`, () =>
          readyPage(page, async ({ page: tab }) => {
            for (const id of await labIdsOf(tab)) {
              await reveal(tab, id);
              const result = await resultOf(tab, id);
              for (const fieldId of await fieldsOf(tab, id, kind)) {
                const field = tab.locator(`#${fieldId}`);
                const before = await field.inputValue();
                for (const [name, text] of list) {
                  await enter(field, text);
                  const where = `${fieldId} after ${name}, ${JSON.stringify(text)}`;
                  const error = tab.locator(`#${id} .lab-error`).first();
                  assert.ok(await error.isVisible(), `no sentence at ${where}`);
                  assert.ok(isChinese(await error.textContent()), `${where}: ${await error.textContent()}`);
                  assert.equal(await field.inputValue(), text, `${where}: what was typed is gone`);
                  assert.ok(
                    await tab.locator(`#${id} [data-part="stale"]`).isVisible(),
                    `${where}: an old result looks new`,
                  );
                  assert.equal(await resultOf(tab, id), result, `${where}: the last good result is gone`);
                  await enter(field, before);
                  assert.equal(
                    await tab.locator(`#${id} .lab-error`).count(),
                    0,
                    `${where}: the sentence stays after it is mended`,
                  );
                  assert.equal(await resultOf(tab, id), result, `${where}: the mended result is another one`);
                }
              }
            }
          }));

      test('full-width digits are read as digits', () =>
        readyPage(page, async ({ page: tab }) => {
          for (const id of await labIdsOf(tab)) {
            await reveal(tab, id);
            const result = await resultOf(tab, id);
            for (const fieldId of await fieldsOf(tab, id, 'number')) {
              const field = tab.locator(`#${fieldId}`);
              const wide = fullWidth(await field.inputValue());
              await enter(field, wide);
              assert.equal(await tab.locator(`#${id} .lab-error`).count(), 0, `${fieldId}: ${wide} is refused`);
              assert.equal(await resultOf(tab, id), result, `${fieldId}: ${wide} is another number`);
            }
          }
        }));

      test('a ragged matrix is refused by the paste area, and what was pasted stays', () =>
        readyPage(page, async ({ page: tab }) => {
          for (const id of await labIdsOf(tab)) {
            await reveal(tab, id);
            const area = tab.locator(`#${id} .lab-paste textarea`).first();
            if ((await area.count()) === 0) continue;
            const ragged = '1, 2, 3\n4, 5\n6';
            await area.fill(ragged);
            await tab.locator(`#${id} [data-do="paste"]`).first().click();
            const error = tab.locator(`#${id} .lab-error`).first();
            assert.ok(await error.isVisible(), `${id}: no sentence`);
            assert.ok(isChinese(await error.textContent()));
            assert.equal(await area.inputValue(), ragged);
          }
        }));

      test('a link brings the typed state back, and so does a reload', () =>
        readyPage(page, async ({ page: tab }) => {
          for (const id of await labIdsOf(tab)) {
            await reveal(tab, id);
            const first = await resultOf(tab, id);
            const { field, typed } = await otherInput(tab, id);
            const fieldId = await field.getAttribute('id');
            await enter(field, typed);
            const changed = await resultOf(tab, id);
            assert.notEqual(changed, first, `${id}: ${typed} changes nothing`);
            let link = '';
            await atClipboard(async () => {
              await tab.locator(`#${id} [data-do="copy-link"]`).click();
              await tab.locator(`#${id} [data-part="tools-text"]`).filter({ hasText: /./ }).waitFor();
              link = await tab.evaluate(() => navigator.clipboard.readText());
            });
            assert.ok(link.startsWith(http.url(page)), link);

            await onPage(link, async (other) => {
              await labsReady(other.page);
              assert.equal(await other.page.locator(`#${fieldId}`).inputValue(), typed);
              assert.equal(await resultOf(other.page, id), changed);
              assert.deepEqual(other.problems, []);
            });
            await tab.reload({ waitUntil: 'load' });
            assert.equal(await field.inputValue(), typed, `${id}: a reload loses what was typed`);
            await reveal(tab, id);
          }
        }));

      test('a link with nonsense in it harms nothing', () =>
        readyPage(page, async (tab) => {
          for (const id of await labIdsOf(tab.page)) {
            const fields = await tab.page.evaluate(
              (lab) => [...document.querySelectorAll<HTMLElement>(`#${lab} [data-field]`)].map((e) => e.dataset.field!),
              id,
            );
            for (const value of ['<img src=x onerror=alert(1)>', '1e999', '%00', 'x'.repeat(5000)]) {
              const query = new URLSearchParams(fields.map((field) => [field, value])).toString();
              await tab.page.goto('about:blank');
              await tab.page.goto(`${http.url(page)}#${id}?${query}`, { waitUntil: 'load' });
              assert.equal(await tab.page.locator(`#${id} img`).count(), 0);
              assert.ok((await resultOf(tab.page, id)).length > 0);
            }
          }
        }));

      /** What a browser may refuse; each must leave a readable page with a Chinese sentence. */
      const refusals: Record<string, (tab: Watched) => Promise<unknown>> = {
        'WebAssembly is missing': ({ page: tab }) =>
          tab.addInitScript(() => {
            delete (globalThis as { WebAssembly?: unknown }).WebAssembly;
          }),
        'the policy forbids WebAssembly': async ({ page: tab }) => {
          await tab.route('**/*.html', async (route) => {
            const response = await route.fetch();
            const headers = { ...response.headers(), 'content-security-policy': "script-src 'self'" };
            await route.fulfill({ response, headers });
          });
        },
        'memory runs out as the core starts': ({ page: tab }) =>
          tab.addInitScript(() => {
            const refuse = () =>
              Promise.reject(
                new RangeError('WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance'),
              );
            WebAssembly.instantiate = refuse as unknown as typeof WebAssembly.instantiate;
            WebAssembly.compile = refuse as unknown as typeof WebAssembly.compile;
          }),
        'DecompressionStream is missing': ({ page: tab }) =>
          tab.addInitScript(() => {
            delete (globalThis as { DecompressionStream?: unknown }).DecompressionStream;
          }),
        'the core does not arrive': ({ page: tab }) => tab.route('**/core.js', (route) => route.abort()),
      };
      for (const [name, refuse] of Object.entries(refusals))
        test(`when ${name}, every lab says so and keeps its table`, () =>
          onPage(
            http.url(page),
            async (tab) => {
              for (const id of await labIdsOf(tab.page)) {
                const status = tab.page.locator(`#${id} [data-part="status"]`);
                const strings = JSON.parse((await tab.page.locator('#strings').textContent())!);
                await tab.page.waitForFunction(
                  ([lab, waiting]) =>
                    !waiting!.includes(document.querySelector(`#${lab} [data-part="status"]`)!.textContent!),
                  [id, [strings['lab.loading'], strings['lab.static']]] as [string, string[]],
                );
                const text = await status.textContent();
                assert.ok(isChinese(text) && text !== strings['lab.ready'], `${id} says ${text}`);
                assert.ok(
                  await tab.page.locator(`#${id} [data-part="tables"] table`).first().isVisible(),
                  `${id}: no table`,
                );
                assert.ok(await tab.page.locator(`#${id} [data-part="state"]`).isVisible(), `${id}: no sentence`);
              }
              assert.deepEqual(
                tab.problems.filter((problem) => problem.startsWith('page error')),
                [],
              );
            },
            refuse,
          ));
    });
});

const party = 'zh-Hant/lecture/party/index.html';
const partyId = 'party-party';

/** The core comes only when `let` is called. */
async function heldCore({ page: tab }: Watched): Promise<(how?: 'broken' | 'missing') => void> {
  let release: (how?: 'broken' | 'missing') => void = () => undefined;
  const held = new Promise<'broken' | 'missing' | undefined>((resolve) => (release = resolve));
  await tab.route('**/core.js', async (route) => {
    const how = await held;
    if (how === 'missing') await route.fulfill({ status: 404, body: '' });
    else if (how === 'broken') await route.fulfill({ contentType: 'text/javascript', body: '(globalThis.attnModules ??= {}).core = "' });
    else await route.continue();
  });
  return (how) => release(how);
}

const stringsOf = async (tab: Page): Promise<Record<string, string>> => JSON.parse((await tab.locator('#strings').textContent())!);

/** All that is said from now on. */
const listen = (tab: Page): Promise<void> =>
  tab.evaluate(() => {
    const page = globalThis as { said?: string[] };
    page.said = [];
    const region = document.getElementById('say')!;
    new MutationObserver(() => region.textContent && page.said!.push(region.textContent)).observe(region, { childList: true });
  });
const said = (tab: Page): Promise<string[]> => tab.evaluate(() => (globalThis as { said?: string[] }).said!);
const hears = (tab: Page, text: string): Promise<unknown> =>
  tab.waitForFunction((t) => (globalThis as { said?: string[] }).said!.some((s) => s.includes(t!)), text);
const focused = (tab: Page): Promise<string> => tab.evaluate(() => document.activeElement!.id || document.activeElement!.outerHTML.slice(0, 80));

describe('the party lab under a hostile hand', { ...SIDE_BY_SIDE, skip: REST }, () => {
  const part = (tab: Page, name: string) => tab.locator(`#${partyId} [data-part="${name}"]`);
  const score = (tab: Page) => tab.locator(`#${partyId}-scores-1`);

  test('a refused paste and its mending leave the focus where it is', () =>
    readyPage(party, async ({ page: tab }) => {
      await reveal(tab, partyId);
      const apply = tab.locator(`#${partyId} [data-do="paste"]`);
      for (const [text, errors] of [['x', 1], ['1\n2', 0], ['', 1]] as const) {
        await tab.locator(`#${partyId}-scores-paste`).fill(text);
        await apply.focus();
        await tab.keyboard.press('Enter');
        assert.equal(await tab.locator(`#${partyId} .lab-error`).count(), errors);
        assert.ok(await apply.evaluate((e) => e === document.activeElement), await focused(tab));
      }
    }));

  test('before the core is there, what stands on the page is true, and what is asked for is done later', async () => {
    let release: Awaited<ReturnType<typeof heldCore>>;
    await onPage(
      http.url(party),
      async ({ page: tab, problems }) => {
        const strings = await stringsOf(tab);
        await listen(tab);
        await score(tab).fill('3');
        await tab.keyboard.press('Enter');
        assert.equal(await part(tab, 'stale').textContent(), strings['lab.loading-default']);
        await hears(tab, strings['lab.loading']!);
        await tab.locator(`#${partyId} [data-do="preset"][data-value="three"]`).click();
        release();
        await labsReady(tab);
        await tab.waitForFunction((id) => document.querySelectorAll(`#${id} input[data-part="row"]`).length === 3, partyId);
        assert.ok(await part(tab, 'stale').isHidden());
        assert.match((await part(tab, 'state').textContent())!, /0\.24、0\.22、0\.54/);
        assert.deepEqual(problems, []);
      },
      async (tab) => (release = await heldCore(tab)),
      'domcontentloaded',
    );
  });

  for (const how of ['missing', 'broken'] as const)
    test(`a core that is ${how} at last keeps what was typed and the focus, and blames the file once`, async () => {
      let release: Awaited<ReturnType<typeof heldCore>>;
      await onPage(
        http.url(party),
        async ({ page: tab, problems }) => {
          const strings = await stringsOf(tab);
          await score(tab).fill('3');
          release(how);
          await part(tab, 'status').filter({ hasText: strings['error.not-loaded']! }).waitFor();
          assert.equal(await score(tab).inputValue(), '3');
          assert.equal(await focused(tab), `${partyId}-scores-1`);
          assert.equal(await part(tab, 'stale').textContent(), strings['lab.default']);
          assert.equal(problems.filter((problem) => problem.includes('unavailable')).length, 1, problems.join('\n'));
        },
        async (tab) => (release = await heldCore(tab)),
        'domcontentloaded',
      );
    });

  test('typing after a link survives a reload; a bare link leads there; back and forward restore', () =>
    readyPage(party, async ({ page: tab }) => {
      const go = async (hash: string) => {
        await tab.evaluate((h) => (location.hash = h), hash);
        await idle(tab);
      };
      await score(tab).focus();
      await go(`#${partyId}?scores=2;1`);
      assert.equal(await score(tab).inputValue(), '2', 'the field that had the focus keeps the old text');
      assert.equal(await focused(tab), `${partyId}-title`);
      await enter(score(tab), '4');
      await tab.reload({ waitUntil: 'load' });
      await labsReady(tab);
      assert.equal(await score(tab).inputValue(), '4');
      await go(`#${partyId}`);
      assert.equal(await score(tab).inputValue(), '4', 'a bare link resets the lab');
      await go(`#${partyId}?scores=5;1`);
      assert.equal(await score(tab).inputValue(), '5');
      await tab.goBack();
      await tab.waitForFunction((id) => (document.getElementById(id) as HTMLInputElement).value === '4', `${partyId}-scores-1`);
      await tab.goForward();
      await tab.waitForFunction((id) => (document.getElementById(id) as HTMLInputElement).value === '5', `${partyId}-scores-1`);
    }));

  test('a bare link reveals nothing; a bad link is told once and truly; one that is too long is refused in words', async () => {
    await onPage(http.url(`${party}#${partyId}`), async ({ page: tab }) => {
      await labsReady(tab);
      assert.ok(await part(tab, 'view').isHidden());
    });
    await onPage(
      http.url(`${party}#${partyId}?scores=x;1`),
      async ({ page: tab }) => {
        await labsReady(tab);
        const strings = await stringsOf(tab);
        assert.equal(await part(tab, 'stale').textContent(), strings['lab.stale-default']);
        await tab.waitForFunction(() => document.getElementById('say')!.textContent!.includes('「x」'));
      },
    );
    await onPage(http.url(`${party}#${partyId}?names=${'x'.repeat(21_000)}`), async ({ page: tab }) => {
      await part(tab, 'status').filter({ hasText: (await stringsOf(tab))['lab.link-refused']! }).waitFor();
    });
  });

  test('a state too long for a link is not copied; a download says so in place of the copy before', () =>
    readyPage(party, async ({ page: tab }) => {
      await reveal(tab, partyId);
      const strings = await stringsOf(tab);
      await atClipboard(async () => {
        await tab.locator(`#${partyId} [data-do="copy-link"]`).click();
        await part(tab, 'tools-text').filter({ hasText: strings['lab.copied']! }).waitFor();
        await tab.locator(`#${partyId} [data-do="download-csv"]`).click();
        assert.match((await part(tab, 'tools-text').textContent())!, /party-shares\.csv/);
        await enter(score(tab), '1'.padEnd(21_000, ' '));
        await tab.locator(`#${partyId} [data-do="copy-link"]`).click();
        assert.equal(await part(tab, 'tools-text').textContent(), strings['lab.link-too-long']);
        assert.ok((await tab.evaluate(() => navigator.clipboard.readText())).length < 2000);
      });
    }));

  test('steps that change nothing leave nothing to undo', () =>
    readyPage(party, async ({ page: tab }) => {
      await listen(tab);
      await tab.locator(`#${partyId} [data-do="set"][data-value="1"]`).click();
      await tab.locator(`#${partyId} [data-do="reset"]`).click();
      await tab.locator(`#${partyId} [data-do="preset"][data-value="two"]`).click();
      await tab.locator(`#${partyId} [data-do="undo"]`).click();
      await hears(tab, (await stringsOf(tab))['lab.nothing-to-undo']!);
    }));

  test('stored nonsense harms nothing', () =>
    onPage(
      http.url(party),
      async ({ page: tab, problems }) => {
        await labsReady(tab);
        assert.ok(await score(tab).isVisible());
        assert.deepEqual(problems, []);
      },
      ({ page: tab }) =>
        tab.addInitScript((id) => {
          sessionStorage.setItem(`attn-lab:${location.pathname}#${id}`, '{"raw":{"names":5,"scores":"x","guest":[1]},"revealed":true}');
        }, partyId),
    ));

  test('a sound that is refused is told, and nothing fails', () =>
    onPage(
      http.url(party),
      async ({ page: tab, problems }) => {
        await labsReady(tab);
        await reveal(tab, partyId);
        await listen(tab);
        await tab.locator(`#${partyId} [data-do="sound"]`).click();
        await hears(tab, (await stringsOf(tab))['error.no-sound']!);
        assert.deepEqual(problems.filter((problem) => problem.startsWith('page error')), []);
      },
      ({ page: tab }) =>
        tab.addInitScript(() => {
          globalThis.AudioContext = class {
            constructor() {
              throw new DOMException('no more', 'NotSupportedError');
            }
          } as unknown as typeof AudioContext;
        }),
    ));
});

test('a sound in one lab stops the one in another and is the only one told', { skip: REST }, () =>
  readyPage(party, async ({ page: tab }) => {
    const ids: string[] = [];
    for (const id of await labIdsOf(tab)) {
      await reveal(tab, id);
      if ((await tab.locator(`#${id} [data-do="sound"]`).count()) > 0) ids.push(id);
    }
    assert.ok(ids.length > 1);
    const [first, second] = ids.slice(-2).map((id) => tab.locator(`#${id} [data-do="sound"]`));
    const stopped = (await stringsOf(tab))['lab.sound-stopped']!;
    await listen(tab);
    await first!.click();
    await second!.click();
    await hears(tab, (await tab.locator(`#${ids.at(-1)} [data-part="sound-text"]`).textContent())!);
    assert.ok(!(await said(tab)).includes(stopped));
    await second!.click();
    await hears(tab, stopped);
  }));

test('wide tables under a summary scroll in their own box, not the page', { skip: REST }, () =>
  readyPage('zh-Hant/labs/qkv/index.html', async ({ page: tab }) => {
    await tab.setViewportSize({ width: 1280, height: 800 });
    const [id] = await labIdsOf(tab);
    await reveal(tab, id!);
    const row = Array.from({ length: 16 }, () => '-12.3456').join(', ');
    for (const name of ['wq', 'wk']) {
      for (const field of await tab.locator(`#${id} input[data-field="${name}"]`).all()) await field.fill(row);
    }
    await idle(tab);
    const { scrollWidth, clientWidth } = await tab.evaluate(() => ({
      scrollWidth: document.documentElement.scrollWidth,
      clientWidth: document.documentElement.clientWidth,
    }));
    assert.ok(scrollWidth <= clientWidth, `${scrollWidth} in ${clientWidth}`);
  }));
