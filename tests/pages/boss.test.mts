// The wall, played by keyboard alone in both editions: to victory and to defeat, with everything that is announced.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { parse } from 'yaml';
import { loadCoreInNode } from '../../web/core/node.ts';
import { makeProblem } from '../../web/quiz/boss/problems.ts';
import { ASKED } from '../../web/quiz/boss/state.ts';
import type { Question } from '../../web/quiz/types.ts';
import { fill } from '../../web/site/strings.ts';
import { axe, open, overflow, visit, type Watched } from './support/chromium.mts';
import { ear } from './support/ear.mts';
import { stage } from './support/stage.mts';

const strings = parse(readFileSync(new URL('../../web/quiz/strings.yaml', import.meta.url), 'utf8')) as Record<string, string>;
const SEED = 7;
const PAGE = 'quest/wall/index.html';

const [{ browser, http }, core] = await Promise.all([stage(), loadCoreInNode()]);

/** What the game with this seed asks at this place, as this test's own core has it. */
const problem = (question: number, place: number): Question =>
  makeProblem(ASKED[question]!, { core, seed: SEED, place, words: (key, slots) => fill(strings[key]!, slots) });

async function openWall(script: string, { hash = `#seed=${SEED}`, ...options }: { hash?: string } & Parameters<typeof open>[2] = {}) {
  const tab = await open(browser, http, options);
  await tab.page.addInitScript(ear);
  await visit(tab, http.url(`${script}/${PAGE}`) + hash);
  return tab;
}

const announced = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as { said: string[] }).said);

/** Presses Tab until the focus is on an element that the selector finds. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let press = 0; press < 120; press += 1) {
    if (await page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${selector}`);
}

async function press(page: Page, move: string): Promise<void> {
  await tabTo(page, `[data-move="${move}"]`);
  await page.keyboard.press('Enter');
}

const onHeading = (page: Page): Promise<boolean> =>
  page.waitForFunction(() => document.activeElement?.matches('.boss h4')).then(() => true);

const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
const state = (page: Page): Promise<string> => page.locator('.boss-state').innerText();
const thickness = (page: Page): Promise<number> => page.locator('.boss-course.is-there').count();

/** Answers what is asked by keys, rightly or by one of the mistakes; gives back what was then announced. */
async function answer(page: Page, asked: Question, right: boolean, mistake = 0): Promise<string> {
  const places = asked.options.flatMap((option, at) => (option.correct === right ? [at] : []));
  const place = places[mistake % places.length]!;
  if (asked.kind === 'number') {
    await tabTo(page, '#q-wall-asked-value');
    await page.keyboard.insertText(String(asked.options[place]!.value));
  } else {
    await tabTo(page, '#q-wall-asked input');
    await page.keyboard.press('Space');
    for (let i = 0; i < place; i += 1) await page.keyboard.press('ArrowDown');
  }
  await tabTo(page, '#q-wall-asked .q-action button');
  const label = await focused(page);
  const before = (await announced(page)).length;
  await page.keyboard.press('Enter');
  await page.waitForFunction((n) => (window as unknown as { said: string[] }).said.length > n, before);
  assert.equal(await focused(page), label, 'the focus stays');
  const said = (await announced(page)).at(-1)!;
  assert.equal(said, await page.locator('#q-wall-asked-said').innerText(), 'what is announced stands after the button');
  return said;
}

/** Everything that is announced, in both editions. The six mistakes are those of the first question, one after another. */
const transcripts: Record<string, { victory: string[]; defeat: string[] }> = {
  'zh-Hant': {
    victory: [
      '第 1 問答對了。你填的是 589824。768 個查詢各看 768 個鍵。牆薄了一塊，剩 2 塊。深淵：格子你數對了。每一格裡面，還有乘法。',
      '第 2 問答對了。你選了「每個頭幾維」，這一步應該是 64。寬度 768 要平分給 12 個頭，這裡忘了除。牆薄了一塊，剩 1 塊。深淵：乘法你也數對了。這還只是一層。',
      '第 3 問答對了。你選了「長度 768」。長度 768 要約 24.16 億次，付得起。再長一級，1024 要約 42.95 億次。最後一塊磚散了，牆不見了。深淵：牆散了，平方還在。',
    ],
    defeat: [
      '第 1 問答錯了。你填的是 295296。這個誤解叫「多用了因果遮罩」。這是加上因果遮罩的個數，大約一半。這一問沒有遮罩。牆厚了一塊，現在 4 塊。深淵：長度加倍，我就是四倍。',
      '第 2 問答錯了。你填的是 52428800。這個誤解叫「把位元組當成格子」。這是 16 位元的位元組數。一格占 2 個位元組，格子只有一半。牆厚了一塊，現在 5 塊。深淵：長度加倍，我就是四倍。',
      '第 3 問答錯了。你填的是 8388608。這個誤解叫「把頭數也乘進去」。這是 8 個頭的格子。這一問只看一個頭。牆厚了一塊，現在 6 塊。深淵：長度加倍，我就是四倍。',
      '第 4 問答錯了。你填的是 9437184。這個誤解叫「拿一半的長度去平方」。這是 3072 的平方。長度差一倍，平方差 4 倍。牆厚了一塊，現在 7 塊。深淵：長度加倍，我就是四倍。',
      '第 5 問答錯了。你填的是 13109760。這個誤解叫「多用了因果遮罩」。這是加上因果遮罩的個數，大約一半。這一問沒有遮罩。牆厚了一塊，現在 8 塊。深淵：長度加倍，我就是四倍。',
      '第 6 問答錯了。你填的是 33554432。這個誤解叫「把位元組當成格子」。這是 16 位元的位元組數。一格占 2 個位元組，格子只有一半。牆長到 9 塊，這一場先停在這裡。深淵：你停下來，我也不會更厚。',
    ],
  },
  'zh-Hans': {
    victory: [
      '第 1 问答对了。你填的是 589824。768 个查询各看 768 个键。墙薄了一块，剩 2 块。深渊：格子你数对了。每一格里面，还有乘法。',
      '第 2 问答对了。你选了“每个头几维”，这一步应该是 64。宽度 768 要平分给 12 个头，这里忘了除。墙薄了一块，剩 1 块。深渊：乘法你也数对了。这还只是一层。',
      '第 3 问答对了。你选了“长度 768”。长度 768 要约 24.16 亿次，付得起。再长一级，1024 要约 42.95 亿次。最后一块砖散了，墙不见了。深渊：墙散了，平方还在。',
    ],
    defeat: [
      '第 1 问答错了。你填的是 295296。这个误解叫“多用了因果掩码”。这是加上因果掩码的个数，大约一半。这一问没有掩码。墙厚了一块，现在 4 块。深渊：长度加倍，我就是四倍。',
      '第 2 问答错了。你填的是 52428800。这个误解叫“把字节当成格子”。这是 16 位的字节数。一格占 2 个字节，格子只有一半。墙厚了一块，现在 5 块。深渊：长度加倍，我就是四倍。',
      '第 3 问答错了。你填的是 8388608。这个误解叫“把头数也乘进去”。这是 8 个头的格子。这一问只看一个头。墙厚了一块，现在 6 块。深渊：长度加倍，我就是四倍。',
      '第 4 问答错了。你填的是 9437184。这个误解叫“拿一半的长度去平方”。这是 3072 的平方。长度差一倍，平方差 4 倍。墙厚了一块，现在 7 块。深渊：长度加倍，我就是四倍。',
      '第 5 问答错了。你填的是 13109760。这个误解叫“多用了因果掩码”。这是加上因果掩码的个数，大约一半。这一问没有掩码。墙厚了一块，现在 8 块。深渊：长度加倍，我就是四倍。',
      '第 6 问答错了。你填的是 33554432。这个误解叫“把字节当成格子”。这是 16 位的字节数。一格占 2 个字节，格子只有一半。墙长到 9 块，这一场先停在这里。深渊：你停下来，我也不会更厚。',
    ],
  },
};

for (const [script, { victory, defeat }] of Object.entries(transcripts))
  describe(script, () => {
    test('victory: three right answers, and the way to the panorama opens.', async () => {
      const tab = await openWall(script);
      const { page } = tab;
      try {
        assert.equal(await thickness(page), 3);
        await press(page, 'start');
        for (let question = 0; question < 3; question += 1) {
          await onHeading(page);
          const said = await answer(page, problem(question, question), true);
          assert.equal(await thickness(page), 2 - question, said);
          assert.equal(await page.locator('[data-show="won"]').isVisible(), question === 2);
          if (question < 2) await press(page, 'next');
        }
        assert.deepEqual(await announced(page), victory);
        await tabTo(page, '[data-show="won"] a');
        await page.keyboard.press('Enter');
        await page.waitForURL(/panorama|zh-Han[st]\/index/);
        assert.deepEqual(tab.problems, []);
      } finally {
        await tab.close();
      }
    });

    test('defeat: six wrong answers, told kindly, and another game begins.', async () => {
      const tab = await openWall(script);
      const { page } = tab;
      try {
        await press(page, 'start');
        const prompts = new Set<string>();
        for (let place = 0; place < 6; place += 1) {
          await onHeading(page);
          prompts.add(await page.locator('#q-wall-asked').innerText());
          const said = await answer(page, problem(0, place), false, place);
          assert.equal(await thickness(page), 4 + place, said);
          assert.ok(await page.locator('#q-wall-asked .q-run a').isVisible(), 'a lab to run');
          if (place < 5) await press(page, 'next');
        }
        assert.equal(prompts.size, 6);
        assert.deepEqual(await announced(page), defeat);
        const lost = page.locator('[data-show="lost"]');
        assert.ok(await lost.isVisible());
        assert.ok((await lost.locator('a').count()) >= 3, 'lessons to fall back to, and the way on');
        await press(page, 'again');
        await onHeading(page);
        assert.equal(await thickness(page), 3);
        assert.deepEqual(tab.problems, []);
      } finally {
        await tab.close();
      }
    });
  });

test('One answer counts once: pressing again moves nothing and says so.', async () => {
  const tab = await openWall('zh-Hant');
  const { page } = tab;
  try {
    await press(page, 'start');
    await onHeading(page);
    await tabTo(page, '#q-wall-asked .q-action button');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('#q-wall-asked-said').innerText(), '第 1 問還沒有填數字，牆不動。');
    assert.equal(await thickness(page), 3);
    assert.equal(await page.locator('#q-wall-asked .q-answer').isVisible(), false);
    await page.locator('#q-wall-asked-value').fill('很多');
    await page.keyboard.press('Enter');
    assert.match(await page.locator('#q-wall-asked-said').innerText(), /^第 2 次檢查：第 1 問看不懂你填的內容，牆不動。/);
    await page.locator('#q-wall-asked-value').fill('12');
    await page.keyboard.press('Enter');
    assert.equal(await thickness(page), 4);
    await page.keyboard.press('Enter');
    assert.equal(await thickness(page), 4);
    assert.match(await page.locator('#q-wall-asked-said').innerText(), /^第 4 次檢查：第 1 問已經答過了。/);
    assert.ok(await page.locator('#q-wall-asked .q-answer').isVisible());
    assert.deepEqual(await page.locator('.boss-log li').allTextContents(), ['第 1 問答錯，牆變成 4 塊。']);
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.close();
  }
});

test('A retreat keeps the wall, over a reload too, and returns to the same question.', async () => {
  const tab = await openWall('zh-Hant');
  const { page } = tab;
  try {
    await press(page, 'start');
    await onHeading(page);
    await answer(page, problem(0, 0), false);
    await press(page, 'next');
    await onHeading(page);
    const asked = await page.locator('#q-wall-asked').innerText();
    await press(page, 'retreat');
    assert.equal(await focused(page), '你退到石階上');
    assert.match(await page.locator('[data-show="retreated"]').innerText(), /牆還是 4 塊磚.*這一場記在這個分頁裡/s);
    assert.equal(await page.locator('#q-wall-asked').isVisible(), false);
    await page.reload();
    assert.match(await state(page), /牆現在厚 4 塊磚。答對 0 次，答錯 1 次。/);
    await press(page, 'return');
    await onHeading(page);
    assert.equal(await page.locator('#q-wall-asked').innerText(), asked);
    assert.deepEqual(await page.locator('.boss-log li').count(), 1);
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.close();
  }
});

test('Without storage the game goes on, and the page says what is lost.', async () => {
  const tab = await open(browser, http);
  const { page } = tab;
  try {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('refused', 'SecurityError');
        },
      });
    });
    await visit(tab, `${http.url(`zh-Hant/${PAGE}`)}#seed=${SEED}`);
    await press(page, 'start');
    await onHeading(page);
    await press(page, 'retreat');
    assert.match(await page.locator('.boss-kept').innerText(), /離開這一頁，這一場就要重來/);
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.close();
  }
});

for (const [hash, named] of [['#seed=abc', 'abc'], ['#seed=-3', '-3'], ['#seed=4294967296', '4294967296'], ['#seed=1.5', '1.5'], ['#seed=%3Cb%3E', '<b>']] as const)
  test(`The seed ${named} is refused in words, and the game is there all the same.`, async () => {
    const tab = await openWall('zh-Hant', { hash });
    const { page } = tab;
    try {
      const said = await page.locator('.boss-seed-said').innerText();
      assert.equal(said, `種子要是 0 到 4294967295 的整數。「${named}」不是，所以沒有用它。`);
      assert.deepEqual(await announced(page), [], 'nothing is announced at load');
      await press(page, 'start');
      await onHeading(page);
      assert.equal(await thickness(page), 3);
      assert.deepEqual(tab.problems, []);
    } finally {
      await tab.close();
    }
  });

test('A class that shares a seed shares the numbers; the form and the address set it.', async () => {
  const tab = await openWall('zh-Hant', { hash: '' });
  const { page } = tab;
  const first = async (): Promise<string> => {
    await page.locator('[data-move="start"]').click();
    await onHeading(page);
    return page.locator('#q-wall-asked').innerText();
  };
  try {
    await page.locator('#boss-seed').fill('x');
    await page.keyboard.press('Enter');
    assert.match(await page.locator('.boss-seed-said').innerText(), /「x」不是/);
    await page.locator('#boss-seed').fill(String(SEED));
    await page.keyboard.press('Enter');
    assert.equal(new URL(page.url()).hash, `#seed=${SEED}`);
    assert.match(await page.locator('.boss-seed-now').innerText(), /這一場的種子是 7。/);
    const asked = await first();
    assert.ok(asked.includes(problem(0, 0).prompt[0]!), asked);
    await page.evaluate(() => {
      location.hash = '#seed=8';
    });
    await page.waitForFunction(() => document.querySelector('.boss-seed-now')!.textContent!.includes('8'));
    assert.notEqual(await first(), asked);
    await page.evaluate(() => {
      location.hash = '#seed=七';
    });
    await page.waitForFunction(() => document.querySelector('.boss-seed-said')!.textContent!.includes('「七」不是'));
    await page.waitForFunction(() => (window as unknown as { said: string[] }).said.at(-1)?.includes('「七」不是'));
    const link = page.locator('[data-script-switch]');
    await page.evaluate(() => history.replaceState(null, '', '#seed=7'));
    await link.focus();
    assert.equal(new URL((await link.getAttribute('href'))!, page.url()).hash, '#seed=7', 'the other script keeps the seed');
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.close();
  }
});

test('The sound is off until asked, sounds one knock a brick, and stops.', async () => {
  const tab = await openWall('zh-Hant');
  const { page } = tab;
  try {
    await page.evaluate(() => {
      const starts: number[] = [];
      Object.assign(window, { starts });
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (when) {
        starts.push(this.frequency.value);
        return start.call(this, when);
      };
    });
    const starts = () => page.evaluate(() => (window as unknown as { starts: number[] }).starts);
    await press(page, 'start');
    await onHeading(page);
    await answer(page, problem(0, 0), false);
    await page.waitForTimeout(1800);
    assert.deepEqual(await starts(), []);
    await press(page, 'sound');
    await page.waitForFunction(() => (window as unknown as { starts: number[] }).starts.length === 4);
    await press(page, 'next');
    await onHeading(page);
    await answer(page, problem(0, 1), false);
    await page.waitForFunction(() => (window as unknown as { starts: number[] }).starts.length === 9);
    const heard = await starts();
    assert.ok(heard[8]! < heard[0]!, 'a thicker wall is lower');
    await press(page, 'sound');
    assert.equal(await focused(page), '打開牆的聲音');
    await page.waitForTimeout(1800);
    assert.equal((await starts()).length, 9);
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.close();
  }
});

test('axe finds nothing at any point of a game, and nothing is wider than a narrow window.', async () => {
  const tab = await openWall('zh-Hant');
  const { page } = tab;
  const look = async (when: string) => {
    assert.deepEqual(await axe(page), [], when);
    assert.deepEqual(await overflow(page), [], when);
  };
  try {
    await look('ready');
    await press(page, 'start');
    await onHeading(page);
    await look('asking');
    await answer(page, problem(0, 0), false);
    await look('wrong');
    await press(page, 'retreat');
    await look('retreated');
    await press(page, 'return');
    await press(page, 'next');
    await onHeading(page);
    await answer(page, problem(0, 1), true);
    await page.locator('#q-wall-asked summary').click();
    await page.locator('.boss-log summary').click();
    await look('right');
    for (let place = 2; place < 5; place += 1) {
      await press(page, 'next');
      await onHeading(page);
      await answer(page, problem((place - 1) % 3, place), true);
    }
    assert.ok(await page.locator('[data-show="won"]').isVisible());
    await look('won');
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.close();
  }
});

test('Without scripts the rules and one example of each question stand there, with answers to open.', async () => {
  const tab = await open(browser, http, { scripts: 'aborted' });
  const { page } = tab;
  try {
    await visit(tab, http.url(`zh-Hant/${PAGE}`), 'aborted');
    assert.equal(await page.locator('.boss button:visible, .boss input:visible').count(), 0);
    assert.match(await page.locator('.boss-static').innerText(), /需要 JavaScript/);
    const examples = page.locator('.boss-example');
    assert.equal(await examples.count(), 3);
    for (const example of await examples.all()) {
      await example.locator('summary').click();
      assert.match(await example.locator('details').innerText(), /是對的|壞了，應該是/);
    }
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.close();
  }
});
