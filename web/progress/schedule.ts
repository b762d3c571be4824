import { createEmptyCard, fsrs, type Card, type Grade } from 'ts-fsrs';
import type { QuestionRecord } from '../quiz/record.ts';

/*! ts-fsrs, Copyright (c) Open Spaced Repetition, MIT: review.LICENSE.txt */

/** Whole days only, and no chance: the same reviews give the same dates on every computer. */
const scheduler = fsrs({ enable_short_term: false, enable_fuzz: false });

/** Where a question stands after its reviews; nothing before the first one. */
export function cardOf({ reviews }: Pick<QuestionRecord, 'reviews'>): Card | undefined {
  const counted = reviews.filter(({ grade }) => grade > 0);
  const [first] = counted;
  if (!first) return undefined;
  return counted.reduce<Card>(
    // Our grades are numbered like the library's: wrong is Again, then Hard, then Good.
    (card, { time, grade }) => scheduler.next(card, new Date(time), grade as Grade).card,
    createEmptyCard(new Date(first.time)),
  );
}

/** The last moment of a day, as the reader's clock has it. */
export function endOfDay(time: number): number {
  const day = new Date(time);
  return day.setHours(23, 59, 59, 999);
}

export interface Due {
  id: string;
  /** In milliseconds. */
  due: number;
}

/** Every question that was met, the one that has waited longest first. */
export function agenda(records: Iterable<[string, QuestionRecord]>): Due[] {
  return [...records]
    .flatMap(([id, record]) => {
      const card = cardOf(record);
      return card ? [{ id, due: card.due.getTime() }] : [];
    })
    .sort((a, b) => a.due - b.due || (a.id < b.id ? -1 : 1));
}

/** Those of today; what comes due tonight is not asked for twice a day. */
export const dueBy = (all: readonly Due[], time: number): Due[] => all.filter(({ due }) => due <= endOfDay(time));
