import { announce } from '../site/announce.ts';
import { t } from '../site/strings.ts';
import { writeProgress, type Store } from '../quiz/store.ts';
import { carriedBy } from './carry.ts';
import { dayOf, download } from './download.ts';

/** After the verdict of a question, which is announced first. */
const afterMs = 6000;

/** Saves the whole progress as a file of the learner's. */
export function exportProgress(store: Store): void {
  download(`attention-progress-${dayOf(Date.now())}.json`, writeProgress(store.all()), 'application/json');
}

/** One sentence in the page's head when something was not kept, or will not go along; with a way to save it. */
export function setUpNote(store: Store, alone: boolean): void {
  const bar = document.querySelector('header.top');
  if (!bar) return;
  let shown: string | undefined;
  const show = (key: string) => {
    if (shown === key) return;
    shown = key;
    bar.querySelector('.progress-note')?.remove();
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = t('progress.note.export');
    button.addEventListener('click', () => {
      exportProgress(store);
      announce(t('progress.note.exported'));
    });
    const note = document.createElement('p');
    note.className = 'progress-note';
    note.append(t(key), ' ', button);
    bar.append(note);
    // A page that keeps nothing says so from the beginning, in its place.
    if (store.works) setTimeout(() => announce(t(key)), afterMs);
  };
  const look = (kept: boolean) => {
    if (!kept) show(store.works ? 'progress.note.full' : 'progress.note.refused');
    else if (alone && carriedBy(store.all()).short) show('progress.note.short');
  };
  store.watch(look);
  look(true);
}
