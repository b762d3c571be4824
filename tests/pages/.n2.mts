import { chromium } from 'playwright-core';
import { readFileSync, writeFileSync } from 'node:fs';
import { CHROMIUM_FLAGS, chromiumPath } from '../../tools/lib/browsers.mjs';
import { labsAreReady } from './support/ready.mts';
const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const stems = ['multi-head', 'head-gates', 'permutation', 'sinusoidal', 'online-softmax'];
const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_FLAGS });
const url = (s: string, stem: string) => `file:///tmp/b/n2/dist/${s}/labs/${stem}/index.html`;
const out = (n: string) => `/tmp/b/n2/${n}.png`;
for (const [k, stem] of stems.entries()) {
  for (const [width, height] of [[1280, 900], [360, 780]] as const) {
    const ctx = await browser.newContext({ viewport: { width, height }, bypassCSP: true, colorScheme: width === 360 && k % 2 === 0 ? 'dark' : 'light' });
    const page = await ctx.newPage();
    await page.addInitScript('globalThis.__name ??= (f) => f');
    page.on('pageerror', (e) => console.log(stem, 'ERR', e.message));
    page.on('console', (m) => { if (m.type() === 'error') console.log(stem, 'CON', m.text()); });
    await page.goto(url('zh-Hant', stem));
    await page.waitForFunction(labsAreReady, undefined, { timeout: 30000 });
    if (width === 1280) await page.screenshot({ path: out(`${stem}-predict`) });
    await page.click('attn-lab [data-do="skip"]');
    await page.waitForTimeout(200);
    await page.screenshot({ path: out(`${stem}-${width}`), fullPage: true });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    console.log(stem, width, 'overflow', wide);
    if (width === 1280) {
      await page.evaluate(() => { for (const d of document.querySelectorAll('attn-lab details')) (d as HTMLDetailsElement).open = true; });
      await page.evaluate(axe);
      const r = await page.evaluate(async () => (await (globalThis as any).axe.run()).violations.map((v: any) => `${v.id} ${v.nodes.map((n: any) => n.target).join(' ')}`));
      console.log(stem, 'axe', r);
    } else {
      await page.setViewportSize({ width: 320, height: 700 });
      console.log(stem, 320, 'overflow', await page.evaluate(() => document.documentElement.scrollWidth - innerWidth));
    }
    await ctx.close();
  }
  const ctx = await browser.newContext();
  const page = await ctx.newPage();
  await page.goto(url('zh-Hans', stem));
  await page.waitForFunction(labsAreReady, undefined, { timeout: 30000 });
  await page.click('attn-lab [data-do="skip"]');
  await page.evaluate(() => { for (const d of document.querySelectorAll('attn-lab details')) (d as HTMLDetailsElement).open = true; });
  writeFileSync(`/tmp/b/n2/${stem}.hans.txt`, await page.evaluate(() => (document.querySelector('attn-lab') as HTMLElement).innerText + '\n' + [...document.querySelectorAll('svg[aria-label]')].map((e) => e.getAttribute('aria-label')).join('\n')) + '\n' + JSON.stringify(await page.evaluate(() => JSON.parse(document.querySelector('script.lab-words')!.textContent!)), null, 1));
  await ctx.close();
}
// keyboard only
const ctx = await browser.newContext({ bypassCSP: true });
const page = await ctx.newPage();
await page.addInitScript('globalThis.__name ??= (f) => f; globalThis.said = []; addEventListener("DOMContentLoaded", () => { new MutationObserver(() => { const t = document.getElementById("say").textContent; if (t) said.push(t); }).observe(document.getElementById("say"), { childList: true, characterData: true, subtree: true }); });');
const tabTo = async (selector: string) => { for (let i = 0; i < 80; i++) { if (await page.evaluate((s) => document.activeElement?.matches(s), selector)) return; await page.keyboard.press('Tab'); } throw new Error(`cannot reach ${selector}`); };
const state = () => page.evaluate(() => document.querySelector('[data-part="state"]')!.textContent);
const said = () => page.evaluate(() => (globalThis as any).said.splice(0));
const run = async (stem: string, work: () => Promise<void>) => {
  await page.goto(url('zh-Hant', stem));
  await page.waitForFunction(labsAreReady, undefined, { timeout: 30000 });
  try { await work(); } catch (e) { console.log(stem, 'KEY', String(e)); }
};
const wait = () => page.waitForTimeout(1300);
for (const stem of stems) await run(stem, async () => {
  await tabTo('.lab-predict input[type="radio"]'); await page.keyboard.press('Space'); await tabTo('.lab-predict .lab-run'); await page.keyboard.press('Enter'); await wait();
  console.log(stem, await said(), await page.textContent('[data-part="reconcile"]'));
  if (stem === 'online-softmax') { await tabTo('[data-do="step"][data-value="1"]'); for (let i = 0; i < 3; i++) { await page.keyboard.press('Enter'); await wait(); console.log(await state(), await said(), await page.evaluate(() => document.activeElement?.textContent)); } }
  if (stem === 'permutation') { await tabTo('[data-do="move"][data-value="1"]'); for (let i = 0; i < 3; i++) { await page.keyboard.press('Enter'); await wait(); console.log(await state(), await said(), await page.evaluate(() => document.activeElement?.textContent)); } }
  if (stem === 'head-gates') { await tabTo('[data-do="set"][data-value="0"]'); await page.keyboard.press('Enter'); await wait(); console.log(await state(), await said()); }
  if (stem === 'multi-head') { await tabTo('input[type="range"]'); await page.keyboard.press('ArrowRight'); console.log(await page.evaluate(() => document.activeElement?.getAttribute('aria-valuetext'))); await wait(); console.log(await state(), await said()); }
  if (stem === 'sinusoidal') { await tabTo('[data-do="sound"]'); await page.keyboard.press('Enter'); await wait(); console.log(await said()); await page.keyboard.press('Escape'); await wait(); console.log(await said()); }
});
// throttled latency
await (await ctx.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: 4 });
for (const stem of stems) await run(stem, async () => {
  await page.click('attn-lab [data-do="skip"]');
  const times = await page.evaluate(async () => {
    const found: number[] = [];
    const field = document.querySelector<HTMLInputElement>('attn-lab input[data-part="box"], attn-lab input[data-part="row"]')!;
    const b = document.querySelector<HTMLElement>('[data-do="step"]') ;
    for (let i = 0; i < 9; i++) {
      const t = performance.now();
      if (b) b.click(); else { const r = document.querySelector<HTMLInputElement>('attn-lab input[type="range"]'); if (r) { r.value = String(i % 2 ? 1 : 2); r.dispatchEvent(new Event('input', { bubbles: true })); } else { document.querySelector<HTMLElement>('[data-do="move"]')!.click(); } }
      found.push(performance.now() - t);
      await new Promise((r) => setTimeout(r, 30));
    }
    return found.map((x) => Math.round(x));
  });
  console.log(stem, 'ms throttled', times.sort((a, b) => a - b).join(' '));
});
await browser.close();
