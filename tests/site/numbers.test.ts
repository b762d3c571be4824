// A number with a unit or a percent sign is computed, has a paper behind it, or is called an example.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { isWritten, readCourse } from '../../web/site/course.ts';
import { readSources } from '../../web/site/sources.ts';
import { unbackedNumbers } from './numbers.ts';

const sources = readSources(readFileSync('lessons/sources.yaml', 'utf8'));
const nameOf = (id: string) => sources.find((source) => source.id === id)?.name ?? id;

describe('numbers of the lessons', () => {
  for (const { written } of readCourse(process.cwd()).flatMap(({ lessons }) => lessons.filter(isWritten)))
    test(`${written.file} says where each comes from`, () => {
      assert.deepEqual(unbackedNumbers(readFileSync(written.file, 'utf8'), written.file, nameOf), []);
    });
});

const lesson = (body: string, summary = '甲。') =>
  `---\ntitle: 甲\ndescription: 乙\nminutes: 5\nsources: [dao2022]\nsummary:\n  - ${summary}\n---\n\n${body}\n`;
const found = (body: string, summary?: string) =>
  unbackedNumbers(lesson(body, summary), 'x.md', nameOf).map(({ number }) => number);

describe('the rule', () => {
  for (const [what, numbers, want] of [
    ['a typed percentage', found('搬運少了 89.1%，很多。'), ['89.1%']],
    ['typed bytes and seconds', found('占 32 MiB，花 7.3 毫秒。'), ['32 MiB', '7.3 毫秒']],
    ['a number of a paper that the lesson does not cite', found('Su 等人 2021 量到 89.1%。'), ['89.1%']],
    ['a number before its paper', found('少了 5%。Dao 等人 2022 量的。'), ['5%']],
    ['a number in another paragraph than its paper', found('Dao 等人 2022 量過。\n\n少了 5%。'), ['5%']],
    ['a number in the summary', found('乙。', '少了 5%。'), ['5%']],
    ['a second number after an example', found('例如 5%。另外有 6%。'), ['6%']],
    ['a number after a story', found('::: scene\n甲。\n:::\n\n少了 5%。'), ['5%']],
    ['a number after a lab', found('::: lab party\n:::\n\n少了 5%。'), ['5%']],
  ] as const)
    test(`${what} is found`, () => {
      assert.deepEqual(numbers, want);
    });
  for (const [what, body] of [
    ['a computed number', '少了 {{ core growth {"n":1} | 3 }}%，占 {{ core bytes {"n":4} | 3 }} MiB。'],
    ['a number of a paper, in its sentence', 'Dao 等人 2022 量到少了 89.1%。'],
    ['a number of a paper, in the sentence after it', 'Dao 等人 2022 量過。少了 89.1%。'],
    ['a number that is quoted', '- 「省 90%。所以快。」不對。'],
    ['a number of the text that is answered', '你讀過的版本說，少了 90%。'],
    ['an example', '例如長度 4096、SRAM 96 KiB。'],
    ['what a speaker of a story says', '::: scene\n**司儀**：95%！\n:::'],
    ['code', '```text\n95%\n```'],
    ['a number without a unit', '有 3 個，第 2 位，4 倍。'],
  ] as const)
    test(`${what} is free`, () => {
      assert.deepEqual(found(body), []);
    });
});
