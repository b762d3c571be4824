import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import Eleventy from '@11ty/eleventy';
import { build as bundle } from 'esbuild';
import type { Core } from '../core/core.ts';
import { labs } from '../labs/index.ts';
import { SCRIPT } from './bundling.ts';
import { makeEdition } from './edition.ts';
import { configure } from './eleventy.ts';
import { entryPage } from './entry.ts';
import { writeManifest } from './offline/build.ts';
import type { Script } from './scripts.ts';
import { writeBank } from './question-bank.ts';
import { compiledTree, shownSources } from './source-tree.ts';

const BUNDLES = { theme: 'site/theme-early.ts', site: 'site/main.ts', labs: 'labs/main.ts', boss: 'quiz/boss/main.ts', progress: 'progress/page.ts', review: 'progress/review-page.ts', speed: 'speed/main.ts' };
const STYLES = ['tokens', 'site', 'labs', 'quiz', 'progress', 'speed', 'print'];

/** The scripts and the one style sheet, the same for every edition. */
async function writeAssets(root: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await bundle({
    ...SCRIPT,
    entryPoints: Object.fromEntries(
      Object.entries(BUNDLES)
        .filter(([, file]) => existsSync(join(root, 'web', file)))
        .map(([name, file]) => [name, join(root, 'web', file)]),
    ),
    outdir: folder,
  });
  // Its notice goes where its code goes.
  copyFileSync(join(root, 'node_modules/ts-fsrs/LICENSE'), join(folder, 'review.LICENSE.txt'));
  // A page loads the kit and the labs that stand on it; each script registers its lab under its stem.
  await Promise.all(
    Object.keys(labs).map((stem) =>
      bundle({
        ...SCRIPT,
        entryPoints: [join(root, `web/labs/${stem}.ts`)],
        outfile: join(folder, `labs/${stem}.js`),
        globalName: `attnLabs[${JSON.stringify(stem)}]`,
      }),
    ),
  );
  const css = STYLES.map((name) => join(root, 'web/styles', `${name}.css`))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  writeFileSync(join(folder, 'site.css'), css);
  copyFileSync(join(root, 'web/site/icon.svg'), join(folder, 'icon.svg'));
}

/** Eleventy wraps what an author has to read in layers of its own. */
function rootOf(error: Error & { originalError?: Error }): Error {
  return error.originalError ? rootOf(error.originalError) : error;
}

/**
 * Writes one edition: its pages, and beside them everything that they load. It
 * takes its place in `dist` when it is complete; a build that fails, or runs
 * beside another one, leaves no half of a site there.
 */
export async function writeEdition(
  root: string,
  script: Script,
  core: Core,
  { modules, dist }: { modules: string[]; dist: string },
): Promise<void> {
  // Eleventy takes its folders from the place where it runs.
  process.chdir(root);
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, `build/${script}-`));
  try {
    const edition = makeEdition(root, script, core, compiledTree(root));
    const published = shownSources(root);
    const eleventy = new Eleventy('lessons', folder, {
      quietMode: true,
      configPath: false,
      config: (config) => configure(config, root, edition, published),
    });
    eleventy.disableLogger();
    await eleventy.write().catch((error) => {
      throw rootOf(error);
    });
    await writeAssets(root, join(folder, 'assets'));
    writeBank(edition, join(folder, 'assets/bank'));
    writeManifest(root, edition, join(folder, 'assets'));
    for (const file of modules) copyFileSync(file, join(folder, 'assets', basename(file)));
    // Readable by every server; mkdtemp made it for its owner alone.
    chmodSync(folder, 0o755);
    mkdirSync(dist, { recursive: true });
    rmSync(join(dist, script), { recursive: true, force: true });
    renameSync(folder, join(dist, script));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the page in front of both editions. */
export function writeDoor(root: string, dist: string): void {
  mkdirSync(dist, { recursive: true });
  const motif = readFileSync(join(root, 'web/site/layouts/motif.svg'), 'utf8');
  writeFileSync(join(dist, 'index.html'), entryPage(motif));
}
