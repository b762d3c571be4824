/** What one learner did with one question. */
export interface Saved {
  /** Places of the ticked options. */
  picks?: number[];
  /** A typed number or an expert answer, as it was typed. */
  text?: string;
  rating?: string;
}

/** Undone, wrong, right at the second try, right: the last three are the library's Again, Hard and Good. */
export type Grade = 0 | 1 | 2 | 3;

/** One meeting with a question: its first check names it, a later change of it counts. */
export interface Review {
  time: number;
  grade: Grade;
  changed: number;
}

/** An answer in the learner's own words that another one has followed. */
export interface Earlier {
  time: number;
  text: string;
}

export interface QuestionRecord extends Saved {
  /** When the answer was last touched, in milliseconds; 0 is before times were kept. */
  time: number;
  /** In the order of time. */
  reviews: Review[];
  earlier: Earlier[];
}

/** Where a learner last was in a lesson. */
export interface LessonRecord {
  time: number;
  /** The id of a heading; empty at the top. */
  heading: string;
}

export const version = 2;

export const emptyRecord = (): QuestionRecord => ({ time: 0, reviews: [], earlier: [] });

export type Read<T> = { state: 'ok'; record: T } | { state: 'none' | 'corrupt' | 'newer' };

/** Text from storage or from a file: nothing in it is trusted. */
export function parseObject(text: string | null): Read<Record<string, unknown>> {
  if (text === null) return { state: 'none' };
  try {
    return checkObject(JSON.parse(text));
  } catch {
    return { state: 'corrupt' };
  }
}

export function checkObject(raw: unknown): Read<Record<string, unknown>> {
  if (!isObject(raw)) return { state: 'corrupt' };
  if (typeof raw.version === 'number' && raw.version > version) return { state: 'newer' };
  return { state: 'ok', record: raw };
}

export const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** Milliseconds since 1970 up to the last date that exists. */
const lastTime = 8.64e15;
export const timeOf = (raw: unknown): number | undefined =>
  typeof raw === 'number' && raw >= 0 && raw <= lastTime ? raw : undefined;

/** What a record says, part by part; a part that makes no sense counts as absent. Version 1 knew no times. */
export function readQuestion(raw: Record<string, unknown>): QuestionRecord {
  const record = emptyRecord();
  record.time = timeOf(raw.time) ?? 0;
  if (Array.isArray(raw.picks)) record.picks = raw.picks.filter((p): p is number => Number.isInteger(p));
  if (typeof raw.text === 'string') record.text = raw.text;
  if (typeof raw.rating === 'string') record.rating = raw.rating;
  if (Array.isArray(raw.reviews)) record.reviews = inOrder(raw.reviews.flatMap(readReview));
  if (Array.isArray(raw.earlier)) record.earlier = raw.earlier.flatMap(readEarlier);
  return record;
}

function readReview(raw: unknown): Review[] {
  if (!Array.isArray(raw)) return [];
  const [time, changed] = [timeOf(raw[0]), timeOf(raw[2])];
  const grade = ([0, 1, 2, 3] as const).find((known) => known === raw[1]);
  return time === undefined || changed === undefined || grade === undefined ? [] : [{ time, grade, changed }];
}

function readEarlier(raw: unknown): Earlier[] {
  if (!Array.isArray(raw)) return [];
  const [time, text] = [timeOf(raw[0]), raw[1]];
  return time === undefined || typeof text !== 'string' ? [] : [{ time, text }];
}

export function readLesson(raw: Record<string, unknown>): LessonRecord {
  return { time: timeOf(raw.time) ?? 0, heading: typeof raw.heading === 'string' ? raw.heading : '' };
}

/** As it is kept: lists of lists, since progress also travels in an address. */
export function writeQuestion({ reviews, earlier, ...rest }: QuestionRecord): Record<string, unknown> {
  return {
    ...rest,
    ...(reviews.length > 0 && { reviews: reviews.map(({ time, grade, changed }) => [time, grade, changed]) }),
    ...(earlier.length > 0 && { earlier: earlier.map(({ time, text }) => [time, text]) }),
  };
}

/**
 * Two records of one question, from two tabs or two computers. The answer that was touched later counts, part by part;
 * reviews of both count, and of one and the same review what was said of it last. The order of the two does not matter.
 */
export function mergeQuestion(a: QuestionRecord, b: QuestionRecord): QuestionRecord {
  const [older, newer] =
    a.time < b.time || (a.time === b.time && JSON.stringify(a) < JSON.stringify(b)) ? [a, b] : [b, a];
  const reviews = new Map<number, Review>();
  for (const review of [...a.reviews, ...b.reviews]) {
    const known = reviews.get(review.time);
    const isLater =
      !known || review.changed > known.changed || (review.changed === known.changed && review.grade < known.grade);
    if (isLater) reviews.set(review.time, review);
  }
  const earlier = new Map([...older.earlier, ...newer.earlier].map((entry) => [entry.text, entry]));
  return {
    ...older,
    ...newer,
    reviews: inOrder([...reviews.values()]),
    earlier: [...earlier.values()].sort((x, y) => x.time - y.time || (x.text < y.text ? -1 : 1)),
  };
}

/** The same, but a text that loses is kept among the earlier ones: somebody wrote it elsewhere. */
export function mergeForeign(a: QuestionRecord, b: QuestionRecord): QuestionRecord {
  const merged = mergeQuestion(a, b);
  const lost = [a, b].filter(({ text }) => text !== undefined && text.trim() !== '' && text !== merged.text);
  const known = new Set(merged.earlier.map(({ text }) => text));
  for (const { text, time } of lost) if (!known.has(text!)) merged.earlier.push({ time, text: text! });
  return merged;
}

export const mergeLesson = (a: LessonRecord, b: LessonRecord): LessonRecord =>
  a.time > b.time || (a.time === b.time && a.heading > b.heading) ? a : b;

const inOrder = (reviews: Review[]): Review[] => reviews.sort((a, b) => a.time - b.time);

/** Wrong, then right at the second try, or right at once; what follows a decided meeting is practice. */
export function gradeOf(checks: readonly boolean[]): Grade {
  const [first, second] = checks;
  return first ? 3 : second ? 2 : 1;
}

/** The last meeting that counts. */
export const lastReview = ({ reviews }: QuestionRecord): Review | undefined =>
  reviews.filter(({ grade }) => grade > 0).at(-1);

/** Whether there is anything that a learner would miss. */
export const isTouched = (record: QuestionRecord): boolean =>
  record.reviews.some(({ grade }) => grade > 0) ||
  (record.text ?? '').trim() !== '' ||
  (record.picks ?? []).length > 0 ||
  record.earlier.length > 0;
