// When questions come back, and what goes to Anki.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createEmptyCard, fsrs, Rating, type Card, type Grade as LibraryGrade } from 'ts-fsrs';
import { ankiNotes } from '../../web/progress/anki.ts';
import { agenda, cardOf, dueBy, endOfDay } from '../../web/progress/schedule.ts';
import { emptyRecord, type Grade, type QuestionRecord } from '../../web/quiz/record.ts';
import { bank } from './scratch.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 0, 5, 9);
const record = (...reviews: [days: number, grade: Grade][]): QuestionRecord => ({
  ...emptyRecord(),
  reviews: reviews.map(([days, grade]) => ({ time: start + days * day, grade, changed: start + days * day })),
});
const daysUntil = (of: QuestionRecord): number => (cardOf(of)!.due.getTime() - of.reviews.at(-1)!.time) / day;

/** Every course of up to four meetings, with the days at which the library itself would ask again. */
function* courses(): Generator<{ reviews: [number, Grade][]; due: number }> {
  const library = fsrs({ enable_short_term: false });
  const names = { 1: Rating.Again, 2: Rating.Hard, 3: Rating.Good } as const;
  const walk = function* (
    card: Card,
    at: number,
    reviews: [number, Grade][],
  ): Generator<{ reviews: [number, Grade][]; due: number }> {
    for (const grade of [1, 2, 3] as const) {
      const now = new Date(start + at * day);
      const next = library.repeat(card, now)[names[grade] as LibraryGrade].card;
      const course: [number, Grade][] = [...reviews, [at, grade]];
      yield { reviews: course, due: next.due.getTime() };
      // One comes when it is time, the other three days late.
      if (course.length < 4)
        yield* walk(next, (next.due.getTime() - start) / day + (course.length % 2 === 0 ? 3 : 0), course);
    }
  };
  yield* walk(createEmptyCard<Card>(new Date(start)), 0, []);
}

describe('dates', () => {
  test('they are the library’s own for every course of four meetings', () => {
    let count = 0;
    for (const { reviews, due } of courses()) {
      assert.equal(cardOf(record(...reviews))!.due.getTime(), due, JSON.stringify(reviews));
      count += 1;
    }
    assert.equal(count, 3 + 9 + 27 + 81);
  });

  test('they are what the library makes of the same history at once', () => {
    const reviews: [number, Grade][] = [
      [0, 1],
      [1, 3],
      [4, 2],
      [9, 3],
      [30, 1],
      [31, 3],
    ];
    const history = reviews.map(([days, grade]) => ({
      rating: grade as LibraryGrade,
      review: new Date(start + days * day),
    }));
    const { collections } = fsrs({ enable_short_term: false }).reschedule(createEmptyCard(new Date(start)), history);
    assert.deepEqual(cardOf(record(...reviews)), collections.at(-1)!.card);
  });

  test('wrong comes back the next day, the second try later, right later still', () => {
    const [wrong, second, right] = ([1, 2, 3] as const).map((grade) => daysUntil(record([0, grade])));
    assert.equal(wrong, 1);
    assert.ok(wrong < right!, `${wrong} ${right}`);
    assert.ok(second! >= wrong && second! < right!, `${second} ${right}`);
  });

  test('what went well twice waits longer than what went well once', () => {
    assert.ok(daysUntil(record([0, 3], [3, 3])) > daysUntil(record([0, 3])));
  });

  test('an undone meeting never was', () => {
    assert.deepEqual(cardOf(record([0, 3], [3, 0])), cardOf(record([0, 3])));
    assert.equal(cardOf(record([0, 0])), undefined);
  });

  test('practice on the same day does not push the date away', () => {
    const once = cardOf(record([0, 3]))!;
    const often = cardOf(record([0, 3], [0.1, 3], [0.2, 3], [0.3, 3]))!;
    assert.ok(often.stability <= once.stability * 1.01, `${often.stability} ${once.stability}`);
  });
});

describe('today', () => {
  const records: [string, QuestionRecord][] = [
    ['new', emptyRecord()],
    ['right', record([0, 3])],
    ['wrong', record([0, 1])],
    ['other-wrong', record([0, 1])],
  ];

  test('a question that was never met is not asked for; the others stand in the order of their days', () => {
    assert.deepEqual(
      agenda(records).map(({ id }) => id),
      ['other-wrong', 'wrong', 'right'],
    );
  });

  test('what comes due later today is today’s', () => {
    const all = agenda(records);
    const due = all[0]!.due;
    assert.deepEqual(dueBy(all, start).length, 0);
    assert.deepEqual(dueBy(all, endOfDay(due) - day + 1).length, 2);
    assert.deepEqual(dueBy(all, due).length, 2);
  });
});

describe('Anki', () => {
  const words = { point: '鑑別點', own: '你寫的答案' };
  const notes = (ids: string[], records = new Map<string, QuestionRecord>()) =>
    ankiNotes(
      ids.map((id) => bank.get(id)!),
      records,
      words,
    );

  test('the whole bank is one line a question, four fields each, ids that Anki keeps apart', () => {
    const lines = notes([...bank.keys()])
      .trimEnd()
      .split('\n');
    const head = lines.filter((line) => line.startsWith('#'));
    assert.deepEqual(head, ['#separator:tab', '#html:true', '#guid column:1', '#tags column:4']);
    const rows = lines.slice(head.length).map((line) => line.split('\t'));
    assert.equal(rows.length, bank.size);
    for (const row of rows) {
      assert.equal(row.length, 4, row[0]);
      for (const field of row) assert.ok(field.trim().length > 3, row[0]);
    }
    assert.equal(new Set(rows.map(([id]) => id)).size, bank.size);
  });

  test('the answer to a number is on the back only', () => {
    const [, front, back] = notes(['party-third-guest']).trimEnd().split('\n').at(-1)!.split('\t');
    const right = bank.get('party-third-guest')!.options.find((option) => option.correct)!;
    assert.ok(!front!.includes(right.text) && back!.includes(right.text), front);
  });

  test('a learner’s own words stay words: no markup, no new column, no new line', () => {
    const own = { ...emptyRecord(), text: '<img src=x>\t一\n二\r\n三 "引號"' };
    const line = notes(['q11'], new Map([['q11', own]]))
      .trimEnd()
      .split('\n')
      .at(-1)!;
    assert.equal(line.split('\t').length, 4);
    assert.ok(line.includes('&#60;img src=x&#62; 一<br>二<br>三 &#34;引號&#34;'), line);
    assert.ok(!/<img|<script/.test(line));
  });
});
