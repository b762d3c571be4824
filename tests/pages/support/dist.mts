import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { serve } from '../../../tools/lib/serve.mjs';

/** The built site that all page tests look at; ATTN_DIST names another one. */
export const DIST = process.env.ATTN_DIST ?? fileURLToPath(new URL('../../../dist', import.meta.url));

if (!existsSync(DIST)) throw new Error('dist/ is not there; `npm run build` makes it');

/** Every page of dist/, by its path with `/`; found by walking, never listed by hand. */
export const pages: string[] = readdirSync(DIST, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
  .map((entry) =>
    relative(DIST, join(entry.parentPath ?? entry.path, entry.name))
      .split(sep)
      .join('/'),
  )
  .sort();

export const htmlOf = (page: string): string => readFileSync(join(DIST, page), 'utf8');

/** ATTN_PAGES=rest tries what `npm test` leaves to `npm run test:all`. */
export const REST = process.env.ATTN_PAGES === 'rest';

const isSource = (page: string): boolean => page.includes('/source/');
const isLab = (page: string): boolean => /\/labs\/.+\//.test(page);

const isSheet = (page: string): boolean => /\/print\/.+\//.test(page);

/** One template makes every page that shows a source file, another every sheet to print; the first of each edition stands for them. */
export const isPattern = (page: string): boolean => {
  const alike = [isSource, isSheet].find((kind) => kind(page));
  return !alike || page === pages.find((other) => alike(other) && other.split('/')[0] === page.split('/')[0]);
};

/** The mainland gallery runs the same scripts on the same fields as the other one. */
export const isMirror = (page: string): boolean => page.startsWith('zh-Hans/') && isLab(page);

/** Everything but source files after the first and labs on their own: what differs from page to page. */
export const isProse = (page: string): boolean => isPattern(page) && !isLab(page);

/** What a reader of the first edition opens; the other edition has the same elements and ids (html.test.mts). */
export const isFirstEdition = (page: string): boolean => isPattern(page) && !page.startsWith('zh-Hans/');

/** A quarter of many that are alike for `npm test`; with ATTN_PAGES=rest the others. */
export const quarter = <T,>(all: readonly T[]): T[] => all.filter((_, i) => (i % 4 === 0) !== REST);

/** The pages on which a lab stands. */
export const labPages = pages.filter((page) => htmlOf(page).includes('<attn-lab'));

/** One of the two ways in which dist/ is opened. */
export interface Origin {
  name: 'http' | 'file';
  url(page: string): string;
  /** True for an address inside the site, and for what a page makes by itself. */
  owns(url: string): boolean;
  close(): void;
}

function originAt(name: Origin['name'], base: string, close: () => void): Origin {
  return {
    name,
    close,
    url: (page) => base + page,
    owns: (url) => url.startsWith(base) || /^(data|blob|about):/.test(url),
  };
}

export const fileOrigin = (folder = DIST): Origin => originAt('file', `${pathToFileURL(folder).href}/`, () => {});

export async function httpOrigin(folder = DIST): Promise<Origin> {
  const { server, port } = await serve(folder);
  return originAt('http', `http://127.0.0.1:${port}/`, () => {
    server.closeAllConnections();
    server.close();
  });
}
