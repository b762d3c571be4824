import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

export const at = (...parts) => join(ROOT, ...parts);
