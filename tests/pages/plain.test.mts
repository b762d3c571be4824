// With JavaScript truly off, every word that lies in the HTML can be read.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { open, SIDE_BY_SIDE } from './support/chromium.mts';
import { isMirror, isPattern, labPages, pages, REST } from './support/dist.mts';
import { stage } from './support/stage.mts';

const { browser, origins } = await stage();

const read = pages.filter((page) => isPattern(page) && !isMirror(page));

for (const protocol of REST ? (['file'] as const) : (['http'] as const))
  describe(`JavaScript off, ${protocol}`, SIDE_BY_SIDE, () => {
    for (const path of read)
      test(path, async (t) => {
        const tab = await open(browser, origins[protocol], { javaScriptEnabled: false });
        try {
          await tab.page.goto(origins[protocol].url(path), { waitUntil: 'load' });
          // A reader opens the folds by hand; they need no script.
          const { unread, characters } = await tab.page.evaluate(() => {
            for (const fold of document.querySelectorAll('details')) fold.open = true;
            // What only a script can do stays hidden: controls, and the places of their answers; and the moves of a game.
            const forScripts =
              'script, style, template, button, form[data-part="predict"], [data-part="work"], [data-live], .boss-live, .q-action, .q-rating';
            const unread: string[] = [];
            let characters = 0;
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
              const text = (node.nodeValue ?? '').trim();
              const parent = node.parentElement!;
              if (!text || parent.closest(forScripts)) continue;
              const range = document.createRange();
              range.selectNodeContents(node);
              const shown = range.getClientRects().length > 0 && getComputedStyle(parent).visibility === 'visible';
              if (shown || parent.tagName === 'OPTION') characters += text.length;
              else unread.push(`${parent.tagName.toLowerCase()}.${parent.className}: ${text.slice(0, 30)}`);
            }
            return { unread, characters };
          });
          assert.deepEqual(unread, []);
          assert.ok(characters > 50, `${characters} characters`);
          t.diagnostic(`${characters} characters`);
          if (labPages.includes(path)) {
            const labs = await tab.page.evaluate(() =>
              [...document.querySelectorAll('attn-lab')].map((lab) => ({
                id: lab.id,
                numbers: [...lab.querySelectorAll('td')].filter(
                  (cell) => /\d/.test(cell.textContent ?? '') && cell.getClientRects().length,
                ).length,
                state: lab.querySelector('[data-part="state"]')?.getClientRects().length ?? 0,
              })),
            );
            for (const { id, numbers, state } of labs)
              assert.ok(numbers > 0 && state > 0, `${id} has ${numbers} numbers to read`);
          }
          assert.deepEqual(tab.problems, []);
        } finally {
          await tab.close();
        }
      });
  });
