import { existsSync, readFileSync } from 'node:fs';
import { must } from './run.mjs';
import { at } from './root.mjs';

const packagesOf = (file) =>
  Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages).filter(([path]) => path !== '');

/** npm's own record of what it installed, held against the lock file. */
function isInstalled() {
  const record = at('node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = new Map(packagesOf(record));
  const wanted = new Map(packagesOf(at('package-lock.json')));
  for (const [path, { version, optional }] of wanted)
    if (installed.get(path)?.version !== version && !optional) return false;
  for (const [path, { version }] of installed)
    if (wanted.get(path)?.version !== version || !existsSync(at(path))) return false;
  return true;
}

/** Installs the npm packages of the lock file, unless they stand already. */
export async function npmPackages() {
  if (isInstalled()) return 'unchanged';
  const windows = process.platform === 'win32';
  await must(
    'installing npm packages',
    windows ? 'npm.cmd' : 'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
    { log: 'npm' },
  );
  return 'installed';
}
