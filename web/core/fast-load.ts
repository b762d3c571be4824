import { blobWorker } from './blob-worker.ts';
import { CoreError } from './errors.ts';
import type { RawModule } from './facade.ts';
import { fastBuild } from './fast-support.ts';
import type { Fast } from './fast.ts';
import { makePool, type FastPool } from './fast-pool.ts';
import { factoryOf, once } from './load.ts';
import type { WorkerScope } from './worker.ts';

/** What the script assets/fast.js or assets/fast-relaxed.js leaves behind. */
export interface FastModule {
  loadFast(): Promise<Fast>;
  loadRaw(): Promise<RawModule>;
  serve(scope: WorkerScope): void;
}

async function factory(): Promise<() => FastModule> {
  const build = fastBuild();
  if (build === null) throw new CoreError('unavailable', 'unavailable: this browser has no WebAssembly SIMD, which the fast kernels need');
  return factoryOf('fast', build);
}

/** One instance for the page, of the build that the engine takes; a failed load may be tried again. */
export const loadFast = once(async () => (await factory())().loadFast());

/** Workers with an instance each, made from the script's own text: works from http and from a folder. */
export const startPool = (size: number, here?: Fast): FastPool =>
  makePool(async () => blobWorker(await factory()), size, here);
