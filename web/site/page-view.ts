import type { Edition } from './edition.ts';
import { lessonUrl, sheetUrl } from './edition.ts';
import { isWritten, type Lesson, type Track, type Written } from './course.ts';
import { otherScript, SCRIPTS } from './scripts.ts';
import type { Env } from './transforms/env.ts';
import { scriptWords } from './words.ts';

/** What a layout needs to know about the page it frames. */
export interface PageView {
  path: string;
  toRoot: string;
  lang: string;
  accent: string;
  title: string;
  description: string;
  other: { href: string; lang: string; name: string };
  strings: string;
  /** The labs that stand on the page; each has a script of its own. */
  labs: string[];
  boss: boolean;
}

export interface LessonView {
  place: string;
  track: string;
  minutes: number;
  contents: { id: string; text: string }[];
  summary: string[];
  sources: { href: string; name: string; title: string }[];
  needs: string;
  /** The sheet of the lesson's questions, where it has some. */
  sheet?: string;
  previous: Neighbour;
  next: Neighbour;
}

interface Neighbour {
  text: string;
  href?: string;
}

/** What the scripts of single pages may have to say. */
const SAID: Record<string, string[]> = {
  'offline/index.html': ['site.offline.'],
  'index.html': ['progress.map.', 'progress.resume'],
  'progress/index.html': ['progress.'],
  'review/index.html': ['review.', 'quiz.'],
  'speed/index.html': ['speed.'],
};

export const toRootFrom = (path: string): string => '../'.repeat(path.split('/').length - 1);

export function pageView(
  edition: Edition,
  path: string,
  {
    title,
    description,
    accent = 'lecture',
    env,
  }: { title: string; description: string; accent?: string; env?: Env | undefined },
): PageView {
  const toRoot = toRootFrom(path);
  const other = otherScript(edition.script);
  const prefixes = ['site.say.', 'progress.note.', ...(SAID[path] ?? [])];
  if (env && env.labs.length > 0) prefixes.push('lab.', 'error.');
  if (env && (env.boss || env.questions.length > 0)) prefixes.push('quiz.');
  if (env?.boss) prefixes.push('boss.');
  return {
    path,
    toRoot,
    lang: SCRIPTS[edition.script].lang,
    accent,
    title,
    description,
    other: {
      href: `${toRoot}../${other}/${path}`,
      lang: SCRIPTS[other].lang,
      name: SCRIPTS[other].name,
    },
    strings: JSON.stringify(scriptWords(edition.words, prefixes)).replace(/</g, '\\u003c'),
    labs: env?.labs ?? [],
    boss: env?.boss ?? false,
  };
}

function neighbour(
  edition: Edition,
  track: Track,
  lesson: Lesson,
  step: -1 | 1,
  toRoot: string,
): Neighbour {
  const way = step < 0 ? 'previous' : 'next';
  const found = track.lessons[lesson.number - 1 + step];
  const after = edition.tracks[edition.tracks.indexOf(track) + 1];
  const onward = step > 0 ? after?.lessons[0] : undefined;
  if (!found && onward && isWritten(onward))
    return {
      text: edition.t('site.lesson.onward', { track: after!.name, title: onward.title }),
      href: toRoot + lessonUrl(onward),
    };
  if (!found)
    return {
      text: edition.t(step < 0 ? 'site.lesson.first' : 'site.lesson.last', { track: track.name }),
    };
  if (!isWritten(found))
    return { text: edition.t(`site.lesson.${way}-coming`, { title: found.title }) };
  return {
    text: edition.t(`site.lesson.${way}`, { title: found.title }),
    href: toRoot + lessonUrl(found),
  };
}

export function lessonView(edition: Edition, track: Track, lesson: Written, env: Env): LessonView {
  const { t } = edition;
  const { head } = lesson.written;
  return {
    place: t('site.lesson.place', { track: track.name, number: lesson.number }),
    track: track.id,
    minutes: head.minutes,
    contents: env.headings.filter(({ level }) => level === 2).map(({ id, text }) => ({ id, text })),
    summary: head.summary.map((sentence) => edition.renderLine(sentence, env)),
    sources: head.sources.map((id) => {
      const source = edition.sources.find((known) => known.id === id);
      if (!source) throw new Error(`${env.file}: there is no source ${id}`);
      return {
        href: `${env.toRoot}sources/index.html#source-${id}`,
        name: source.name,
        title: source.title,
      };
    }),
    needs:
      head.prerequisites.length > 0
        ? t('site.lesson.needs', { list: head.prerequisites.join('、') })
        : t('site.lesson.needs-nothing'),
    ...(env.questions.length > 0 && { sheet: env.toRoot + sheetUrl(lesson) }),
    previous: neighbour(edition, track, lesson, -1, env.toRoot),
    next: neighbour(edition, track, lesson, 1, env.toRoot),
  };
}
