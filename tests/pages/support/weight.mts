import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DIST, htmlOf, labPages, pages } from './dist.mts';

const sizes = new Map<string, number>();

/** Bytes of a file of dist/ over the wire, gzip -9. */
export function gzipped(file: string): number {
  let size = sizes.get(file);
  if (size === undefined) sizes.set(file, (size = gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length));
  return size;
}

export interface Weight {
  page: string;
  bytes: number;
  /** It computes, so it loads the core by itself. */
  isLab: boolean;
}

/** What each page costs until its first result: itself, what its HTML names, and the modules that its labs load. */
export const weights = (): Weight[] =>
  pages.map((page) => {
    const html = htmlOf(page);
    const named = [...html.matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="([^":?#]+\.(?:js|css))"/g)].map(([, href]) => normalize(join(dirname(page), href!)));
    const isLab = labPages.includes(page);
    const assets = join(page.split('/')[0]!, 'assets');
    const modules = isLab ? [join(assets, 'core.js'), ...(html.includes('<attn-lab name="museum"') ? [join(assets, 'museum.js')] : [])] : [];
    return { page, isLab, bytes: [page, ...new Set([...named, ...modules])].reduce((sum, file) => sum + gzipped(file), 0) };
  });
