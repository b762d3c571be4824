// One pass through every page with the Tab key alone: in order, to everything, each stop visible.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { open, SIDE_BY_SIDE, visit } from './support/chromium.mts';
import { htmlOf, isFirstEdition, isProse, pages, REST } from './support/dist.mts';
import { currentStop, type Stop } from './support/focus.mts';
import { labIdsOf, reveal } from './support/lab.mts';
import { stage } from './support/stage.mts';

const { browser, http } = await stage();

/** Marks what Tab should reach; a group of radio buttons is one stop. Gives back their names. */
const markStops = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const nameOf = (e: Element): string =>
      `${e.tagName.toLowerCase()}${e.id ? `#${e.id}` : ''} 「${((e as HTMLElement).innerText ?? '').trim().slice(0, 20)}」`;
    const groups = new Set<string>();
    const reachable = [
      ...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex="0"]'),
    ].filter((e) => {
      if (e.matches(':disabled') || e.tabIndex < 0 || !e.checkVisibility({ checkVisibilityCSS: true })) return false;
      if (e instanceof HTMLInputElement && e.type === 'radio') {
        const group = `${e.form?.id ?? ''} ${e.name}`;
        const members = [
          ...document.querySelectorAll<HTMLInputElement>(`input[type="radio"][name="${CSS.escape(e.name)}"]`),
        ];
        if (members.some((m) => m.checked) && !e.checked) return false;
        if (groups.has(group)) return false;
        groups.add(group);
      }
      return true;
    });
    reachable.forEach((e, place) => (e.dataset.stop = String(place)));
    return reachable.map(nameOf);
  });

async function passThrough(page: Page): Promise<{ names: string[]; stops: Stop[] }> {
  const names = await markStops(page);
  // A browser walks on from where it last was, even after the focus is gone; so it has to be at the top.
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
    window.scrollTo(0, 0);
  });
  const stops: Stop[] = [];
  // One press more than there are stops shows that the last one lets go.
  for (let press = 0; press <= names.length; press += 1) {
    await page.keyboard.press('Tab');
    const stop = await currentStop(page);
    if (!stop || (press > 0 && stop.place === 0)) break;
    stops.push(stop);
  }
  return { names, stops };
}

function check({ names, stops }: { names: string[]; stops: Stop[] }): void {
  const problems = stops.filter(({ problem }) => problem).map(({ name, problem }) => `${name} ${problem}`);
  assert.deepEqual(problems, []);
  const visited = new Set(stops.map(({ place }) => place));
  assert.deepEqual(
    names.filter((_, place) => !visited.has(place)),
    [],
    'not reached',
  );
  assert.deepEqual(
    stops.filter(({ place }) => place < 0).map(({ name }) => name),
    [],
    'reached, though not a control',
  );
  assert.deepEqual(
    stops.filter(({ place }, i) => place !== i).map(({ place }) => names[place]),
    [],
    'out of order',
  );
}

describe('the Tab key', SIDE_BY_SIDE, () => {
  for (const path of pages.filter((page) => isFirstEdition(page) && isProse(page) !== REST))
    test(path, async (t) => {
      const tab = await open(browser, http);
      try {
        await visit(tab, http.url(path));
        const first = await passThrough(tab.page);
        check(first);
        t.diagnostic(`${first.stops.length} stops`);
        if (htmlOf(path).includes('<attn-lab')) {
          await visit(tab, http.url(path));
          for (const id of await labIdsOf(tab.page)) await reveal(tab.page, id);
          await tab.page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
          const second = await passThrough(tab.page);
          check(second);
          t.diagnostic(`${second.stops.length} stops with everything open`);
        }
        assert.deepEqual(tab.problems, []);
      } finally {
        await tab.close();
      }
    });
});
