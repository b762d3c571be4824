import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { build } from './build.mjs';
import { optionsOf } from './options.mjs';
import { at } from './root.mjs';
import { filesUnder } from './tree.mjs';

const ZIP = at('build/attention-companion.zip');

/** The same bytes for the same dist: sorted names and one fixed date. */
export async function zipOf(folder) {
  const { zipSync } = await import('fflate');
  const files = {};
  for (const file of filesUnder(folder)) {
    const name = relative(folder, file).split(sep).join('/');
    files[`attention-companion/${name}`] = readFileSync(file);
  }
  return zipSync(files, { level: 9, mtime: new Date(1980, 0, 1) });
}

export async function main(args) {
  await build(optionsOf(args, { yes: { type: 'boolean' } }, 'npm run bundle -- [--yes]'));
  const zip = await zipOf(at('dist'));
  mkdirSync(dirname(ZIP), { recursive: true });
  writeFileSync(ZIP, zip);
  console.log(`${relative(at(), ZIP)}: ${(zip.length / 1e6).toFixed(1)} MB. Unpack it and open index.html.`);
}
