// Packs the core for the browser: build/wasm/attn.{mjs,wasm} and web/core/ become build/web/core.js, one self-contained function.
// Usage: node --import tsx tools/pack.mts [WASM_DIR [OUTPUT]]
import { build, type Plugin } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const wasmDir = process.argv[2] ?? join(root, 'build/wasm');
const output = process.argv[3] ?? join(root, 'build/web/core.js');

const packed: Plugin = {
  name: 'packed-wasm',
  setup(bundle) {
    bundle.onResolve({ filter: /^attn:/ }, ({ path }) => ({ path, namespace: 'attn' }));
    bundle.onLoad({ filter: /^attn:glue$/, namespace: 'attn' }, async () => ({
      contents: await readFile(join(wasmDir, 'attn.mjs'), 'utf8'),
      loader: 'js',
    }));
    bundle.onLoad({ filter: /^attn:wasm$/, namespace: 'attn' }, async () => ({
      contents: deflateRawSync(await readFile(join(wasmDir, 'attn.wasm')), { level: 9 }).toString('base64'),
      loader: 'text',
    }));
  },
};

const { outputFiles } = await build({
  entryPoints: [join(root, 'web/core/module.ts')],
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
  plugins: [packed],
});

const script = `(globalThis.attnModules??={}).core=function(){${outputFiles[0]!.text.trim()}return exports};\n`;
await mkdir(dirname(output), { recursive: true });
await writeFile(output, script);
const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
console.log(`core.js ${kilobytes(script.length)}, gzip ${kilobytes(gzipSync(script, { level: 9 }).length)}`);
