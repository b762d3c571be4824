import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath } from '../../../tools/lib/browsers.mjs';
import type { Origin } from './dist.mts';
import { labsAreReady } from './ready.mts';
import { rules } from './rules.mts';

export const launch = (): Promise<Browser> => chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_FLAGS });

/** For a suite whose tests each open a page of their own: as many at a time as keep every core at work. */
export const SIDE_BY_SIDE = { concurrency: availableParallelism() + 1 };

export type Scripts = 'on' | 'aborted';

/** A page that remembers everything which a good page never does. */
export interface Watched {
  page: Page;
  problems: string[];
  close(): Promise<void>;
}

export async function open(
  browser: Browser,
  origin: Origin,
  { scripts = 'on', keeps = false, ...context }: BrowserContextOptions & { scripts?: Scripts; keeps?: boolean } = {},
): Promise<Watched> {
  const tab = await browser.newContext(context);
  const page = await tab.newPage();
  const problems: string[] = [];
  const aborted = (url: string): boolean => scripts === 'aborted' && url.endsWith('.js');
  if (scripts === 'aborted') await page.route('**/*.js', (route) => route.abort());
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      if (!aborted(message.location().url)) problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('request', (request) => {
    if (!origin.owns(request.url())) problems.push(`request off origin: ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    // A navigation gives up what the page before it still waited for.
    if (aborted(request.url()) || request.failure()?.errorText === 'net::ERR_ABORTED') return;
    problems.push(`request failed: ${request.url()} ${request.failure()?.errorText}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  // The compiler that runs these tests names functions through this helper, which a page does not have.
  await page.addInitScript('globalThis.__name ??= (f) => f');
  // Most tests open each page in a browser of its own, where saving the course would be work for nothing.
  if (!keeps) await page.addInitScript('delete Navigator.prototype.serviceWorker');
  return { page, problems, close: () => tab.close() };
}

/** Goes to a page and waits until its labs stand ready. */
export async function visit({ page }: Watched, url: string, scripts: Scripts = 'on'): Promise<void> {
  await page.goto(url, { waitUntil: 'load' });
  if (scripts === 'on') await labsReady(page);
}

export const labsReady = async (page: Page): Promise<void> => {
  await page.waitForFunction(labsAreReady, undefined, { timeout: 20_000 });
};

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds, one line a node. */
export async function axe(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async (tags) => {
    const run = (globalThis as unknown as { axe: { run: Function } }).axe.run;
    const { violations } = await run(document, {
      runOnly: { type: 'tag', values: tags },
      resultTypes: ['violations'],
      // It would fetch style sheets, which a page opened as a file may not do.
      preload: false,
    });
    return violations.flatMap(
      ({ id, help, nodes }: { id: string; help: string; nodes: { target: string[]; html: string }[] }) =>
        nodes.map(({ target, html }) => `axe ${id}: ${help} at ${target.join(' ')} ${html.slice(0, 120)}`),
    );
  }, TAGS);
}

/** What stands wider than a 320 px window. */
export async function overflow(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  if (before?.width !== 320) await page.setViewportSize({ width: 320, height: 800 });
  const found = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const scrolls = (e: Element): boolean =>
      e !== document.documentElement &&
      e !== document.body &&
      /auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX);
    const wide = [...document.body.querySelectorAll('*')].filter((e) => {
      for (let p = e.parentElement; p; p = p.parentElement) if (scrolls(p)) return false;
      return e.getBoundingClientRect().right > clientWidth + 0.5;
    });
    return [
      `sideways scrolling at 320 px, ${scrollWidth} wide: ` +
        wide
          .slice(0, 5)
          .map((e) => `${e.tagName.toLowerCase()}.${e.className}`)
          .join(', '),
    ];
  });
  if (before && before.width !== 320) await page.setViewportSize(before);
  return found;
}

/** What axe, the rules and the narrow window find. */
export async function faults(page: Page): Promise<string[]> {
  return [...(await axe(page)), ...(await page.evaluate(rules)), ...(await overflow(page))];
}

/** The same in the middle of things, when the announcer may speak. */
export const faultsMidway = async (page: Page): Promise<string[]> => (await faults(page)).filter((fault) => !fault.startsWith('live-empty'));
