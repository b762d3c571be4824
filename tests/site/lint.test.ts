// The rules for listeners must catch what they name: each on a page with that one fault.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'parse5';
import { lintPage } from './page-lint.ts';

const page = (
  body: string,
  { lang = 'zh-TW', live = '<p role="status" aria-atomic="true" id="say"></p>' } = {},
) =>
  lintPage(
    parse(
      `<!doctype html><html lang="${lang}"><body><a href="#main">跳到主要內容</a><main id="main" tabindex="-1"><h1>甲</h1>${body}</main>${live}</body></html>`,
    ),
    'zh-TW',
  );
const long = '字'.repeat(61);

test('a page that keeps the rules has no finding', () => {
  assert.deepEqual(
    page(
      '<h2>乙</h2><p>每一橫列是一個序列。程式第 3 行在執行。</p><div><math display="block"><mi>Q</mi></math></div><p>讀法：Q。</p>' +
        '<table><caption>丙</caption><tr><th scope="col">丁</th></tr><tr><td>1</td></tr></table>' +
        '<svg role="img" aria-label="戊"><g aria-hidden="true"><text>x</text></g></svg>' +
        '<details><summary>己</summary>庚</details>',
    ),
    [],
  );
});

for (const [rule, what, found] of [
  ['R1', 'a page in a language without a voice', page('', { lang: 'zh-Hant' })],
  ['R2', 'an English word in another voice', page('<p><span lang="en">softmax</span></p>')],
  ['R3', 'a second h1', page('<h1>乙</h1>')],
  ['R3', 'a gap between headings', page('<h3>乙</h3>')],
  ['R6', 'a key of its own', page('<button accesskey="a">乙</button>')],
  ['R6', 'an application', page('<div role="application"></div>')],
  ['R8', 'a long sentence', page(`<p>${long}。</p>`)],
  ['R8', 'a paragraph of five sentences', page('<p>一。二。三。四。五。</p>')],
  ['R8', 'a long label', page(`<label>${'字'.repeat(41)}</label>`)],
  ['R9', 'a sign in a heading', page('<h2>乙 = 丙</h2>')],
  ['R9', 'a sign in an attribute', page('<p aria-label="1 × 2"></p>')],
  ['R10', 'a bare row', page('<p>每一列是一個詞。</p>')],
  ['R10', 'a place on the screen', page('<p>如圖所示，很好。</p>')],
  ['R10', 'the picture below', page('<p>結果見下圖。</p>')],
  ['R10', 'what a picture shows', page('<p>圖中可以看到兩條線。</p>')],
  ['R10', 'a side', page('<p>右側那一個比較大。</p>')],
  ['R10', 'a colour', page('<p>黃色的比較大。</p>')],
  ['R11', 'full-width digits', page('<p>１２</p>')],
  ['R12', 'a star in a heading', page('<h2>★ 乙</h2>')],
  ['R12', 'ruby', page('<ruby>乙<rt>ㄧˇ</rt></ruby>')],
  ['R13', 'a button that says it is one', page('<button>送出按鈕</button>')],
  ['R13', 'two links of one name', page('<a href="a">乙</a><a href="b">乙</a>')],
  ['R14', 'a label on a formula', page('<math aria-label="Q"><mi>Q</mi></math>')],
  ['R14', 'a sign for the transpose', page('<math><mi>⊤</mi></math>')],
  [
    'R15',
    'a block formula without a reading',
    page('<div><math display="block"><mi>Q</mi></math></div><p>乙</p>'),
  ],
  ['R17', 'a radio without a legend', page('<label for="a">乙</label><input type="radio" id="a">')],
  ['R17', 'a field without a label', page('<input type="text" id="a">')],
  [
    'R19',
    'two summaries of the same words',
    page('<details><summary>乙</summary></details><details><summary>乙</summary></details>'),
  ],
  ['R19', 'a link in a summary', page('<details><summary><a href="a">乙</a></summary></details>')],
  ['R22', 'a slider without words', page('<label for="a">乙</label><input type="range" id="a">')],
  [
    'R24',
    'a live region that speaks at load',
    page('', { live: '<p role="status" aria-atomic="true" id="say">乙</p>' }),
  ],
  ['R24', 'a second live region', page('<output></output>')],
  ['R26', 'a table without a caption', page('<table><tr><th scope="col">乙</th></tr></table>')],
  ['R26', 'an empty cell', page('<table><caption>乙</caption><tr><td></td></tr></table>')],
  ['R28', 'a picture without a name', page('<svg></svg>')],
  ['R28', 'text inside a picture', page('<svg role="img" aria-label="乙"><text>x</text></svg>')],
  [
    'R32',
    'a long description',
    page(`<p id="d">${'字'.repeat(41)}</p><button aria-describedby="d">乙</button>`),
  ],
  ['R33', 'wide code', page(`<pre>${'x'.repeat(81)}</pre>`)],
] as const)
  test(`${rule} finds ${what}`, () => {
    assert.ok(
      found.length > 0 && found.every((line) => line.startsWith(`${rule}:`)),
      found.join('\n') || 'nothing found',
    );
  });
