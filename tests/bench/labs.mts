// How soon labs answer, on a processor slowed down: for `npm run bench`.
import type { Browser, Page } from 'playwright-core';
import { open, visit } from '../pages/support/chromium.mts';
import type { Origin } from '../pages/support/dist.mts';
import { idle, reveal } from '../pages/support/lab.mts';
import type { Row } from './page.ts';

export interface Slow {
  rounds: number;
  /** How many times slower the processor is made. */
  slower: number;
}

interface Clock {
  pressed: number;
  updated: number;
}

/** Notes, in the page, when a key went down and when the sentence and the tables were last laid out anew. */
const watch = (page: Page, id: string): Promise<void> =>
  page.evaluate((lab) => {
    const clock: Clock = { pressed: 0, updated: 0 };
    (globalThis as { clock?: Clock }).clock = clock;
    document.addEventListener('keydown', (event) => (clock.pressed = event.timeStamp), { capture: true });
    const host = document.getElementById(lab)!;
    const observer = new MutationObserver(() => {
      void host.offsetHeight;
      clock.updated = performance.now();
    });
    for (const part of ['state', 'tables'])
      observer.observe(host.querySelector(`[data-part="${part}"]`)!, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
  }, id);

/** @param patience  milliseconds to wait for a result that may begin late, or never come */
async function press(page: Page, field: string, key: string, patience: number): Promise<number | null> {
  await page.locator(field).focus();
  await page.evaluate(() => ((globalThis as unknown as { clock: Clock }).clock.updated = 0));
  await page.keyboard.press(key);
  await page.waitForFunction(() => (globalThis as unknown as { clock: Clock }).clock.updated > 0, undefined, { timeout: patience }).catch(() => undefined);
  await idle(page);
  const { pressed, updated } = await page.evaluate(() => (globalThis as unknown as { clock: Clock }).clock);
  return updated === 0 ? null : updated - pressed;
}

/** Ways to change a field and to change it back, in the order in which they are tried. */
const WAYS: [part: string, there: string, back: string][] = [
  ['[data-part="range"]', 'ArrowRight', 'ArrowLeft'],
  ['[data-part="range"]', 'ArrowLeft', 'ArrowRight'],
  ['[data-part="row"]', '1', 'Backspace'],
  ['[data-do="step"][data-value="1"]', 'Enter', 'Enter'],
  ['select', 'ArrowDown', 'ArrowUp'],
  ['[data-part="radio"]:checked', 'ArrowDown', 'ArrowUp'],
];

/** The first field of a lab that changes its result, and the keys that lead there and back. */
async function chooseField(page: Page, id: string): Promise<{ field: string; keys: [string, string] }> {
  for (const [part, there, back] of WAYS) {
    // The first there is at that moment: of radio buttons another one is chosen afterwards.
    const selector = `#${id} [data-part="inputs"] ${part} >> nth=0`;
    if ((await page.locator(selector).count()) === 0) continue;
    const time = await press(page, selector, there, 1000);
    const again = await press(page, selector, back, 1000);
    if (time !== null && again !== null) return { field: selector, keys: [there, back] };
  }
  throw new Error(`${id}: no key changes the result`);
}

/**
 * From a key press to the new sentence and tables of each lab, which stands on its page at its default input. The time runs from the
 * event's own stamp, so that waiting for the thread counts, until the page is changed and laid out.
 */
export async function latency(browser: Browser, http: Origin, stems: readonly string[], { rounds, slower }: Slow): Promise<Row[]> {
  const runs = [];
  for (const stem of stems) {
    const tab = await open(browser, http);
    await visit(tab, http.url(`zh-Hant/labs/${stem}/index.html`));
    const id = `lab-${stem}`;
    await reveal(tab.page, id);
    await watch(tab.page, id);
    const chosen = await chooseField(tab.page, id);
    const client = await tab.page.context().newCDPSession(tab.page);
    const row: Row = { name: stem, times: [] };
    runs.push({ row, tab, client, ...chosen });
  }
  for (let round = 0; round < rounds; round++)
    for (const { row, tab, client, field, keys } of runs) {
      await client.send('Emulation.setCPUThrottlingRate', { rate: slower });
      const time = await press(tab.page, field, keys[round % 2]!, 10_000);
      await client.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      if (time === null) row.failed = 'a key changed nothing';
      else row.times.push(time);
    }
  for (const { tab } of runs) await tab.close();
  return runs.map(({ row }) => row);
}

/** From the start of the navigation until the first lab of a page, asked for at once, shows its sentence; nothing is kept from before. */
export async function firstResult(browser: Browser, http: Origin, paths: readonly string[], { rounds, slower }: Slow): Promise<Row[]> {
  const rows = paths.map((path): Row => ({ name: path, times: [] }));
  for (let round = 0; round < rounds; round++)
    for (const row of rows) {
      const { page, close } = await open(browser, http);
      const client = await page.context().newCDPSession(page);
      await client.send('Emulation.setCPUThrottlingRate', { rate: slower });
      await page.addInitScript(() => {
        const look = (): void => {
          const lab = document.querySelector('attn-lab');
          lab?.querySelector<HTMLElement>('[data-do="skip"]')?.click();
          const shown = lab?.querySelector<HTMLElement>('[data-part="state"]');
          if (!shown?.textContent?.trim() || lab?.hasAttribute('data-busy') || shown.offsetHeight === 0) return;
          (globalThis as { firstResult?: number }).firstResult = performance.now();
          watcher.disconnect();
        };
        const watcher = new MutationObserver(look);
        watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      });
      await page.goto(http.url(row.name), { waitUntil: 'commit' });
      const handle = await page.waitForFunction(() => (globalThis as { firstResult?: number }).firstResult, undefined, { timeout: 30_000 });
      row.times.push((await handle.jsonValue())!);
      await close();
    }
  return rows;
}
