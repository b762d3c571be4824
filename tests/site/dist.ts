import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parse } from 'parse5';
import type { Script } from '../../web/site/scripts.ts';
import { attribute, childrenOf, isElement, type Node } from '../../web/site/transforms/html.ts';

export const DIST = resolve('dist');

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesOf(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

export const pagesOf = (script: Script): string[] =>
  filesOf(join(DIST, script))
    .filter((file) => file.endsWith('.html'))
    .map((file) => relative(join(DIST, script), file))
    .sort();

assert.ok(existsSync(join(DIST, 'index.html')), 'npm run build writes dist/');
const parsed = new Map<string, Node>();

/** A built page, by its path in dist/. */
export function page(file: string): Node {
  const path = resolve(DIST, file);
  if (!parsed.has(path)) parsed.set(path, parse(readFileSync(path, 'utf8')) as Node);
  return parsed.get(path)!;
}

/** Text that the other edition would convert, with a name for what holds it. */
export function* words(node: Node): Generator<string> {
  if (isElement(node)) {
    if (
      ['code', 'pre', 'style'].includes(node.tagName) ||
      attribute(node, 'data-raw') !== undefined
    )
      return;
    if (node.tagName === 'script' && attribute(node, 'type') !== 'application/json') return;
    for (const { name, value } of node.attrs)
      if (!['href', 'src', 'id', 'class', 'name'].includes(name)) yield value;
  } else if (node.nodeName === '#text' && 'value' in node) yield node.value;
  for (const child of childrenOf(node)) yield* words(child);
}
