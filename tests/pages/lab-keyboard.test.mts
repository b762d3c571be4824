// Every lab by keyboard alone, from the top of its page: guess, change every input, hear it, reach the numbers, the
// self-checks and the code, go back, reset, and leave. Nothing is ever clicked, and the focus is never lost.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { labs } from '../../web/labs/index.ts';
import type { Lab } from '../../web/labs/kit/types.ts';
import { open, SIDE_BY_SIDE, visit } from './support/chromium.mts';
import { quarter } from './support/dist.mts';
import { currentStop } from './support/focus.mts';
import { another, idle, resultOf } from './support/lab.mts';
import { stage } from './support/stage.mts';

/** From a change, or from the end of long work, to the sentence about it. */
const READY_IS_SAID_MS = 500;
const HEARD_WITHIN_MS = 2000;
/** After the last key, a row that is refused has its sentence. */
const RESTED_MS = 700;
/** What has one general way to be changed; a number box stands beside its slider. */
const CHANGEABLE = ':is([data-part="range"], [data-part="select"], [data-part="radio"], [data-part="row"], [data-do="step"], [data-do="move"])';
/** No lab has as many stops as this. */
const MANY = 400;

const { browser, http } = await stage();

interface Ear {
  said: { text: string; at: number }[];
  /** When a key was last pressed, or the shown result became another one. */
  since: number;
}

/** From now on writes down, in the page's own time, what is said and when the result changes. */
const listen = (page: Page, id: string): Promise<void> =>
  page.evaluate((lab) => {
    const ear: Ear = { said: [], since: 0 };
    (globalThis as { ear?: Ear }).ear = ear;
    const region = document.getElementById('say')!;
    new MutationObserver(() => {
      if (region.textContent) ear.said.push({ text: region.textContent, at: performance.now() });
    }).observe(region, { childList: true });
    const begin = (): void => {
      ear.since = performance.now();
    };
    document.addEventListener('keydown', begin, { capture: true });
    for (const part of ['state', 'tables'])
      new MutationObserver(begin).observe(
        document.querySelector(`#${lab} [data-part="${part}"]`)!,
        { subtree: true, childList: true, characterData: true },
      );
  }, id);

/** One hand on the keyboard; every press is looked at. */
class Hand {
  constructor(
    private readonly page: Page,
    private readonly id: string,
  ) {}

  private inPage<T>(read: (e: HTMLElement, argument: string) => T, argument = ''): Promise<T> {
    return this.page.evaluate(
      `(${read.toString()})(document.activeElement, ${JSON.stringify(argument)})`,
    ) as Promise<T>;
  }

  isAt(selector: string): Promise<boolean> {
    return this.inPage((e, s) => e.matches(s), selector);
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    const stop = await currentStop(this.page);
    assert.ok(stop, `${key} loses the focus`);
    assert.equal(stop.problem, '', `after ${key}, ${stop.name} ${stop.problem}`);
  }

  /** Walks on until it stands on something that fits. */
  async walk(key: 'Tab' | 'Shift+Tab', selector: string, onTheWay?: () => Promise<void>): Promise<void> {
    for (let presses = 0; presses < MANY; presses++) {
      await this.press(key);
      if (await this.isAt(selector)) return;
      await onTheWay?.();
    }
    assert.fail(`${key} does not reach ${selector}`);
  }

  private saidSoFar(): Promise<number> {
    return this.page.evaluate(() => (globalThis as unknown as { ear: Ear }).ear.said.length);
  }

  /** The first sentence after the first `count`, which comes soon after the result; "" when there is none. */
  private async heard(what: string, count: number): Promise<string> {
    const sentence = await this.page
      .waitForFunction((n) => (globalThis as unknown as { ear: Ear }).ear.said[n], count, { timeout: 2 * HEARD_WITHIN_MS })
      .catch(() => null);
    if (!sentence) return '';
    const { text, at } = (await sentence.jsonValue()) as Ear['said'][number];
    const since = await this.page.evaluate(() => (globalThis as unknown as { ear: Ear }).ear.since);
    assert.match(text.trim(), /\p{Script=Han}.*。$/su, what);
    assert.ok(at - since <= HEARD_WITHIN_MS, `${what}: said ${Math.round(at - since)} ms after the result`);
    return text;
  }

  /** Presses what has the focus, and listens. */
  async enter(what: string): Promise<string> {
    const count = await this.saidSoFar();
    await this.press('Enter');
    await idle(this.page);
    const text = await this.heard(what, count);
    assert.notEqual(text, '', `${what}: nothing is said`);
    return text;
  }

  /** Sends a guess; the first answer on offer, or the smallest number. */
  async guess({ predict }: Lab): Promise<void> {
    await this.walk('Tab', `#${this.id} [data-part="predict"] input`);
    if (predict.kind === 'number') await this.page.keyboard.type(String(predict.min));
    else await this.press('Space');
    await this.walk('Tab', `#${this.id} [data-part="predict"] [type="submit"]`);
    const told = await this.enter('the guess');
    assert.match(told, /你猜/);
    const shown = this.page.locator(`#${this.id} [data-part="reconcile"]`);
    assert.ok(await shown.isVisible(), 'the answer to the guess is hidden');
    assert.equal(await shown.innerText(), told);
  }

  /** Changes the field that has the focus in the way of its sort; gives the way back. */
  private async change(): Promise<() => Promise<void>> {
    const part = await this.inPage((e) => e.dataset.part ?? e.dataset.do);
    const value = (): Promise<string> => this.inPage((e) => (e as HTMLInputElement).value);
    const before = await value();
    const either = async (there: string, back: string): Promise<() => Promise<void>> => {
      await this.press(there);
      if ((await value()) !== before) return () => this.press(back);
      await this.press(back);
      return () => this.press(there);
    };
    // In one go, as an input method types; a pause between two keys would be a rest.
    const type = async (text: string): Promise<void> => {
      await this.press('ControlOrMeta+A');
      await this.page.keyboard.insertText(text);
    };
    if (part === 'range') return either('ArrowRight', 'ArrowLeft');
    if (part === 'select') return either('ArrowDown', 'ArrowUp');
    if (part === 'radio') {
      await this.press('ArrowDown');
      return () => this.press('ArrowUp');
    }
    if (part === 'row') {
      await type(another(before));
      return () => type(before);
    }
    await this.press('Enter');
    return async () => undefined;
  }

  /** Walks through the inputs to the tools below the tables and changes one field of each name; gives what was heard. */
  async changeInputs(): Promise<Record<string, string>> {
    const done = new Set<string>();
    const heard: Record<string, string> = {};
    const inputs = `#${this.id} [data-part="inputs"]`;
    await this.walk('Tab', `#${this.id} [data-do="jump-largest"]`, async () => {
      if (await this.isAt(`${inputs} details.lab-fold:not([open]) > summary`)) await this.press('Enter');
      if (!(await this.isAt(`${inputs} ${CHANGEABLE}`))) return;
      const field = await this.inPage((e) => e.dataset.field!);
      if (done.has(field)) return;
      done.add(field);
      const before = await resultOf(this.page, this.id);
      const count = await this.saidSoFar();
      const back = await this.change();
      const refusals = this.page.locator(`#${this.id} .lab-error`);
      // A typed row is judged once the typing rests; some changes show nothing.
      await refusals.first().waitFor({ timeout: RESTED_MS }).catch(() => undefined);
      await idle(this.page);
      if ((await refusals.count()) > 0) {
        assert.match((await refusals.first().innerText()).trim(), /\p{Script=Han}.*。$/su, field);
        await back();
        await refusals.first().waitFor({ state: 'detached', timeout: 2 * HEARD_WITHIN_MS });
        await idle(this.page);
      }
      if ((await resultOf(this.page, this.id)) !== before) heard[field] = await this.heard(field, count);
    });
    return heard;
  }

  /** Walks on until the lab lies behind; past the last stop of the page the focus goes to the browser. */
  async leave(): Promise<void> {
    for (let presses = 0; presses < MANY; presses++) {
      await this.page.keyboard.press('Tab');
      if (!(await this.inPage((e, id) => e.closest(`#${id}`) !== null, this.id))) return;
      assert.equal((await currentStop(this.page))?.problem, '');
    }
    assert.fail('the lab does not let go');
  }
}

describe('every lab by keyboard alone', SIDE_BY_SIDE, () => {
  for (const [stem, lab] of quarter(Object.entries(labs)))
    test(stem, async (t) => {
      const id = `lab-${stem}`;
      const tab = await open(browser, http);
      const { page } = tab;
      const hand = new Hand(page, id);
      try {
        await visit(tab, http.url(`zh-Hant/labs/${stem}/index.html`));
        // That the lab is ready may still be about to be said.
        await page.waitForTimeout(READY_IS_SAID_MS);
        const first = await resultOf(page, id);
        await listen(page, id);
        await hand.guess(lab);

        const heard = await hand.changeInputs();
        t.diagnostic(JSON.stringify(heard));
        assert.ok(Object.values(heard).some(Boolean), `no change of an input is heard: ${JSON.stringify(heard)}`);
        assert.notEqual(await resultOf(page, id), first, 'no input changes anything');

        await hand.press('Enter');
        assert.ok(await hand.isAt(`#${id} [data-part="tables"] td`), 'the largest number is not jumped to');

        await hand.walk('Tab', `#${id} [data-part="trust"] summary`);
        await hand.press('Enter');
        assert.ok(await page.locator(`#${id} [data-part="trust"] li`).first().isVisible(), 'the self-checks stay folded');
        if (lab.code.length > 0) {
          await hand.walk('Tab', `#${id} section > details.lab-fold > summary`);
          await hand.press('Space');
          await hand.walk('Tab', `#${id} pre`);
          assert.ok(await page.locator(`#${id} pre code`).first().isVisible(), 'the code stays folded');
        }
        await hand.leave();

        await hand.walk('Shift+Tab', `#${id} [data-do="reset"]`);
        await hand.enter('the reset');
        assert.ok(await hand.isAt(`#${id} [data-do="reset"]`), 'the focus leaves the button');
        assert.equal(await resultOf(page, id), first, 'the reset does not lead back');
        assert.deepEqual(tab.problems, []);
      } finally {
        await tab.close();
      }
    });
});
