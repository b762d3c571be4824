// Verdicts and reasons as sentences, without a browser.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { judgeNumber, judgeOrder, judgePicks, type Words } from '../../web/quiz/judge.ts';
import { fill } from '../../web/site/strings.ts';
import type { CardData } from '../../web/quiz/types.ts';
import { bank, numbered, strings } from './scratch.ts';

before(() => numbered);

const words: Words = (key, slots) => fill(strings[key]!, slots);

function card(id: string, number = 3): CardData {
  const { kind, items, options, unit = '' } = bank.get(id)!;
  return { id, kind, number, unit, items, options };
}

test('A wrong choice: verdict, the mistake by name, why it fails; then why the right one holds; then the rest.', () => {
  const verdict = judgePicks(card('party-shift'), [0], words);
  assert.deepEqual(verdict, {
    state: 'wrong',
    said: '第 3 題答錯了。你選了「降到 0.417」。這個誤解叫「把分數除以總和」。這是 5 除以 12。softmax 要先取 e 的次方，不能直接除以總和。',
    right: ['「維持 0.665」是對的。權重只看分數的差。差沒有變，權重就不變。'],
    rest: [
      '「升到 0.950」是錯的，這個誤解叫「把同加當成同乘」。這是每個分數都乘以 3 的結果。同乘會拉開差距，同加不會。',
      '「升到 0.976」是錯的，這個誤解叫「只替一位加分」。這是只有第一位加 3 分的結果。每一位都加，差距並沒有拉開。',
    ],
  });
});

test('A right choice says why once and then why the others fail.', () => {
  const verdict = judgePicks(card('party-shift'), [2], words);
  assert.equal(verdict.state, 'right');
  assert.equal(verdict.said, '第 3 題答對了。你選了「維持 0.665」。權重只看分數的差。差沒有變，權重就不變。');
  assert.deepEqual(verdict.right, []);
  assert.equal(verdict.rest.length, 3);
});

test('The broken step is right to pick: what it ought to be is said; a sound step is told to be sound.', () => {
  const broken = judgePicks(card('party-broken'), [2], words);
  assert.equal(broken.state, 'right');
  assert.equal(
    broken.said,
    '第 3 題答對了。你選了「權重」，這一步應該是 0.73、0.27；0.27、0.73。softmax 要逐橫列做，一位賓客的注意力加起來是 1。這裡是每一直欄加起來才是 1。',
  );
  assert.equal(broken.rest.length, 3);
  const sound = judgePicks(card('party-broken'), [1], words);
  assert.equal(sound.state, 'wrong');
  assert.match(sound.said, /^第 3 題答錯了。你選了「縮放」，這一步沒有壞。這個誤解叫「以為要除以 d k 本身」。/);
  assert.match(sound.right[0]!, /^「權重」壞了，應該是 0\.73/);
  assert.match(sound.rest[0]!, /^「點積」沒有壞，以為它壞了的誤解叫/);
});

test('No choice is no answer.', () => {
  assert.deepEqual(judgePicks(card('party-shift'), [], words), {
    state: 'none',
    said: '第 3 題還沒有選答案。',
    right: [],
    rest: [],
  });
  assert.equal(judgePicks(card('party-shift'), [99], words).state, 'none');
});

test('Several choices: exactly the right set is right; else it is said how many are wrong and missing.', () => {
  const symmetric = card('party-symmetric');
  assert.equal(judgePicks(symmetric, [0, 2, 4], words).said, '第 3 題答對了。');
  assert.equal(judgePicks(symmetric, [0, 2, 4], words).right.length, 3);
  assert.equal(judgePicks(symmetric, [0, 2], words).said, '第 3 題答錯了。還有 1 項該選而沒選。');
  const extra = judgePicks(symmetric, [0, 1, 2, 3, 4], words);
  assert.match(
    extra.said,
    /^第 3 題答錯了。你選的有 2 項不對。「兩個投影各自都是對稱矩陣」是錯的，這個誤解叫「對稱乘對稱還是對稱」。/,
  );
  assert.equal(extra.rest.length, 1);
  const both = judgePicks(symmetric, [1], words);
  assert.match(both.said, /^第 3 題答錯了。你選的有 1 項不對。還有 3 項該選而沒選。/);
  assert.equal(both.right.length, 3);
});

test('A number: right within the tolerance, a known mistake by its name, anything else by its value.', () => {
  const guest = card('party-third-guest');
  for (const typed of ['2.89', '2.9', '２．８９', '2.8904', '289%'])
    assert.equal(judgeNumber(guest, typed, words).state, 'right', typed);
  assert.match(judgeNumber(guest, '2.2', words).said, /^第 3 題答錯了。你填的是 2.2。這個誤解叫「只算了兩個人」。/);
  assert.match(judgeNumber(guest, '18', words).said, /忘了取自然對數/);
  const other = judgeNumber(guest, '7', words);
  assert.equal(other.said, '第 3 題答錯了。你填的是 7，不在正確範圍內。');
  assert.deepEqual([other.state, other.right.length, other.rest.length], ['wrong', 1, 4]);
  assert.match(judgeNumber(guest, '3e-44', words).said, /你填的是 3 乘以 10 的負 44 次方，不在/);
  assert.match(judgeNumber(guest, '1.5e20', words).said, /你填的是 1.5 乘以 10 的 20 次方，/);
  assert.match(judgeNumber(guest, '123456789', words).said, /你填的是 123456789，/);
  assert.match(judgeNumber(guest, '1/3', words).said, /你填的是 0\.33333333，不在/);
});

test('An order: right, a known mistake by its name, anything else by the first item that is wrong.', () => {
  const post = card('two-halls-post');
  assert.deepEqual(post.items, ['層正規化', '加上原來的輸入', '通過子層']);
  const right = judgeOrder(post, [2, 1, 0], words);
  assert.deepEqual([right.state, right.right.length, right.rest.length], ['right', 0, 3]);
  assert.match(right.said, /^第 3 題答對了。你排的是「先過子層，再加輸入，最後正規化」。/);
  const pre = judgeOrder(post, [0, 2, 1], words);
  assert.match(pre.said, /^第 3 題答錯了。你排的是「先正規化，再過子層，最後加輸入」。這個誤解叫「把前置當成原論文」。/);
  assert.deepEqual([pre.right.length, pre.rest.length], [1, 2]);
  const other = judgeOrder(post, [1, 2, 0], words);
  assert.equal(other.said, '第 3 題答錯了。你排的第 1 個是「加上原來的輸入」，從這裡開始不對。');
  assert.deepEqual([other.state, other.right.length, other.rest.length], ['wrong', 1, 3]);
  const untouched = judgeOrder(card('curve-snaps-order'), [0, 1, 2], words);
  assert.deepEqual([untouched.state, untouched.said], ['none', '第 3 題還沒有動過順序。請選一項，往前或往後移。']);
});

test('A number that is missing, unreadable or too large is not judged.', () => {
  const guest = card('party-third-guest');
  assert.deepEqual(
    ['', '二點九', '1e999'].map((typed) => judgeNumber(guest, typed, words)).map(({ state, said }) => [state, said]),
    [
      ['none', '第 3 題還沒有填數字。'],
      ['none', '第 3 題看不懂你填的內容。請填一個數，例如 2.94 或 1678 萬。'],
      ['none', '第 3 題的數字太大，超出電腦能算的範圍。'],
    ],
  );
});

test('Everything that may be announced is sentences of at most 60 characters without silent signs.', (t) => {
  const said: string[] = [];
  for (const question of bank.values()) {
    const data = card(question.id, 10);
    if (question.kind === 'number') {
      for (const o of question.options) said.push(judgeNumber(data, String(o.value), words).said);
      for (const typed of ['', 'x', '1e999', '1e-9', '123456789']) said.push(judgeNumber(data, typed, words).said);
    } else if (question.kind === 'order') {
      for (const o of question.options) said.push(judgeOrder(data, o.order!, words).said);
      question.items.forEach((_, k) =>
        said.push(judgeOrder(data, question.items.map((__, i) => (i + k) % question.items.length), words).said),
      );
    } else {
      question.options.forEach((_, i) => said.push(judgePicks(data, [i], words).said));
      said.push(
        judgePicks(
          data,
          question.options.map((_, i) => i),
          words,
        ).said,
      );
    }
  }
  for (const [key, template] of Object.entries(strings)) {
    // The hint about what may be typed is running text; it stands before the field and is never announced.
    if (!key.endsWith('quiz.number.how')) said.push(template.replace(/\{\w+\}/g, '3'));
  }
  for (const text of new Set(said)) {
    t.diagnostic(text);
    assert.doesNotMatch(text, /[→×÷<>≠±⋅＝＋=+~()_/√]/u, text);
    for (const sentence of text.split(/[。！？]/)) assert.ok([...sentence].length <= 60, text);
  }
});
