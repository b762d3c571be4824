// How long each lab takes from a key press to its new sentence and table, on a processor slowed down four times.
// Usage, after a build: node --import tsx tools/latency.mts [--rounds 10] [--slower 4] [--lab STEM]… [--json]
//
// Every lab stands on a page of its own at its default input; the rounds go from lab to lab, so that what the machine does
// meanwhile strikes all alike. The time runs from the event's own stamp, so that waiting for the thread counts, until the
// page is changed and laid out; the rest before the spoken sentence is not part of it.
import { parseArgs } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';
import { launch, open, visit, type Watched } from '../tests/pages/support/chromium.mts';
import { httpOrigin } from '../tests/pages/support/dist.mts';
import { idle, reveal } from '../tests/pages/support/lab.mts';
import { labs } from '../web/labs/index.ts';
import { median } from '../web/speed/times.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    slower: { type: 'string', default: '4' },
    lab: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
  },
});
const rounds = Number(options.rounds);
const slower = Number(options.slower);
const stems = options.lab ?? Object.keys(labs);

interface Run {
  stem: string;
  tab: Watched;
  client: CDPSession;
  /** What is pressed, and the two keys that lead there and back. */
  field: string;
  keys: [string, string];
  times: number[];
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

async function press(page: Page, field: string, key: string): Promise<number | null> {
  await page.locator(field).focus();
  await page.evaluate(() => ((globalThis as unknown as { clock: Clock }).clock.updated = 0));
  await page.keyboard.press(key);
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

/** The first field of a lab that changes its result, and its keys. */
async function chooseField(page: Page, id: string): Promise<Pick<Run, 'field' | 'keys'>> {
  for (const [part, there, back] of WAYS) {
    const [field] = await page.evaluate(
      ([inputs, wanted]) => [...document.querySelectorAll<HTMLElement>(`${inputs} ${wanted}`)].map((e) => e.id).slice(0, 1),
      [`#${id} [data-part="inputs"]`, part] as [string, string],
    );
    if (field === undefined) continue;
    const selector = field ? `#${field}` : `#${id} [data-part="inputs"] ${part}`;
    const time = await press(page, selector, there);
    await press(page, selector, back);
    if (time !== null) return { field: selector, keys: [there, back] };
  }
  throw new Error(`${id}: no key changes the result`);
}

const browser = await launch();
const http = await httpOrigin();
try {
  const runs: Run[] = [];
  for (const stem of stems) {
    const tab = await open(browser, http);
    await visit(tab, http.url(`zh-Hant/labs/${stem}/index.html`));
    const id = `lab-${stem}`;
    await reveal(tab.page, id);
    await watch(tab.page, id);
    const chosen = await chooseField(tab.page, id);
    const client = await tab.page.context().newCDPSession(tab.page);
    runs.push({ stem, tab, client, times: [], ...chosen });
  }
  for (let round = 0; round < rounds; round++)
    for (const { tab, client, field, keys, times } of runs) {
      await client.send('Emulation.setCPUThrottlingRate', { rate: slower });
      const time = await press(tab.page, field, keys[round % 2]!);
      await client.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      if (time !== null) times.push(time);
    }

  const rows = runs
    .map(({ stem, field, times }) => ({ lab: stem, field, median: median(times), slowest: Math.max(...times), count: times.length }))
    .sort((a, b) => b.median - a.median);
  const all = { rounds, slower, median: median(rows.map((row) => row.median)), worst: rows[0]!.lab, worstMedian: rows[0]!.median };
  if (options.json) console.log(JSON.stringify({ ...all, labs: rows }));
  else {
    const ms = (time: number): string => time.toFixed(1).padStart(8);
    console.log(`lab                       median  slowest   ms, ${rounds} rounds, processor ${slower} times slower`);
    for (const row of rows) console.log(`${row.lab.padEnd(22)} ${ms(row.median)} ${ms(row.slowest)}   ${row.field}`);
    console.log(`median of the labs ${all.median.toFixed(1)} ms, worst ${all.worst} ${all.worstMedian.toFixed(1)} ms`);
  }
} finally {
  await browser.close();
  http.close();
}
