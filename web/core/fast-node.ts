import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { CoreError } from './errors.ts';
import { fastFactory, type FastModule } from './fast-load.ts';
import { fastBuild, type FastBuild } from './fast-support.ts';
import type { Fast } from './fast.ts';

export const fastPath = (build: FastBuild): string => fileURLToPath(new URL(`../../build/web/${build}.js`, import.meta.url));

/** The very script that pages load, evaluated in Node. */
export async function fastModuleInNode(path: string): Promise<FastModule> {
  runInThisContext(await readFile(path, 'utf8'), { filename: path });
  return fastFactory()!();
}

export async function loadFastInNode(build = fastBuild()): Promise<Fast> {
  if (build === null) throw new CoreError('unavailable', 'unavailable: no WebAssembly SIMD');
  return (await fastModuleInNode(fastPath(build))).loadFast();
}
