import { parse } from 'yaml';
import { BuildError } from './build-error.ts';

export interface FrontMatter {
  title: string;
  description: string;
  minutes: number;
  prerequisites: string[];
  summary: string[];
  sources: string[];
}

/** The head of a lesson as data, its body, and the line on which that starts. */
export function readLesson(
  text: string,
  file: string,
): { head: FrontMatter; body: string; firstLine: number } {
  const found = /^---\n([\s\S]*?\n)---\n/.exec(text);
  if (!found) throw new BuildError({ file, line: 1 }, 'the lesson has no front matter');
  const raw = parse(found[1]!) as Partial<FrontMatter>;
  for (const key of ['title', 'description', 'minutes', 'summary'] as const)
    if (!raw[key]) throw new BuildError({ file, line: 1 }, `the front matter has no ${key}`);
  const body = text.slice(found[0].length).trimStart();
  return {
    head: { prerequisites: [], sources: [], ...raw } as FrontMatter,
    body,
    firstLine: text.slice(0, text.length - body.length).split('\n').length,
  };
}
