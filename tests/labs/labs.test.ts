import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Core } from '../../web/core/core.ts';
import { matrix, rowsOf, type Matrix } from '../../web/core/matrix.ts';
import { labs } from '../../web/labs/index.ts';
import { readGuess, reconcile } from '../../web/labs/kit/predict.ts';
import { defaults } from '../../web/labs/kit/raw.ts';
import { lookup, phrase } from '../../web/labs/kit/template.ts';
import { trustLines, trustSentence, trustSummary } from '../../web/labs/kit/trust.ts';
import type { Lab, Raw, Words } from '../../web/labs/kit/types.ts';
import { loadCore, show, strings, wordsOf } from './kit.ts';

let core: Core;
before(async () => {
  core = await loadCore();
});

const lab = (stem: string): Lab => labs[stem]!;
const presetRaw = (stem: string, id: string): Raw => lab(stem).presets.find((p) => p.id === id)!.raw(core, wordsOf(stem));

function near(actual: number, expected: number, digits: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= 0.5 * 10 ** -digits, `${what}: ${actual} is not ${expected}`);
}

function nearRows(actual: number[][], expected: number[][], what: string): void {
  expected.forEach((row, i) => row.forEach((x, j) => near(actual[i]![j]!, x, 4, `${what} ${i},${j}`)));
}

/** The machine-readable expectations of a lab's words. */
const expectations = (words: Words, part: string) => lookup(words, `expect.${part}`) as unknown as Record<string, any>;

for (const stem of Object.keys(labs)) {
  test(`${stem}: state and tables at the defaults are the expected ones`, () => {
    const words = wordsOf(stem);
    const expected = expectations(words, 'default');
    const { view } = show(lab(stem), core, words);
    assert.equal(phrase(words, view.state), expected.state);
    const tables = [...view.tables, ...(view.more?.tables ?? [])];
    for (const [id, rows] of Object.entries(expected.cells as Record<string, number[][]>)) {
      nearRows(tables.find((table) => table.id === id)!.cells, rows, id);
    }
  });

  test(`${stem}: every self-check passes at the defaults and at every preset`, () => {
    const words = wordsOf(stem);
    for (const raw of [{}, ...lab(stem).presets.map(({ id }) => presetRaw(stem, id))]) {
      const { values, result } = show(lab(stem), core, words, raw);
      for (const line of trustLines(lab(stem), core, values, result)) {
        assert.ok(line.passes, `${line.key} ${line.value}`);
        assert.match(trustSentence(line, words, strings), /，通過。$/);
      }
    }
  });

  test(`${stem}: presets show the expected tables`, () => {
    const words = wordsOf(stem);
    for (const [id, tables] of Object.entries(expectations(words, 'presets') ?? {})) {
      const { view } = show(lab(stem), core, words, presetRaw(stem, id));
      for (const [table, rows] of Object.entries(tables as Record<string, number[][]>)) {
        nearRows(view.tables.find((t) => t.id === table)!.cells, rows, `${id} ${table}`);
      }
    }
  });
}

test('party: the numbers of the fact sheet', () => {
  const { result } = show(lab('party'), core, wordsOf('party'));
  const expected = expectations(wordsOf('party'), 'default');
  nearRows(rowsOf(result.weights), expected.weights, 'weights');
  near(result.sum, expected.sum, 12, 'sum');
  near(result.gap, expected.gap, 4, 'gap for 95/5');
});

test('qkv: the numbers of the fact sheet, and the multiply-adds counted by the core', () => {
  const { result } = show(lab('qkv'), core, wordsOf('qkv'));
  const expected = expectations(wordsOf('qkv'), 'default');
  nearRows(rowsOf(result.weights), expected.weights, 'weights');
  nearRows(rowsOf(result.output), expected.output, 'output');
  assert.equal(result.multiplyAdds, expected.count);
});

test('identity-projections: each way of projecting has its gaps and its product', () => {
  const words = wordsOf('identity-projections');
  const { result } = show(lab('identity-projections'), core, words);
  near(result.scoreGap, expectations(words, 'default').scoreGap, 12, 'score gap');
  near(result.weightGap, expectations(words, 'default').weightGap, 4, 'weight gap');
  for (const [scheme, expected] of Object.entries(expectations(words, 'schemes'))) {
    const { result: r } = show(lab('identity-projections'), core, words, { scheme });
    near(r.scoreGap, expected.scoreGap, 3, scheme);
    nearRows(rowsOf(r.form), expected.form, scheme);
  }
});

test('24 tokens of width 16 give a whole result', () => {
  const tokens = Array.from({ length: 24 }, (_, i) => `詞${i + 1}`).join(' ');
  const row = (i: number) => Array.from({ length: 16 }, (_, j) => ((i * 7 + j * 3) % 5) - 2).join(' ');
  const square = Array.from({ length: 16 }, (_, i) => row(i));
  const raw = { tokens, x: Array.from({ length: 24 }, (_, i) => row(i)), wq: square, wk: square, wv: square, row: '23' };
  const { values, result, view } = show(lab('qkv'), core, wordsOf('qkv'), raw);
  assert.equal(result.multiplyAdds, 24 * 24 * 16);
  assert.equal(view.tables[0]!.cells.length, 24);
  assert.ok(trustLines(lab('qkv'), core, values, result).every((line) => line.passes));
});

/** The guesses that the form of a lab offers. */
function guesses(l: Lab, words: Words): string[] {
  const { predict } = l;
  if (predict.kind === 'choice') return predict.options;
  if (predict.kind === 'number') return [String(predict.min), String(predict.max)];
  return (lookup(words, `inputs.${predict.of}.initial`) as string[]).map((_, i) => String(i));
}

/** Inputs that between them lead to every outcome of each lab. */
const OUTCOMES: Record<string, Raw[]> = {
  party: [{ scores: ['0', '3'] }, { scores: ['0', '0'] }, {}, { scores: ['5', '0'] }],
  qkv: [{}, { x: ['3, 0, 3', '0, 0, 0', '0, 0, 0', '0, 0, 0'], wk: ['1, 0', '0, 1', '1, -1'] }],
  'identity-projections': [
    {},
    { tokens: '甲 乙 丙 丁', x: ['1, 0', '0, 1', '-1, 0', '0, -1'] },
    { scheme: 'different' },
  ],
};

for (const stem of Object.keys(labs)) {
  test(`${stem}: every guess with every outcome has a whole sentence, and every sentence is used`, (t) => {
    const words = wordsOf(stem);
    const used = new Set<string>();
    for (const raw of OUTCOMES[stem]!) {
      const { values, result } = show(lab(stem), core, words, raw);
      for (const guess of guesses(lab(stem), words)) {
        const text = reconcile(lab(stem), guess, values, result, words);
        t.diagnostic(text);
        assert.match(text, /^你猜.*。$/);
        assert.ok([...text].length <= 60, text);
        used.add(lab(stem).predict.judge(guess, values, result).key);
      }
    }
    const leaves = (node: Words, path: string): string[] =>
      Object.entries(node).flatMap(([key, value]) => (typeof value === 'string' ? [path + key] : leaves(value as Words, `${path}${key}.`)));
    assert.deepEqual([...used].sort(), leaves(lookup(words, 'predict.reconcile') as Words, '').sort());
  });
}

test('A guess may be a choice or a number, and a missing or unreadable one is told apart', () => {
  const number = { ...lab('party'), predict: { kind: 'number', min: 0, max: 1, judge: () => ({ key: 'half.half' }) } } as Lab;
  assert.deepEqual(readGuess(number, '０．７'), { ok: true, guess: '0.7' });
  assert.equal((readGuess(number, '70%') as any).problem.code, 'percent');
  assert.equal((readGuess(number, '7') as any).problem.code, 'range');
  assert.equal((readGuess(lab('party'), null) as any).problem.code, 'no-guess');
  assert.deepEqual(readGuess(lab('party'), 'seven'), { ok: true, guess: 'seven' });
});

/** A result that is wrong in the way that each self-check is there to notice. */
const changed = (m: Matrix, f: (x: number, i: number) => number): Matrix => ({ ...m, data: m.data.map(f) });
const unbalanced = (r: any) => ({ ...r, weights: changed(r.weights, (x, i) => (i === 0 ? x + 0.01 : x)) });
const negative = (r: any) => ({ ...r, weights: changed(r.weights, (x, i) => (i === 0 ? -x : x)) });
const FAULTS: Record<string, Record<string, (r: any) => any>> = {
  party: {
    sum: unbalanced,
    positive: negative,
    // Shares of the plain scores instead of their exponentials.
    shift: (r) => ({ ...r, weights: matrix([[0.95, 0.05]]) }),
    gap: (r) => ({ ...r, gap: 0.9 }),
  },
  qkv: {
    sum: unbalanced,
    positive: negative,
    // Softmax down the columns.
    softmax: (r) => ({ ...r, weights: core.transpose(core.softmaxRows(core.transpose(r.scores))) }),
    seats: (r) => ({ ...r, output: changed(r.output, (x, i) => x + i / 100) }),
    mix: (r) => ({ ...r, output: r.v }),
    count: (r) => ({ ...r, multiplyAdds: 64 }),
  },
  'identity-projections': {
    sum: unbalanced,
    positive: negative,
    form: (r) => ({ ...r, form: matrix([[1, 3], [0, 1]]) }),
    promise: (r) => ({ ...r, scoreGap: 0.5 }),
  },
};

for (const stem of Object.keys(labs)) {
  test(`${stem}: each self-check fails on the fault it is there for`, () => {
    const words = wordsOf(stem);
    const { values, result } = show(lab(stem), core, words);
    assert.deepEqual(Object.keys(FAULTS[stem]!).sort(), lab(stem).checks.map(({ key }) => key).sort());
    for (const [key, spoil] of Object.entries(FAULTS[stem]!)) {
      const lines = trustLines(lab(stem), core, values, spoil(result));
      const line = lines.find((l) => l.key === key)!;
      assert.ok(!line.passes, `${key} ${line.value}`);
      assert.match(trustSentence(line, words, strings), /，未通過。$/);
      assert.match(trustSummary(lines, strings), /未通過/);
    }
  });
}

test('A residual that is not a number fails its check and is said in words', () => {
  const broken = { ...lab('party'), checks: [{ key: 'sum', limit: 1, residual: () => NaN }] };
  const [line] = trustLines(broken, core, {}, {});
  assert.equal(line!.passes, false);
  assert.match(trustSentence(line!, wordsOf('party'), strings), /算不出來，未通過/);
});

test('Shapes that do not fit together get a sentence at their field', () => {
  const wide = lab('qkv').fits!({ x: [[1, 2]], wq: [[1], [1]], wk: [[1, 2], [1, 2]], wv: [[1], [1]] });
  assert.deepEqual(wide, { field: 'wk', code: 'widths', slots: { k: '2', q: '1' } });
  const short = lab('qkv').fits!({ x: [[1, 2]], wq: [[1]], wk: [[1]], wv: [[1]] });
  assert.equal(short?.code, 'rows');
  assert.equal(lab('identity-projections').fits!({ x: [[1], [1], [1]] })?.code, 'two');
});

test('The default input of every lab can be typed back in', () => {
  for (const [stem, l] of Object.entries(labs)) {
    const raw = defaults(l, wordsOf(stem));
    assert.deepEqual(show(l, core, wordsOf(stem), raw).values, show(l, core, wordsOf(stem)).values);
  }
});
