import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bankScript, type Bank, type BankEntry } from '../progress/bank.ts';
import { isWritten, type Lesson, type Track } from './course.ts';
import type { Edition } from './edition.ts';
import { makeConverter } from './transforms/convert.ts';
import { unprotect } from './transforms/protect.ts';
import { convertJson } from './transforms/script.ts';
import { chooseDeep } from './transforms/variants.ts';

/** The ids of the questions that stand in a lesson, in their order. */
export const questionsIn = (lesson: Lesson): string[] =>
  lesson.written
    ? [...lesson.written.body.matchAll(/^::: question (\S+)[ \t]*$/gm)].map(([, id]) => id!)
    : [];

/** Each question once, with the first lesson in which it stands. */
export function bankEntries(tracks: readonly Track[]): BankEntry[] {
  const taken = new Set<string>();
  return tracks
    .flatMap(({ lessons }) => lessons.filter(isWritten))
    .map((lesson) => ({
      slug: lesson.slug,
      questions: questionsIn(lesson).filter((id) => !taken.has(id) && taken.add(id)),
    }))
    .filter(({ questions }) => questions.length > 0);
}

/** Writes one script a lesson: the review page adds those that it needs. */
export function writeBank(edition: Edition, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const convert =
    edition.script === 'zh-Hans' ? makeConverter(edition.terms) : (text: string) => text;
  for (const { slug, questions } of bankEntries(edition.tracks)) {
    const chosen = questions.map((id) => {
      const { probes: _, ...question } = chooseDeep(edition.questions.get(id)!, edition.script);
      const options = question.options.map(
        ({ probes: __, shows: ___, should: ____, ...option }) => ({ ...option, probes: [] }),
      );
      return { ...question, options, probes: [] };
    });
    const cited = new Set(chosen.flatMap(({ sources }) => sources.map(({ id }) => id)));
    const bank: Bank = {
      questions: chosen,
      citations: Object.fromEntries(
        edition.sources
          .filter(({ id }) => cited.has(id))
          .map(({ id, name }) => [id, { text: name, href: `../sources/index.html#source-${id}` }]),
      ),
    };
    const converted = JSON.parse(unprotect(convertJson(JSON.stringify(bank), convert))) as Bank;
    writeFileSync(join(folder, `${slug}.js`), bankScript(slug, converted));
  }
}
