import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import type { Core } from './core.ts';
import type { CoreModule } from './load.ts';

/** The environment variable ATTN_BUILD names another build directory. */
export const buildDir = process.env.ATTN_BUILD ?? fileURLToPath(new URL('../../build', import.meta.url));

export const corePath = join(buildDir, 'web/core.js');

/** The very script that pages load, evaluated in Node. */
export async function coreModuleInNode(path = corePath): Promise<CoreModule> {
  runInThisContext(await readFile(path, 'utf8'), { filename: path });
  return globalThis.attnModules!.core!();
}

export async function loadCoreInNode(path = corePath): Promise<Core> {
  return (await coreModuleInNode(path)).loadCore();
}
