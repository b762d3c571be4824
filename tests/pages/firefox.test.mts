// A smoke load of every page in Firefox, with the preferences of a user rather than those of a test: no error, and words to read.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { fileOrigin, httpOrigin, isFirstEdition, isMirror, isPattern, isProse, pages, REST, type Origin } from './support/dist.mts';
import { eventually, launchFirefox } from './support/firefox.mts';
import { labsAreReady } from './support/ready.mts';

const origins = {} as Record<Origin['name'], Origin>;
before(async () => {
  origins.http = await httpOrigin();
  origins.file = fileOrigin();
});
after(() => origins.http.close());

const patterns = pages.filter(isPattern);

const isLoaded = (page: string): boolean => isPattern(page) && !isMirror(page);

/** `npm test` looks at pages with scripts, and at those that differ from a folder; the longer run at the others. */
const chosen: Record<'on' | 'off', Record<Origin['name'], string[]>> = REST
  ? {
      on: {
        http: pages.filter((page) => !isLoaded(page)),
        file: patterns.filter((page) => !isProse(page) && !isMirror(page)),
      },
      off: { http: patterns.filter(isProse), file: patterns.filter((page) => !isProse(page) && !isMirror(page)) },
    }
  : {
      on: { http: patterns.filter(isLoaded), file: patterns.filter(isProse) },
      off: { http: [], file: patterns.filter((page) => isProse(page) && isFirstEdition(page)) },
    };

// A tab in the background is put to sleep, so each browser has one tab at a time.
describe('Firefox', { concurrency: availableParallelism() }, () => {
  for (const scripts of ['on', 'off'] as const)
    for (const protocol of ['http', 'file'] as const)
      describe(`scripts ${scripts}, ${protocol}`, { concurrency: 1 }, () => {
        let browser: Browser;
        before(async () => {
          browser = await launchFirefox({ 'javascript.enabled': scripts === 'on' });
        });
        after(() => browser.close());

        for (const page of chosen[scripts][protocol])
          test(page, async () => {
            const problems: string[] = [];
            const tab = await browser.newPage();
            tab.on('pageerror', (error) => problems.push(`page error: ${error}`));
            tab.on('console', (message) => {
              if (message.type() === 'error') problems.push(`console: ${message.text()}`);
            });
            tab.on('request', (request) => {
              if (!origins[protocol].owns(request.url())) problems.push(`request off origin: ${request.url()}`);
            });
            try {
              await tab.goto(origins[protocol].url(page), { waitUntil: 'load' });
              if (scripts === 'on') await eventually(tab, labsAreReady);
              const words = await tab.evaluate(() => document.querySelector('main')!.innerText.trim().length);
              assert.ok(words > 0, 'main has no words');
              assert.deepEqual(problems, []);
            } finally {
              await tab.close();
            }
          });
      });
});
