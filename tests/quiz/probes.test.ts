// Every number of the bank against the core, and proof that a wrong core turns the bank red.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Core } from '../../web/core/core.ts';
import { matrix, rowsOf, type Matrix } from '../../web/core/matrix.ts';
import type { Museum } from '../../web/core/museum.ts';
import { loadAllInNode, loadCoreInNode } from '../../web/core/node.ts';
import {
  checkProbes,
  evaluate,
  ProbeError,
  probesOf,
  quotedNumbers,
  unprovedNumbers,
  withNumbers,
} from '../../web/quiz/probes.ts';
import type { Question } from '../../web/quiz/types.ts';
import { bank, numbered } from './scratch.ts';

let core: Core;
let everything: Core & Museum;
before(async () => {
  await numbered;
  core = await loadCoreInNode(process.env.ATTN_CORE);
  everything = await loadAllInNode();
});

const questions = (): Question[] => [...bank.values()];
const get = (id: string): Question => structuredClone(bank.get(id)!);

const scaled = (m: Matrix, factor: number): Matrix => matrix(rowsOf(m).map((row) => row.map((x) => x * factor)));

test('The core agrees with every probe of the bank.', (t) => {
  const results = checkProbes(questions(), core);
  assert.ok(results.length >= 40, `only ${results.length} probes`);
  t.diagnostic(`${results.length} probes evaluated`);
});

test('Every question that is not about published figures alone has a probe.', () => {
  for (const question of questions()) {
    assert.ok(probesOf(question).length > 0 || question.sources.length > 0, question.id);
  }
});

test('Every wrong option of a question about what can be computed has its wrong formula as a probe.', () => {
  for (const question of questions()) {
    // A sound step of a diagnosis is computed by the right formula, which the build shows.
    if (probesOf(question).length === 0 || question.kind === 'diagnose') continue;
    question.options.forEach((option, i) => {
      assert.ok(option.correct || option.probes.length > 0, `${question.id}: options[${i}]`);
    });
  }
});

test("Every decimal in the bank is a probe's number or a published figure.", () => {
  for (const question of questions()) assert.deepEqual(unprovedNumbers(question), [], question.id);
});

test('A mistyped decimal in a text is found.', () => {
  const question = get('party-shift');
  question.options[1]!.text = '升到 0.951';
  assert.deepEqual(unprovedNumbers(question), [{ field: 'options[1].text', shown: '0.951' }]);
  const answer = get('q09');
  answer.answer[3] = answer.answer[3]!.replace('65.1', '56.1');
  assert.deepEqual(unprovedNumbers(answer), [{ field: 'answer[3]', shown: '56.1' }]);
  assert.deepEqual(
    quotedNumbers('GPT-3.5 從 -0.50 到 12').map((n) => n.value),
    [-0.5],
  );
});

test('A softmax that is a little off turns the bank red.', () => {
  const off: Core = { ...core, softmaxRows: (scores, options) => core.softmaxRows(scaled(scores, 1.001), options) };
  assert.throws(() => checkProbes(questions(), off), ProbeError);
});

test('Scores without the division by the root of d_k turn the bank red.', () => {
  const off: Core = {
    ...core,
    attention: (q, k, v, options) => core.attention(scaled(q, Math.sqrt(q.cols)), k, v, options),
  };
  assert.throws(
    () => checkProbes(questions(), off),
    (error: unknown) => error instanceof ProbeError && /attention|the core says/.test(error.message),
  );
});

test('A softmax over columns instead of rows turns the bank red.', () => {
  const off: Core = {
    ...core,
    softmaxRows: (scores, options) => core.transpose(core.softmaxRows(core.transpose(scores), options)),
  };
  assert.throws(() => checkProbes(questions(), off), ProbeError);
});

test('A gap in base ten turns the bank red.', () => {
  const off: Core = { ...core, requiredGap: (p) => core.requiredGap(p) / Math.LN10 };
  assert.throws(() => checkProbes(questions(), off), ProbeError);
});

test('Every single probe is needed: changed by a hundredth, it is caught.', () => {
  for (const question of questions()) {
    probesOf(question).forEach((_, i) => {
      const changed = structuredClone(question);
      probesOf(changed)[i]!.probe.expect += 0.01 * Math.max(1, Math.abs(probesOf(changed)[i]!.probe.expect));
      assert.throws(() => checkProbes([changed], core), ProbeError, `${question.id} ${i}`);
    });
  }
});

const diagnoses = (): Question[] => questions().filter(({ kind }) => kind === 'diagnose');

test('The steps of every diagnosis are computed, and only the broken one differs from what it ought to be.', (t) => {
  assert.ok(diagnoses().length >= 3);
  for (const { id, options } of diagnoses())
    for (const { text, numbers, sound, correct } of options) {
      assert.match(numbers!, /^-?\d/, `${id}: ${text}`);
      assert.equal(sound !== undefined && sound !== numbers, correct, `${id}: ${text}`);
    }
  t.diagnostic(`${diagnoses().length} diagnoses`);
});

test('A diagnosis whose broken step is computed rightly stops the build.', () => {
  for (const question of diagnoses()) {
    const mended = structuredClone(question);
    const step = mended.options.find(({ correct }) => correct)!;
    step.shows = step.should!;
    assert.throws(() => withNumbers(mended, everything), /its numbers are the right ones/, question.id);
  }
});

test('A fault of the museum that is put right in the core stops the build.', () => {
  const mended = { ...everything, softmaxOverColumns: everything.softmaxRows };
  assert.throws(() => withNumbers(get('party-broken'), mended), /its numbers are the right ones/);
});

test('A step that cannot be computed, or cannot be heard in one breath, stops the build.', () => {
  const question = get('party-broken');
  question.options[0]!.shows!.call = 'noSuchFunction';
  assert.throws(() => withNumbers(question, everything), /party-broken: 點積: .*noSuchFunction/);
  question.options[0]!.shows = { call: 'uniforms', args: { seed: 1, count: 9 } };
  assert.throws(() => withNumbers(question, everything), /makes a long label/);
});

test('A probe says which question and field it belongs to when it cannot be evaluated.', () => {
  const question = get('q08');
  question.probes[1]!.call = 'softmaxColumns';
  assert.throws(() => checkProbes([question], core), /q08: probe\[1\]: .*softmaxColumns/);
  question.probes = [{ ...question.probes[0]!, path: '0,2' }];
  assert.throws(() => checkProbes([question], core), /q08: probe\[0\]: there is no 0,2/);
  question.probes = [{ ...question.probes[0]!, path: 'weights.0,0' }];
  assert.throws(() => checkProbes([question], core), /there is no weights/);
  delete question.probes[0]!.path;
  assert.throws(() => checkProbes([question], core), /is not a number/);
  question.probes = [
    { call: 'softmaxRows', args: { scores: [[1, 0]], heat: 2 }, path: '0,0', expect: 0, tolerance: 0 },
  ];
  assert.throws(() => checkProbes([question], core), /heat/);
});

test('A NaN from the core disagrees with everything.', () => {
  const off: Core = { ...core, requiredGap: () => NaN };
  assert.throws(() => checkProbes([get('q08')], off), ProbeError);
});

test('Calls may stand inside the arguments of calls, also inside a matrix.', () => {
  const inner = { call: 'requiredGap', args: { p: 0.5 } };
  assert.equal(evaluate({ call: 'product', args: { a: [[3, inner]], b: [[2], [5]] }, path: '0,0' }, core), 6);
});
