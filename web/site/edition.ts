import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Core } from '../core/core.ts';
import { callNamed } from '../core/core.ts';
import { labs } from '../labs/index.ts';
import { renderLab } from '../labs/kit/render.ts';
import { loadQuestions } from '../quiz/load.ts';
import { checkProbes } from '../quiz/probes.ts';
import { renderQuestion } from '../quiz/render.ts';
import type { Question } from '../quiz/types.ts';
import { readCourse, type Lesson, type Track } from './course.ts';
import { LAB_PAGE, labUrl, readLabEntries, readLabWords, type LabEntry } from './lab-pages.ts';
import { makeMarkdown, type Markdown } from './markdown.ts';
import type { Script } from './scripts.ts';
import { readSources, type Source } from './sources.ts';
import { fill } from './strings.ts';
import { readTerms, type Terms } from './terms.ts';
import type { Env } from './transforms/env.ts';
import { readExcerpt, type SourceTree } from './transforms/excerpt.ts';
import { chooseDeep, chooseVariants } from './transforms/variants.ts';
import { readWords, type Words } from './words.ts';

/** Everything one edition of the site is made from. */
export interface Edition {
  script: Script;
  words: Words;
  terms: Terms;
  tracks: Track[];
  sources: Source[];
  labs: LabEntry[];
  t(key: string, slots?: Record<string, string | number>): string;
  /** Renders a Markdown text; what it found stays in the page's `Env`. */
  render(source: string, env: Env): string;
  renderLine(source: string, env: Env): string;
}

export function makeEdition(root: string, script: Script, core: Core, tree: SourceTree): Edition {
  const words = chooseDeep(readWords(root), script);
  const terms = readTerms(readFileSync(join(root, 'lessons/terms.yaml'), 'utf8'));
  const tracks = chooseDeep(readCourse(root), script);
  const sources = readSources(readFileSync(join(root, 'lessons/sources.yaml'), 'utf8'));
  const questions = loadQuestions(join(root, 'lessons/questions'), {
    lessons: tracks.flatMap(({ lessons }) => lessons.map(({ slug }) => slug)),
    sources: sources.map(({ id }) => id),
  });
  checkProbes(questions.values(), core);
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
  });

  return {
    script,
    words,
    terms,
    tracks,
    sources,
    labs: readLabEntries(root, script, tracks),
    t,
    render(source, env) {
      const place = { file: env.file, line: env.firstLine };
      return md.render(chooseVariants(source, script, place), env);
    },
    renderLine(source, env) {
      const place = { file: env.file, line: env.firstLine };
      return md.renderInline(chooseVariants(source, script, place), env);
    },
  };
}

/** The lesson's place on the site. */
export const lessonUrl = ({ track, slug }: Pick<Lesson, 'track' | 'slug'>): string =>
  `${track}/${slug}/index.html`;
