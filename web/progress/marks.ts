import { t } from '../site/strings.ts';
import { lastReview } from '../quiz/record.ts';
import type { Progress, Store } from '../quiz/store.ts';

export interface Tally {
  total: number;
  done: number;
  /** Right at the last meeting, be it at the second try. */
  right: number;
}

/** How far some questions have come. */
export function tally(ids: readonly string[], progress: Progress): Tally {
  const last = ids.flatMap((id) => {
    const record = progress.questions.get(id);
    return (record && lastReview(record)) ?? [];
  });
  return { total: ids.length, done: last.length, right: last.filter(({ grade }) => grade > 1).length };
}

export const idsOf = (element: HTMLElement): string[] => (element.dataset.questions ?? '').split(' ').filter(Boolean);

/** The lesson that was read last, among those that an element of this page stands for. */
export function lastLesson(
  elements: readonly HTMLElement[],
  progress: Progress,
): { element: HTMLElement; heading: string } | undefined {
  const read = elements.flatMap((element) => {
    const record = progress.lessons.get(element.dataset.lesson ?? '');
    return record ? [{ element, ...record }] : [];
  });
  return read.sort((a, b) => b.time - a.time)[0];
}

/** A link back to where somebody was; the words are those of the lesson's own link. */
export function resumeLink(lesson: { element: HTMLElement; heading: string }): HTMLElement {
  const from = lesson.element.querySelector('a')!;
  const link = document.createElement('a');
  link.href = from.getAttribute('href')! + (lesson.heading === '' ? '' : `#${lesson.heading}`);
  link.textContent = t('progress.resume', { title: from.textContent ?? '' });
  const line = document.createElement('p');
  line.className = 'resume';
  line.append(link);
  return line;
}

/** Words under each lesson of the map, and the way back to the last one. */
export function markMap(store: Store): void {
  const lessons = [...document.querySelectorAll<HTMLElement>('.lessons [data-lesson]')];
  if (lessons.length === 0) return;
  const show = () => {
    const progress = store.all();
    for (const old of document.querySelectorAll('.map-mark, .hero .resume')) old.remove();
    for (const lesson of lessons) {
      const { total, done, right } = tally(idsOf(lesson), progress);
      const words = [
        ...(progress.lessons.has(lesson.dataset.lesson ?? '') ? [t('progress.map.read')] : []),
        ...(done > 0 ? [t(done < total ? 'progress.map.done' : 'progress.map.all', { total, done, right })] : []),
      ];
      if (words.length === 0) continue;
      const mark = document.createElement('p');
      mark.className = 'map-mark';
      mark.textContent = words.join('');
      lesson.querySelector('.status')?.after(mark);
    }
    const last = lastLesson(lessons, progress);
    if (last) document.querySelector('.hero > div')?.append(resumeLink(last));
  };
  show();
  store.watch(show);
  // Coming back by the browser's own way shows the page as it was left.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) show();
  });
}
