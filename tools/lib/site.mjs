import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, relative } from 'node:path';
import { must, onPath } from './run.mjs';
import { at } from './root.mjs';
import { filesUnder, hashOf } from './tree.mjs';
import { packages } from './packages.mjs';
import { npmPackages } from './npm.mjs';

const JOBS = availableParallelism();

/** Runs `work` over `items`, as many at a time as there are cores. */
export async function inParallel(items, work) {
  const queue = [...items];
  const results = [];
  const worker = async () => {
    while (queue.length) results.push(await work(queue.shift()));
  };
  await Promise.all(Array.from({ length: JOBS }, worker));
  return results;
}

/**
 * Configures build/NAME (once; Ninja sees to it afterwards) and builds the
 * targets there, if any. A folder that was configured for another place starts anew.
 */
export async function cmake(name, targets, { wasm = false, flags = [], source = at(), log = name } = {}) {
  const folder = at('build', name);
  const cache = `${folder}/CMakeCache.txt`;
  if (existsSync(cache) && !readFileSync(cache, 'utf8').includes(`CMAKE_HOME_DIRECTORY:INTERNAL=${source}\n`))
    rmSync(folder, { recursive: true });
  if (!existsSync(`${folder}/build.ninja`)) {
    const args = ['-S', source, '-B', folder, '-G', 'Ninja', ...flags];
    if (onPath('ccache')) args.push('-DCMAKE_CXX_COMPILER_LAUNCHER=ccache');
    const [command, ...rest] = wasm ? ['emcmake', 'cmake', ...args] : ['cmake', ...args];
    await must(`configuring build/${name}`, command, rest, {
      log: `${log}-configure`,
    });
  }
  if (targets.length === 0) return 'configured';
  const output = await must(
    `building build/${name}`,
    'cmake',
    ['--build', folder, '-j', String(JOBS), '--target', ...targets],
    { log },
  );
  return output.includes('ninja: no work to do') ? 'unchanged' : 'built';
}

const listing = (...paths) =>
  filesUnder(...paths).map((file) => {
    const { size, mtimeMs } = statSync(file);
    return [relative(at(), file), size, mtimeMs];
  });

/**
 * Does the work unless neither its inputs nor what it wrote have changed
 * since the last time it did.
 */
async function unlessUnchanged(name, inputs, outputs, work) {
  const stamp = at('build/stamps', name);
  const before = hashOf(...inputs);
  const state = () => JSON.stringify({ inputs: before, outputs: listing(...outputs) });
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state()) return 'unchanged';
  rmSync(stamp, { force: true });
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, state());
  return 'built';
}

const tool = (what, name) => () =>
  must(what, process.execPath, ['--import', 'tsx', at('tools', `${name}.mts`)], { log: name });

const NPM_FILES = ['package.json', 'package-lock.json'].map((file) => at(file));

/** Wasm modules, STEM.mjs and STEM.wasm of build/wasm, as one script each. */
const packed = (names, stems, packer) => () =>
  unlessUnchanged(
    names.join('+'),
    [
      ...stems.flatMap((stem) => ['mjs', 'wasm'].map((ending) => at('build/wasm', `${stem}.${ending}`))),
      at('web/core'),
      ...[`${packer}.mts`, 'lib/pack.mts', 'relax.mts'].map((file) => at('tools', file)),
      ...NPM_FILES,
    ],
    names.map((name) => at('build/web', `${name}.js`)),
    tool(`packing ${names.join(' and ')}`, packer),
  );

const writeSite = () =>
  unlessUnchanged(
    'site',
    [...['web', 'lessons', 'cpp', 'build/web', 'tools/site.mts'].map((path) => at(path)), ...NPM_FILES],
    [at('dist')],
    tool('building the site', 'site'),
  );

/** With and without fused multiply-adds; which one, the browser decides. */
const FAST = ['attn_fast_simd', 'attn_fast_relaxed'];

/** The steps from a bare clone to a complete dist/, in order. */
export const SITE_STEPS = [
  ['wasm core', () => cmake('wasm', ['attn_wasm', 'attn_museum_wasm', ...FAST.map((stem) => `${stem}_wasm`)], { wasm: true })],
  ['core.js', packed(['core'], ['attn'], 'pack')],
  ['museum.js', packed(['museum'], ['attn_museum'], 'pack-museum')],
  ['fast.js', packed(['fast', 'fast-relaxed'], FAST, 'pack-fast')],
  ['site', writeSite],
];

export const setupSteps = (level, options) => [
  ['system packages', () => packages(level, options)],
  ['npm packages', npmPackages],
];
