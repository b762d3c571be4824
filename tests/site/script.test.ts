// A whole page in the other script.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertPage } from '../../web/site/transforms/script.ts';

const mark = (text: string) => text.replaceAll('甲', '乙');
const body = (html: string) =>
  /<body>([^]*)<\/body>/.exec(
    convertPage(`<!doctype html><html lang="zh-TW"><body>${html}</body></html>`, mark),
  )![1];

test('text and attributes that are spoken are converted', () => {
  assert.equal(body('<p title="甲" class="甲">甲</p>'), '<p title="乙" class="甲">乙</p>');
  assert.equal(
    body(
      '<input type="text" value="甲" placeholder="甲" aria-label="甲"><input type="radio" value="甲">',
    ),
    '<input type="text" value="乙" placeholder="乙" aria-label="乙"><input type="radio" value="甲">',
  );
  assert.equal(
    body('<input type="range" aria-valuetext="甲"><textarea>甲</textarea>'),
    '<input type="range" aria-valuetext="乙"><textarea>乙</textarea>',
  );
});

test('words inside formulas are converted like any other', () => {
  assert.equal(body('<math><mtext>甲</mtext></math>'), '<math><mtext>乙</mtext></math>');
});

test('code, styles and raw passages stay as they are', () => {
  for (const html of [
    '<code>甲</code>',
    '<pre>甲</pre>',
    '<span data-raw="">甲</span>',
    '<script>"甲"</script>',
  ])
    assert.equal(body(html), html);
});

test('the strings of embedded JSON are converted, its keys are not, and it cannot end its element', () => {
  assert.equal(
    body('<script type="application/json">{"甲":["甲",1,{"x":"甲\\u003c/script>"}]}</script>'),
    '<script type="application/json">{"甲":["乙",1,{"x":"乙\\u003c/script>"}]}</script>',
  );
});

test('without a converter a page keeps its words and gets the same shape', () => {
  assert.equal(
    convertPage(
      '<!doctype html><html><head><title>甲</title></head><body><br/></body></html>',
      undefined,
    ),
    '<!doctype html>\n<html><head><title>甲</title></head><body><br></body></html>',
  );
});
