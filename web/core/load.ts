import { connect, type CoreWorker } from './client.ts';
import type { Core } from './core.ts';
import { CoreError } from './errors.ts';
import type { RawModule } from './facade.ts';
import type { WorkerScope } from './worker.ts';

/** What the script assets/core.js leaves behind. */
export interface CoreModule {
  loadCore(): Promise<Core>;
  loadRaw(): Promise<RawModule>;
  serve(scope: WorkerScope): void;
}

declare global {
  var attnModules: { core?: () => CoreModule } | undefined;
}

// Only at start-up does a script know its own address.
const self = typeof document === 'undefined' ? null : (document.currentScript as HTMLScriptElement | null);

const notLoaded = new WeakSet<Error>();

/** The file itself is missing or broken: nothing that the browser is to blame for, and another try may help. */
export const didNotLoad = (error: unknown): boolean => error instanceof Error && notLoaded.has(error);

let injected: Promise<() => CoreModule> | undefined;

function injectScript(): Promise<() => CoreModule> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = new URL('core.js', self?.src ?? new URL('assets/', document.baseURI)).href;
    const fail = (why: string): void => {
      script.remove();
      injected = undefined;
      const error = new CoreError('unavailable', `unavailable: ${why}`);
      notLoaded.add(error);
      reject(error);
    };
    script.onerror = () => fail('assets/core.js did not load');
    script.onload = () => (globalThis.attnModules?.core ? resolve(globalThis.attnModules.core) : fail('assets/core.js did not run'));
    document.head.append(script);
  });
}

function coreFactory(): Promise<() => CoreModule> {
  const present = globalThis.attnModules?.core;
  return present ? Promise.resolve(present) : (injected ??= injectScript());
}

let loaded: Promise<Core> | undefined;

/** One instance for the page; a failed load may be tried again. */
export function loadCore(): Promise<Core> {
  loaded ??= coreFactory()
    .then((factory) => factory().loadCore())
    .catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
  return loaded;
}

/** The same module in a worker, made from the script's own text: works from http and from a folder. */
export function startWorker(): CoreWorker {
  return connect(async () => {
    const source = `(${(await coreFactory()).toString()})().serve(self);`;
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    try {
      return new Worker(url);
    } finally {
      // A worker that is being fetched still needs the address for a moment.
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    }
  });
}
