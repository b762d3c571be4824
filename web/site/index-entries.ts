import { plain } from '../quiz/text.ts';
import { isWritten } from './course.ts';
import type { Edition } from './edition.ts';
import { lessonUrl } from './edition.ts';
import { labUrl } from './lab-pages.ts';
import { symbolAnchor } from './notation.ts';
import { SCRIPTS } from './scripts.ts';
import { termAnchor } from './terms.ts';
import { protect, unprotect } from './transforms/protect.ts';
import { chooseDeep } from './transforms/variants.ts';

/** One line of the A–Z index. Its text is still that of the first edition. */
export interface IndexEntry {
  text: string;
  /** What it is, said after the link. */
  note: string;
  /** What tells it from another entry of the same name. */
  apart: string;
  href: string;
}

export interface IndexPart {
  id: string;
  title: string;
  entries: IndexEntry[];
}

/** A part of the Chinese half has this many entries, in both editions, so that both have the same bones. */
const PART = 40;

/** Characters of two readings, which a collator puts under the other one: 長度 is looked up under chang. */
const READ_AS: [RegExp, string][] = [
  [/长(?=度|短|廊|期|序|句)/g, '常'],
  [/重(?=新|复|叠|算|读)/g, '虫'],
];

/** Everything that has a place of its own, and where that is. */
function entriesOf(edition: Edition): IndexEntry[] {
  const { t, notation } = edition;
  const lessons = edition.tracks.flatMap(({ lessons }) => lessons.filter(isWritten));
  const entry = (kind: string, text: string, href: string, slots: Record<string, string> = {}): IndexEntry => ({
    text,
    href,
    note: t(`site.a-z.${kind}`, slots),
    apart: Object.values(slots)[0] ?? t(`site.a-z.${kind}`),
  });
  return [
    ...edition.terms.terms.map((term) => entry('term', term.tw, `glossary/index.html#${termAnchor(term)}`)),
    ...edition.terms.terms
      .filter(({ tw, en }) => tw !== en)
      .map((term) => entry('english', term.en, `glossary/index.html#${termAnchor(term)}`, { term: term.tw })),
    ...notation.symbols.map((symbol) =>
      entry('symbol', symbol.spoken, `notation/index.html#${symbolAnchor(notation, symbol)}`),
    ),
    ...lessons.map((lesson) => entry('lesson', lesson.title, lessonUrl(lesson))),
    ...edition.labs.map(({ stem, title }) => entry('lab', title, labUrl(stem))),
    ...lessons.flatMap((lesson) =>
      [...lesson.written.body.matchAll(/^:{3,} question (\S+)\s*$/gm)].flatMap(([, id]) => {
        const question = edition.questions.get(id!);
        return question ? entry('question', plain(chooseDeep(question.topic, edition.script)), `${lessonUrl(lesson)}#q-${id}`, { lesson: lesson.title }) : [];
      }),
    ),
  ];
}

/** Two links of the same words would lead to different places: the second says also what it is. The letters lead to their parts. */
function distinct(entries: IndexEntry[]): IndexEntry[] {
  const places = new Map([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => [letter, '']));
  return entries.map((entry) => {
    let { text } = entry;
    for (let more = 1; places.has(text) && places.get(text) !== entry.href; more += 1)
      text = [entry.text, entry.apart, ...(more > 1 ? [more] : [])].join('，');
    places.set(text, entry.href);
    return { ...entry, text };
  });
}

/**
 * The index: Latin letters first, then Chinese as the edition's readers look
 * words up, by strokes in Taiwan and by Pinyin on the mainland.
 * @param convert makes the edition's own text, by which the entries are ordered
 */
export function indexParts(edition: Edition, convert: (text: string) => string): { latin: IndexPart[]; han: IndexPart[] } {
  const { t } = edition;
  const collator = new Intl.Collator(SCRIPTS[edition.script].lang, { numeric: true });
  const shown = (text: string): string => unprotect(convert(text)).replace(/[“「”」]/gu, '');
  const ordered = distinct(entriesOf(edition))
    .map((entry) => ({ entry, key: shown(entry.text) }))
    .map((line) => ({ ...line, read: READ_AS.reduce((text, [from, to]) => text.replace(from, to), line.key) }))
    .sort((a, b) => collator.compare(a.read, b.read));
  const initial = (text: string): string => /^[a-z0-9]/i.exec(text)?.[0].toUpperCase() ?? '';
  const letters = new Map<string, IndexEntry[]>();
  const rest: typeof ordered = [];
  for (const line of ordered) {
    const first = initial(line.entry.text);
    if (!first) rest.push(line);
    else {
      const letter = /\d/.test(first) ? '0' : first;
      letters.set(letter, [...(letters.get(letter) ?? []), line.entry]);
    }
  }
  const latin = [...letters]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([letter, entries]) => ({
      id: `latin-${letter.toLowerCase()}`,
      title: letter === '0' ? t('site.a-z.digits') : letter,
      entries,
    }));
  const parts = Array.from({ length: Math.ceil(rest.length / PART) }, (_, i) => rest.slice(i * PART, (i + 1) * PART));
  const han = parts.map((lines, i) => ({
    id: `han-${i + 1}`,
    title: t('site.a-z.from-to', { first: protect(lines[0]!.key), last: protect(lines.at(-1)!.key) }),
    entries: lines.map(({ entry }) => entry),
  }));
  return { latin, han };
}
