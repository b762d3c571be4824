import { parse } from 'yaml';
import { BuildError } from './build-error.ts';

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

/** Titles are tagged as English only when they are sentences to a voice. */
export const isWholeEnglish = (text: string): boolean => text.trim().split(/\s+/).length >= 4;
