import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { labs } from '../labs/index.ts';
import { coverageOf, readClaims, readReasons, type Coverage } from './claims.ts';
import { isWritten, readCourse } from './course.ts';
import { lessonUrl } from './edition.ts';
import { readSources } from './sources.ts';

/** Where each claim stands in the built lessons of the first edition. */
export function readCoverage(root: string): Coverage {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const papers = readSources(read('lessons/sources.yaml')).map(({ id }) => id);
  const claims = readClaims(
    read('lessons/claims.yaml'),
    (name) => Object.hasOwn(labs, name) || papers.includes(name),
  );
  const pages = readCourse(root)
    .flatMap(({ lessons }) => lessons.filter(isWritten))
    .map((lesson) => ({ path: lessonUrl(lesson), html: read(`dist/zh-Hant/${lessonUrl(lesson)}`) }));
  return coverageOf(claims, pages, readReasons(read('lessons/STYLE.md')));
}
