import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './root.mjs';

/** All files under the given files and folders, as sorted absolute paths. */
export function filesUnder(...paths) {
  const found = [];
  const visit = (path) => {
    if (!existsSync(path)) return;
    if (!statSync(path).isDirectory()) found.push(path);
    else for (const name of readdirSync(path)) visit(join(path, name));
  };
  paths.forEach(visit);
  return found.sort();
}

/** One hash over names and contents, and over Node's version. */
export function hashOf(...paths) {
  const hash = createHash('sha256').update(process.version);
  for (const file of filesUnder(...paths)) {
    const bytes = readFileSync(file);
    hash.update(`\0${relative(ROOT, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}
