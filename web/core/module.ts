import { makeCore, type Core } from './core.ts';
import { loadRaw } from './packed.ts';
import { steps } from './steps.ts';
import { serve as serveWith, type WorkerScope } from './worker.ts';

export { loadRaw };

export async function loadCore(): Promise<Core> {
  return makeCore(await loadRaw());
}

export function serve(scope: WorkerScope): void {
  serveWith<Core>(scope, loadCore, steps);
}
