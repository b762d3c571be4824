import { setTimeout as pause } from 'node:timers/promises';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { firefoxPath } from '../../../tools/lib/browsers.mjs';

export const launchFirefox = (preferences: Record<string, boolean> = {}): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxPath(),
    headless: true,
    // Puppeteer's profile lets local files read each other; a user's does not.
    extraPrefsFirefox: { 'security.fileuri.strict_origin_policy': true, ...preferences },
  });

/**
 * Asks again and again until it holds. Puppeteer's own waiting makes a function of a text, which the policy of our pages forbids, and
 * Firefox 140 obeys it even there.
 */
export async function eventually<Args extends unknown[]>(page: Page, holds: (...args: Args) => boolean, ...args: Args): Promise<void> {
  const began = performance.now();
  while (!(await page.evaluate(holds as (...args: unknown[]) => boolean, ...args))) {
    if (performance.now() - began > 60_000) throw new Error(`never came true: ${holds}`);
    await pause(50);
  }
}
