import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build as bundle } from 'esbuild';
import { SCRIPT } from '../bundling.ts';
import type { Edition } from '../edition.ts';
import { SCRIPTS } from '../scripts.ts';
import { makeConverter } from '../transforms/convert.ts';
import type { Kept } from './protocol.ts';

const WORKER = 'sw.js';

/** Made from web/site/icon.svg by tools/icons.mts. */
export const ICONS = [
  { file: 'icon-192.png', size: 192, purpose: 'any' },
  { file: 'icon-512.png', size: 512, purpose: 'any' },
  { file: 'icon-maskable-512.png', size: 512, purpose: 'maskable' },
] as const;

/** What an edition is called where it is installed. Addresses are from its assets/. */
export function manifestOf({ script, terms, t }: Pick<Edition, 'script' | 'terms' | 't'>): object {
  const say = script === 'zh-Hans' ? makeConverter(terms) : (text: string) => text;
  return {
    name: say(t('site.name')),
    short_name: say(t('site.name')),
    description: say(t('site.tagline')),
    lang: SCRIPTS[script].lang,
    dir: 'ltr',
    id: '../index.html',
    start_url: '../index.html',
    scope: '../../',
    display: 'minimal-ui',
    background_color: '#fbf9f4',
    theme_color: '#fbf9f4',
    icons: [
      { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      ...ICONS.map(({ file, size, purpose }) => ({
        src: file,
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose,
      })),
    ],
  };
}

/** The manifest and its icons, into an edition's assets/. */
export function writeManifest(root: string, edition: Edition, assets: string): void {
  mkdirSync(assets, { recursive: true });
  writeFileSync(
    join(assets, 'manifest.webmanifest'),
    `${JSON.stringify(manifestOf(edition), null, 2)}\n`,
  );
  for (const { file } of ICONS) copyFileSync(join(root, 'web/site/icons', file), join(assets, file));
}

/** Every file of dist/ but the worker itself, by its path with `/`. */
export function filesOf(dist: string): Kept[] {
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((file) => {
      const contents = readFileSync(file);
      return {
        path: relative(dist, file).split(sep).join('/'),
        sha256: createHash('sha256').update(contents).digest('hex'),
        bytes: contents.length,
      };
    })
    .filter(({ path }) => path !== WORKER)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What is there from the first visit on: what every page loads, the door, the maps, and the pages about being offline. */
export const isCore = (path: string): boolean =>
  path === 'index.html' ||
  /^[^/]+\/(?:(?:(?:offline|not-saved)\/)?index\.html|assets\/(?:(?:core|labs|site|theme)\.js|site\.css|icon[^/]*|manifest\.webmanifest))$/.test(path);

/** Writes dist/sw.js when all the rest is there; another file in dist/ makes another version. */
export async function writeWorker(root: string, dist: string): Promise<void> {
  const files = filesOf(dist);
  const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
  await bundle({
    entryPoints: [join(root, 'web/site/offline/worker.ts')],
    ...SCRIPT,
    outfile: join(dist, WORKER),
    define: {
      FILES: JSON.stringify(files),
      VERSION: JSON.stringify(version),
      CORE: JSON.stringify(files.map(({ path }) => path).filter(isCore)),
    },
  });
}
