// How fast the kernels, the layers and the pages are, in Chromium, as ratios within one run.
// Usage, after a build: npm run bench -- [--sizes 512,1024,2048] [--rounds 7] [--budget 8000] [--slower 4] [--lab STEM]…
//   [--peers FOLDER] [--only SECTION]… [--json]
//
// Sections: kernels, workers, growth, layers, start, labs, first, weight. --peers names a folder with node_modules/onnxruntime-web and,
// if native code is to be measured too, onnxruntime-node (in it: npm i --ignore-scripts onnxruntime-web onnxruntime-node); without it
// the peers are left out. Labs and first results are timed on a processor slowed down. The run is kept in build/bench.json, and the
// next one is compared with it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import type { bench, Job, Row } from '../tests/bench/page.ts';
import { firstResult, latency } from '../tests/bench/labs.mts';
import { nativeRuntime } from '../tests/bench/native.mts';
import { GRAPHS } from '../tests/bench/onnx.ts';
import { launch } from '../tests/pages/support/chromium.mts';
import { httpOrigin, labPages } from '../tests/pages/support/dist.mts';
import { gzipped, weights } from '../tests/pages/support/weight.mts';
import { FAST_BUILDS } from '../web/core/fast-support.ts';
import { labs } from '../web/labs/index.ts';
import { least, median } from '../web/speed/times.ts';
import { root } from './lib/pack.mts';
import { cmake } from './lib/site.mjs';
import { relaxed } from './relax.mts';

const SECTIONS = ['kernels', 'workers', 'growth', 'layers', 'start', 'labs', 'first', 'weight'] as const;
type Section = (typeof SECTIONS)[number];

function refuse(why: string): never {
  console.error(`bench: ${why}`);
  process.exit(1);
}

function given() {
  try {
    return parseArgs({
      options: {
        sizes: { type: 'string', default: '512,1024,2048' },
        rounds: { type: 'string', default: '7' },
        budget: { type: 'string', default: '8000' },
        slower: { type: 'string', default: '4' },
        lab: { type: 'string', multiple: true },
        peers: { type: 'string' },
        only: { type: 'string', multiple: true },
        json: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (!Number.isInteger(value) || value < least || value > most) refuse(`--${name}: '${text}' is not a whole number from ${least} to ${most}`);
  return value;
}

function known(name: string, chosen: readonly string[], all: readonly string[]): void {
  for (const one of chosen) if (!all.includes(one)) refuse(`--${name}: '${one}' is none of ${all.join(', ')}`);
}

const options = given();
// Of eight heads of 64, an operand holds no more.
const sizes = options.sizes.split(',').map((size) => whole('sizes', size, 1, 2 ** 15));
const limits = { rounds: whole('rounds', options.rounds, 1, 1000), budget: whole('budget', options.budget, 0, 1e9) };
const slow = { rounds: limits.rounds, slower: whole('slower', options.slower, 1, 100) };
known('only', options.only ?? [], SECTIONS);
known('lab', options.lab ?? [], Object.keys(labs));
if (options.peers !== undefined && !existsSync(join(options.peers, 'node_modules/onnxruntime-web'))) refuse(`--peers: '${options.peers}' has no node_modules/onnxruntime-web`);
const wanted = (section: Section): boolean => !options.only || options.only.includes(section);
const peers = options.peers ? GRAPHS : [];
const ASSETS = join(root, 'dist/zh-Hant/assets');
const KEPT = join(root, 'build/bench.json');

interface Line {
  name: string;
  /** Of the minima and of the medians; above 1, the first of the two is the faster. */
  least: number;
  median: number;
}
interface Report {
  date: string;
  rows: Record<string, Row[]>;
  ratios: Line[];
  weight: Record<string, number>;
}

const browser = await launch();
const TYPES: Record<string, string> = { js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' };

const { outputFiles } = await build({
  entryPoints: [join(root, 'tests/bench/page.ts')],
  bundle: true,
  write: false,
  format: 'iife',
  globalName: 'benchPage',
  target: 'es2022',
});

/** A blank page on an origin of its own, which has the assets of the site and the peers. */
async function blank(): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.route('http://bench.localhost/**', async (route) => {
    const path = normalize(new URL(route.request().url()).pathname);
    if (path === '/') return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>bench</title>' });
    const file = path.startsWith('/peers/') ? join(options.peers ?? '', 'node_modules', path.slice('/peers/'.length)) : join(ASSETS, path.replace('/assets/', ''));
    if (!existsSync(file)) return route.fulfill({ status: 404 });
    return route.fulfill({ contentType: TYPES[file.split('.').at(-1)!] ?? 'application/octet-stream', body: readFileSync(file) });
  });
  await page.goto('http://bench.localhost/');
  await page.addScriptTag({ content: outputFiles[0]!.text });
  return page;
}

type Bench = typeof bench;
const inPage = <Name extends keyof Bench>(page: Page, name: Name, args: Parameters<Bench[Name]>): Promise<Awaited<ReturnType<Bench[Name]>>> =>
  page.evaluate(
    ([which, given]) => (globalThis as unknown as { benchPage: { bench: Record<string, (...list: unknown[]) => unknown> } }).benchPage.bench[which as string]!(...(given as unknown[])),
    [name, args] as [string, unknown[]],
  ) as Promise<Awaited<ReturnType<Bench[Name]>>>;

/** What SIMD allows, in the instructions of each build. */
async function limitsOf(builds: readonly string[]): Promise<Record<string, number[]>> {
  await cmake('wasm', ['attn_limit_simd', 'attn_limit_relaxed'], { wasm: true });
  const read = (kind: string): Uint8Array => relaxed(readFileSync(join(root, `build/wasm/attn_limit_${kind}.wasm`))).bytes;
  return Object.fromEntries(builds.map((build) => [build, [...read(build === 'fast' ? 'simd' : 'relaxed')]]));
}

const report: Report = { date: new Date().toISOString(), rows: {}, ratios: [], weight: {} };
/** How many times as fast `a` is as `b`, if both ran. */
function compare(name: string, a: Row | undefined, b: Row | undefined): void {
  if (!a?.times.length || !b?.times.length) return;
  report.ratios.push({ name, least: least(b.times) / least(a.times), median: median(b.times) / median(a.times) });
}
const keep = (title: string, rows: Row[]): Row[] => (report.rows[title] = rows);
const eight = (n: number, causal: boolean): Job => ({ n, heads: 8, d: 64, causal });
const named = (rows: Row[], name: string): Row | undefined => rows.find((row) => row.name === name);

try {
  const page = await blank();
  const native = options.peers ? nativeRuntime(options.peers) : undefined;
  if (native) await page.exposeFunction('runNative', native);
  const best = await inPage(page, 'best', []);
  const builds = FAST_BUILDS.slice(0, FAST_BUILDS.indexOf(best) + 1);

  if (wanted('kernels')) {
    const bounds = await limitsOf(builds);
    for (const causal of [false, true])
      for (const n of sizes) {
        const rows = keep(`attention, n = ${n}${causal ? ', causal' : ''}, 8 heads of 64`, await inPage(page, 'kernels', [eight(n, causal), { builds, peers: [...peers], hasNative: native !== undefined, limits: bounds, ...limits }]));
        const fastest = (prefix: string): Row | undefined =>
          rows.filter((row) => row.name.startsWith(prefix) && !row.failed).sort((a, b) => median(a.times) - median(b.times))[0];
        const where = `n = ${n}${causal ? ', causal' : ''}`;
        for (const name of builds) {
          compare(`${name}: share of what SIMD allows, ${where}`, named(rows, name), named(rows, `limit of ${name}`));
          for (const other of [fastest('ort-web'), fastest('ort-native')]) compare(`${name} against ${other?.name}, ${where}`, named(rows, name), other);
          compare(`${name} against its own whole matrix, ${where}`, named(rows, name), named(rows, 'whole-matrix'));
        }
      }
  }

  if (wanted('workers')) {
    const rows = keep('workers, n = 2048, 8 heads of 64', await inPage(page, 'workers', [eight(2048, false), { build: best, ...limits }]));
    compare('two workers against one, n = 2048', rows[1]!, rows[0]!);
  }

  if (wanted('growth')) {
    const lengths = [1024, 2048, 4096, 8192, 16384];
    const rows: Row[] = [];
    for (const n of lengths)
      rows.push(...(await inPage(page, 'kernels', [{ n, heads: 1, d: 64, causal: true }, { builds: [best], peers: [], hasNative: false, limits: {}, rounds: 3, budget: limits.budget }])).filter((row) => row.name === best));
    keep('growth, 1 head of 64, causal', rows);
    rows.slice(1).forEach((row, i) => compare(`n = ${row.n} takes so many times n = ${rows[i]!.n}`, rows[i]!, row));
  }

  if (wanted('layers')) keep('a layer of width 512, n = 1024', await inPage(page, 'layers', [eight(1024, false), { build: best, ...limits }]));

  if (wanted('start')) {
    const starters = [best, ...(options.peers ? ['ort-web-attention23'] : [])];
    const rows = starters.map((name): Row => ({ name, n: 128, times: [] }));
    for (let round = 0; round < limits.rounds; round++)
      for (const row of rows) {
        const fresh = await blank();
        row.times.push(await inPage(fresh, 'start', [row.name]));
        await fresh.context().close();
      }
    keep('from import to first result, n = 128', rows);
    compare(`${best} starts so many times as fast as ${rows[1]?.name}`, rows[0], rows[1]);
  }

  if (wanted('labs') || wanted('first')) {
    const http = await httpOrigin();
    const how = `a processor ${slow.slower} times slower`;
    if (wanted('labs')) keep(`from a key press to the new result, ${how}`, await latency(browser, http, options.lab ?? Object.keys(labs), slow));
    const lessons = labPages.filter((path) => /^zh-Hant\/(start|lecture|quest)\//.test(path));
    if (wanted('first')) keep(`from navigation to the first lab's result, ${how}`, await firstResult(browser, http, lessons, slow));
    http.close();
  }

  if (wanted('weight')) {
    for (const file of ['core.js', 'fast.js', 'fast-relaxed.js', 'museum.js', 'labs.js', 'site.js', 'site.css'])
      report.weight[file] = gzipped(`zh-Hant/assets/${file}`);
    for (const { page: path, bytes } of weights()) if (path.startsWith('zh-Hant/') && !path.includes('/source/')) report.weight[path] = bytes;
  }
} finally {
  await browser.close();
}

const before = existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, 'utf8')) as Report) : undefined;
mkdirSync(dirname(KEPT), { recursive: true });
// What was not measured now is kept from the last time that it was.
const lines = new Map([...(before?.ratios ?? []), ...report.ratios].map((line) => [line.name, line]));
writeFileSync(
  KEPT,
  JSON.stringify({ ...report, rows: { ...before?.rows, ...report.rows }, ratios: [...lines.values()], weight: { ...before?.weight, ...report.weight } } satisfies Report),
);

if (options.json) console.log(JSON.stringify(report));
else {
  for (const [title, rows] of Object.entries(report.rows)) {
    console.log(`\n${title}\n${''.padEnd(38)}     least    median   ms`);
    for (const { name, n, times, failed } of rows)
      console.log(`${`${name}${title.startsWith('growth') ? `, n = ${n}` : ''}`.padEnd(38)} ${failed ?? `${least(times).toFixed(2).padStart(9)} ${median(times).toFixed(2).padStart(9)}`}`);
  }
  if (report.ratios.length) console.log(`\n${'ratios'.padEnd(64)}  of minima  of medians   last time`);
  for (const { name, least: a, median: b } of report.ratios) {
    const last = before?.ratios.find((line) => line.name === name);
    console.log(`${name.padEnd(64)} ${a.toFixed(2).padStart(10)} ${b.toFixed(2).padStart(11)} ${last ? last.median.toFixed(2).padStart(11) : ''}`);
  }
  const heavy = Object.entries(report.weight).sort(([, a], [, b]) => b - a);
  if (heavy.length) console.log(`\n${'bytes over the wire, gzip -9'.padEnd(50)} ${'now'.padStart(9)} last time`);
  for (const [name, bytes] of heavy) console.log(`${name.padEnd(50)} ${String(bytes).padStart(9)} ${String(before?.weight[name] ?? '').padStart(9)}`);
  if (!options.peers) console.log('\nNo peers: --peers FOLDER, where `npm i --ignore-scripts onnxruntime-web` was run, measures ONNX Runtime Web beside ours.');
}
