import renames from '../../lessons/renames.json' with { type: 'json' };
import {
  checkObject,
  emptyRecord,
  gradeOf,
  isObject,
  isTouched,
  mergeForeign,
  mergeLesson,
  mergeQuestion,
  parseObject,
  readLesson,
  readQuestion,
  timeOf,
  version,
  writeQuestion,
  type Grade,
  type LessonRecord,
  type QuestionRecord,
  type Saved,
} from './record.ts';

export type { Saved } from './record.ts';

/** The part of `Storage` that is used. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const quiz = 'attn.quiz.';
const lesson = 'attn.lesson.';
/** What could not be read is moved here before its place is needed. */
const unread = 'attn.unread.';
const clearedAt = 'attn.cleared';
const ours = [quiz, lesson, unread];

/** Question ids and lesson names are words with hyphens; a name from outside that is anything else is not used. */
const isName = (id: string): boolean => /^[a-z0-9]+(?:[-/][a-z0-9]+)*$/.test(id) && id.length <= 80;

/** Everything that is kept, as it leaves this browser. */
export interface Progress {
  cleared: number;
  questions: Map<string, QuestionRecord>;
  lessons: Map<string, LessonRecord>;
  /** By its key, word for word: what is broken, or of a later version. */
  unread: Map<string, string>;
}

/** How many records came in, and how many of them found no room. */
export interface Received {
  questions: number;
  lessons: number;
  failed: number;
}

export interface Store {
  /** Whether this browser keeps anything at all. */
  readonly works: boolean;
  read(id: string): Saved;
  /** False when the browser would not keep it. */
  write(id: string, saved: Saved): boolean;
  /** Notes how a meeting with a question went; the same `time` again corrects it. */
  review(id: string, time: number, grade: Grade): boolean;
  /** Notes that a lesson is being read; without a heading the one of the last time stays. */
  visit(path: string, heading?: string): boolean;
  all(): Progress;
  /** @param foreign from a file, not from another page of this browser */
  receive(progress: Progress, foreign?: boolean): Received;
  clear(): void;
  /** Calls when another tab wrote this question; true means that its answer is now shown here. */
  follow(id: string, take: (saved: Saved) => boolean): void;
  /** The next answer to this question does not take the place of the one that is kept. */
  anew(id: string): void;
  /** Calls after anything was written, in this tab or in another; `kept` is false when this browser did not take it. */
  watch(changed: (kept: boolean) => void): void;
}

/** Notes how a meeting with a question goes, check by check. */
export function meet(store: Store, id: string): (right: boolean) => void {
  const checks: boolean[] = [];
  let began = 0;
  let noted: Grade | undefined;
  return (right) => {
    began ||= Date.now();
    checks.push(right);
    const grade = gradeOf(checks);
    if (grade !== noted) store.review(id, began, grade);
    noted = grade;
  };
}

const ratings: Record<string, Grade> = { full: 3, part: 2, none: 1 };

/** The same by the learner's own rating, of which the last one counts. */
export function meetExpert(store: Store, id: string): (rating: string) => void {
  let began = 0;
  return (rating) => {
    began ||= Date.now();
    const grade = ratings[rating];
    if (grade !== undefined) store.review(id, began, grade);
  };
}

export interface StoreOptions {
  storage?: Shelf | undefined;
  now?: () => number;
  /** Old question ids, each with the one that took its place. */
  renamed?: Record<string, string>;
}

/** The id under which a question goes today. */
export function currentId(id: string, renamed: Record<string, string> = renames): string {
  const next = Object.hasOwn(renamed, id) ? renamed[id] : undefined;
  return next === undefined ? id : currentId(next, renamed);
}

/** The browser's storage, or nothing when it keeps none. */
export function browserStorage(): Storage | undefined {
  let storage: Storage | undefined;
  try {
    storage = window.localStorage ?? undefined;
    const probe = `${quiz}?`;
    storage?.setItem(probe, '1');
    storage?.removeItem(probe);
  } catch {
    // Refused, or full: reading may still work, writing reports itself.
  }
  return storage;
}

export function openStore({ storage = browserStorage(), now = Date.now, renamed = renames }: StoreOptions = {}): Store {
  const shelf = storage ?? inMemory();
  const works = storage !== undefined;
  const takers = new Map<string, (saved: Saved) => boolean>();
  const watchers: ((kept: boolean) => void)[] = [];
  /** The time of each answer that this tab has shown or written. */
  const seen = new Map<string, number>();

  const tell = (kept: boolean): void => {
    for (const changed of watchers) changed(kept);
  };
  const item = (key: string): string | null => {
    try {
      return shelf.getItem(key);
    } catch {
      return null;
    }
  };
  const put = (key: string, text: string): boolean => {
    try {
      shelf.setItem(key, text);
    } catch {
      return false;
    }
    return works;
  };
  const keys = (): string[] => {
    try {
      return Array.from({ length: shelf.length }, (_, i) => shelf.key(i) ?? '').filter((key) =>
        ours.some((prefix) => key.startsWith(prefix)),
      );
    } catch {
      return [];
    }
  };

  /** Moves away what cannot be read; false when there is no room, and then it stays. */
  const setAside = (key: string, text: string): boolean => {
    const place = unread + key.slice(key.indexOf('.', 5) + 1);
    for (let n = 1; ; n += 1) {
      const at = n === 1 ? place : `${place}.${n}`;
      const there = item(at);
      if (there === text) return true;
      if (there === null) return put(at, text);
    }
  };

  /** Reads, changes and writes in one go: between the three no other tab has its turn. */
  const change = <T extends object>(
    key: string,
    read: (raw: Record<string, unknown>) => T,
    edit: (record: T) => Record<string, unknown>,
  ): boolean => {
    const text = item(key);
    const found = parseObject(text);
    // A record of a later version of this page is not ours to shorten.
    const isOurs = found.state !== 'newer' && (found.state !== 'corrupt' || setAside(key, text ?? ''));
    const raw = found.state === 'ok' ? found.record : {};
    const kept = isOurs && put(key, JSON.stringify({ version, ...edit(read(raw)) }));
    tell(kept);
    return kept;
  };
  const changeQuestion = (id: string, edit: (record: QuestionRecord) => QuestionRecord): boolean =>
    change(quiz + id, readQuestion, (record) => writeQuestion(edit(record)));

  const readKey = (id: string): QuestionRecord => {
    const found = parseObject(item(quiz + id));
    return found.state === 'ok' ? readQuestion(found.record) : emptyRecord();
  };
  const clearedTime = (): number => timeOf(Number(item(clearedAt) ?? 0)) ?? 0;
  const remove = (key: string): void => {
    try {
      shelf.removeItem(key);
    } catch {
      // What cannot be written cannot be removed either; the next look finds it still there.
    }
  };

  const store: Store = {
    works,
    read(id) {
      const record = readKey(id);
      seen.set(id, record.time);
      return record;
    },
    write: (id, saved) =>
      changeQuestion(id, (record) => {
        const from = seen.get(id) ?? record.time;
        // Written elsewhere since this tab last looked: that text is somebody's work too.
        const base =
          record.time > from ? mergeForeign(record, { ...emptyRecord(), ...saved, time: record.time + 1 }) : record;
        const time = Math.max(now(), record.time + 1);
        seen.set(id, time);
        return { ...base, ...saved, time };
      }),
    review: (id, time, grade) =>
      changeQuestion(id, (record) => {
        const before = record.reviews.find((known) => known.time === time)?.changed ?? 0;
        const review = { time, grade, changed: Math.max(now(), time, before + 1) };
        return mergeQuestion(record, { ...record, reviews: [review] });
      }),
    visit: (path, heading) =>
      change(lesson + path, readLesson, (record) => ({ heading: heading ?? record.heading, time: now() })),
    all() {
      const progress = emptyProgress(clearedTime());
      for (const key of keys()) {
        const text = item(key);
        const found = parseObject(text);
        const name = key.slice(key.indexOf('.', 5) + 1);
        if (text === null) continue;
        if (found.state !== 'ok' || key.startsWith(unread)) progress.unread.set(key, text);
        else if (key.startsWith(quiz)) progress.questions.set(name, readQuestion(found.record));
        else progress.lessons.set(name, readLesson(found.record));
      }
      return progress;
    },
    receive(progress, foreign = false) {
      if (!foreign && progress.cleared > clearedTime()) {
        for (const [id, { time }] of store.all().questions) if (time <= progress.cleared) remove(quiz + id);
        for (const [path, { time }] of store.all().lessons) if (time <= progress.cleared) remove(lesson + path);
        put(clearedAt, String(progress.cleared));
      }
      // A page that has not heard of the clearing still carries what was cleared.
      const isStale = (time: number) => !foreign && progress.cleared < clearedTime() && time <= clearedTime();
      const received: Received = { questions: 0, lessons: 0, failed: 0 };
      const merge = foreign ? mergeForeign : mergeQuestion;
      for (const [id, record] of progress.questions) {
        if (isStale(record.time)) continue;
        if (changeQuestion(currentId(id, renamed), (own) => merge(own, record))) received.questions += 1;
        else received.failed += 1;
      }
      for (const [path, record] of progress.lessons) {
        if (isStale(record.time)) continue;
        if (change(lesson + path, readLesson, (own) => ({ ...mergeLesson(own, record) }))) received.lessons += 1;
        else received.failed += 1;
      }
      for (const [key, text] of progress.unread) if (item(key) === null && !put(key, text)) received.failed += 1;
      return received;
    },
    clear() {
      for (const key of keys()) remove(key);
      put(clearedAt, String(now()));
      seen.clear();
      tell(true);
    },
    follow(id, take) {
      takers.set(id, take);
    },
    anew: (id) => void seen.set(id, -1),
    watch(changed) {
      watchers.push(changed);
    },
  };

  // Records of questions that have a new id move there.
  for (const old of Object.keys(renamed)) {
    const found = parseObject(item(quiz + old));
    if (found.state !== 'ok') continue;
    const moved = changeQuestion(currentId(old, renamed), (own) => mergeQuestion(own, readQuestion(found.record)));
    if (moved) remove(quiz + old);
  }

  if (typeof window !== 'undefined')
    window.addEventListener('storage', ({ key }) => {
      if (key === null || !ours.some((prefix) => key.startsWith(prefix))) return;
      const id = key.startsWith(quiz) ? key.slice(quiz.length) : '';
      const record = readKey(id);
      if (takers.get(id)?.(record)) seen.set(id, record.time);
      tell(true);
    });
  return store;
}

declare global {
  var attnStore: Store | undefined;
}

/** The one store of a page, whose scripts are bundled apart. */
export const pageStore = (): Store => (globalThis.attnStore ??= openStore());

export const emptyProgress = (cleared = 0): Progress => ({
  cleared,
  questions: new Map(),
  lessons: new Map(),
  unread: new Map(),
});

/** What is worth carrying: answers, reviews and places. */
export const isEmpty = ({ questions, lessons, unread: broken }: Progress): boolean =>
  ![...questions.values()].some(isTouched) && lessons.size === 0 && broken.size === 0;

const format = 'attention-companion-progress';

/** The same text goes into a file and into an address. */
export function writeProgress({ cleared, questions, lessons, unread: broken }: Progress): string {
  return JSON.stringify({
    format,
    version,
    ...(cleared > 0 && { cleared }),
    questions: Object.fromEntries([...questions].map(([id, record]) => [id, writeQuestion(record)])),
    lessons: Object.fromEntries(lessons),
    ...(broken.size > 0 && { unread: Object.fromEntries(broken) }),
  });
}

/** A file of somebody: whether it is one of ours, and all of it that makes sense. */
export function readProgress(text: string): { state: 'ok'; progress: Progress } | { state: 'corrupt' | 'newer' } {
  const found = parseObject(text.replace(/^\uFEFF/, ''));
  if (found.state !== 'ok') return { state: found.state === 'newer' ? 'newer' : 'corrupt' };
  const raw = found.record;
  if (raw.format !== format || !isObject(raw.questions)) return { state: 'corrupt' };
  const progress = emptyProgress(timeOf(raw.cleared) ?? 0);
  for (const [id, entry] of entriesOf(raw.questions)) progress.questions.set(id, readQuestion(entry));
  for (const [path, entry] of entriesOf(raw.lessons)) progress.lessons.set(path, readLesson(entry));
  if (isObject(raw.unread))
    for (const [key, kept] of Object.entries(raw.unread))
      if (typeof kept === 'string' && ours.some((prefix) => key.startsWith(prefix))) progress.unread.set(key, kept);
  return { state: 'ok', progress };
}

const entriesOf = (raw: unknown): [string, Record<string, unknown>][] =>
  Object.entries(isObject(raw) ? raw : {}).flatMap(([name, entry]) => {
    const checked = checkObject(entry);
    return isName(name) && checked.state === 'ok' ? [[name, checked.record]] : [];
  });

/** Where the browser keeps nothing a page still knows what happened on it. */
function inMemory(): Shelf {
  const map = new Map<string, string>();
  return {
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, text) => void map.set(key, text),
    removeItem: (key) => void map.delete(key),
    key: (i) => [...map.keys()][i] ?? null,
    get length() {
      return map.size;
    },
  };
}
