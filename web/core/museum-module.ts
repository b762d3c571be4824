import { makeMuseum, type Museum } from './museum.ts';
import { loadRaw } from './packed.ts';

export { loadRaw };

export async function loadMuseum(): Promise<Museum> {
  return makeMuseum(await loadRaw());
}
