import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { labs } from '../labs/index.ts';
import { list, lookup, word } from '../labs/kit/template.ts';
import type { Words } from '../labs/kit/types.ts';
import { BuildError } from './build-error.ts';
import { isWritten, type Track, type Written } from './course.ts';
import type { Script } from './scripts.ts';
import { chooseDeep } from './transforms/variants.ts';

/** A lab as the gallery shows it. */
export interface LabEntry {
  stem: string;
  file: string;
  title: string;
  about: string;
  /** The lessons in which it stands. */
  lessons: Written[];
}

export const labUrl = (stem: string): string => `labs/${stem}/index.html`;

/** Ids on a lab's own page begin with this. */
export const LAB_PAGE = 'lab';

const fileOf = (stem: string): string => `lessons/labs/${stem}.yaml`;

/** @throws BuildError when the file cannot be read */
export function readLabWords(root: string, stem: string, script: Script): Words {
  const file = fileOf(stem);
  try {
    return chooseDeep(parse(readFileSync(join(root, file), 'utf8')) as Words, script);
  } catch (error) {
    throw new BuildError({ file }, (error as Error).message);
  }
}

const standsIn = (lesson: Written, stem: string): boolean =>
  lesson.written.body.split('\n').some((line) => line.trim() === `::: lab ${stem}`);

export function readLabEntries(root: string, script: Script, tracks: Track[]): LabEntry[] {
  const written = tracks.flatMap(({ lessons }) => lessons.filter(isWritten));
  return Object.keys(labs).map((stem) => {
    const words = readLabWords(root, stem, script);
    return {
      stem,
      file: fileOf(stem),
      title: word(words, 'title'),
      about: lookup(words, 'about') === undefined ? list(words, 'intro')[0]! : word(words, 'about'),
      lessons: written.filter((lesson) => standsIn(lesson, stem)),
    };
  });
}
