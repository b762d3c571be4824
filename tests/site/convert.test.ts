// From Taiwan text to mainland text: the word list, quotes, and text that is final already.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readTerms } from '../../web/site/terms.ts';
import { makeConverter } from '../../web/site/transforms/convert.ts';
import { protect, unprotect } from '../../web/site/transforms/protect.ts';

const terms = readTerms(readFileSync('lessons/terms.yaml', 'utf8'));
const convert = makeConverter(terms);

test('every row of the word list becomes its mainland term, alone and inside a sentence', () => {
  for (const [tw, cn] of terms.pairs) {
    assert.equal(convert(tw), cn);
    assert.equal(convert(`「${tw}」`), `“${cn}”`);
  }
});

test('rows and columns are exchanged by the word list, not by characters', () => {
  assert.equal(
    convert('每一橫列是一個查詢詞，每一直欄是一個鍵。'),
    '每一行是一个查询词，每一列是一个键。',
  );
  assert.equal(convert('第 i 橫列第 j 直欄'), '第 i 行第 j 列');
});

test('the words that plain conversion gets wrong come out right in sentences', () => {
  for (const [tw, cn] of [
    ['向量的序列長度', '向量的序列长度'],
    ['層正規化與正規化', '层归一化与归一化'],
    ['預設值存在記憶體的快取裡', '默认值存在内存的缓存里'],
    ['程式的執行與平行計算', '程序的执行与并行计算'],
    ['平行四邊形與平行線', '平行四边形与平行线'],
    ['循序漸進', '循序渐进'],
    ['變異數、遮罩、純量、機率', '方差、掩码、标量、概率'],
    ['資料來源與訓練資料', '资料来源与训练数据'],
    ['螢幕閱讀器與瀏覽器', '屏幕阅读器与浏览器'],
    ['他看著名牌，這是著名的例子', undefined],
  ] as const)
    if (cn) assert.equal(convert(tw), cn);
    else assert.match(convert(tw), /著名的例子/);
});

test('the longest term wins where several begin alike', () => {
  const own = makeConverter({
    pairs: [
      ['序列', 'A'],
      ['序列長度', 'B'],
    ],
    never: [],
  });
  assert.equal(own('序列長度與序列'), 'B与A');
});

test('Taiwan quotation marks become mainland ones, nested too', () => {
  assert.equal(convert('他說「這叫『鍵』」'), '他说“这叫‘键’”');
});

test('a blocked word that no row asks for stops the build, and one that a row asks for does not', () => {
  const own = makeConverter({ pairs: [['循序', '串行']], never: ['串行', '矢量'] });
  assert.equal(own('循序'), '串行');
  assert.throws(() => own('向量'), /矢量/);
});

test('text that is mainland text already passes untouched', () => {
  const text = '它是土著，不是土着';
  assert.notEqual(convert(text), text);
  assert.equal(unprotect(convert(protect(text))), text);
});

test('the word list refuses two rows for one word, an unknown group and a missing meaning', () => {
  const list = (rows: string) =>
    readTerms(`groups: [{ id: data, title: x }]\nterms: [${rows}]\nwords: { 甲: 乙 }\nnever: []`);
  const row = (tw: string, rest = 'group: data, cn: x, is: x') =>
    `{ tw: ${tw}, en: ${tw === '甲' ? 'a' : 'b'}, ${rest} }`;
  assert.equal(list(row('丙')).pairs.length, 2);
  assert.throws(() => list(row('甲')), /twice/);
  assert.throws(() => list(row('丙', 'group: other, cn: x, is: x')), /no group/);
  assert.throws(() => list(row('丙', 'group: data, cn: x')), /has no is/);
});
