import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { BuildError } from './build-error.ts';
import { readLesson, type FrontMatter } from './front-matter.ts';

export interface Lesson {
  slug: string;
  track: string;
  /** Its place in the track, from 1; announced lessons count. */
  number: number;
  title: string;
  about: string;
  /** Absent while the lesson is only announced. */
  written?: { file: string; head: FrontMatter; body: string; firstLine: number };
}

export type Written = Lesson & Required<Pick<Lesson, 'written'>>;
export const isWritten = (lesson: Lesson): lesson is Written => lesson.written !== undefined;

export interface Track {
  id: string;
  name: string;
  about: string;
  accent: string;
  lessons: Lesson[];
}

const COURSE = 'lessons/course.yaml';

/** The tracks, each line of course.yaml joined with the lesson's own file. */
export function readCourse(root: string): Track[] {
  const { tracks } = parse(readFileSync(join(root, COURSE), 'utf8')) as {
    tracks: (Omit<Track, 'lessons'> & {
      lessons: { slug: string; coming?: string; about?: string }[];
    })[];
  };
  return tracks.map((track) => {
    const files = lessonFiles(root, track.id);
    const lessons = track.lessons.map(({ slug, coming, about }, index): Lesson => {
      const file = files.get(slug);
      files.delete(slug);
      const place = { slug, track: track.id, number: index + 1 };
      if (file && coming)
        throw new BuildError({ file: COURSE }, `${slug} is there: remove its "coming" and "about"`);
      if (file) {
        const text = readLesson(readFileSync(join(root, file), 'utf8'), file);
        const { title, description: about } = text.head;
        return { ...place, title, about, written: { file, ...text } };
      }
      if (!coming || !about)
        throw new BuildError(
          { file: COURSE },
          `there is no lesson ${track.id}/${slug}; an announced one needs "coming" and "about"`,
        );
      return { ...place, title: coming, about };
    });
    const [left] = files.values();
    if (left) throw new BuildError({ file: left }, `the lesson has no line in ${COURSE}`);
    return { ...track, lessons };
  });
}

function lessonFiles(root: string, track: string): Map<string, string> {
  let names: string[] = [];
  try {
    names = readdirSync(join(root, 'lessons', track));
  } catch {
    return new Map();
  }
  return new Map(
    names
      .filter((name) => name.endsWith('.md'))
      .map((name) => [name.replace(/^\d+-/, '').replace(/\.md$/, ''), `lessons/${track}/${name}`]),
  );
}
