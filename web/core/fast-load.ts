import { blobWorker } from './blob-worker.ts';
import { CoreError } from './errors.ts';
import type { RawModule } from './facade.ts';
import { fastBuild, type FastBuild } from './fast-support.ts';
import type { Fast } from './fast.ts';
import { makePool, type FastPool } from './fast-pool.ts';
import type { WorkerScope } from './worker.ts';

/** What the script assets/fast.js or assets/fast-relaxed.js leaves behind. */
export interface FastModule {
  loadFast(): Promise<Fast>;
  loadRaw(): Promise<RawModule>;
  serve(scope: WorkerScope): void;
}

/** Where a fast script puts itself: beside the core, under the same name in both builds. */
export const fastFactory = (): (() => FastModule) | undefined =>
  (globalThis as { attnModules?: { fast?: () => FastModule } }).attnModules?.fast;

// Only at start-up does a script know its own address.
const self = typeof document === 'undefined' ? null : (document.currentScript as HTMLScriptElement | null);

function injectScript(build: FastBuild): Promise<() => FastModule> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = new URL(`${build}.js`, self?.src ?? new URL('assets/', document.baseURI)).href;
    const fail = (why: string): void => {
      script.remove();
      reject(new CoreError('unavailable', `unavailable: ${why}`));
    };
    script.onerror = () => fail(`assets/${build}.js did not load`);
    script.onload = () => {
      const factory = fastFactory();
      if (factory) resolve(factory);
      else fail(`assets/${build}.js did not run`);
    };
    document.head.append(script);
  });
}

async function factory(): Promise<() => FastModule> {
  const build = fastBuild();
  if (build === null) throw new CoreError('unavailable', 'unavailable: this browser has no WebAssembly SIMD, which the fast kernels need');
  return fastFactory() ?? injectScript(build);
}

let loaded: Promise<Fast> | undefined;

/** One instance for the page, of the build that the engine takes; a failed load may be tried again. */
export function loadFast(): Promise<Fast> {
  loaded ??= factory()
    .then((make) => make().loadFast())
    .catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
  return loaded;
}

/** Workers with an instance each, made from the script's own text: works from http and from a folder. */
export const startPool = (size: number, here?: Fast): FastPool =>
  makePool(async () => blobWorker(await factory()), size, here);
