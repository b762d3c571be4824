// The HTML of a question: names, ids, what is there without script, and that nothing becomes markup.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { HtmlValidate } from 'html-validate';
import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { Question } from '../../web/quiz/types.ts';
import { bank, numbered, render, scratchPage, strings } from './scratch.ts';

before(() => numbered);

type Element = Tree.Element;

function elements(html: string): Element[] {
  const found: Element[] = [];
  const walk = (node: Tree.Node): void => {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parseFragment(html));
  return found;
}

const attr = (e: Element, name: string): string | undefined => e.attrs.find((a) => a.name === name)?.value;
const named = (all: Element[], tag: string): Element[] => all.filter((e) => e.tagName === tag);

function text(node: Tree.Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(text).join('') : '';
}

function hiddenAncestor(e: Element): boolean {
  for (let at: Tree.ParentNode | null = e; at && 'tagName' in at; at = at.parentNode) {
    if (attr(at, 'hidden') !== undefined) return true;
  }
  return false;
}

const questions = [...bank.values()];
const get = (id: string): Question => structuredClone(bank.get(id)!);

test('Every id is unique on a page with the whole bank, and every label points at a control.', () => {
  const all = elements(scratchPage(questions));
  const ids = all.flatMap((e) => attr(e, 'id') ?? []);
  assert.equal(new Set(ids).size, ids.length);
  for (const label of named(all, 'label')) {
    const control = all.find((e) => attr(e, 'id') === attr(label, 'for'));
    assert.ok(control && ['input', 'textarea'].includes(control.tagName), text(label));
  }
  for (const control of [...named(all, 'input'), ...named(all, 'textarea')]) {
    assert.ok(
      named(all, 'label').some((l) => attr(l, 'for') === attr(control, 'id')),
      attr(control, 'id'),
    );
  }
});

for (const question of questions) {
  test(`${question.id}: one fieldset whose legend asks the question; nothing is chosen beforehand.`, () => {
    const all = elements(render(question));
    const fieldsets = named(all, 'fieldset');
    assert.equal(fieldsets.length, question.kind === 'expert' ? 2 : 1);
    for (const fieldset of fieldsets) {
      const first = fieldset.childNodes.find((n): n is Element => 'tagName' in n);
      assert.equal(first?.tagName, 'legend');
    }
    assert.equal(text(named(all, 'legend')[0]!), `第 1 題：${question.legend}`);
    assert.ok(all.every((e) => attr(e, 'checked') === undefined && attr(e, 'selected') === undefined));
    const radios = named(all, 'input').filter((e) => attr(e, 'type') === 'radio');
    assert.equal(new Set(radios.map((e) => attr(e, 'name'))).size, radios.length > 0 ? 1 : 0);
  });

  test(`${question.id}: names are short plain words without silent signs and without mathematics.`, () => {
    const all = elements(render(question, { labHref: () => '#page-lab' }));
    for (const tag of ['legend', 'label', 'summary', 'button', 'h3', 'a']) {
      for (const e of named(all, tag)) {
        const name = text(e);
        assert.ok([...name].length <= 40, `${tag}: ${name}`);
        assert.doesNotMatch(name, /[→×÷<>≠±⋅＝＋=+~()_/ᵀ⊤√]/u, `${tag}: ${name}`);
        assert.ok(
          elements(name).length === 0 && !e.childNodes.some((n) => 'tagName' in n),
          `${tag} has elements inside`,
        );
      }
    }
    assert.equal(named(all, 'math').length, 0);
  });

  test(`${question.id}: without script the answer and every reason stand in a details, and no button that does nothing is shown.`, () => {
    const all = elements(render(question));
    const [answer] = named(all, 'details');
    assert.ok(answer);
    const first = answer.childNodes.find((n): n is Element => 'tagName' in n);
    assert.equal(first?.tagName, 'summary');
    assert.equal(text(first), question.kind === 'expert' ? '第 1 題的專家解答' : '第 1 題的解答與理由');
    const words = text(answer);
    const same = (s: string) => s.replace(/_/g, '');
    for (const option of question.options) {
      assert.ok(words.includes(same(option.why)), option.why);
      if (option.misconception) assert.ok(words.includes(option.misconception));
    }
    for (const part of [...question.answer, question.point]) assert.ok(words.includes(same(part)), part);
    for (const wrong of question.wrong) assert.ok(words.includes(same(wrong.answer)) && words.includes(same(wrong.why)));
    assert.ok(named(all, 'button').every(hiddenAncestor));
    assert.ok(!hiddenAncestor(answer));
    assert.ok(all.every((e) => attr(e, 'aria-live') === undefined && attr(e, 'role') === undefined));
  });
}

test("Text of the bank stays text, also inside the data of the page's script.", () => {
  const question = get('party-shift');
  const evil = `</script><img src=x onerror=alert(1)>"'&`;
  question.topic = evil;
  question.prompt = [evil];
  question.legend = evil;
  question.options[0]!.text = evil;
  question.options[0]!.why = evil;
  question.options[0]!.misconception = evil;
  question.answer = [evil];
  question.sources = [{ id: evil, figures: [] }];
  const html = render(question, { cite: () => ({ text: evil, href: evil }), labHref: () => evil });
  const all = elements(html);
  assert.equal(named(all, 'img').length, 0);
  assert.equal(named(all, 'script').length, 1);
  const data = JSON.parse(text(named(all, 'script')[0]!)) as { options: { text: string }[] };
  assert.equal(data.options[0]!.text, evil);
  assert.ok(named(all, 'label').some((l) => text(l) === evil));
  assert.ok(named(all, 'a').every((a) => attr(a, 'href') === evil));
});

test('An index is drawn small in running text and is a letter of its own in names.', () => {
  const question = get('q12');
  assert.match(render(question), /<var>W<sub>Q<\/sub><\/var>/);
  question.legend = 'W_Q 是什麼？';
  assert.match(render(question), /<legend>第 1 題：W Q 是什麼？<\/legend>/);
});

test('The link runs the lab in the state that settles the question, and is left out where the lab is not.', () => {
  const question = get('party-shift');
  const hrefs = (html: string) => named(elements(html), 'a').map((a) => attr(a, 'href'));
  const params = new URLSearchParams(question.labState);
  assert.equal(params.get('scores'), '5;4;3');
  assert.deepEqual(hrefs(render(question, { labHref: (lab, state) => `#p-${lab}?${state}` })), [
    `#p-party?${question.labState}`,
  ]);
  assert.deepEqual(hrefs(render(question)), []);
  assert.deepEqual(hrefs(render(question, { labHref: () => undefined })), []);
});

test("Number and level are the page's.", () => {
  const html = render(get('q08'), { number: 7, level: 2 });
  assert.match(html, /<h2 class="q-title">第 7 題：0\.95 分不等於 95%<\/h2>/);
  assert.match(html, /<summary>第 7 題的專家解答<\/summary>/);
});

test('A missing string stops the build.', () => {
  const { 'quiz.check': _, ...rest } = strings;
  assert.throws(() => render(get('party-shift'), { strings: rest }), /quiz\.check/);
});

test('The HTML validator finds nothing in a page with the whole bank.', async () => {
  const validator = new HtmlValidate({
    extends: ['html-validate:recommended'],
    rules: { 'doctype-style': ['error', { style: 'lowercase' }], 'no-inline-style': 'off', 'long-title': 'off' },
  });
  const report = await validator.validateString(scratchPage(questions));
  const messages = report.results.flatMap((r) => r.messages.map((m) => `${m.ruleId} ${m.line}: ${m.message}`));
  assert.deepEqual(messages, []);
});
