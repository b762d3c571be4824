// Questions for paper: all of them, with nothing of an answer on the sheets that are handed out.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { renderSheet } from '../../web/quiz/sheet.ts';
import { plain } from '../../web/quiz/text.ts';
import { bank, numbered, strings } from './scratch.ts';

before(() => numbered);

const sheet = (ids: string[]) =>
  renderSheet(
    ids.map((id) => bank.get(id)!),
    { strings, cite: () => undefined },
  );

function text(html: string): string {
  const walk = (node: Tree.Node): string =>
    'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(walk).join('') : '';
  return walk(parseFragment(html));
}

/** As it stands on the page: an index is a letter after the other. */
const drawn = (words: string): string => words.replace(/_/g, '');

test('Every question of the bank stands on its sheet with its options; its reasons stand on the other alone.', () => {
  for (const [id, question] of bank) {
    const { questions, answers } = sheet([id]);
    const [asked, told] = [text(questions), text(answers)];
    assert.ok(asked.includes(drawn(question.legend)), id);
    for (const line of question.prompt) assert.ok(asked.includes(drawn(line)), `${id}: ${line}`);
    for (const option of question.options) {
      assert.ok(told.includes(drawn(option.why)), `${id}: ${option.why}`);
      assert.ok(!asked.includes(drawn(option.why)), `${id}: ${option.why}`);
      if (['choice', 'multi', 'diagnose'].includes(question.kind))
        assert.ok(asked.includes(drawn(question.kind === 'diagnose' ? plain(option.text) : option.text)), `${id}: ${option.text}`);
      if (option.numbers) assert.ok(asked.includes(option.numbers));
      if (question.kind === 'number') assert.ok(!asked.includes(`<li>${option.text}`));
    }
    for (const line of [...question.answer, question.point]) {
      assert.ok(told.includes(drawn(line)), `${id}: ${line}`);
      assert.ok(!asked.includes(drawn(line)), `${id}: ${line}`);
    }
  }
});

test('The letters that are right are those of the list.', () => {
  const { questions, answers } = sheet(['party-shift', 'party-symmetric', 'two-halls-post', 'party-broken', 'party-third-guest']);
  const keys = [...text(answers).matchAll(/答案是 ([A-J、]+)。/g)].map(([, letters]) => letters);
  const letters = (id: string) =>
    bank
      .get(id)!
      .options.flatMap((o, i) => (o.correct ? ['ABCDEFGHIJ'[i]] : []))
      .join('、');
  assert.deepEqual(keys, [letters('party-shift'), letters('party-symmetric'), 'C、B、A', 'C']);
  assert.equal((questions.match(/<ol class="sheet-options">/g) ?? []).length, 4, 'a number has no list');
  assert.match(questions, /<h3>第 3 題：/);
  assert.match(answers, /<h3>第 5 題的解答：/);
});

test('Text of the bank stays text on paper.', () => {
  const evil = '<img src=x onerror=alert(1)>';
  const question = { ...structuredClone(bank.get('party-shift')!), topic: evil, prompt: [evil], legend: evil, answer: [evil], point: evil };
  const { questions, answers } = renderSheet([question], { strings, cite: () => ({ text: evil }) });
  assert.doesNotMatch(questions + answers, /<img/);
});
