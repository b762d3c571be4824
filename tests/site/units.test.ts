// Small parts: regions, numbers, highlighting, the place that the script switch keeps, page checks, templates.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readLesson } from '../../web/site/front-matter.ts';
import { checkPage } from '../../web/site/page-checks.ts';
import { currentHeading, placeHash } from '../../web/site/place.ts';
import { isWholeEnglish, readSources } from '../../web/site/sources.ts';
import { fill } from '../../web/site/strings.ts';
import { highlight, highlightLines } from '../../web/site/transforms/highlight.ts';
import { inGroups, pick, significant } from '../../web/site/transforms/numbers.ts';
import { MOST_COLUMNS, MOST_LINES, readRegion } from '../../web/site/transforms/regions.ts';

const region = (...lines: string[]) => ['// #region r', ...lines, '// #endregion r'].join('\n');
const plain = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe('regions', () => {
  test('the longest and the widest region that may be shown', () => {
    assert.equal(
      readRegion(region(...Array<string>(MOST_LINES).fill('x')), 'r').lines.length,
      MOST_LINES,
    );
    assert.equal(
      readRegion(region(`    ${'x'.repeat(MOST_COLUMNS)}`), 'r').lines[0]!.length,
      MOST_COLUMNS,
    );
  });
  test('one line or one column more is refused, and so are two regions, none, an open one and an empty one', () => {
    assert.throws(
      () => readRegion(region(...Array<string>(MOST_LINES + 1).fill('x')), 'r'),
      /26 lines/,
    );
    assert.throws(() => readRegion(region('x'.repeat(MOST_COLUMNS + 1)), 'r'), /80 columns/);
    assert.throws(() => readRegion(`${region('x')}\n${region('x')}`, 'r'), /twice/);
    assert.throws(() => readRegion('x', 'r'), /no region r/);
    assert.throws(() => readRegion('// #region r\nx', 'r'), /endregion/);
    assert.throws(() => readRegion(region(' '), 'r'), /empty/);
  });
  test('a region knows the line of the file on which it starts', () => {
    assert.deepEqual(readRegion(`a\n\n${region('  b', '    c')}`, 'r'), {
      lines: ['b', '  c'],
      first: 4,
    });
  });
});

describe('numbers', () => {
  test('a long whole number is said in groups of four digits', () => {
    for (const [digits, said] of [
      ['999999', '999999'],
      ['1000000', '100 萬'],
      ['8390656', '839 萬 656'],
      ['16777216', '1677 萬 7216'],
      ['4294967295', '42 億 9496 萬 7295'],
      ['600000000', '6 億'],
      ['100000005', '1 億 5'],
      ['1099511627776', '10995 億 1162 萬 7776'],
      ['1234567.5', '1234567.5'],
      ['0', '0'],
    ])
      assert.equal(inGroups(digits!), said);
  });
  test('significant digits keep their zeros, whole numbers stay whole, and there is no exponent', () => {
    assert.equal(significant(0.5, 3), '0.500');
    assert.equal(significant(2.9444389, 4), '2.944');
    assert.equal(significant(0.013968, 2), '0.014');
    assert.equal(significant(1, 3), '1');
    assert.equal(significant(115, 3), '115');
    assert.equal(significant(16777216, 3), '16800000');
    assert.equal(significant(0.0000001234, 2), '0.00000012');
    assert.equal(significant(-0.25, 2), '-0.25');
  });
  test('a path leads to one number and never outside', () => {
    const m = { rows: 2, cols: 2, data: Float64Array.of(1, 2, 3, 4) };
    assert.equal(pick({ weights: m }, 'weights.1,0'), 3);
    assert.equal(pick(m, '0,1'), 2);
    assert.equal(pick([5, 6], '1'), 6);
    assert.equal(pick(7), 7);
    for (const path of ['2,0', '0,2', '-1,0', '0', 'weights'])
      assert.throws(() => pick(m, path), /no number/);
    assert.throws(() => pick(Number.NaN), /finite/);
  });
});

describe('highlighting', () => {
  test('the characters of the source come out exactly', () => {
    const code =
      '#include <x>\n// a < b & c\nfor (const auto& x : "a\\"b<") { /* < */ y->z(\'\\n\', 1.5e-3); }\n';
    assert.equal(plain(highlight(code)), code);
    assert.equal(plain(highlightLines(code)), `${code}\n`);
  });
  test('each line of a whole file has an anchor', () => {
    assert.match(highlightLines('a\nb'), /id="L1">a\n<\/span><span class="line" id="L2">b/);
  });
});

describe('the place on the page', () => {
  const headings = [
    { id: 'a', top: -500 },
    { id: 'b', top: 100 },
    { id: 'c', top: 400 },
  ];
  test('it is the last heading that was passed', () => {
    assert.equal(currentHeading(headings), 'b');
    assert.equal(currentHeading(headings.slice(2)), undefined);
    assert.equal(currentHeading([]), undefined);
  });
  test('the other edition opens with the state of a lab while the reader is at that lab', () => {
    const headingOf = (id: string) => (id === 'party-qkv' ? 'by-hand' : undefined);
    assert.equal(placeHash('by-hand', '#party-qkv?x=1', headingOf), '#party-qkv?x=1');
    assert.equal(placeHash(undefined, '#party-qkv?x=1', headingOf), '#party-qkv?x=1');
    assert.equal(placeHash('summary', '#party-qkv?x=1', headingOf), 'summary');
    assert.equal(placeHash('summary', '#goals', headingOf), 'summary');
    assert.equal(placeHash(undefined, '#goals', headingOf), '');
  });
});

describe('pages that must not leave the build', () => {
  const page = (body: string) => `<!doctype html><html><body>${body}</body></html>`;
  test('double ids, formulas in names, a sign for the transpose, bold that stayed asterisks and braces are refused', () => {
    const check = (body: string) => () => checkPage(page(body), 'x.md');
    assert.doesNotThrow(check('<p id="a"><math><mi>T</mi></math></p><p id="b">*</p>'));
    assert.throws(check('<p id="a"></p><p id="a"></p>'), /x\.md: the id a/);
    for (const tag of ['button', 'label', 'legend', 'summary', 'h2', 'figcaption'])
      assert.throws(check(`<${tag}><math><mi>Q</mi></math></${tag}>`), /formula inside/);
    assert.throws(check('<p><math><mi>⊤</mi></math></p>'), /transpose/);
    assert.throws(check('<p>**甲**</p>'), /asterisks/);
    assert.throws(check('<table><td>{{ core softmax {"x":1}</td></table>'), /braces stayed/);
    assert.doesNotThrow(check('<pre><code>{{1, 2}}</code></pre>'));
  });
});

describe('files', () => {
  test('a lesson has its head, its body, and the line on which that starts', () => {
    const { head, body, firstLine } = readLesson(
      '---\ntitle: 甲\ndescription: 乙\nminutes: 5\nsummary: [丙]\n---\n\n## 丁',
      'x.md',
    );
    assert.deepEqual([head.title, head.prerequisites, body, firstLine], ['甲', [], '## 丁', 8]);
    assert.throws(() => readLesson('---\ntitle: 甲\n---\n', 'x.md'), /x\.md:1: .*no description/);
    assert.throws(() => readLesson('甲', 'x.md'), /no front matter/);
  });
  test('a source without an address is refused', () => {
    assert.throws(
      () => readSources('a: { name: x, title: x, authors: x, year: 2017, where: x }'),
      /a has no url/,
    );
  });
  test('only whole English sentences and titles are tagged as English', () => {
    assert.equal(isWholeEnglish('Attention Is All You Need'), true);
    assert.equal(isWholeEnglish('Simplifying Transformer Blocks'), false);
  });
});

test('a template without a value for a slot is a bug, not a gap in speech', () => {
  assert.equal(fill('第 {n} 課', { n: 2 }), '第 2 課');
  assert.throws(() => fill('第 {n} 課', {}), /no value for \{n\}/);
});
