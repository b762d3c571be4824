import { announce } from '../site/announce.ts';
import { t } from '../site/strings.ts';
import { isTouched, parseObject } from '../quiz/record.ts';
import { browserStorage, currentId, pageStore, readProgress, type Progress } from '../quiz/store.ts';
import { isAlone } from './carry.ts';
import { idsOf, lastLesson, resumeLink, tally } from './marks.ts';
import { exportProgress } from './note.ts';

/** A file over this size is something else. */
const mostBytes = 50_000_000;

const store = pageStore();
const alone = isAlone(browserStorage());
const root = document.querySelector<HTMLElement>('.progress')!;
const part = (name: string): HTMLElement => root.querySelector<HTMLElement>(`[data-part="${name}"]`)!;
const button = (name: string): HTMLButtonElement => root.querySelector<HTMLButtonElement>(`[data-do="${name}"]`)!;
const rows = [...root.querySelectorAll<HTMLElement>('tr[data-lesson]')];
const known = new Set(rows.flatMap(idsOf));

/** In its place first; the announcement is only its echo. */
function say(name: string, text: string): void {
  part(name).textContent = text;
  part(name).hidden = false;
  announce(text);
}

const touched = (progress: Progress): string[] =>
  [...progress.questions].filter(([, record]) => isTouched(record)).map(([id]) => id);

function states(progress: Progress): string[] {
  const gone = touched(progress).filter((id) => !known.has(id)).length;
  const broken = [...progress.unread].map(([, text]) => readsAsNewer(text));
  const [newer, corrupt] = [broken.filter(Boolean).length, broken.filter((is) => !is).length];
  return [
    t(store.works ? 'progress.state.works' : 'progress.state.refused'),
    ...(alone ? [t('progress.state.alone')] : []),
    ...(gone > 0 ? [t('progress.state.gone', { count: gone })] : []),
    ...(newer > 0 ? [t('progress.state.newer', { count: newer })] : []),
    ...(corrupt > 0 ? [t('progress.state.corrupt', { count: corrupt })] : []),
  ];
}

const readsAsNewer = (text: string): boolean => parseObject(text).state === 'newer';

function show(): void {
  const progress = store.all();
  const sum = { total: 0, done: 0, right: 0 };
  const counted = new Set<string>();
  for (const row of rows) {
    const { done, right } = tally(idsOf(row), progress);
    row.querySelector('[data-part="done"]')!.textContent = String(done);
    row.querySelector('[data-part="right"]')!.textContent = String(right);
    // A question that stands in two lessons is one question.
    const own = tally(
      idsOf(row).filter((id) => !counted.has(id) && counted.add(id)),
      progress,
    );
    for (const key of ['total', 'done', 'right'] as const) sum[key] += own[key];
  }
  part('sum').textContent = sum.done > 0 ? t('progress.sum', { ...sum }) : t('progress.none');
  root.querySelector('.resume')?.remove();
  const last = lastLesson(rows, progress);
  if (last) part('sum').after(resumeLink(last));
  part('state').replaceChildren(
    ...states(progress).map((text) => {
      const item = document.createElement('li');
      item.textContent = text;
      return item;
    }),
  );
}

button('export').addEventListener('click', () => {
  const progress = store.all();
  exportProgress(store);
  say('exported', t('progress.exported', { questions: touched(progress).length, lessons: progress.lessons.size }));
});

async function take(file: File): Promise<string> {
  if (file.size > mostBytes) return t('progress.import.large');
  const read = readProgress(await file.text().catch(() => ''));
  if (read.state !== 'ok') return t(`progress.import.${read.state}`);
  const { questions, lessons, failed } = store.receive(read.progress, true);
  show();
  const gone = [...read.progress.questions.keys()].filter((id) => !known.has(currentId(id))).length;
  return [
    t('progress.imported', { questions, lessons }),
    ...(gone > 0 ? [t('progress.state.gone', { count: gone })] : []),
    ...(failed > 0 ? [t('progress.import.failed', { failed })] : []),
  ].join('');
}

const field = document.createElement('input');
field.type = 'file';
field.id = 'progress-file';
field.accept = '.json,application/json';
const label = document.createElement('label');
label.htmlFor = field.id;
label.textContent = t('progress.import');
part('file').append(label, field);
part('file').hidden = false;
field.addEventListener('change', () => {
  const [file] = field.files ?? [];
  if (!file) return;
  void take(file).then((said) => {
    say('imported', said);
    // The same file may be chosen again.
    field.value = '';
  });
});

button('ask').addEventListener('click', () => {
  const progress = store.all();
  part('question').textContent = t('progress.clear.sure', {
    questions: touched(progress).length,
    lessons: progress.lessons.size,
  });
  part('cleared').hidden = true;
  part('sure').hidden = false;
  part('question').focus();
});
const close = (said: string) => {
  part('sure').hidden = true;
  button('ask').focus();
  say('cleared', said);
};
button('keep').addEventListener('click', () => close(t('progress.kept')));
button('clear').addEventListener('click', () => {
  store.clear();
  show();
  const { questions, lessons } = store.all();
  close(t(questions.size + lessons.size === 0 ? 'progress.cleared' : 'progress.clear.failed'));
});

show();
store.watch(show);
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) show();
});
for (const place of root.querySelectorAll<HTMLElement>('[data-live]')) place.hidden = false;
