import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Core } from '../core/core.ts';
import { callNamed } from '../core/core.ts';
import { labs } from '../labs/index.ts';
import { renderLab } from '../labs/kit/render.ts';
import { renderBoss } from '../quiz/boss/render.ts';
import { loadQuestions } from '../quiz/load.ts';
import { checkProbes, withNumbers } from '../quiz/probes.ts';
import { renderQuestion } from '../quiz/render.ts';
import { inShownOrder } from '../quiz/shown-order.ts';
import { renderSheet, type Sheet } from '../quiz/sheet.ts';
import type { Question } from '../quiz/types.ts';
import { isWritten, readCourse, type Lesson, type Track, type Written } from './course.ts';
import { LAB_PAGE, labUrl, readLabEntries, readLabWords, type LabEntry } from './lab-pages.ts';
import { makeMarkdown, type Markdown } from './markdown.ts';
import { readNotation, type Notation } from './notation.ts';
import type { Script } from './scripts.ts';
import { readSources, type Source } from './sources.ts';
import { fill } from './strings.ts';
import { readTerms, type Terms } from './terms.ts';
import type { Env } from './transforms/env.ts';
import { readExcerpt, type SourceTree } from './transforms/excerpt.ts';
import { chooseDeep, chooseVariants } from './transforms/variants.ts';
import { whereUsed } from './where-used.ts';
import { readWords, type Words } from './words.ts';

/** A page, named and found from the root of its edition. */
export interface Use {
  title: string;
  href: string;
}

/** Everything one edition of the site is made from. */
export interface Edition {
  script: Script;
  words: Words;
  terms: Terms;
  tracks: Track[];
  sources: Source[];
  labs: LabEntry[];
  /** By id, in both editions' words. */
  questions: ReadonlyMap<string, Question>;
  notation: Notation;
  /** What uses a term, by its Taiwan name: lessons, or labs when no lesson does. */
  used: Map<string, Use[]>;
  t(key: string, slots?: Record<string, string | number>): string;
  /** Renders a Markdown text; what it found stays in the page's `Env`. */
  render(source: string, env: Env): string;
  renderLine(source: string, env: Env): string;
  /** These questions and their answers, for paper. */
  sheet(ids: string[]): Sheet;
}

export function makeEdition(root: string, script: Script, core: Core, tree: SourceTree): Edition {
  const words = chooseDeep(readWords(root), script);
  const terms = readTerms(readFileSync(join(root, 'lessons/terms.yaml'), 'utf8'));
  const course = readCourse(root);
  const tracks = chooseDeep(course, script);
  const sources = readSources(readFileSync(join(root, 'lessons/sources.yaml'), 'utf8'));
  const questions = loadQuestions(join(root, 'lessons/questions'), {
    lessons: tracks.flatMap(({ lessons }) => lessons.map(({ slug }) => slug)),
    sources: sources.map(({ id }) => id),
  });
  checkProbes(questions.values(), core);
  for (const [id, question] of questions) questions.set(id, inShownOrder(withNumbers(question, core)));
  const t: Edition['t'] = (key, slots) => {
    const template = words[key];
    if (template === undefined) throw new Error(`there is no string ${key}`);
    return fill(template, slots);
  };

  const md: Markdown = makeMarkdown({
    callCore: (name, args) => callNamed(core, name, args),
    tree,
    lab: {
      empty: true,
      open({ argument: stem, env, fail }) {
        if (!stem) throw fail('a lab is named: ::: lab party');
        if (env.labs.includes(stem)) throw fail(`the lab ${stem} stands here twice`);
        env.labs.push(stem);
        try {
          return renderLab(stem, readLabWords(root, stem, script), core, {
            page: env.page,
            level: env.labLevel,
            strings: words,
            excerpt(file, region) {
              const { code, first } = readExcerpt(tree, file, region);
              env.sources.add(file);
              return { code, line: first };
            },
          });
        } catch (error) {
          throw fail(`the lab ${stem}: ${(error as Error).message}`);
        }
      },
    },
    question: {
      empty: true,
      open({ argument: id, env, fail }) {
        const question = questions.get(id);
        if (!question) throw fail(`there is no question "${id}"`);
        if (env.questions.includes(id)) throw fail(`the question ${id} stands here twice`);
        env.questions.push(id);
        return renderQuestion(chooseDeep(question, script) as Question, {
          number: env.questions.length,
          strings: words,
          cite(source) {
            const found = sources.find((known) => known.id === source);
            return (
              found && {
                text: found.name,
                href: `${env.toRoot}sources/index.html#source-${source}`,
              }
            );
          },
          labHref: (lab, state) =>
            env.labs.includes(lab)
              ? `#${env.page}-${lab}${state === undefined ? '' : `?${state}`}`
              : Object.hasOwn(labs, lab)
                ? `${env.toRoot}${labUrl(lab)}#${LAB_PAGE}-${lab}${state === undefined ? '' : `?${state}`}`
                : undefined,
        });
      },
    },
    boss: {
      empty: true,
      open({ argument, env, fail }) {
        if (argument) throw fail('the wall takes no argument');
        if (env.boss) throw fail('the wall stands here twice');
        env.boss = true;
        const toLab = (lab: string) => [lab, `${env.toRoot}${labUrl(lab)}#${LAB_PAGE}-${lab}`];
        const written = tracks.flatMap(({ lessons }) => lessons.filter(isWritten));
        const toLesson = (slug: string, key: string) =>
          written.filter((lesson) => lesson.slug === slug).map((lesson) => ({ key, href: env.toRoot + lessonUrl(lesson) }));
        const map = (key: string) => ({ key, href: `${env.toRoot}index.html` });
        return renderBoss({
          core,
          strings: words,
          back: [
            ...['corridor', 'prism', 'four-keys'].flatMap((slug) => toLesson(slug, `boss.back.${slug}`)),
            map('boss.back.map'),
          ],
          onward: {
            won: toLesson('panorama', 'boss.won.next')[0] ?? map('boss.won.map'),
            lost: toLesson('panorama', 'boss.lost.next')[0] ?? map('boss.lost.map'),
          },
          labs: Object.fromEntries(['attention-matrix', 'multi-head', 'layer-cost'].map(toLab)),
        });
      },
    },
  });

  const labEntries = readLabEntries(root, script, tracks);
  return {
    script,
    words,
    terms,
    tracks,
    sources,
    labs: labEntries,
    questions,
    notation: chooseDeep(
      readNotation(
        readFileSync(join(root, 'lessons/notation.yaml'), 'utf8'),
        tracks.flatMap(({ lessons }) => lessons.map(({ slug }) => slug)),
      ),
      script,
    ),
    used: usesOf(terms, root, course, tracks, labEntries),
    t,
    render(source, env) {
      const place = { file: env.file, line: env.firstLine };
      return md.render(chooseVariants(source, script, place), env);
    },
    renderLine(source, env) {
      const place = { file: env.file, line: env.firstLine };
      return md.renderInline(chooseVariants(source, script, place), env);
    },
    sheet: (ids) =>
      renderSheet(
        ids.map((id) => chooseDeep(questions.get(id)!, script) as Question),
        {
          strings: words,
          cite(id) {
            const found = sources.find((known) => known.id === id);
            return found && { text: found.name };
          },
        },
      ),
  };
}

/** Both editions look into the same text, so that their glossaries have the same links. */
function usesOf({ terms }: Terms, root: string, course: Track[], tracks: Track[], labEntries: LabEntry[]): Map<string, Use[]> {
  const written = (of: Track[]) => of.flatMap(({ lessons }) => lessons.filter(isWritten));
  const titles = new Map(written(tracks).map((lesson) => [lesson.slug, { title: lesson.title, href: lessonUrl(lesson) }]));
  const labTitles = new Map(labEntries.map(({ stem, title }) => [stem, { title, href: labUrl(stem) }]));
  const inLessons = whereUsed(
    terms,
    written(course).map(({ slug, written: { body } }) => ({ slug, body })),
  );
  const inLabs = whereUsed(
    terms,
    labEntries.map(({ stem, file }) => ({ slug: stem, body: readFileSync(join(root, file), 'utf8') })),
  );
  return new Map(
    terms.map(({ tw }) => {
      const lessons = inLessons.get(tw)!.map((slug) => titles.get(slug)!);
      return [tw, lessons.length > 0 ? lessons : inLabs.get(tw)!.map((stem) => labTitles.get(stem)!)];
    }),
  );
}

/** Where the questions of a lesson stand for printing. */
export const sheetUrl = ({ track, slug }: Pick<Lesson, 'track' | 'slug'>): string => `print/${track}/${slug}/index.html`;

/** The lesson's place on the site. */
export const lessonUrl = ({ track, slug }: Pick<Lesson, 'track' | 'slug'>): string =>
  `${track}/${slug}/index.html`;
