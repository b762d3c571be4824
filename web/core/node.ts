import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import type { Core } from './core.ts';
import type { CoreModule } from './load.ts';

export const corePath = fileURLToPath(new URL('../../build/web/core.js', import.meta.url));

/** The very script that pages load, evaluated in Node. */
export async function coreModuleInNode(path = corePath): Promise<CoreModule> {
  runInThisContext(await readFile(path, 'utf8'), { filename: path });
  return globalThis.attnModules!.core!();
}

export async function loadCoreInNode(path = corePath): Promise<Core> {
  return (await coreModuleInNode(path)).loadCore();
}
