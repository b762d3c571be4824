import { announce } from '../site/announce.ts';
import { t } from '../site/strings.ts';
import { hydrateQuestions } from '../quiz/client.ts';
import { renderQuestion } from '../quiz/render.ts';
import { pageStore, type Store } from '../quiz/store.ts';
import type { Question } from '../quiz/types.ts';
import type { Grade } from '../quiz/record.ts';
import { ankiNotes } from './anki.ts';
import { loadBank, type BankEntry } from './bank.ts';
import { dayOf, download } from './download.ts';
import { agenda, dueBy, type Due } from './schedule.ts';

/** After this long a rest is proposed; nothing ends by itself. */
const longMs = 10 * 60 * 1000;

const base = new URL('.', (document.currentScript as HTMLScriptElement).src).href;
const strings = JSON.parse(document.getElementById('strings')!.textContent!) as Record<string, string>;
const bank = JSON.parse(document.getElementById('review-bank')!.textContent!) as BankEntry[];
const lessonOf = new Map(bank.flatMap(({ slug, questions }) => questions.map((id) => [id, slug])));
const store = pageStore();

const root = document.querySelector<HTMLElement>('.review')!;
const part = (name: string): HTMLElement => root.querySelector<HTMLElement>(`[data-part="${name}"]`)!;
const onClick = (name: string, act: () => void): void =>
  root.querySelector(`[data-do="${name}"]`)!.addEventListener('click', act);
const heading = document.getElementById('review-today')!;

/** Month and day: the year is near. */
function dateOf(time: number): string {
  const date = new Date(time);
  return t('review.date', { month: date.getMonth() + 1, day: date.getDate() });
}

/** Everything that was met and still stands in the course, by its day. */
const met = (): Due[] => agenda(store.all().questions).filter(({ id }) => lessonOf.has(id));

/** The questions of this sitting; a question that was met moves on only in the next one. */
let queue: string[] = [];
let at = 0;
let began = 0;
let hasRested = false;
/** What was answered in this sitting, the last one last. */
const answered = new Map<string, { time: number; grade: Grade }>();

function overview(): string {
  const all = met();
  const due = dueBy(all, Date.now());
  if (all.length === 0) return t(store.works ? 'review.none' : 'review.refused');
  if (due.length === 0) return t('review.nothing', { date: dateOf(all[0]!.due) });
  return t('review.due', { count: due.length });
}

function showOverview(): void {
  part('state').textContent = overview();
  part('begin').hidden = dueBy(met(), Date.now()).length === 0;
}

function note(text: string): void {
  part('note').textContent = text;
  part('note').hidden = text === '';
}

async function find(
  id: string,
): Promise<{ question: Question; cite: Record<string, { text: string; href?: string }> }> {
  const { questions, citations } = await loadBank(base, lessonOf.get(id)!);
  const question = questions.find((entry) => entry.id === id);
  if (!question) throw new Error(`the bank has no ${id}`);
  return { question, cite: citations };
}

/** The card begins empty, and an answer that is kept stays beside the new one. */
function freshStore(id: string): Store {
  store.anew(id);
  return {
    ...store,
    read: () => ({}),
    follow: () => {},
    review(question, time, grade) {
      const kept = store.review(question, time, grade);
      answered.delete(question);
      answered.set(question, { time, grade });
      note(kept ? sayDate(question, grade) : t('review.again.not-kept'));
      return kept;
    },
  };
}

function sayDate(id: string, grade: Grade): string {
  const due = met().find((entry) => entry.id === id)?.due ?? Date.now();
  const key = { 0: 'review.again', 1: 'review.again', 2: 'review.again.hard', 3: 'review.again.good' }[grade];
  return t(key, { date: dateOf(due) });
}

/** Shows the question whose turn it is and leads there; the sentence before it is said once. */
async function show(said: string): Promise<void> {
  const id = queue[at]!;
  const place = { k: at + 1, count: queue.length };
  part('state').textContent = t('review.place', place);
  try {
    const { question, cite } = await find(id);
    if (queue[at] !== id) return;
    const before = store.all().questions.get(id);
    part('card').innerHTML = renderQuestion(question, {
      number: at + 1,
      strings,
      level: 3,
      cite: (source) => cite[source],
      labHref: (lab, state) => `../labs/${lab}/index.html#lab-${lab}${state === undefined ? '' : `?${state}`}`,
    });
    hydrateQuestions(part('card'), freshStore(id));
    if (question.kind === 'expert' && before?.text?.trim())
      part('card').firstElementChild!.append(earlier(before.text));
    note(said);
    const title = part('card').querySelector<HTMLElement>('.q-title')!;
    title.tabIndex = -1;
    title.focus();
    announce(said || t('review.said', place));
  } catch {
    part('card').replaceChildren();
    note(t('review.broken'));
    announce(t('review.broken'));
  }
}

function earlier(text: string): HTMLElement {
  const fold = document.createElement('details');
  fold.className = 'q-answer';
  const summary = document.createElement('summary');
  summary.textContent = t('review.earlier', { count: [...text].length });
  const words = document.createElement('p');
  words.className = 'own-words';
  words.textContent = text;
  fold.append(summary, words);
  return fold;
}

function finish(): void {
  part('card').replaceChildren();
  const right = [...answered.values()].filter(({ grade }) => grade > 1).length;
  const next = met()[0];
  const sentences = [t('review.done', { count: answered.size, right })];
  if (next && dueBy([next], Date.now()).length === 0) sentences.push(t('review.done.next', { date: dateOf(next.due) }));
  part('state').textContent = sentences.join('');
  note('');
  nextButton().hidden = true;
  heading.focus();
  announce(sentences.join(''));
}

const nextButton = (): HTMLElement => root.querySelector<HTMLElement>('[data-do="next"]')!;

onClick('begin', () => {
  queue = dueBy(met(), Date.now()).map(({ id }) => id);
  if (queue.length === 0) return showOverview();
  at = 0;
  began = Date.now();
  hasRested = false;
  answered.clear();
  nextButton().hidden = false;
  part('moves').hidden = false;
  void show('').then(() => (part('begin').hidden = true));
});

onClick('next', () => {
  at += 1;
  if (at >= queue.length) return finish();
  const isLong = !hasRested && Date.now() - began >= longMs;
  hasRested ||= isLong;
  void show(isLong ? t('review.rested') : '');
});

onClick('undo', () => {
  const last = [...answered].at(-1);
  if (!last) {
    note(t('review.undo.none'));
    announce(t('review.undo.none'));
    return;
  }
  const [id, { time }] = last;
  store.review(id, time, 0);
  answered.delete(id);
  at = queue.indexOf(id);
  nextButton().hidden = false;
  void find(id).then(
    ({ question }) => show(t('review.undone', { topic: question.topic })),
    () => show(''),
  );
});

async function exportAnki(ids: string[]): Promise<string> {
  if (ids.length === 0) return t('review.anki.none');
  const wanted = new Set(ids);
  const slugs = [...new Set(ids.map((id) => lessonOf.get(id)!))];
  try {
    const banks = await Promise.all(slugs.map((slug) => loadBank(base, slug)));
    const questions = banks.flatMap((loaded) => loaded.questions).filter(({ id }) => wanted.has(id));
    const words = { point: t('review.anki.point'), own: t('review.anki.own') };
    const notes = ankiNotes(questions, store.all().questions, words);
    download(`attention-anki-${dayOf(Date.now())}.txt`, notes, 'text/plain');
    return t('review.anki.done', { count: questions.length });
  } catch {
    return t('review.anki.failed');
  }
}

function sayAnki(ids: string[]): void {
  void exportAnki(ids).then((said) => {
    part('anki').textContent = said;
    part('anki').hidden = false;
    announce(said);
  });
}
onClick('anki-met', () => sayAnki(met().map(({ id }) => id)));
onClick('anki-all', () => sayAnki([...lessonOf.keys()]));

showOverview();
store.watch(() => {
  if (queue.length === 0) showOverview();
});
for (const place of root.querySelectorAll<HTMLElement>('[data-live]')) place.hidden = false;
