// What the index, the glossary, the notation and the sources pages are made from.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { isWritten, readCourse } from '../../web/site/course.ts';
import { readNotation, spokenSize, symbolAnchor } from '../../web/site/notation.ts';
import { lessonsThatCite, readSources } from '../../web/site/sources.ts';
import { readTerms } from '../../web/site/terms.ts';
import { whereUsed } from '../../web/site/where-used.ts';
import { loadQuestions } from '../../web/quiz/load.ts';

const tracks = readCourse('.');
const lessons = tracks.flatMap(({ lessons }) => lessons);
const written = lessons.filter(isWritten);
const notation = readNotation(
  readFileSync('lessons/notation.yaml', 'utf8'),
  lessons.map(({ slug }) => slug),
);

describe('notation', () => {
  const style = readFileSync('lessons/STYLE.md', 'utf8');
  const [, table = ''] = /\n## Notation\n\n((?:\|.*\n)+)/.exec(style)!;
  const rows = table
    .trim()
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').slice(1, -1).map((cell) => cell.trim()));
  const listed = notation.symbols.filter(({ group }) => group !== 'signs');

  test('the page has the symbols of STYLE.md, in its order, read aloud in its words', () => {
    const flat = (column: number) => rows.flatMap((row) => row[column]!.split(', '));
    assert.deepEqual(
      listed.map(({ tex }) => tex),
      flat(0),
    );
    assert.deepEqual(
      listed.map(({ spoken }) => spoken),
      flat(1),
    );
  });
  test('every matrix has the shape that STYLE.md gives it', () => {
    const matrices = listed.filter(({ group }) => group === 'matrices');
    const shapes = matrices.map(({ shape }) => shape!.join(' × '));
    const meant = rows.slice(rows.length - 6).flatMap(([symbols, , meaning]) => {
      const found = meaning!.match(/[\w·]+ × [\w·]+/g) ?? [];
      return found.length === symbols!.split(', ').length ? found : [`${symbols}: ${found.length} shapes`];
    });
    assert.deepEqual(shapes, meant);
  });
  test('a letter stands in the lesson that is said to use it first', () => {
    for (const { tex, spoken, first } of notation.symbols) {
      if (first === undefined) continue;
      const lesson = written.find(({ slug }) => slug === first);
      assert.ok(lesson, `${spoken}: ${first} is not written`);
      const { body } = lesson.written;
      const letter = new RegExp(`(?<![A-Za-z\\\\])${spoken}(?![A-Za-z])`);
      const sign = /^\\?\W?[a-z]*/i.exec(tex)![0];
      const isThere = /^[A-Z]$|^[a-z]$|^[A-Za-z]_/.test(tex) ? letter.test(body) : body.includes(sign);
      assert.ok(isThere, `${spoken} does not stand in ${first}`);
    }
  });
  test('anchors differ, and a product is said as one', () => {
    const anchors = notation.symbols.map((symbol) => symbolAnchor(notation, symbol));
    assert.equal(new Set(anchors).size, anchors.length);
    assert.equal(spokenSize('h·d_v', '乘以'), 'h 乘以 d v');
  });
  test('an unknown lesson and a symbol that stands twice are refused', () => {
    const row = '{ group: a, tex: x, spoken: x, is: y, first: party }';
    const yaml = (...rows: string[]) => `groups: [{ id: a, title: t, caption: c }]\nsymbols: [${rows.join(', ')}]`;
    assert.equal(readNotation(yaml(row), ['party']).symbols.length, 1);
    assert.throws(() => readNotation(yaml(row), ['relay']), /no lesson party/);
    assert.throws(() => readNotation(yaml(row, row), ['party']), /twice/);
  });
});

describe('where a term is used', () => {
  const used = (body: string, ...terms: string[]) =>
    terms.filter((tw) => whereUsed(terms.map((name) => ({ tw: name })), [{ slug: 'a', body }]).get(tw)!.length > 0);

  test('a longer term hides the shorter one inside it', () => {
    assert.deepEqual(used('講自注意力。', '注意力', '自注意力'), ['自注意力']);
    assert.deepEqual(used('講自注意力，也講注意力。', '注意力', '自注意力'), ['注意力', '自注意力']);
  });
  test('a term of one character counts when it stands alone', () => {
    assert.deepEqual(used('查詢、鍵和**值**。', '鍵', '值'), ['鍵', '值']);
    assert.deepEqual(used('數值很大，關鍵在這裡。', '鍵', '值'), []);
  });
  test('code, computed numbers and addresses are not read', () => {
    assert.deepEqual(used('```cpp file=熵\n```\n{{ core f {"a":"熵"} | 1 }} [甲](熵)', '熵'), []);
  });
  test('three of four terms of the glossary are used by a written lesson or a lab', () => {
    const { terms } = readTerms(readFileSync('lessons/terms.yaml', 'utf8'));
    const found = whereUsed(terms, [
      ...written.map(({ slug, written: { body } }) => ({ slug, body })),
      ...readdirSync('lessons/labs').map((slug) => ({ slug, body: readFileSync(`lessons/labs/${slug}`, 'utf8') })),
    ]);
    const unused = terms.filter(({ tw }) => found.get(tw)!.length === 0);
    assert.ok(unused.length < terms.length / 4, unused.map(({ tw }) => tw).join('、'));
  });
});

describe('sources', () => {
  const sources = readSources(readFileSync('lessons/sources.yaml', 'utf8'));
  const questions = loadQuestions('lessons/questions');

  test('a lesson that names a paper and one whose question does both lead back from it', () => {
    const slugs = lessonsThatCite({ tracks, questions }, 'vaswani2017').map(({ slug }) => slug);
    const named = written.filter(({ written }) => written.head.sources.includes('vaswani2017'));
    for (const { slug } of named) assert.ok(slugs.includes(slug), slug);
    for (const { id, sources: papers } of questions.values())
      for (const lesson of written.filter(({ written: { body } }) => new RegExp(`question ${id}$`, 'm').test(body)))
        for (const { id: paper } of papers)
          assert.ok(
            lessonsThatCite({ tracks, questions }, paper).some(({ slug }) => slug === lesson.slug),
            `${paper} does not lead back to ${lesson.slug}`,
          );
  });
  test('every paper that a lesson, a lab or a question names by author and year is on the page', () => {
    const names = sources.map(({ name }) => name.replace(/\s/g, ''));
    const found: string[] = [];
    for (const folder of ['labs', 'questions', ...tracks.map(({ id }) => id)])
      for (const file of readdirSync(`lessons/${folder}`)) {
        const text = readFileSync(`lessons/${folder}/${file}`, 'utf8');
        for (const [, name] of text.matchAll(/([A-Z][A-Za-zč]+ (?:等人|與 [A-Z][A-Za-z]+) (?:19|20)\d\d)/g)) {
          found.push(name!);
          assert.ok(
            names.some((known) => known.endsWith(name!.replace(/\s/g, ''))),
            `${folder}/${file}: ${name}`,
          );
        }
      }
    assert.ok(found.length > 50, `${found.length} names found`);
  });
});

test('Chinese is ordered by strokes in Taiwan and by Pinyin on the mainland', () => {
  const order = (lang: string) => ['點', '多', '注', '一'].sort(new Intl.Collator(lang).compare).join('');
  assert.equal(order('zh-TW'), '一多注點');
  assert.equal(
    ['点', '多', '注', '一'].sort(new Intl.Collator('zh-CN').compare).join(''),
    '点多一注',
  );
});
