// Packs the core for the browser: build/wasm/attn.{mjs,wasm} and web/core/ become build/web/core.js.
// Usage: node --import tsx tools/pack.mts [WASM_DIR [OUTPUT]]
import { join } from 'node:path';
import { pack, root } from './lib/pack.mts';

const [wasmDir = join(root, 'build/wasm'), output = join(root, 'build/web/core.js')] = process.argv.slice(2);

await pack({ name: 'core', entry: 'web/core/module.ts', stem: join(wasmDir, 'attn'), output, budget: 180_000 });
