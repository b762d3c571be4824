import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EleventyConfig } from '@11ty/eleventy';
import type { Edition } from './edition.ts';
import { isWritten } from './course.ts';
import { lessonUrl, sheetUrl } from './edition.ts';
import { BuildError } from './build-error.ts';
import { CSP } from './csp.ts';
import { grouped } from '../labs/themes.ts';
import { LAB_PAGE, labUrl } from './lab-pages.ts';
import { lessonView, pageView, toRootFrom } from './page-view.ts';
import { checkPage } from './page-checks.ts';
import { bankEntries, questionsIn } from './question-bank.ts';
import { indexParts } from './index-entries.ts';
import { spokenSize, symbolAnchor, type Symbol } from './notation.ts';
import { isWholeEnglish, lessonsThatCite } from './sources.ts';
import { termAnchor } from './terms.ts';
import { makeConverter } from './transforms/convert.ts';
import { newEnv, type Env } from './transforms/env.ts';
import { sourcePage } from './transforms/excerpt.ts';
import { highlightLines } from './transforms/highlight.ts';
import { toMathml } from './transforms/math.ts';
import { convertPage } from './transforms/script.ts';

const LAYOUTS = '../web/site/layouts';
/** Pages that no lesson file stands behind; each has a layout and strings of its name. */
const PAGES = ['map', 'labs', 'a-z', 'glossary', 'notation', 'sources', 'progress', 'review', 'offline', 'not-saved', 'speed', 'print'] as const;

/** The same, but their text is Markdown in web/site/pages. */
const WRITTEN_PAGES = ['accessibility', 'teachers'] as const;

/** What the map shows below the tracks. */
const MAP_GROUPS = [
  { id: 'practise', pages: ['labs', 'review', 'progress', 'speed'] },
  { id: 'look-up', pages: ['a-z', 'glossary', 'notation', 'sources'] },
  { id: 'help', pages: ['accessibility', 'teachers', 'print', 'offline'] },
];

/** Markdown, and where it stands, so that a fault can be found. */
interface Text {
  file: string;
  body: string;
  firstLine: number;
}

interface Page {
  layout: string;
  name: string;
  heading: string;
  title: string;
  description: string;
  accent: string;
  code?: string;
  stem?: string;
  labLevel?: number;
}

const noText = (file: string): Text => ({ file, body: '', firstLine: 1 });

/** Eleventy's configuration for one edition. Paths are from the project's root. */
export function configure(
  config: EleventyConfig,
  root: string,
  edition: Edition,
  published: string[],
): void {
  const { t } = edition;
  const envs = new Map<string, Env>();
  const lessons = edition.tracks.flatMap((track) =>
    track.lessons.filter(isWritten).map((lesson) => ({ track, lesson, path: lessonUrl(lesson) })),
  );

  config.setIncludesDirectory(LAYOUTS);
  config.setTemplateFormats(['njk', 'md']);
  config.setUseGitIgnore(false);
  // How long a page took is nobody's concern but a profiler's.
  config.benchmarks.config.setMinimumThresholdMs(0);
  // Every page is added below, with its layout and its address.
  config.ignores.add('lessons/**');
  config.setLibrary('md', {
    render(source, { path, name, file, firstLine, labLevel }) {
      const env = newEnv(file, { firstLine, page: name, labLevel, toRoot: toRootFrom(path) });
      envs.set(path, env);
      return edition.render(source, env);
    },
  });
  const add = (path: string, text: Text, page: Page) =>
    config.addTemplate(`${path}.md`, text.body, {
      ...page,
      file: text.file,
      firstLine: text.firstLine,
      path,
      permalink: path,
      // Markdown alone: its {{ … }} are ours.
      templateEngineOverride: 'md',
    });

  config.addNunjucksGlobal('t', t);
  config.addNunjucksGlobal('csp', CSP);
  const lab = (stem: string) => edition.labs.find((entry) => entry.stem === stem)!;
  const labGroups = grouped(edition.labs.map(({ stem }) => stem));
  const convert = edition.script === 'zh-Hans' ? makeConverter(edition.terms) : undefined;
  const { notation } = edition;
  const sheets = new Map(
    lessons
      .filter(({ lesson }) => questionsIn(lesson).length > 0)
      .map(({ lesson }) => [sheetUrl(lesson), { lesson, ...edition.sheet(questionsIn(lesson)) }]),
  );
  const withQuestions = edition.tracks.map(({ id, name, lessons: all }) => ({
    id,
    name,
    lessons: all
      .map((lesson) => ({
        title: lesson.title,
        path: lessonUrl(lesson).replace('/index.html', ''),
        questions: questionsIn(lesson),
      }))
      .filter(({ questions }) => questions.length > 0),
  }));
  config.addNunjucksGlobal('site', {
    tracks: withQuestions.filter(({ lessons: rows }) => rows.length > 0),
    bank: bankEntries(edition.tracks),
    questionsIn,
    edition,
    termAnchor,
    isWholeEnglish,
    lessonUrl,
    lab,
    labGroups,
    index: indexParts(edition, convert ?? ((text) => text)),
    citedIn: (source: string) => lessonsThatCite(edition, source),
    symbolAnchor: (symbol: Symbol) => symbolAnchor(notation, symbol),
    spokenSize: (size: string) => spokenSize(size, t('site.notation.times')),
    math: (tex: string) => toMathml(tex, false),
    sheet: (path: string) => sheets.get(path)!,
    sheetUrl,
    isComing: edition.tracks.some((track) => track.lessons.some((lesson) => !isWritten(lesson))),
    mapGroups: MAP_GROUPS,
    lessonOf: (slug: string) => lessons.find(({ lesson }) => lesson.slug === slug)?.lesson,
  });
  config.addNunjucksGlobal('viewOf', (path: string, options: Parameters<typeof pageView>[2]) =>
    pageView(edition, path, { ...options, env: envs.get(path) }),
  );
  config.addNunjucksGlobal('lessonAt', (path: string) => {
    const found = lessons.find((lesson) => lesson.path === path)!;
    return lessonView(edition, found.track, found.lesson, envs.get(path)!);
  });

  for (const { lesson, track, path } of lessons)
    add(path, lesson.written, {
      layout: 'lesson.njk',
      name: lesson.slug,
      heading: lesson.title,
      title: t('site.title.lesson', {
        track: track.name,
        number: lesson.number,
        title: lesson.title,
      }),
      description: lesson.about,
      accent: track.accent,
    });

  const textOf = (file: string): Text => ({ file, body: readFileSync(join(root, file), 'utf8'), firstLine: 1 });
  for (const name of [...PAGES, ...WRITTEN_PAGES]) {
    const heading = t(`site.${name}.title`);
    const isText = (WRITTEN_PAGES as readonly string[]).includes(name);
    add(
      name === 'map' ? 'index.html' : `${name}/index.html`,
      isText ? textOf(`web/site/pages/${name}.md`) : noText(`web/site/layouts/${name}.njk`),
      {
        layout: isText ? 'written.njk' : `${name}.njk`,
        name,
        heading,
        title: t('site.title', { title: heading }),
        description: t(`site.${name}.lead`),
        accent: 'lecture',
      },
    );
  }

  for (const [path, { lesson }] of sheets) {
    const heading = t('sheet.title', { title: lesson.title });
    add(path, noText('web/site/layouts/sheet.njk'), {
      layout: 'sheet.njk',
      name: 'sheet',
      heading,
      title: t('site.title', { title: heading }),
      description: t('sheet.lead', { title: lesson.title, count: questionsIn(lesson).length }),
      accent: edition.tracks.find(({ id }) => id === lesson.track)!.accent,
    });
  }

  for (const { stem, file, title: heading, about } of edition.labs)
    add(labUrl(stem), { file, body: `::: lab ${stem}\n:::`, firstLine: 1 }, {
      layout: 'lab.njk',
      name: LAB_PAGE,
      heading,
      title: t('site.title', { title: t('site.labs.page', { title: heading }) }),
      description: about,
      accent: 'lecture',
      stem,
      labLevel: 2,
    });

  for (const file of published) {
    const code = readFileSync(join(root, file), 'utf8').trimEnd();
    add(sourcePage(file), noText(file), {
      layout: 'source.njk',
      name: 'source',
      heading: t('site.source-file.title', { file: file.split('/').at(-1)! }),
      title: t('site.title', { title: t('site.source-file.title', { file }) }),
      description: t('site.source-file.lead', { lines: code.split('\n').length }),
      accent: 'lecture',
      code: highlightLines(code),
    });
  }

  config.addTransform('edition', function (html) {
    const { inputPath } = this.page;
    checkPage(html, inputPath);
    try {
      return convertPage(html, convert);
    } catch (error) {
      throw new BuildError({ file: inputPath }, (error as Error).message);
    }
  });
}
