import { after } from 'node:test';
import type { Browser } from 'playwright-core';
import { launch } from './chromium.mts';
import { fileOrigin, httpOrigin, type Origin } from './dist.mts';

/** Chromium and both ways to open dist/, until the tests of the file are over. */
export async function stage(): Promise<{ browser: Browser; origins: Record<Origin['name'], Origin>; http: Origin }> {
  const [browser, http] = await Promise.all([launch(), httpOrigin()]);
  after(async () => {
    await browser.close();
    http.close();
  });
  return { browser, origins: { http, file: fileOrigin() }, http };
}
