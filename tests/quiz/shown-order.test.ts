// No place in the list of options gives the right one away.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCourse } from '../../web/site/course.ts';
import { loadQuestions } from '../../web/quiz/load.ts';
import { inShownOrder } from '../../web/quiz/shown-order.ts';
import { readSources } from '../../web/site/sources.ts';

const root = process.cwd();
const questions = [
  ...loadQuestions(join(root, 'lessons/questions'), {
    lessons: readCourse(root).flatMap(({ lessons }) => lessons.map(({ slug }) => slug)),
    sources: readSources(readFileSync(join(root, 'lessons/sources.yaml'), 'utf8')).map(({ id }) => id),
  }).values(),
];

test('the order is that of the question alone, and loses no option', () => {
  for (const question of questions) {
    const shown = inShownOrder(question);
    assert.deepEqual(inShownOrder(structuredClone(question)), shown);
    assert.deepEqual(new Set(shown.options), new Set(question.options));
    if (question.kind === 'diagnose' || question.kind === 'order') assert.deepEqual(shown.options, question.options);
  }
});

test('among the choices with four options, every place is right about as often', (t) => {
  const places = [0, 0, 0, 0];
  for (const question of questions.filter(({ kind, options }) => kind === 'choice' && options.length === 4))
    places[inShownOrder(question).options.findIndex(({ correct }) => correct)]! += 1;
  t.diagnostic(`right in place 1 to 4: ${places.join(', ')}`);
  const all = places.reduce((sum, count) => sum + count);
  for (const count of places) assert.ok(count > all * 0.15 && count < all * 0.35, places.join());
});
