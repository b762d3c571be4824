import { makeFast, type Fast } from './fast.ts';
import { loadRaw } from './packed.ts';

export { loadRaw };

export async function loadFast(): Promise<Fast> {
  return makeFast(await loadRaw());
}
