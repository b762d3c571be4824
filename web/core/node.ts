import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import type { Core } from './core.ts';
import type { CoreModule, MuseumModule } from './load.ts';
import type { Museum } from './museum.ts';

/** The environment variable ATTN_BUILD names another build directory. */
export const buildDir = process.env.ATTN_BUILD ?? fileURLToPath(new URL('../../build', import.meta.url));

export const corePath = join(buildDir, 'web/core.js');

export const museumPath = join(buildDir, 'web/museum.js');

/** The very script that pages load, evaluated in Node. */
export async function coreModuleInNode(path = corePath): Promise<CoreModule> {
  runInThisContext(await readFile(path, 'utf8'), { filename: path });
  return globalThis.attnModules!.core!();
}

export async function loadCoreInNode(path = corePath): Promise<Core> {
  return (await coreModuleInNode(path)).loadCore();
}

export async function museumModuleInNode(path = museumPath): Promise<MuseumModule> {
  runInThisContext(await readFile(path, 'utf8'), { filename: path });
  return globalThis.attnModules!.museum!();
}

/** The core and the museum's faults beside it, for whatever runs every lab. */
export async function loadAllInNode(core = corePath, museum = museumPath): Promise<Core & Museum> {
  return { ...(await loadCoreInNode(core)), ...(await (await museumModuleInNode(museum)).loadMuseum()) };
}
