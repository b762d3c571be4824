import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { BuildError } from './build-error.ts';

export type Words = Record<string, string>;

const FILES = ['site', 'site/offline', 'labs', 'quiz', 'progress', 'speed'].map((part) => `web/${part}/strings.yaml`);

/** The words of the interface, from the files that hold them. */
export function readWords(root: string): Words {
  const words: Words = {};
  for (const file of FILES) {
    if (!existsSync(join(root, file))) continue;
    const part = parse(readFileSync(join(root, file), 'utf8')) as Words;
    for (const [key, text] of Object.entries(part)) {
      if (key in words) throw new BuildError({ file }, `${key} stands in two files`);
      if (typeof text !== 'string') throw new BuildError({ file }, `${key} is not a text`);
      words[key] = text;
    }
  }
  return words;
}

/** What the scripts of a page may have to say. */
export const scriptWords = (words: Words, prefixes: string[]): Words =>
  Object.fromEntries(
    Object.entries(words).filter(([key]) => prefixes.some((prefix) => key.startsWith(prefix))),
  );
