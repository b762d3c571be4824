import { fastSteps } from './fast-steps.ts';
import { makeFast, type Fast } from './fast.ts';
import { loadRaw } from './packed.ts';
import { serve as serveWith, type WorkerScope } from './worker.ts';

export { loadRaw };

export async function loadFast(): Promise<Fast> {
  return makeFast(await loadRaw());
}

export function serve(scope: WorkerScope): void {
  serveWith<Fast>(scope, loadFast, fastSteps);
}
