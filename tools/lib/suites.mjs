import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { headers } from './headers.mjs';
import { run } from './run.mjs';
import { ROOT, at } from './root.mjs';
import { cmake, inParallel } from './site.mjs';
import { filesUnder } from './tree.mjs';

const node = (args, options) => run(process.execPath, args, options);

async function types() {
  const { code, output } = await node([at('node_modules/typescript/bin/tsc'), '--noEmit'], {
    echo: true,
    log: 'tsc',
  });
  const errors = (output.match(/: error TS\d+:/g) ?? []).length;
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: Math.max(errors, 1) };
}

/** Test cases, from Catch2's closing lines. */
export function catchCounts(code, output) {
  // Emscripten calls every output a terminal, and Catch2 colours it.
  const plain = stripVTControlCharacters(output);
  const all = /All tests passed \(.* in (\d+) test cases?\)/.exec(plain);
  if (all && code === 0) return { passed: Number(all[1]), failed: 0 };
  const some = /^test cases: .*$/m.exec(plain)?.[0] ?? '';
  const passed = Number(/(\d+) passed/.exec(some)?.[1] ?? 0);
  const failed = Number(/(\d+) failed/.exec(some)?.[1] ?? 0);
  // A crash closes with no count at all, or with one that hides it.
  return { passed, failed: Math.max(failed, code === 0 ? 0 : 1) };
}

async function catch2(command, args, log, env = {}) {
  const { code, output } = await run(command, args, { echo: true, log, env });
  return catchCounts(code, output);
}

async function native() {
  await cmake('native', ['attn_tests', 'attn_parity']);
  return catch2(at('build/native/attn_tests'), [], 'catch2-native');
}

async function wasm() {
  await cmake('wasm', ['attn_tests', 'attn_parity'], { wasm: true });
  return catch2(process.execPath, ['--no-experimental-fetch', at('build/wasm/attn_tests.cjs')], 'catch2-wasm');
}

async function sanitize() {
  await cmake('sanitize', ['attn_tests'], {
    flags: ['-DCMAKE_BUILD_TYPE=Sanitize', '-DATTN_WERROR=ON'],
  });
  return catch2(at('build/sanitize/attn_tests'), [], 'catch2-sanitize', {
    UBSAN_OPTIONS: 'print_stacktrace=1',
    ASAN_OPTIONS: 'detect_stack_use_after_return=1:strict_string_checks=1',
  });
}

/** Runs files of node:test; its closing lines give the counts. */
async function nodeTests(folders, log, { env = {}, extra = [] } = {}) {
  const files = filesUnder(...folders.map((folder) => at('tests', folder))).filter((file) =>
    /\.test\.m?ts$/.test(file),
  );
  if (files.length === 0) return { passed: 0, failed: 0 };
  const { code, output } = await node(
    ['--import', 'tsx', '--test', '--test-reporter=spec', ...extra, ...files.map((file) => relative(ROOT, file))],
    { echo: true, log, env },
  );
  const count = (word) => Number(new RegExp(`^ℹ ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const failed = count('fail') + count('cancelled');
  return { passed: count('pass'), failed: Math.max(failed, code === 0 ? 0 : 1) };
}

const count = (results) => ({
  passed: results.filter(Boolean).length,
  failed: results.filter((ok) => !ok).length,
});

/** What clang needs to read a file as em++ does. */
const asEmscripten = async () => {
  const { output } = await run('em-config', ['CACHE']);
  return [
    '--target=wasm32-unknown-emscripten',
    `--sysroot=${output.trim()}/sysroot`,
    '-D__EMSCRIPTEN__',
    '-iwithsysroot/include/compat',
  ].map((flag) => `--extra-arg=${flag}`);
};

/**
 * Every header by itself, then clang-tidy. The border, read as em++ compiles it, takes longer than all the rest
 * together, so it is looked at only with ATTN_TIDY=all.
 */
async function tidy() {
  const alone = await headers();
  const extra = await asEmscripten();
  const isBorder = (file) => file.startsWith(at('cpp/wasm'));
  const sources = filesUnder(at('cpp')).filter(
    (file) => file.endsWith('.cpp') && (process.env.ATTN_TIDY === 'all' || !isBorder(file)),
  );
  const work = sources.map((file) => ({
    file,
    args: isBorder(file) ? ['-p', at('build/wasm'), ...extra] : ['-p', at('build/native')],
  }));
  const tidied = await inParallel(work, async ({ file, args }) => {
    const { code, output } = await run('clang-tidy', ['--quiet', ...args, file]);
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${relative(ROOT, file)}`);
    if (code !== 0) console.log(output);
    return code === 0;
  });
  return count([...alone, ...tidied]);
}

async function format() {
  const sources = filesUnder(at('cpp'), at('tests/cpp')).filter((file) => /\.[ch]pp$/.test(file));
  return count(
    await inParallel(sources, async (file) => {
      const { code } = await run('clang-format', ['--dry-run', '--Werror', file]);
      if (code !== 0) console.log(`FAIL clang-format -i ${relative(ROOT, file)}`);
      return code === 0;
    }),
  );
}

/** A script whose last line is "N passed, N failed". */
async function counted(args, log) {
  const { code, output } = await node(args, { echo: true, log });
  const lines = [...output.matchAll(/^(\d+) passed, (\d+) failed$/gm)];
  const [, passed, failed] = lines.at(-1) ?? [0, 0, 1];
  return {
    passed: Number(passed),
    failed: Math.max(Number(failed), code === 0 ? 0 : 1),
  };
}

/** Node would leave one core idle. */
const onEveryCore = [`--test-concurrency=${availableParallelism()}`];

/** Each file drives as many pages at a time as there are cores. */
const oneAtATime = ['--test-concurrency=1'];

/** The page tests that leave some pages to `npm run test:all`. */
const SHARED = ['every-page', 'expect', 'firefox', 'keyboard', 'lab-controls', 'lab-keyboard', 'labs', 'plain', 'switch'].map((name) => `pages/${name}.test.mts`);

/** What `npm test` runs; `site` says that dist/ must be there. */
export const COMMON = [
  { name: 'types', what: 'TypeScript, without output', run: types },
  { name: 'native', what: 'the Catch2 suite, native', run: native },
  { name: 'wasm', what: 'the same Catch2 suite as WebAssembly in Node', run: wasm },
  {
    name: 'web',
    site: true,
    what: 'facade, fast kernels, site, labs and questions in Node',
    run: () => nodeTests(['core', 'fast', 'site', 'labs', 'quiz'], 'web', { extra: onEveryCore }),
  },
  {
    name: 'pages',
    site: true,
    what: 'every page in Chromium and Firefox',
    run: () => nodeTests(['pages'], 'pages', { extra: oneAtATime }),
  },
];

/** What `npm run test:all` adds. */
export const LONGER = [
  {
    name: 'matrix',
    site: true,
    what: 'axe on every page in every way of opening it, every lab by hand, and the pages that npm test leaves out',
    run: () => nodeTests(SHARED, 'matrix', { extra: oneAtATime, env: { ATTN_PAGES: 'rest' } }),
  },
  { name: 'sanitize', what: 'the Catch2 suite under ASan and UBSan', run: sanitize },
  { name: 'tidy', what: 'every header by itself, and clang-tidy over cpp/', run: tidy },
  { name: 'format', what: 'clang-format over cpp/ and tests/cpp/', run: format },
  {
    name: 'mutation',
    what: 'broken lines that the suite must notice',
    run: () => counted([at('tests/mutation.mjs')], 'mutation'),
  },
  {
    name: 'screen-reader',
    site: true,
    what: 'what Orca says, in Firefox and Chromium',
    run: () => counted(['--import', 'tsx', at('tests/screen-reader/run.mts')], 'screen-reader'),
  },
];
