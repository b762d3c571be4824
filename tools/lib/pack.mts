// Packs a wasm module of ours and its facade into one self-contained function, which a page, a worker and Node can run alike.
import { build, type Plugin } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Packing {
  /** `attnModules.NAME` in the browser. */
  name: string;
  /** The facade, which imports `attn:glue` and `attn:wasm`. */
  entry: string;
  /** Without an ending: the glue is STEM.mjs, the module STEM.wasm. */
  stem: string;
  output: string;
  /** A last step on the module's bytes. */
  finish?(wasm: Uint8Array): Uint8Array;
  /** Bytes, gzipped. */
  budget?: number;
}

const packedWasm = ({ stem, finish = (bytes) => bytes }: Packing): Plugin => ({
  name: 'packed-wasm',
  setup(bundle) {
    bundle.onResolve({ filter: /^attn:/ }, ({ path }) => ({ path, namespace: 'attn' }));
    bundle.onLoad({ filter: /^attn:glue$/, namespace: 'attn' }, async () => ({
      contents: await readFile(`${stem}.mjs`, 'utf8'),
      loader: 'js',
    }));
    bundle.onLoad({ filter: /^attn:wasm$/, namespace: 'attn' }, async () => ({
      contents: deflateRawSync(finish(await readFile(`${stem}.wasm`)), { level: 9 }).toString('base64'),
      loader: 'text',
    }));
  },
});

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;

/** @throws Error when the script is over its budget */
export async function pack(packing: Packing): Promise<void> {
  const { name, entry, output, budget = Infinity } = packing;
  const { outputFiles } = await build({
    entryPoints: [join(root, entry)],
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
    plugins: [packedWasm(packing)],
  });
  const script = `(globalThis.attnModules??={}).${name}=function(){${outputFiles[0]!.text.trim()}return exports};\n`;
  const gzipped = gzipSync(script, { level: 9 }).length;
  if (gzipped > budget) throw new Error(`${output} is ${gzipped} bytes gzipped, over ${budget}`);
  await mkdir(dirname(output), { recursive: true });
  await writeFile(output, script);
  console.log(`${output.slice(output.lastIndexOf('/') + 1)} ${kilobytes(script.length)}, gzip ${kilobytes(gzipped)}`);
}
