// Both editions in their own characters, punctuation and words, one name for one thing, and sentences that can be listened to.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parse as parseHtml } from 'parse5';
import { parse as parseYaml } from 'yaml';
import { isWritten, readCourse } from '../../web/site/course.ts';
import { lessonUrl } from '../../web/site/edition.ts';
import { SCRIPTS, type Script } from '../../web/site/scripts.ts';
import { readTerms } from '../../web/site/terms.ts';
import { attribute, elements, textOf, type Node } from '../../web/site/transforms/html.ts';
import { page, pagesOf, words } from './dist.ts';
import { avoided, lengthOf, lintLanguages, lintText, sentencesOf, textsOf } from './language.ts';

const TERMS = readFileSync('lessons/terms.yaml', 'utf8');
const { avoid } = parseYaml(TERMS) as { avoid: Record<string, string> };
const scripts = Object.keys(SCRIPTS) as Script[];
/** Pages of prose; a page that shows a source file has two sentences of its own, the same on each. */
const paths = pagesOf('zh-Hant').filter((path) => !path.startsWith('source/'));
const lessons = readCourse(process.cwd())
  .flatMap(({ lessons }) => lessons.filter(isWritten))
  .map(lessonUrl);

describe('punctuation and spaces', () => {
  for (const script of scripts)
    for (const path of paths)
      test(`${script}/${path} keeps them`, () => {
        const { lang } = SCRIPTS[script];
        const found = textsOf(page(`${script}/${path}`)).flatMap(({ text }) => lintText(text, lang));
        assert.deepEqual([...new Set(found)], []);
      });
  for (const [what, text, lang] of [
    ['no space before Latin', '用softmax 算', 'zh-TW'],
    ['no space after a digit', '有 3個', 'zh-TW'],
    ['no space after a percent sign', '有 3%的', 'zh-TW'],
    ['a space before a full stop', '有 3 。', 'zh-TW'],
    ['a space before a percent sign', '有 3 %', 'zh-TW'],
    ['a space after a comma', '有， 沒有', 'zh-TW'],
    ['a half-width comma', '有,沒有', 'zh-TW'],
    ['half-width brackets', '有(沒有)', 'zh-TW'],
    ['a half-width full stop', '有.', 'zh-TW'],
    ['two stops', '有。。', 'zh-TW'],
    ['mainland quotation marks in Taiwan', '“有”', 'zh-TW'],
    ['Taiwan quotation marks on the mainland', '「有」', 'zh-CN'],
    ['a quotation that stays open', '他说“有', 'zh-CN'],
    ['a quotation that was never opened', '他说有”', 'zh-CN'],
    ['marks that cross', '「有（沒有」）', 'zh-TW'],
  ] as const)
    test(`${what} is found`, () => {
      assert.notDeepEqual(lintText(text, lang), []);
    });
  test('good text passes, and so do names that a reader types', () => {
    assert.deepEqual(lintText('「頭1」用 softmax 算出 95%，差 -3 分（約 3.5 倍）。', 'zh-TW'), []);
    assert.deepEqual(lintText('他说“这叫‘键’，占 5%”。', 'zh-CN'), []);
  });
});

describe('languages', () => {
  const body = (html: string) => parseHtml(`<html lang="zh-TW"><body>${html}</body></html>`) as Node;
  for (const script of scripts)
    for (const path of paths)
      test(`${script}/${path} changes the voice for whole English sentences alone`, () => {
        assert.deepEqual(lintLanguages(page(`${script}/${path}`)), []);
      });
  for (const [what, html] of [
    ['a term with a voice of its own', '<p>用 <span lang="en">attention</span> 算</p>'],
    ['Chinese in an English voice', '<p lang="en">one two three four 五</p>'],
    ['a voice that nobody has', '<p lang="zh-Hant">一</p>'],
    ['an English sentence in a Chinese voice', '<p>論文 Attention Is All You Need 說</p>'],
  ] as const)
    test(`${what} is found`, () => {
      assert.equal(lintLanguages(body(html)).length, 1);
    });
  test('a whole title in its own voice passes', () => {
    assert.deepEqual(
      lintLanguages(body('<p>論文 <cite lang="en">Attention Is All You Need</cite> 說 scaled dot-product</p>')),
      [],
    );
  });
});

describe('one name for one thing', () => {
  for (const path of paths.filter((path) => !path.startsWith('glossary/')))
    test(`${path} uses the names of the word list`, () => {
      const found = [...words(page(`zh-Hant/${path}`))].flatMap((text) => avoided(text, avoid));
      assert.deepEqual([...new Set(found)], []);
    });
  test('every other name is found, and none stands in a term or its meaning', () => {
    const { terms } = readTerms(TERMS);
    for (const { tw, is } of terms) assert.deepEqual(avoided(`${tw}：${is}`, avoid), []);
    for (const [pattern, name] of Object.entries(avoid)) {
      assert.deepEqual(avoided(name, avoid), [], `${name} is to be used`);
      const other = pattern.replace(/\(\?[^)]*\)/g, '');
      assert.match(avoided(`這叫${other}。`, avoid).join(), new RegExp(`for ${name}`));
    }
  });
  test('a name inside another word is none', () => {
    assert.deepEqual(avoided('平方差、在線上', avoid), []);
  });
});

describe('reading', () => {
  for (const path of lessons) {
    test(`${path} has short sentences`, () => {
      const lengths = sentencesOf(page(`zh-Hant/${path}`)).map(lengthOf);
      assert.ok(lengths.length > 50, `${lengths.length} sentences found`);
      const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
      assert.ok(average < 40, `${average.toFixed(1)} characters on average`);
    });
    test(`${path} has a summary of 5 to 9 sentences under 400 characters`, () => {
      const summary = [...elements(page(`zh-Hant/${path}`))].find(
        (element) => attribute(element, 'class') === 'summary',
      )!;
      const items = [...elements(summary)].filter(({ tagName }) => tagName === 'li').map(textOf);
      assert.ok(items.length >= 5 && items.length <= 9, `${items.length} sentences`);
      const length = lengthOf(items.join(''));
      assert.ok(length < 400, `${length} characters`);
    });
  }
  test('sentences are told apart, without what stands in labs and questions', () => {
    const html =
      '<div class="prose"><p>一二三。四五！</p><attn-lab><p>六七。</p></attn-lab><ul><li>八九</li></ul></div><p>十一。</p>';
    assert.deepEqual(sentencesOf(parseHtml(html) as Node), ['一二三。', '四五！', '八九']);
  });
});
