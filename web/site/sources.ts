import { parse } from 'yaml';
import { BuildError } from './build-error.ts';
import { isWritten, type Written } from './course.ts';
import type { Edition } from './edition.ts';

export interface Source {
  id: string;
  name: string;
  title: string;
  authors: string;
  year: number;
  where: string;
  url: string;
  /** Under which circumstances the figures were measured, a sentence each. */
  settings: string[];
  figures: { what: string; value: string; place: string }[];
}

export function readSources(yaml: string, file = 'lessons/sources.yaml'): Source[] {
  const raw = parse(yaml) as Record<string, Omit<Source, 'id'>>;
  return Object.entries(raw).map(([id, source]) => {
    for (const key of ['name', 'title', 'authors', 'year', 'where', 'url'] as const)
      if (!source[key]) throw new BuildError({ file }, `${id} has no ${key}`);
    return { ...source, id, settings: source.settings ?? [], figures: source.figures ?? [] };
  });
}

/** The lessons that name a source themselves, or hold a question that does. */
export function lessonsThatCite({ tracks, questions }: Pick<Edition, 'tracks' | 'questions'>, id: string): Written[] {
  const asked = [...questions.values()].filter(({ sources }) => sources.some((source) => source.id === id));
  const standsIn = ({ written: { body } }: Written, question: string) =>
    new RegExp(`^:{3,} question ${question}\\s*$`, 'm').test(body);
  return tracks
    .flatMap(({ lessons }) => lessons.filter(isWritten))
    .filter(
      (lesson) => lesson.written.head.sources.includes(id) || asked.some((question) => standsIn(lesson, question.id)),
    );
}

/** Titles are tagged as English only when they are sentences to a voice. */
export const isWholeEnglish = (text: string): boolean => text.trim().split(/\s+/).length >= 4;
