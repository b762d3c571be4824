import { parse } from 'yaml';
import { BuildError } from './build-error.ts';

export interface Term {
  group: string;
  tw: string;
  cn: string;
  en: string;
  is: string;
  also?: string;
  anchor?: string;
}

export interface Terms {
  groups: { id: string; title: string }[];
  terms: Term[];
  /** Every pair the conversion obeys, shown or not. */
  pairs: [tw: string, cn: string][];
  never: string[];
}

/** Reads lessons/terms.yaml and refuses rows that contradict each other. */
export function readTerms(yaml: string, file = 'lessons/terms.yaml'): Terms {
  const raw = parse(yaml) as {
    groups: Terms['groups'];
    terms: Term[];
    words: Record<string, string>;
    never: string[];
  };
  const pairs: [string, string][] = [
    ...raw.terms.map(({ tw, cn }): [string, string] => [tw, cn]),
    ...Object.entries(raw.words),
  ];
  const seen = new Map<string, string>();
  for (const [tw, cn] of pairs) {
    if (seen.has(tw)) throw new BuildError({ file }, `${tw} stands there twice`);
    seen.set(tw, cn);
  }
  const groups = new Set(raw.groups.map(({ id }) => id));
  const anchors = new Set<string>();
  for (const term of raw.terms) {
    for (const key of ['tw', 'cn', 'en', 'is'] as const)
      if (!term[key]) throw new BuildError({ file }, `${term.tw} has no ${key}`);
    if (!groups.has(term.group))
      throw new BuildError({ file }, `${term.tw}: no group "${term.group}"`);
    const anchor = termAnchor(term);
    if (anchors.has(anchor))
      throw new BuildError({ file }, `${term.tw}: the anchor ${anchor} is taken`);
    anchors.add(anchor);
  }
  return { groups: raw.groups, terms: raw.terms, pairs, never: raw.never };
}

/** The id of a term's row on the glossary page. */
export const termAnchor = (term: Pick<Term, 'en' | 'anchor'>): string =>
  `term-${term.anchor ?? term.en.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
