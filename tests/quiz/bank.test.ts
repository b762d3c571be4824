// The scripts that carry the questions to the review page, as they were built; needs dist/.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import type { Bank } from '../../web/progress/bank.ts';
import { readCourse } from '../../web/site/course.ts';
import { bankEntries, questionsIn } from '../../web/site/question-bank.ts';
import { render, strings } from './scratch.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

function bankOf(script: string): Record<string, Bank> {
  const folder = `${root}dist/${script}/assets/bank/`;
  const page: { attnBank?: Record<string, Bank> } = {};
  for (const file of readdirSync(folder)) runInNewContext(readFileSync(folder + file, 'utf8'), page);
  // Arrays of another realm are not equal to ours.
  return structuredClone(page.attnBank ?? {});
}

const tracks = readCourse(root);

test('every question that stands in a lesson is in one bank, once, and in nothing but words that a card needs', () => {
  const standing = new Set(tracks.flatMap(({ lessons }) => lessons.flatMap(questionsIn)));
  const questions = Object.values(bankOf('zh-Hant')).flatMap((bank) => bank.questions);
  assert.deepEqual(questions.map(({ id }) => id).sort(), [...standing].sort());
  assert.ok(questions.length >= 90, `${questions.length}`);
  for (const question of questions) {
    assert.deepEqual(question.probes, []);
    assert.match(render(question, { strings }), /<\/div>$/);
  }
});

test('the review page is told of exactly these banks', () => {
  const entries = bankEntries(tracks);
  const built = bankOf('zh-Hant');
  assert.deepEqual(Object.keys(built).sort(), entries.map(({ slug }) => slug).sort());
  for (const { slug, questions } of entries)
    assert.deepEqual(
      built[slug]!.questions.map(({ id }) => id),
      questions,
    );
});

test('each question has the same shape in both editions, and each edition its own characters', () => {
  const [hant, hans] = [bankOf('zh-Hant'), bankOf('zh-Hans')];
  const shape = (value: unknown): unknown =>
    typeof value === 'string'
      ? 'text'
      : Array.isArray(value)
        ? value.map(shape)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]))
          : value;
  assert.deepEqual(shape(hans), shape(hant));
  const text = JSON.stringify(hans);
  assert.ok(!/[這個們為與]/.test(text) && /[这个们为与]/.test(text));
  assert.ok(!/[\u{f3400}-\u{f9fff}]|\{\{tw:/u.test(text + JSON.stringify(hant)), 'a variant was left open');
});

test('what a card cites leads to the page of sources', () => {
  for (const bank of Object.values(bankOf('zh-Hant')))
    for (const { sources } of bank.questions)
      for (const { id } of sources) assert.equal(bank.citations[id]!.href, `../sources/index.html#source-${id}`);
});
