// The primer's self-check: what it advises, and that its table agrees with the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readLesson } from '../../web/site/front-matter.ts';
import { advise } from '../../web/site/self-check.ts';
import { fill } from '../../web/site/strings.ts';
import { readWords } from '../../web/site/words.ts';

const words = readWords('.');
const t = (key: string, slots?: Record<string, string | number>) => fill(words[key]!, slots);
const scenes = ['甲', '甲', '乙', '乙', '丙', '丙', '丁', '丁'];
const said = (...right: (boolean | undefined)[]) => {
  const { key, slots } = advise(
    scenes.map((scene, i) => ({ scene, right: right[i] })),
    t,
  );
  return t(key, slots);
};

test('there is no advice before every question was judged', () => {
  assert.match(said(), /檢查了 0 題，共 8 題/);
  assert.match(said(true, false, true), /檢查了 3 題，共 8 題/);
});

test('all right means go, a few scenes are named once each, and many mean read it all', () => {
  const all = (wrong: number[]) => said(...scenes.map((_, i) => !wrong.includes(i)));
  assert.match(all([]), /8 題全對，可以直接出發/);
  assert.equal(all([2]), '建議：先重讀「乙」，再出發。');
  assert.equal(all([6, 7]), '建議：先重讀「丁」，再出發。');
  assert.equal(all([0, 1, 7]), '建議：先重讀「甲」和「丁」，再出發。');
  assert.match(all([0, 3, 5]), /從第一段開始/);
});

test('the table of the primer names every question of its self-check, in their order, and two for each scene', () => {
  const { body } = readLesson(readFileSync('lessons/start/01-primer.md', 'utf8'), 'primer');
  const [, inside = ''] = /^:::: self-check\n([\s\S]*?)^::::$/m.exec(body)!;
  const questions = [...inside.matchAll(/^::: question (\S+)$/gm)].map(([, id]) => id);
  const rows = [...inside.matchAll(/^\| \[(.+?)\]\(#q-(.+?)\) \| \[(.+?)\]\(#(.+?)\) \|$/gm)];
  assert.deepEqual(
    rows.map(([, , id]) => id),
    questions,
  );
  const counts = new Map<string, number>();
  for (const [, , , text, id] of rows) {
    assert.ok(body.includes(`\n## ${text} {#${id}}\n`), `${text} is no heading with the id ${id}`);
    counts.set(id!, (counts.get(id!) ?? 0) + 1);
  }
  assert.deepEqual([...counts.values()], [2, 2, 2, 2]);
});
