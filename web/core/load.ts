import { blobWorker } from './blob-worker.ts';
import { connect, type CoreWorker } from './client.ts';
import type { Core } from './core.ts';
import { CoreError } from './errors.ts';
import type { RawModule } from './facade.ts';
import type { FastModule } from './fast-load.ts';
import type { Museum } from './museum.ts';
import type { WorkerScope } from './worker.ts';

/** What the script assets/core.js leaves behind. */
export interface CoreModule {
  loadCore(): Promise<Core>;
  loadRaw(): Promise<RawModule>;
  serve(scope: WorkerScope): void;
}

/** What the script assets/museum.js leaves behind. */
export interface MuseumModule {
  loadMuseum(): Promise<Museum>;
  loadRaw(): Promise<RawModule>;
}

interface Modules {
  core: CoreModule;
  museum: MuseumModule;
  fast: FastModule;
}

type Factories = { [Name in keyof Modules]?: () => Modules[Name] };

declare global {
  var attnModules: Factories | undefined;
}

// Only at start-up does a script know its own address.
const self = typeof document === 'undefined' ? null : (document.currentScript as HTMLScriptElement | null);

const notLoaded = new WeakSet<Error>();

/** The file itself is missing or broken: nothing that the browser is to blame for, and another try may help. */
export const didNotLoad = (error: unknown): boolean => error instanceof Error && notLoaded.has(error);

const injected = new Map<keyof Modules, Promise<unknown>>();

/** @param file  the script's name, where a module comes in more than one build */
function injectScript<Name extends keyof Modules>(name: Name, file: string): Promise<() => Modules[Name]> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = new URL(`${file}.js`, self?.src ?? new URL('assets/', document.baseURI)).href;
    const fail = (why: string): void => {
      script.remove();
      injected.delete(name);
      const error = new CoreError('unavailable', `unavailable: assets/${file}.js ${why}`);
      notLoaded.add(error);
      reject(error);
    };
    script.onerror = () => fail('did not load');
    script.onload = () => {
      const factory = globalThis.attnModules?.[name];
      if (factory) resolve(factory);
      else fail('did not run');
    };
    document.head.append(script);
  });
}

/** What makes a module, from its script, which is added once. */
export function factoryOf<Name extends keyof Modules>(name: Name, file: string = name): Promise<() => Modules[Name]> {
  const present = globalThis.attnModules?.[name];
  if (present) return Promise.resolve(present);
  if (!injected.has(name)) injected.set(name, injectScript(name, file));
  return injected.get(name) as Promise<() => Modules[Name]>;
}

/** One instance for the page; a failed load may be tried again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
}

export const loadCore = once(async () => (await factoryOf('core'))().loadCore());

const loadMuseum = once(async () => (await factoryOf('museum'))().loadMuseum());

/** The core, with the functions of a module beside it where they are asked for. */
export async function loadCoreWith(module?: 'museum'): Promise<Core> {
  if (module === undefined) return loadCore();
  const [core, museum] = await Promise.all([loadCore(), loadMuseum()]);
  return { ...core, ...museum };
}

/** The same module in a worker, made from the script's own text: works from http and from a folder. */
export const startWorker = (): CoreWorker => connect(async () => blobWorker(await factoryOf('core')));
