import type { Core, CoreName } from './core.ts';

/** Long work in pieces: yields the share that is done, from 0 to 1, and returns what the plain function returns. */
export type Steps = {
  readonly [Name in CoreName]?: (core: Core, ...args: Parameters<Core[Name]>) => Generator<number, ReturnType<Core[Name]>, void>;
};

/** The functions that a worker does step by step, and can therefore stop. */
export const steps: Steps = {};
