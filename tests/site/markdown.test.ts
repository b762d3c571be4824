// The lessons' Markdown, one concern after the other, with what each refuses.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeMarkdown } from '../../web/site/markdown.ts';
import { newEnv } from '../../web/site/transforms/env.ts';
import { countSymbols, toMathml } from '../../web/site/transforms/math.ts';

const SOURCE = [
  'int a;',
  '// #region one',
  '  int b = 1 < 2;',
  '',
  '  // #region two',
  '  return b;',
  '  // #endregion two',
  '// #endregion one',
  '',
].join('\n');

const md = makeMarkdown({
  callCore: (name, args) => {
    if (name !== 'twice') throw new Error(`the core has no ${name}`);
    return {
      m: { rows: 1, cols: 2, data: Float64Array.of(2 * (args['x'] as number), 1 / 3) },
      whole: 115,
    };
  },
  tree: {
    read: (file) => (file === 'cpp/src/a.cpp' || file === 'cpp/src/loose.cpp' ? SOURCE : undefined),
    isCompiled: (file) => file === 'cpp/src/a.cpp',
  },
  lab: { empty: true, open: ({ argument }) => `<attn-lab name="${argument}"></attn-lab>\n` },
  question: { empty: true, open: ({ argument }) => `<p>${argument}</p>\n` },
  boss: { empty: true, open: () => '<section></section>\n' },
});
const env = () => newEnv('lessons/x.md', { firstLine: 7, toRoot: '../' });
const html = (source: string) => md.render(source, env());
const refuses = (source: string, message: RegExp) => assert.throws(() => html(source), message);

describe('bold', () => {
  test('bold next to Chinese punctuation is bold', () => {
    assert.equal(
      html('**「自注意力」**是**注意力。**下一句'),
      '<p><strong>「自注意力」</strong>是<strong>注意力。</strong>下一句</p>\n',
    );
  });
});

describe('lines', () => {
  test('a line break between Han characters is no space, beside Latin letters it stays one', () => {
    assert.equal(html('甲，\n乙'), '<p>甲，乙</p>\n');
    assert.equal(html('甲\nQ 乙'), '<p>甲\nQ 乙</p>\n');
  });
});

describe('formulas', () => {
  test('an inline formula is MathML', () => {
    assert.equal(
      html('記作 $d_k$。'),
      '<p>記作 <math><msub><mi>d</mi><mi>k</mi></msub></math>。</p>\n',
    );
  });
  test('a transpose is the letter T, however it is typed', () => {
    for (const tex of ['K^T', 'K^{T}', 'K^\\top', 'K^\\intercal'])
      assert.match(toMathml(tex, false), /<mi[^>]*>T<\/mi>/);
  });
  test('a block formula is followed by its reading', () => {
    assert.match(
      html('$$QK^T$$ {讀法：Q 乘以 K 的轉置。}'),
      /^<div class="formula"><math display="block".*<\/math><\/div>\n<p class="reading">讀法：Q 乘以 K 的轉置。<\/p>\n$/,
    );
  });
  test('a block formula without a reading, or over two lines, stops the build at its line', () => {
    refuses('甲\n\n$$QK^T$$', /^BuildError: lessons\/x\.md:9: .*讀法/);
    refuses('$$Q\nK$$ {讀法：x}', /lessons\/x\.md:7: a block formula is one line/);
  });
  test('more than three symbols inside a sentence stop the build', () => {
    assert.equal(countSymbols(toMathml('\\operatorname{softmax}(x)', false)), 4);
    assert.match(html('$n\\times m$'), /<math>/);
    refuses('甲\n\n乙 $Q=XW$', /lessons\/x\.md:9: .*more than 3 symbols/);
  });
  test('a formula in a heading and a broken formula stop the build', () => {
    refuses('## 甲 $Q$ {#a}', /no formula in a heading/);
    refuses('$\\foo$', /lessons\/x\.md:7: the formula \\foo/);
  });
});

describe('computed numbers', () => {
  test('a call becomes its digits, also at the end of a paragraph', () => {
    assert.equal(html('是 {{ core twice {"x":0.4} | 3 | m.0,0 }}'), '<p>是 0.800</p>\n');
    assert.equal(
      html('{{ core twice {"x":1} | 3 | m.0,1 }}、{{ core twice {"x":{"y":1}} | 3 | whole }}。'),
      '<p>0.333、115。</p>\n',
    );
  });
  test('what cannot be computed stops the build at its line', () => {
    refuses('甲\n\n{{ core thrice {} | 3 }}', /lessons\/x\.md:9: .*the core has no thrice/);
    refuses('{{ core twice {x} | 3 }}', /not JSON/);
    refuses('{{ core twice {"x":1} | 3 }}', /give a path/);
    refuses('{{ core twice {"x":1} | 3 | m.1,0 }}', /no number at "m.1,0"/);
    refuses('{{ core twice {"x":1} }}', /is written/);
  });
});

describe('C++', () => {
  test('a fence shows the region, dedented, without marks, with its place and a link to the file', () => {
    const shown = html('```cpp file=cpp/src/a.cpp region=one\n```');
    assert.match(
      shown,
      /<a href="\.\.\/source\/cpp\/src\/a\.cpp\/index\.html#L3">原始碼 <span class="path" data-raw>cpp\/src\/a\.cpp<\/span> 的第 3 到 5 行<\/a>/,
    );
    assert.match(
      shown,
      /<pre tabindex="0"><code><span class="code-word">int<\/span> b = <span class="code-literal">1<\/span> &lt; <span class="code-literal">2<\/span>;\n\n<span class="code-word">return<\/span> b;<\/code><\/pre>/,
    );
  });
  test('a fence without file, with typed code, of an unknown file or region or language stops the build', () => {
    refuses('甲\n\n```cpp\n```', /lessons\/x\.md:9: .*file= and region=/);
    refuses('```cpp file=cpp/src/a.cpp region=one\nint x;\n```', /is empty/);
    refuses('```cpp file=cpp/src/b.cpp region=one\n```', /no file/);
    refuses('```cpp file=cpp/src/a.cpp region=three\n```', /no region three/);
    refuses('```cpp file=cpp/src/loose.cpp region=one\n```', /is not compiled/);
    refuses('```js\n```', /cpp with file= and region=, or text/);
  });
  test('pseudo-code is a text fence that can be scrolled by keyboard', () => {
    assert.match(html('```text\n甲\n```'), /<pre tabindex="0"><code class="language-text">甲/);
  });
});

describe('headings', () => {
  test('an explicit id stays, and the contents know it', () => {
    const found = env();
    assert.match(
      md.render('## 甲 {#a}\n\n### 乙 {#b-2}', found),
      /<h2 id="a">甲<\/h2>\n<h3 id="b-2">乙<\/h3>/,
    );
    assert.deepEqual(found.headings, [
      { level: 2, id: 'a', text: '甲' },
      { level: 3, id: 'b-2', text: '乙' },
    ]);
  });
  test('a heading without an ASCII id, twice the same, with a gap or with symbols stops the build', () => {
    refuses('甲\n\n## 乙', /lessons\/x\.md:9: .*needs an ASCII id/);
    refuses('## 乙 {#甲}', /needs an ASCII id/);
    refuses('## 甲 {#a}\n\n## 乙 {#a}', /the id a is taken/);
    refuses('## 甲 {#a}\n\n#### 乙 {#b}', /an h4 cannot follow an h2/);
    refuses('# 甲 {#a}', /the h1 is the title/);
    refuses('## 甲 = 乙 {#a}', /without "="/);
  });
});

describe('claims', () => {
  test('a claim keeps its id and is counted once', () => {
    const found = env();
    assert.match(md.render('甲 {#a19 .claim}', found), /<p id="a19" class="claim">甲<\/p>/);
    assert.deepEqual(found.claims, ['a19']);
    refuses('甲 {#a19 .claim}\n\n乙 {#a19 .claim}', /lessons\/x\.md:9: .*twice/);
    refuses('甲 {#c1 .claim}', /\{#a19 \.claim\}/);
    refuses('甲 {.claim}', /\{#a19 \.claim\}/);
  });
});

describe('blocks', () => {
  test('a scene knows its speakers; bold elsewhere stays bold', () => {
    const shown = html('::: scene\n大廳亮著燈。\n\n**司儀**：**請**坐。\n:::\n\n**甲**：乙');
    assert.match(
      shown,
      /<div class="scene">\n<p>大廳亮著燈。<\/p>\n<p class="line"><strong class="speaker">司儀<\/strong>：<strong>請<\/strong>坐。<\/p>\n<\/div>/,
    );
    assert.match(shown, /<p><strong>甲<\/strong>：乙<\/p>/);
  });
  test('labs and questions are drawn by name', () => {
    assert.equal(
      html('::: lab party\n:::\n\n::: question q08\n:::'),
      '<attn-lab name="party"></attn-lab>\n<p>q08</p>\n',
    );
  });
  test('unknown, open, surplus and filled blocks stop the build', () => {
    refuses('甲\n\n::: lap party\n:::', /lessons\/x\.md:9: there is no block ::: lap/);
    refuses('::: scene\n甲', /lessons\/x\.md:7: the ::: scene block is not closed/);
    refuses('甲\n\n:::', /lessons\/x\.md:9: there is no ::: block to close/);
    refuses('::: lab party\n甲\n:::', /has no text of its own/);
  });
});

describe('tables', () => {
  test('a table has a caption, and headers for columns and rows', () => {
    const shown = html('| 甲 | 乙 |\n| --- | --- |\n| 丙 | 1 |\n\n{caption="說明"}');
    assert.match(shown, /<table>\n<caption>說明<\/caption>/);
    assert.match(shown, /<th scope="col">甲<\/th>\n<th scope="col">乙<\/th>/);
    assert.match(shown, /<th scope="row">丙<\/th>\n<td>1<\/td>/);
  });
  test('a table without a caption stops the build', () => {
    refuses('甲\n\n| 甲 |\n| --- |\n| 丙 |', /lessons\/x\.md:9: a table needs/);
  });
});

test('HTML typed by an author is text', () => {
  assert.equal(html('<script>x</script>'), '<p>&lt;script&gt;x&lt;/script&gt;</p>\n');
});
