// The bank's schema and its rules of language: each rule refuses an example that breaks it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse, stringify } from 'yaml';
import { labs } from '../../web/labs/index.ts';
import { defaults, read } from '../../web/labs/kit/raw.ts';
import { decodeState } from '../../web/labs/kit/url-state.ts';
import { QuestionError, readQuestions, type Fault, type Known } from '../../web/quiz/load.ts';
import { readLabWords } from '../../web/site/lab-pages.ts';
import { bank } from './scratch.ts';

type Raw = Record<string, any>;

const choice = (): Raw => ({
  id: 'party-example',
  topic: '範例',
  lesson: 'party',
  lab: 'party',
  kind: 'choice',
  prompt: ['三位賓客的分數是 2、1、0。'],
  legend: '第一位的權重是多少？',
  options: [
    { text: '0.665', correct: true, why: '先取 e 的次方，再除以總和。' },
    {
      text: '0.667',
      correct: false,
      why: '這是直接除以總和。',
      misconception: '線性正規化',
      probe: { call: 'softmaxRows', args: { scores: [[2, 1]] }, path: '0,0', expect: 0.667, tolerance: 0.001 },
    },
    {
      text: '0.500',
      correct: false,
      why: '這是平均分。',
      misconception: '平均分配',
      probe: { call: 'softmaxRows', args: { scores: [[0, 0]] }, path: '0,0', expect: 0.5, tolerance: 0 },
    },
  ],
  point: '知道 softmax 怎麼算。',
  answer: ['是 0.665。'],
  probe: { call: 'softmaxRows', args: { scores: [[2, 1, 0]] }, path: '0,0', expect: 0.665, tolerance: 0.001 },
});

const expert = (): Raw => ({
  id: 'q99',
  topic: '範例',
  lesson: 'party',
  lab: 'party',
  kind: 'expert',
  prompt: '有三位賓客。',
  legend: '權重怎麼算？',
  point: '知道 softmax 怎麼算。',
  answer: ['先取 e 的次方，再除以總和。'],
  wrong: [{ answer: '直接除以總和', why: '那是線性正規化。' }],
});

const number = (): Raw => ({
  ...choice(),
  kind: 'number',
  unit: '分',
  options: [
    { text: '2.94', value: 2.944, tolerance: 0.01, correct: true, why: '這是自然對數。' },
    { text: '19', value: 19, tolerance: 0.1, correct: false, why: '還要取對數。', misconception: '忘了取對數' },
    { text: '0.9', value: 0.9, tolerance: 0.01, correct: false, why: '這是權重的差。', misconception: '混淆兩種差' },
  ],
  probe: undefined,
});

const multi = (): Raw => ({
  ...choice(),
  kind: 'multi',
  options: [
    { text: '分數可以是負的', correct: true, why: '點積沒有下限。' },
    { text: '權重的總和是 1', correct: true, why: '這是逐橫列的正規化。' },
    { text: '分數的總和是 1', correct: false, why: '只有權重才是。', misconception: '混淆分數與權重' },
    { text: '權重可以是負的', correct: false, why: 'e 的次方是正的。', misconception: '混淆權重與分數' },
  ],
  probe: undefined,
});

const order = (): Raw => ({
  ...expert(),
  id: 'party-order',
  kind: 'order',
  wrong: undefined,
  items: ['除以總和', '先取 e 的次方', '減去最大值'],
  options: [
    { text: '先減，再取次方，最後除', order: [3, 2, 1], correct: true, why: '這樣不會太大。' },
    { text: '先取次方，再減，最後除', order: [2, 3, 1], correct: false, why: '次方已經太大了。', misconception: '太晚減' },
    { text: '先除，再減，最後取次方', order: [1, 3, 2], correct: false, why: '總和不是 1。', misconception: '太早除' },
  ],
});

const diagnose = (): Raw => ({
  ...expert(),
  id: 'party-broken-example',
  kind: 'diagnose',
  digits: 2,
  wrong: undefined,
  options: [
    { text: '分數', shows: call([[2, 0]]), correct: false, misconception: '以為分數要加起來是 1', why: '分數可以是任何數。' },
    { text: '權重', shows: call([[4, 0]]), should: call([[2, 0]]), correct: true, why: '分數被加倍了。' },
    { text: '輸出', shows: call([[1, 0]]), correct: false, misconception: '以為輸出要加起來是 1', why: '輸出是混合。' },
    { text: '總和', shows: call([[0, 0]]), correct: false, misconception: '以為總和是 2', why: '權重加起來是 1。' },
  ],
});
const call = (scores: number[][]): Raw => ({ call: 'softmaxRows', args: { scores } });

function faults(question: Raw, known: Known = {}): Fault[] {
  try {
    readQuestions([{ name: 'example.yaml', text: stringify([question]) }], known);
    return [];
  } catch (error) {
    assert.ok(error instanceof QuestionError, String(error));
    return error.faults;
  }
}

for (const make of [choice, multi, number, order, diagnose, expert]) {
  test(`The ${make.name} example itself is without fault.`, () => assert.deepEqual(faults(make()), []));
}

const broken: [why: string, make: () => Raw, change: (q: Raw) => void, field: string, message: RegExp][] = [
  [
    'an unknown field',
    choice,
    (q) => {
      q.promt = 'x';
    },
    'promt',
    /not a field/,
  ],
  ['a step that shows nothing', diagnose, (q) => delete q.options[0].shows, 'options[0].shows', /is missing/],
  ['a broken step without the sound one', diagnose, (q) => delete q.options[1].should, 'options[1].should', /is missing/],
  [
    'a sound step that ought to be another',
    diagnose,
    (q) => {
      q.options[0].should = call([[1, 1]]);
    },
    'options[0].should',
    /sound step/,
  ],
  [
    'two broken steps',
    diagnose,
    (q) => {
      Object.assign(q.options[0], { correct: true, misconception: undefined, should: call([[1, 1]]) });
    },
    'options',
    /2 right options/,
  ],
  ['three steps', diagnose, (q) => q.options.pop(), 'options', /fewer than four/],
  [
    'half a decimal',
    diagnose,
    (q) => {
      q.digits = 1.5;
    },
    'digits',
    /whole number/,
  ],
  [
    'decimals where nothing is shown',
    choice,
    (q) => {
      q.digits = 2;
    },
    'digits',
    /diagnose questions only/,
  ],
  [
    'a probe on a step',
    diagnose,
    (q) => {
      q.options[0].probe = choice().probe;
    },
    'options[0].probe',
    /not a field/,
  ],
  [
    'an unknown field of an option',
    choice,
    (q) => {
      q.options[0].reason = 'x';
    },
    'options[0].reason',
    /not a field/,
  ],
  [
    'an unknown kind',
    choice,
    (q) => {
      q.kind = 'guess';
    },
    'kind',
    /not one of/,
  ],
  [
    'an id in capitals',
    choice,
    (q) => {
      q.id = 'Party';
    },
    'id',
    /neither/,
  ],
  [
    'a missing topic',
    choice,
    (q) => {
      delete q.topic;
    },
    'topic',
    /missing/,
  ],
  [
    'a missing prompt',
    choice,
    (q) => {
      delete q.prompt;
    },
    'prompt',
    /no paragraph/,
  ],
  [
    'a missing legend',
    choice,
    (q) => {
      delete q.legend;
    },
    'legend',
    /missing/,
  ],
  [
    'a missing point',
    expert,
    (q) => {
      delete q.point;
    },
    'point',
    /missing/,
  ],
  [
    'a missing answer',
    expert,
    (q) => {
      delete q.answer;
    },
    'answer',
    /no paragraph/,
  ],
  [
    'an expert question without wrong answers',
    expert,
    (q) => {
      delete q.wrong;
    },
    'wrong',
    /no common/,
  ],
  [
    'an expert question with options',
    expert,
    (q) => {
      q.options = choice().options;
      q.probe = choice().probe;
    },
    'options',
    /has none/,
  ],
  [
    'an option without a reason',
    choice,
    (q) => {
      delete q.options[1].why;
    },
    'options[1].why',
    /missing/,
  ],
  [
    'a wrong option without a misconception',
    choice,
    (q) => {
      delete q.options[1].misconception;
    },
    'options[1].misconception',
    /missing/,
  ],
  [
    'a right option with a misconception',
    choice,
    (q) => {
      q.options[0].misconception = '沒有';
    },
    'options[0].misconception',
    /right option/,
  ],
  [
    'an option that is neither right nor wrong',
    choice,
    (q) => {
      delete q.options[1].correct;
    },
    'options[1].correct',
    /true or false/,
  ],
  [
    'two right options of a choice',
    multi,
    (q) => {
      q.kind = 'choice';
    },
    'options',
    /2 right options/,
  ],
  [
    'no right option',
    choice,
    (q) => {
      q.options[0].correct = false;
      q.options[0].misconception = '錯';
    },
    'options',
    /0 right options/,
  ],
  [
    'one right option of a multi',
    multi,
    (q) => {
      q.options.splice(0, 1);
    },
    'options',
    /fewer than two right/,
  ],
  [
    'a single wrong option',
    choice,
    (q) => {
      q.options.splice(1, 1);
    },
    'options',
    /fewer than two wrong/,
  ],
  [
    'two options that read the same',
    choice,
    (q) => {
      q.options[1].text = q.options[2].text;
    },
    'options',
    /read the same/,
  ],
  [
    'no lab and no source',
    choice,
    (q) => {
      delete q.lab;
    },
    'lab',
    /neither a lab nor a source/,
  ],
  [
    'a lab state without a lab',
    choice,
    (q) => {
      delete q.lab;
      q.sources = ['x'];
      q.labState = { scores: '1' };
    },
    'labState',
    /no lab/,
  ],
  [
    'a number option without its value',
    number,
    (q) => {
      delete q.options[1].value;
    },
    'options[1].value',
    /missing/,
  ],
  [
    'number options that overlap',
    number,
    (q) => {
      q.options[1].value = 2.95;
    },
    'options[0].value',
    /overlaps/,
  ],
  [
    'an order that forgets an item',
    order,
    (q) => {
      q.options[1].order = [2, 2, 1];
    },
    'options[1].order',
    /does not name each of 3/,
  ],
  [
    'an order question that begins with its answer',
    order,
    (q) => {
      q.options[0].order = [1, 2, 3];
    },
    'items',
    /right order from the beginning/,
  ],
  [
    'one order twice',
    order,
    (q) => {
      q.options[1].order = [1, 3, 2];
    },
    'options[1].order',
    /another option/,
  ],
  [
    'an order of two items',
    order,
    (q) => {
      q.items = ['先', '後'];
    },
    'items',
    /fewer than three/,
  ],
  [
    'items that read the same',
    order,
    (q) => {
      q.items[1] = q.items[0];
    },
    'items',
    /read the same/,
  ],
  [
    'items of a choice',
    choice,
    (q) => {
      q.items = ['一', '二', '三'];
    },
    'items',
    /order questions only/,
  ],
  [
    'a sign in an item',
    order,
    (q) => {
      q.items[1] = 'e ^ x = ?';
    },
    'items[1]',
    /not spoken/,
  ],
  [
    'a unit without a number',
    choice,
    (q) => {
      q.unit = '分';
    },
    'unit',
    /number questions only/,
  ],
  [
    'a probe without a tolerance',
    choice,
    (q) => {
      delete q.probe.tolerance;
    },
    'probe.tolerance',
    /missing/,
  ],
  [
    'a probe that cannot fail',
    choice,
    (q) => {
      q.probe.tolerance = 1;
    },
    'probe.tolerance',
    /loose/,
  ],
  [
    'a probe without arguments',
    choice,
    (q) => {
      delete q.probe.args;
    },
    'probe.args',
    /not a mapping/,
  ],
  [
    'options with probes but no key',
    choice,
    (q) => {
      delete q.probe;
    },
    'probe',
    /key/,
  ],
  [
    'a key on the wrong option',
    choice,
    (q) => {
      q.options[0].correct = false;
      q.options[0].misconception = '錯';
      q.options[1].correct = true;
      delete q.options[1].misconception;
    },
    'options[1].correct',
    /is not the key/,
  ],
  [
    'a distractor that gives the right number',
    choice,
    (q) => {
      q.options[1].probe.expect = 0.665;
    },
    'options[1].correct',
    /is the key/,
  ],
  [
    'an option without a probe among others',
    choice,
    (q) => {
      delete q.options[2].probe;
    },
    'options[2].probe',
    /missing/,
  ],

  [
    'a sentence over 60 characters',
    expert,
    (q) => {
      q.answer = ['很長'.repeat(31) + '。'];
    },
    'answer[0]',
    /sentence of 62/,
  ],
  [
    'a paragraph of five sentences',
    expert,
    (q) => {
      q.answer = ['對。'.repeat(5)];
    },
    'answer[0]',
    /5 sentences/,
  ],
  [
    'a legend that is too long',
    choice,
    (q) => {
      q.legend = '很'.repeat(33) + '？';
    },
    'legend',
    /over 40/,
  ],
  [
    'a legend that does not end',
    choice,
    (q) => {
      q.legend = '第一位的權重';
    },
    'legend',
    /does not end/,
  ],
  [
    'a list item that is too long',
    choice,
    (q) => {
      q.options[1].why = '對。'.repeat(45);
    },
    'options[1]',
    /too long a list item/,
  ],
  [
    'a wrong answer that is too long',
    expert,
    (q) => {
      q.wrong[0].why = '對。'.repeat(50);
    },
    'wrong[0]',
    /too long a list item/,
  ],
  [
    'options of very different lengths',
    choice,
    (q) => {
      q.options[0].text = '這一個選項比別的都長 0.665';
    },
    'options',
    /factor of 1.6/,
  ],
  [
    'a stem with NOT',
    choice,
    (q) => {
      q.legend = '哪一個說法不正確？';
    },
    'legend',
    /what is not so/,
  ],
  [
    'a stem with EXCEPT',
    choice,
    (q) => {
      q.prompt = ['除了分數以外，哪一個是權重？'];
    },
    'legend',
    /what is not so/,
  ],
  [
    'all of the above',
    multi,
    (q) => {
      q.options[1].text = '以上都是對的';
    },
    'options[1].text',
    /all or none/,
  ],
  [
    'none of the above',
    multi,
    (q) => {
      q.options[3].text = '以上皆非才對';
      q.options[2].text = '都不對這樣說';
    },
    'options[3].text',
    /all or none/,
  ],
  [
    'a place: 上圖',
    expert,
    (q) => {
      q.prompt = ['請看上圖的權重。'];
    },
    'prompt[0]',
    /place/,
  ],
  [
    'a place: 下方',
    expert,
    (q) => {
      q.answer = ['見下方的表。'];
    },
    'answer[0]',
    /place/,
  ],
  [
    'a place: 左邊',
    choice,
    (q) => {
      q.options[0].why = '左邊那一個最大。';
    },
    'options[0].why',
    /place/,
  ],
  [
    'a colour',
    choice,
    (q) => {
      q.options[0].why = '紅色那一個最大。';
    },
    'options[0].why',
    /colour/,
  ],
  [
    'a bare 列',
    expert,
    (q) => {
      q.answer = ['每一列的總和是 1。'];
    },
    'answer[0]',
    /bare 「列」/,
  ],
  [
    'a bare 行',
    expert,
    (q) => {
      q.answer = ['每一行的總和是 1。'];
    },
    'answer[0]',
    /bare 「行」/,
  ],
  [
    'a sign in a legend',
    choice,
    (q) => {
      q.legend = 'Q × K 是多少？';
    },
    'legend',
    /not spoken in a name/,
  ],
  [
    'a sign in an option',
    choice,
    (q) => {
      q.options[0].text = '>0.6';
    },
    'options[0].text',
    /not spoken in a name/,
  ],
  [
    'an index in a legend',
    choice,
    (q) => {
      q.legend = 'W_Q 是什麼？';
    },
    'legend',
    /not spoken in a name/,
  ],
  [
    'a sign in a reason',
    choice,
    (q) => {
      q.options[1].why = '這是 2/3。';
    },
    'options[1].why',
    /announcement/,
  ],
  [
    'a raised T',
    expert,
    (q) => {
      q.answer = ['分數是 QKᵀ。'];
    },
    'answer[0]',
    /的轉置/,
  ],
  [
    'full-width digits',
    expert,
    (q) => {
      q.answer = ['總和是 １。'];
    },
    'answer[0]',
    /full-width/,
  ],
  [
    'a picture',
    expert,
    (q) => {
      q.answer = ['對了 ✓。'];
    },
    'answer[0]',
    /picture/,
  ],
];

for (const [why, make, change, field, message] of broken) {
  test(`The bank refuses ${why}.`, () => {
    const question = make();
    change(question);
    const found = faults(JSON.parse(JSON.stringify(question)) as Raw);
    assert.ok(
      found.some((f) => f.field === field && message.test(f.message)),
      `expected ${field} ${message}, got ${JSON.stringify(found)}`,
    );
  });
}

test('Names that do not exist are refused when the lists are known.', () => {
  const known = { lessons: ['party'], labs: ['party'], sources: ['clark2019'] };
  assert.deepEqual(faults({ ...choice(), sources: ['clark2019'] }, known), []);
  assert.deepEqual(
    faults({ ...choice(), lesson: 'wedding', lab: 'wedding', sources: ['nobody1999'] }, known)
      .map((f) => f.field)
      .sort(),
    ['lab', 'lesson', 'sources'],
  );
});

test('A message names the file, the question and the field.', () => {
  const text = stringify([{ ...choice(), topic: undefined }]);
  assert.throws(
    () => readQuestions([{ name: 'a/b/scores.yaml', text }]),
    /^QuestionError: scores\.yaml: party-example: topic: is missing$/,
  );
});

test('Two questions may not share an id, even in two files.', () => {
  const text = stringify([choice()]);
  assert.throws(
    () =>
      readQuestions([
        { name: 'a.yaml', text },
        { name: 'b.yaml', text },
      ]),
    /b\.yaml: party-example: id: is used/,
  );
});

test('Broken YAML, a file that is no list and an entry that is no question are faults, not crashes.', () => {
  assert.throws(() => readQuestions([{ name: 'a.yaml', text: '- id: [' }]), QuestionError);
  assert.throws(() => readQuestions([{ name: 'a.yaml', text: 'id: q01' }]), /not a list of questions/);
  assert.throws(() => readQuestions([{ name: 'a.yaml', text: '- just words' }]), /question 1.*not a mapping/);
});

test('Words that only contain 列 or 行 pass, and both sides of a variant count once.', () => {
  assert.deepEqual(
    faults({ ...expert(), answer: ['序列、排列、陣列、橫列都行得通嗎？'] }).map((f) => f.field),
    ['answer[0]'],
  );
  assert.deepEqual(faults({ ...expert(), answer: ['序列、排列、陣列與橫列，平行執行也可行，先行詞也是。'] }), []);
  assert.deepEqual(
    faults({ ...expert(), answer: [`${'很'.repeat(50)}{{tw:牠|cn:它，这一边很长很长很长很长很长}}。`] }),
    [],
  );
});

test('The bank refers only to labs that exist, and to fields that those labs have.', () => {
  for (const { id, lab, labState } of bank.values()) {
    if (lab === undefined) continue;
    const known = labs[lab];
    assert.ok(known, `${id}: there is no lab ${lab}`);
    const fields = known.inputs.map((input) => input.name);
    for (const [name] of new URLSearchParams(labState))
      assert.ok(fields.includes(name), `${id}: ${lab} has no field ${name}`);
  }
});

test('The state in which a question opens its lab is one that the lab can run.', () => {
  let count = 0;
  for (const { id, lab: stem, labState } of bank.values()) {
    const lab = labs[stem ?? ''];
    if (!lab || labState === undefined) continue;
    const link = decodeState(lab, 'page', `#page?${labState}`)!;
    const reading = read(lab, { ...defaults(lab, readLabWords('.', lab.stem, 'zh-Hant')), ...link });
    assert.ok('values' in reading, `${id}: ${JSON.stringify(reading)}`);
    for (const input of lab.inputs)
      if (input.kind === 'choice' && input.name in link)
        assert.equal(reading.values[input.name], link[input.name], `${id}: ${input.name}`);
    count += 1;
  }
  assert.ok(count >= 20, `only ${count}`);
});

test('Published figures are those of lessons/sources.yaml.', () => {
  const sources = parse(readFileSync(new URL('../../lessons/sources.yaml', import.meta.url), 'utf8')) as Raw;
  for (const { id, sources: cited } of bank.values()) {
    for (const source of cited) {
      assert.ok(sources[source.id], `${id}: there is no source ${source.id}`);
      const published = sources[source.id].figures.flatMap((f: Raw) => (String(f.value).match(/\d+(?:\.\d+)?/g) ?? []).map(Number));
      for (const figure of source.figures)
        assert.ok(published.includes(figure), `${id}: ${source.id} has no figure ${figure}`);
    }
  }
});

test('The right option of the choices does not always stand in the same place, nor is it always the longest.', () => {
  const choices = [...bank.values()].filter((q) => q.kind === 'choice');
  const places = new Set(choices.map((q) => q.options.findIndex((o) => o.correct)));
  assert.ok(places.size > 1);
  const longest = choices.filter((q) => {
    const right = q.options.find((o) => o.correct)!;
    return q.options.every((o) => o === right || o.text.length < right.text.length);
  });
  assert.ok(longest.length < choices.length);
});

test('The lesson party has its expert questions and its kinds.', () => {
  const party = [...bank.values()].filter((q) => q.lesson === 'party');
  assert.deepEqual(new Set(party.map((q) => q.kind)), new Set(['choice', 'multi', 'number', 'diagnose', 'expert']));
  for (const id of ['q08', 'q09', 'q11', 'q12']) assert.equal(bank.get(id)?.kind, 'expert');
});
