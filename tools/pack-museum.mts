// Packs the faults of the museum for the browser: build/wasm/attn_museum.{mjs,wasm} and their facade become build/web/museum.js.
// Usage: node --import tsx tools/pack-museum.mts [WASM_DIR [OUTPUT]]
import { join } from 'node:path';
import { pack, root } from './lib/pack.mts';

const [wasmDir = join(root, 'build/wasm'), output = join(root, 'build/web/museum.js')] = process.argv.slice(2);

await pack({ name: 'museum', entry: 'web/core/museum-module.ts', stem: join(wasmDir, 'attn_museum'), output, budget: 60 * 1024 });
