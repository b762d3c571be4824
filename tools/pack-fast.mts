// Packs the fast module for the browser: build/wasm/attn_fast_{simd,relaxed}.{mjs,wasm} become build/web/fast.js and fast-relaxed.js, each one
// self-contained function in the form of core.js, and at most 40 KiB gzipped.
// Usage: node --import tsx tools/pack-fast.mts [WASM_DIR [OUTPUT_DIR]]
import { build, type Plugin } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { relaxed } from './relax.mts';

const root = fileURLToPath(new URL('..', import.meta.url));
const wasmDir = process.argv[2] ?? join(root, 'build/wasm');
const outputDir = process.argv[3] ?? join(root, 'build/web');
const budget = 40 * 1024;

const packedWasm = (stem: string): Plugin => ({
  name: 'packed-wasm',
  setup(bundle) {
    bundle.onResolve({ filter: /^attn:/ }, ({ path }) => ({ path, namespace: 'attn' }));
    bundle.onLoad({ filter: /^attn:glue$/, namespace: 'attn' }, async () => ({
      contents: await readFile(join(wasmDir, `${stem}.mjs`), 'utf8'),
      loader: 'js',
    }));
    bundle.onLoad({ filter: /^attn:wasm$/, namespace: 'attn' }, async () => ({
      contents: deflateRawSync(relaxed(await readFile(join(wasmDir, `${stem}.wasm`))).bytes, { level: 9 }).toString('base64'),
      loader: 'text',
    }));
  },
});

async function pack(stem: string, name: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'web/core/fast-module.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'exports',
    target: 'es2020',
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    // The glue asks where it lives only to find a file that is already inside.
    define: { 'import.meta.url': '""' },
    plugins: [packedWasm(stem)],
  });
  const script = `(globalThis.attnModules??={}).fast=function(){${outputFiles[0]!.text.trim()}return exports};\n`;
  const gzipped = gzipSync(script, { level: 9 }).length;
  if (gzipped > budget) throw new Error(`${name} is ${gzipped} bytes gzipped, over ${budget}`);
  await mkdir(outputDir, { recursive: true });
  await writeFile(join(outputDir, name), script);
  console.log(`${name} ${(script.length / 1024).toFixed(1)} KiB, gzip ${(gzipped / 1024).toFixed(1)} KiB`);
}

await pack('attn_fast_simd', 'fast.js');
await pack('attn_fast_relaxed', 'fast-relaxed.js');
