// The whole bank in both editions, also the questions that no lesson shows yet.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { Converter } from 'opencc-js';
import { parseFragment } from 'parse5';
import type { Question } from '../../web/quiz/types.ts';
import { readCourse } from '../../web/site/course.ts';
import { readTerms } from '../../web/site/terms.ts';
import { makeConverter } from '../../web/site/transforms/convert.ts';
import { childrenOf, isElement, type Node } from '../../web/site/transforms/html.ts';
import { convertPage } from '../../web/site/transforms/script.ts';
import { chooseDeep } from '../../web/site/transforms/variants.ts';
import { numbered, render, written as bank } from './scratch.ts';

before(() => numbered);

const convert = makeConverter(readTerms(readFileSync('lessons/terms.yaml', 'utf8')));
const toHans = Converter({ from: 't', to: 'cn' });

const taiwan = (question: Question) => render(chooseDeep(question, 'zh-Hant'));
const mainland = (question: Question) => convertPage(render(chooseDeep(question, 'zh-Hans')), convert);

const skeleton = (node: Node): string[] => [
  ...(isElement(node) ? [`${node.tagName} ${node.attrs.find((a) => a.name === 'id')?.value ?? ''}`] : []),
  ...childrenOf(node).flatMap(skeleton),
];
const inBody = (html: string): string[] => skeleton(parseFragment(/<body>(.*)<\/body>/s.exec(html)?.[1] ?? html) as Node);

const traditional = (text: string): string[] => [...text].filter((c) => toHans(c) !== c && c !== '著');

for (const question of bank.values()) {
  test(`${question.id} reads in both editions, element for element.`, () => {
    const [tw, cn] = [taiwan(question), mainland(question)];
    assert.deepEqual(inBody(cn), inBody(tw));
    assert.deepEqual(traditional(cn), []);
    for (const html of [tw, cn]) assert.doesNotMatch(html, /\{\{|\|cn:|[\ue000-\uf8ff]/u);
  });
}

test('Text of the other edition, a variant cut short and a lost element would be found.', () => {
  assert.deepEqual(traditional('注意力权重與值'), ['與']);
  assert.match(taiwan({ ...bank.get('q08')!, topic: '{{tw:牠}}' }), /\{\{/);
  assert.notDeepEqual(inBody('<p><b>x</b></p>'), inBody('<p>x</p>'));
});

test('Every question belongs to a lesson of the course, and the first bank is whole.', () => {
  const lessons = new Set(readCourse('.').flatMap((track) => track.lessons.map(({ slug }) => slug)));
  for (const { id, lesson } of bank.values()) assert.ok(lessons.has(lesson), `${id}: there is no lesson ${lesson}`);
  for (let n = 1; n <= 58; n += 1) assert.ok(bank.has(`q${String(n).padStart(2, '0')}`), `q${n}`);
});
