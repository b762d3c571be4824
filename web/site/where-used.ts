import type { Lesson } from './course.ts';
import type { Term } from './terms.ts';

/** What of a lesson is neither prose nor read: code, computed numbers, addresses, marks of blocks and ids. */
const UNREAD = [/```[\s\S]*?```/g, /\{\{ core .*?\}\}/g, /\]\([^)]*\)/g, /\{[#.][^}]*\}/g, /^:{3,}.*$/gm];

/** A term of one character also stands inside other words; alone it stands between these. */
const EDGE = '[\\s「」『』（）、，。；：！？*和與是的跟或]';
const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The lessons that use each term, in the order of the course. A longer term
 * hides the shorter ones inside it: 自注意力 is no use of 注意力.
 */
export function whereUsed(
  terms: readonly Pick<Term, 'tw' | 'also'>[],
  lessons: readonly (Pick<Lesson, 'slug'> & { body: string })[],
): Map<string, string[]> {
  const used = new Map<string, string[]>(terms.map(({ tw }) => [tw, []]));
  const names = terms
    .flatMap(({ tw, also }) => [tw, ...(also?.split('、') ?? [])].map((name) => ({ tw, name })))
    .sort((a, b) => b.name.length - a.name.length);
  for (const { slug, body } of lessons) {
    let text = UNREAD.reduce((left, unread) => left.replace(unread, ' '), body);
    for (const { tw, name } of names) {
      const alone = new RegExp(`(?<=^|${EDGE})${escape(name)}(?=$|${EDGE})`, 'm');
      if (name.length === 1 ? !alone.test(text) : !text.includes(name)) continue;
      const slugs = used.get(tw)!;
      if (slugs.at(-1) !== slug) slugs.push(slug);
      if (name.length > 1) text = text.replaceAll(name, '\n');
    }
  }
  return used;
}
