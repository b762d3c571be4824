import { browserStorage, pageStore, type Store } from '../quiz/store.ts';
import { arrive, carryOn, isAlone } from './carry.ts';
import { markMap } from './marks.ts';
import { setUpNote } from './note.ts';

/** What every page does with progress, before its questions come to life. */
export function setUpProgress(): { store: Store; visit(heading: string): void } {
  const store = pageStore();
  const alone = isAlone(browserStorage());
  arrive(store);
  if (alone) carryOn(store);
  setUpNote(store, alone);

  const lesson = document.querySelector<HTMLElement>('[data-lesson].lesson')?.dataset.lesson;
  if (lesson !== undefined) store.visit(lesson);
  markMap(store);
  return {
    store,
    visit(heading) {
      if (lesson !== undefined) store.visit(lesson, heading);
    },
  };
}
