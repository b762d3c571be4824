// Packs the fast module for the browser: build/wasm/attn_fast_{simd,relaxed}.{mjs,wasm} become build/web/fast.js and fast-relaxed.js.
// Usage: node --import tsx tools/pack-fast.mts [WASM_DIR [OUTPUT_DIR]]
import { join } from 'node:path';
import { pack, root } from './lib/pack.mts';
import { relaxed } from './relax.mts';

const [wasmDir = join(root, 'build/wasm'), outputDir = join(root, 'build/web')] = process.argv.slice(2);

for (const [stem, file] of [
  ['attn_fast_simd', 'fast.js'],
  ['attn_fast_relaxed', 'fast-relaxed.js'],
] as const)
  await pack({
    name: 'fast',
    entry: 'web/core/fast-module.ts',
    stem: join(wasmDir, stem),
    output: join(outputDir, file),
    finish: (wasm) => relaxed(wasm).bytes,
  });
