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

test('scaling: widths, trials and seeds as they stand in the vectors', () => {
  const { result } = show(lab('scaling'), core, wordsOf('scaling'));
  const [width] = result.widths.filter(({ dk }: { dk: number }) => dk === 256);
  near(width.none.maxWeight, 0.9246464246652296, 9, '256 unscaled');
  near(width.rootOfDk.entropy, 2.3526503213818004, 9, '256 scaled');
  near(width.std, 16, 12, 'theory');
  near(result.exactScaled, 0.7252134544218412, 9, 'two keys');
  const { result: other } = show(lab('scaling'), core, wordsOf('scaling'), { dk: '100', trials: '50' });
  assert.deepEqual(other.widths.map(({ dk }: { dk: number }) => dk), [1, 4, 16, 64, 100, 256, 512]);
});

test('attention-matrix: two million tokens are said in units of people, and the largest setting is still exact', () => {
  const words = wordsOf('attention-matrix');
  const { view } = show(lab('attention-matrix'), core, words, { n: '2000000' });
  assert.match(phrase(words, view.state), /一張矩陣有 4 兆個元素，占 7\.28 TiB/);
  const most = show(lab('attention-matrix'), core, words, { n: '2000000', heads: '16', layers: '32', precision: 'float32' });
  assert.ok(most.result.model.totalBytes > 8e15);
  assert.ok(trustLines(lab('attention-matrix'), core, most.values, most.result).every((line) => line.passes));
});

test('memory-ledger: 128 times is not a square, and the two kinds of heads grow as published', () => {
  const words = wordsOf('memory-ledger');
  const { result, view } = show(lab('memory-ledger'), core, words);
  near(result.total, 145.72972972972974, 9, 'head width 64');
  near(result.claim.quadraticShare, 0.4666666666666667, 12, 'share');
  near(result.claim.exponent, 1.75, 12, 'exponent');
  assert.ok(view.facts.map((fact) => phrase(words, fact)).includes('要剛好變成 128 倍，起點得有 46.7% 是平方部分，其餘是線性；等於長度的 1.75 次方，不是平方。'));
  near(show(lab('memory-ledger'), core, words, { width: '128' }).result.total, 104.88888888888889, 9, 'head width 128');
  const at = (typed: Raw) => show(lab('memory-ledger'), core, words, typed).view;
  assert.ok(at({ claim: '300' }).facts.some(({ key }) => key === 'facts.claim-over'));
  assert.ok(at({ claim: '10' }).facts.some(({ key }) => key === 'facts.claim-under'));
  assert.match(phrase(words, at({ n: '512' }).state), /長度就是起點 512/);
});

test('layer-cost: four times belongs to one of three parts', () => {
  const words = wordsOf('layer-cost');
  const { result } = show(lab('layer-cost'), core, words, { n: '4096' });
  near(result.asked, 2.2857142857142856, 12, '512 to 1024');
  near(result.twice.total / result.flops.total, 3.142857142857143, 12, '4096 to 8192');
  assert.equal(result.crossover, 3072);
  const masked = show(lab('layer-cost'), core, words, { n: '4096', causal: 'yes' });
  assert.ok(masked.result.flops.attentionProducts < 0.51 * result.flops.attentionProducts);
  assert.match(phrase(words, masked.view.state), /不加遮罩時，追平的長度是 3072/);
});

test('causal-mask: the leak test passes with a mask before softmax and is broken by the others', () => {
  const words = wordsOf('causal-mask');
  const expected = expectations(words, 'default');
  const at = (typed: Raw) => show(lab('causal-mask'), core, words, typed);
  const { result } = at({});
  assert.equal(result.leak, expected.leak);
  nearRows(rowsOf(result.before.weights), expected.weights, 'weights');
  assert.equal(result.withoutCache, expected.pairs);
  assert.deepEqual(rowsOf(result.cached), rowsOf(result.before.output));
  near(at({ kind: 'none' }).result.leak, expected.unmaskedLeak, 4, 'no mask');
  for (const kind of ['none', 'after']) {
    const { result: open, view } = at({ kind });
    assert.ok(open.leak > 0.1, kind);
    assert.match(phrase(words, view.state), /洩漏了。$/);
    assert.match(phrase(words, view.facts[0]!), /沒有通過/);
  }
  // The same numbers again are not a leak, whatever the mask.
  assert.equal(at({ kind: 'none', amount: '0' }).result.leak, 0);
  const strict = at({ kind: 'strict' });
  assert.equal(strict.result.leak, 0);
  assert.deepEqual(strict.result.before.fullyMasked, [true, false, false, false]);
  assert.match(phrase(words, strict.view.facts[1]!), /什麼都看不到/);
  assert.ok(at({ kind: 'after' }).result.sums[0] < 1);
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
  flash: [{}],
  'flash-steps': [{}],
  linformer: [{}, { amount: '0' }],
  performer: [{}],
  party: [{ scores: ['0', '3'] }, { scores: ['0', '0'] }, {}, { scores: ['5', '0'] }],
  qkv: [
    {},
    { x: ['3, 0, 3', '0, 0, 0', '0, 0, 0', '0, 0, 0'], wk: ['1, 0', '0, 1', '1, -1'] },
    { wq: ['0, 0', '0, 0', '0, 0'] },
    { x: ['1, 0, 1', '0, 2, 0', '0, 2, 0', '0, 0, 1'] },
  ],
  'identity-projections': [
    {},
    { tokens: '甲 乙 丙 丁', x: ['1, 0', '0, 1', '-1, 0', '0, -1'] },
    { scheme: 'different' },
  ],
  scaling: [{}, { dk: '16', trials: '50' }, { dk: '1', trials: '50' }],
  'attention-matrix': [{}],
  'memory-ledger': [{}],
  'layer-cost': [{}],
  'causal-mask': [{}, { kind: 'none' }],
  'head-gates': [{}, { wo: ['2, 0, 0, 0', '0, 0, 2, 0', '0, 0, 0, 0', '0, 0, 0, 0'] }, { wo: ['0, 0', '0, 0', '0, 0', '0, 0'] }],
  'multi-head': [{}],
  museum: [{}],
  'online-softmax': [{}],
  permutation: [{}, { order: '1、2、3、4' }, { mask: 'causal' }],
  sinusoidal: [{}],
  'dot-product': [{}, { vectors: ['3, 4', '4, -3'] }, { factor: '-1' }],
  'matrix-product': [{}],
  'exponential-shares': [{}, { numbers: ['2', '2', '2'] }],
  'mixture-of-experts': [{}, { capacity: '2' }],
  matching: [{}, { cost: ['1, 5, 5', '5, 1, 5', '5, 5, 1'] }],
  rotary: [{}],
  alibi: [{}],
  extrapolation: [{}],
  patchify: [{}],
  'relay-decay': [{}],
  'eigenvalue-trap': [{}],
  'path-length': [{}],
  'sequential-work': [{}],
  probe: [{}, { control: ['3', '1', '2', '1', '3', '2'] }, { control: ['1', '1', '3', '3', '2', '2'] }],
  layer: [
    {},
    { x: Array.from({ length: 8 }, (_, i) => Array.from({ length: 8 }, (__, j) => (i === j ? 3.7 : 0)).join(' ')) },
    { x: Array.from({ length: 8 }, (_, i) => Array.from({ length: 8 }, (__, j) => (i === j ? 10 : 0)).join(' ')) },
  ],
  translation: [{}, { unit: 'characters', candidate: '小狗在河邊玩耍', reference: '小狗在河邊開心地玩耍' }, { candidate: 'a b c d', reference: 'a b c d' }],
  'masked-language': [{}, { mask: '0.5', random: '0' }, { mask: '0', random: '0' }],
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
  flash: {
    // S and P never written, as if the whole-matrix method were tiled.
    standard: (r) => ({ ...r, standard: r.tiled }),
    // Keys, values and queries read once and for all.
    tiled: (r) => ({ ...r, tiled: { ...r.tiled, traffic: { ...r.tiled.traffic, reads: 3 * 4096 * 64 } } }),
    // All four tiles as large as the memory.
    fits: (r) => ({ ...r, tiled: { ...r.tiled, traffic: { ...r.tiled.traffic, peakTiles: 4 * 49152 } } }),
    // "It computes less".
    products: (r) => ({ ...r, tiled: { ...r.tiled, operations: r.standard.operations } }),
    // Backward without making the weights again.
    again: (r) => ({ ...r, tiledBack: { ...r.tiledBack, operations: r.standardBack.operations } }),
    same: (r) => ({ ...r, sample: { ...r.sample, tiled: changed(r.sample.tiled, (x) => x * 1.01) } }),
  },
  'flash-steps': {
    // Blocks averaged instead of merged.
    output: (r) => ({ ...r, forward: { ...r.forward, output: changed(r.forward.output, (x) => x / 2) } }),
    // Weights that were not divided by ℓ.
    again: (r) => ({ ...r, again: 0.5 }),
    // The scale left out.
    gradients: (r) => ({ ...r, backward: { ...r.backward, dQ: changed(r.backward.dQ, (x) => x * Math.SQRT2) } }),
    fits: (r) => ({ ...r, backward: { ...r.backward, traffic: { ...r.backward.traffic, peakTiles: 29 } } }),
    last: (r) => ({ ...r, forward: { ...r.forward, steps: r.forward.steps.slice(0, -1) } }),
  },
  linformer: {
    sum: (r) => ({ ...r, trace: unbalanced(r.trace) }),
    // Pressed along the features instead of the sequence: too short to be E·K.
    keys: (r) => ({ ...r, trace: { ...r.trace, projectedKeys: changed(r.trace.projectedKeys, (x) => x / 2) } }),
    mix: (r) => ({ ...r, trace: { ...r.trace, output: changed(r.trace.output, (x, i) => x + i / 100) } }),
    identity: (r) => ({ ...r, exact: { ...r.exact, output: r.trace.output } }),
    // A mask that is missing.
    causal: (r) => ({ ...r, causal: [...r.leak.change.data] }),
    // The mixing left out of the bill.
    work: (r) => ({ ...r, now: { ...r.now, work: { ...r.now.work, multiplications: 32 } } }),
  },
  performer: {
    // φ without exp(−|x|²/2).
    unbiased: (r) => ({ ...r, expectation: r.expectation * Math.exp(0.27) }),
    orders: (r) => ({ ...r, quadratic: r.exact }),
    // Each token without its own key.
    causal: (r) => ({ ...r, causal: matrix(rowsOf(r.causal).map((_, i) => rowsOf(r.causal)[Math.max(0, i - 1)]!)) }),
    // The error taken for its root.
    theory: (r) => ({ ...r, deviation: r.mse.positive }),
    // An estimator that is off by a tenth.
    mean: (r) => ({ ...r, measured: { ...r.measured, bias: 0.5 } }),
    work: (r) => ({ ...r, rungs: r.rungs.map((rung: any) => ({ ...rung, operations: { ...rung.operations, linear: rung.operations.quadratic } })) }),
  },
  'dot-product': {
    sum: (r) => ({ ...r, running: changed(r.running, (x, i) => (i === 2 ? x + 1 : x)) }),
    // The first term taken for the whole.
    swap: (r) => ({ ...r, dot: r.terms.data[0] }),
    // One vector stretched, the other shrunk.
    double: (r) => ({ ...r, b: r.b.map((x: number) => x / 2) }),
    // The sum of all sizes, without their signs.
    most: (r) => ({ ...r, dot: 2 * r.most }),
  },
  'matrix-product': {
    // Only the numbers in the same place.
    cell: (r) => ({ ...r, cell: r.terms.data[0] }),
    row: (r) => ({ ...r, product: matrix(rowsOf(r.product).reverse()) }),
    // The second matrix turned.
    transpose: (r) => ({ ...r, product: matrix([[70, 110], [150, 270], [60, 110]]) }),
  },
  'exponential-shares': {
    sum: (r) => ({ ...r, shares: changed(r.shares, (x, i) => (i === 0 ? x + 0.01 : x)) }),
    positive: (r) => ({ ...r, shares: changed(r.shares, (x, i) => (i === 0 ? -x : x)) }),
    // The numbers themselves divided by their sum.
    definition: (r) => ({ ...r, shares: matrix([[1 / 6, 2 / 6, 3 / 6]]) }),
    shift: (r) => ({ ...r, shares: matrix([[1 / 6, 2 / 6, 3 / 6]]) }),
  },
  'mixture-of-experts': {
    sum: (r) => ({ ...r, routing: { ...r.routing, probabilities: changed(r.routing.probabilities, (x, i) => (i === 0 ? x + 0.01 : x)) } }),
    // Every token's gate is 1.
    gates: (r) => ({ ...r, routing: { ...r.routing, gates: r.routing.gates.map(() => 1) } }),
    // Without the number of experts.
    loss: (r) => ({ ...r, balance: { ...r.balance, switchLoss: r.balance.switchLoss / 4 } }),
    gshard: (r) => ({ ...r, balance: { ...r.balance, gshardLoss: r.balance.gshardLoss * 4 } }),
    // A full expert takes everybody.
    room: (r) => ({ ...r, visits: r.visits.map((visit: any) => ({ ...visit, kept: true })) }),
    // Eight experts, one network's parameters.
    bill: (r) => ({ ...r, counts: { ...r.counts, expertParameters: r.counts.denseParameters } }),
  },
  matching: {
    // What the greedy method pays, given out as the least.
    tried: (r) => ({ ...r, best: r.greedy }),
    // Every query runs to its nearest target.
    single: (r) => ({ ...r, best: { ...r.best, pairs: [{ row: 0, col: 1 }, { row: 1, col: 1 }, { row: 2, col: 1 }] } }),
    sum: (r) => ({ ...r, best: { ...r.best, pairs: r.greedy.pairs } }),
    greedy: (r) => ({ ...r, extra: -r.extra }),
    steps: (r) => ({ ...r, seated: r.picked }),
    // Logarithms in place of probabilities.
    price: (r) => ({ ...r, probability: changed(r.probability, Math.log) }),
    overlap: (r) => ({ ...r, detr: { ...r.detr, giou: changed(r.detr.iou, (x) => x + 0.1) } }),
  },
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
  scaling: {
    // Scores that were not divided at all.
    theory: (r) => ({ ...r, now: { ...r.now, rootOfDk: r.now.none } }),
    // Divided by d_k instead of its root.
    root: (r) => ({ ...r, now: { ...r.now, rootOfDk: { ...r.now.rootOfDk, scoreStd: r.now.none.scoreStd / 64 } } }),
    flat: (r) => ({ ...r, exactScaled: r.now.exact }),
    // Entropy in bits where nats are compared.
    range: (r) => ({ ...r, now: { ...r.now, rootOfDk: { ...r.now.rootOfDk, entropy: r.now.rootOfDk.entropy / Math.LN2 } } }),
  },
  'attention-matrix': {
    // The popular slip: 4096 squared taken for 4 million.
    square: (r) => ({ ...r, one: { ...r.one, elements: 4_000_000 } }),
    // The popular belief: twice the length, twice the memory.
    double: (r) => ({ ...r, growth: 2 }),
    bytes: (r) => ({ ...r, one: { ...r.one, bytes: r.one.elements } }),
    model: (r) => ({ ...r, model: r.layer }),
    // The diagonal counted on neither side.
    half: (r) => ({ ...r, pairs: r.pairs - 4096 }),
  },
  'memory-ledger': {
    sum: (r) => ({ ...r, now: { ...r.now, total: r.now.quadratic } }),
    // The source's claim: all of it grew 128-fold.
    square: (r) => ({ ...r, now: { ...r.now, quadratic: r.start.quadratic * 128 } }),
    straight: (r) => ({ ...r, now: { ...r.now, linear: r.start.linear * 256 } }),
    mixture: (r) => ({ ...r, claim: { ...r.claim, quadraticShare: 1 } }),
    share: (r) => ({ ...r, actual: r.claim }),
  },
  'layer-cost': {
    sum: (r) => ({ ...r, flops: { ...r.flops, total: r.flops.attentionProducts } }),
    // Only one of the two products of attention.
    pairs: (r) => ({ ...r, flops: { ...r.flops, attentionProducts: r.flops.attentionProducts / 2 } }),
    // Four times for everything.
    linear: (r) => ({ ...r, twice: { ...r.twice, feedForward: 4 * r.flops.feedForward } }),
    // Where attention overtakes the projections alone.
    crossover: (r) => ({ ...r, crossover: 1024 }),
  },
  'causal-mask': {
    sum: (r) => ({ ...r, before: { ...r.before, shares: changed(r.before.shares, (x, i) => (i === 0 ? x + 0.01 : x)) } }),
    // No mask under the name of one.
    hidden: (r) => ({ ...r, before: { ...r.before, weights: changed(r.before.weights, () => 0.25) } }),
    mix: (r) => ({ ...r, before: { ...r.before, output: r.before.v } }),
    // Masked after softmax: what leaks then.
    promise: (r) => ({ ...r, leak: show(lab('causal-mask'), core, wordsOf('causal-mask'), { kind: 'after' }).result.leak }),
    // Each token placed one too early among the remembered keys.
    cache: (r) => ({ ...r, cached: matrix(rowsOf(r.cached).map((_, i) => rowsOf(r.cached)[Math.max(0, i - 1)]!)) }),
    pairs: (r) => ({ ...r, withoutCache: 4096 * 4096 }),
  },
  'head-gates': {
    sum: (r) => ({ ...r, now: { ...r.now, heads: r.now.heads.map(unbalanced) } }),
    ones: (r) => ({ ...r, open: { ...r.open, output: r.open.concat } }),
    // The gate on the weights, where it does not belong.
    untouched: (r) => ({ ...r, now: { ...r.now, heads: r.now.heads.map(unbalanced) } }),
    linear: (r) => ({ ...r, change: 1 }),
    // Gates that are ignored.
    closed: (r) => ({ ...r, offs: r.offs.map(() => r.open) }),
  },
  'multi-head': {
    sum: (r) => ({ ...r, trace: { ...r.trace, heads: r.trace.heads.map(unbalanced) } }),
    // Every head as wide as the model.
    width: (r) => ({ ...r, cost: { ...r.cost, headWidth: 512 } }),
    parameters: (r) => ({ ...r, cost: { ...r.cost, parameters: r.cost.parameters * 8 } }),
    counted: (r) => ({ ...r, counted: r.counted * 8 }),
    // A single table of weights for all heads.
    entries: (r) => ({ ...r, entries: 16 }),
    // Weights joined instead of outputs.
    concat: (r) => ({ ...r, trace: { ...r.trace, concat: matrix(rowsOf(r.trace.heads[0].weights).map((row) => [...row, ...row, ...row, ...row])) } }),
  },
  museum: {
    // The broken version under the name of the right one.
    right: (r) => ({ ...r, rightAlarm: r.wrongAlarm }),
    before: (r) => ({ ...r, before: core.maxGap(r.right, r.wrong) }),
    shape: (r) => ({ ...r, wrong: core.meanRow(r.wrong) }),
  },
  'online-softmax': {
    // Each block's own softmax, averaged over the blocks.
    merged: (r) => ({ ...r, trace: { ...r.trace, merged: { ...r.trace.merged, output: r.trace.averagedOutput } } }),
    sum: (r) => ({ ...r, trace: { ...r.trace, weights: r.trace.weights.map((w: number, i: number) => (i === 0 ? w + 0.01 : w)) } }),
    seen: (r) => ({ ...r, seen: r.seen.map((w: number) => w / 2) }),
    // Sums added without bringing them to one maximum.
    scan: (r) => ({ ...r, trace: { ...r.trace, merged: { ...r.trace.merged, sum: 1.1353 + 1.0821 + 1.1353 } } }),
    orders: (r) => ({ ...r, trace: { ...r.trace, merged: { ...r.trace.merged, output: r.trace.averagedOutput } } }),
    shift: (r) => ({ ...r, trace: { ...r.trace, weights: r.trace.averagedWeights } }),
  },
  permutation: {
    sum: (r) => ({ ...r, before: unbalanced(r.before) }),
    back: (r) => ({ ...r, shuffled: core.permutedRows(r.shuffled, [1, 0, 2, 3]) }),
    // Rows that stay where they were.
    equivariant: (r) => ({ ...r, after: r.before }),
    mean: (r) => ({ ...r, after: { ...r.after, output: changed(r.after.output, (x, i) => x + i) } }),
    // The mask left out.
    leak: (r) => ({ ...r, masked: r.after.weights }),
  },
  layer: {
    sum: (r) => ({ ...r, trace: { ...r.trace, attention: { ...r.trace.attention, heads: r.trace.attention.heads.map(unbalanced) } } }),
    // Every layer as far apart as the input.
    spread: (r) => ({ ...r, spread: r.spread.map(() => r.spread[0]) }),
    // The residual path forgotten, or there where it was switched off.
    rebuilt: (r) => ({ ...r, stack: r.stack.map((m: Matrix, l: number) => (l === r.at ? changed(m, (x, i) => x + r.stack[l - 1].data[i]) : m)) }),
    // A gradient that is twice too long.
    gradient: (r) => ({ ...r, gradients: r.gradients.map((m: Matrix, l: number) => (l < r.at ? changed(m, (x) => 2 * x) : m)) }),
    mask: (r) => ({ ...r, maskedLeak: r.leaks[r.at] }),
    encoder: (r) => ({ ...r, uncrossed: show(lab('layer'), core, wordsOf('layer'), { cross: 'on' }).result.stack[r.at] }),
    // Divided by d − 1.
    variance: (r) => ({ ...r, norms: [{ ...r.norms[0], variance: [r.sampleVariances[0]] }, r.norms[1]] }),
  },
  translation: {
    sum: unbalanced,
    // The plain mean of the four precisions.
    geometric: (r) => ({ ...r, bleu: { ...r.bleu, score: (5 / 6 + 3 / 5 + 1 / 4) / 4 } }),
    penalty: (r) => ({ ...r, bleu: { ...r.bleu, brevityPenalty: 0.6514 } }),
    // Every word of the candidate counted.
    clipped: (r) => ({ ...r, bleu: { ...r.bleu, precisions: [{ clipped: 6, total: 6 }, ...r.bleu.precisions.slice(1)] } }),
    links: (r) => ({ ...r, links: r.links.map(({ target }: { target: number }) => ({ target, source: target })) }),
    error: (r) => ({ ...r, error: r.straight }),
  },
  'masked-language': {
    // The first number drawn for all choices before the second.
    seeded: (r) => ({ ...r, plan: core.planMasks(core.uniforms(7, 10), core.uniforms(7, 20).subarray(10)) }),
    // Nothing but masks.
    rule: (r) => ({ ...r, plan: { ...r.plan, actions: r.plan.actions.map(() => 'mask') } }),
    // The loss on no more than what looks changed, with the one that was kept left out.
    loss: (r) => ({ ...r, plan: { ...r.plan, lossPositions: r.plan.lossPositions.slice(1) } }),
    whole: (r) => ({ ...r, shares: { ...r.shares, untouched: r.shares.looksUnchanged } }),
    // 15 % of the text masked.
    chance: (r) => ({ ...r, run: [...r.run.slice(0, -1), { tokens: 20000, none: 17000, mask: 3000, random: 0, keep: 0 }] }),
  },
  rotary: {
    // Only the query turned.
    shift: (r) => ({ ...r, scores: [r.scores[0], 2.5, r.scores[2]] }),
    // A turn that stretches.
    length: (r) => ({ ...r, lengths: [r.lengths[0], 2 * r.lengths[1], r.lengths[2], r.lengths[3]] }),
    back: (r) => ({ ...r, vectors: changed(r.vectors, (x, i) => (i === 12 ? -x : x)) }),
    // The pairs of one layout, the numbers of the other.
    layout: (r) => ({ ...r, vectors: show(lab('rotary'), core, wordsOf('rotary'), { layout: 'half-split' }).result.vectors }),
    turn: (r) => ({ ...r, dials: r.dials.map((d: any) => ({ ...d, wavelength: 6 })) }),
    // Interpolated where it is switched off.
    interpolation: (r) => ({ ...r, scores: show(lab('rotary'), core, wordsOf('rotary'), { pi: '4' }).result.scores }),
    // All but those.
    unseen: (r) => ({ ...r, unseen: r.unseen.map((u: any) => ({ ...u, pairs: 64 - u.pairs })) }),
  },
  alibi: {
    sum: (r) => ({ ...r, weights: r.weights.map((w: number) => w + 0.01) }),
    // The distance added instead of taken away.
    softmax: (r) => ({ ...r, bias: changed(r.bias, (x) => (x === -Infinity ? x : -x)) }),
    forms: (r) => ({ ...r, bias: core.alibiBias(0.25, r.bias.rows) }),
    // A straight line instead of a falling share.
    ratio: (r) => ({ ...r, shares: r.shares.map((_: number, i: number) => Math.max(0, 1 - 0.4 * i)) }),
    // Where one thousandth is left.
    reach: (r) => ({ ...r, reaches: r.slopes.map((m: number) => core.alibiReach(m, { share: 0.001 })) }),
    rule: (r) => ({ ...r, released: r.released.map((m: number) => m / 2) }),
  },
  extrapolation: {
    // A table with one row more than training had.
    table: (r) => ({ ...r, hasRow: true }),
    angles: (r) => ({ ...r, angles: r.angles.map((a: any) => ({ ...a, fresh: 64 })) }),
    // Not shrunk at all.
    inside: (r) => ({ ...r, angles: r.angles.map((a: any) => ({ ...a, step: 1 })) }),
    shares: (r) => ({ ...r, unseen: r.unseen.map(() => 0.5) }),
    near: (r) => ({ ...r, unseen: r.unseen.map(() => 0) }),
    // Against another scheme's start.
    ratio: (r) => ({ ...r, ratio: r.figure.perplexity / 18.73 }),
  },
  patchify: {
    // Put together column by column.
    back: (r) => ({ ...r, back: core.unpatchify(core.permutedRows(r.tokens, [0, 2, 1, 3]), 32, 32, 3, 16) }),
    // The first pixel for the mean.
    means: (r) => ({ ...r, means: matrix(rowsOf(r.tokens).map((row) => row.slice(0, 3))) }),
    // Channels left out.
    shape: (r) => ({ ...r, tokens: matrix(rowsOf(r.tokens).map((row) => row.slice(0, 256))) }),
    // The class token forgotten.
    entries: (r) => ({ ...r, entries: 16 }),
    // Columns first.
    positions: (r) => ({ ...r, positions: core.permutedRows(r.positions, [0, 2, 1, 3]) }),
  },
  sinusoidal: {
    norm: (r) => ({ ...r, codes: changed(r.codes, (x) => 2 * x) }),
    closed: (r) => ({ ...r, pairs: [{ ...r.pairs[0], dot: 4 }, r.pairs[1], r.pairs[2]] }),
    offset: (r) => ({ ...r, pairs: [r.pairs[0], { ...r.pairs[1], dot: 4 }, r.pairs[2]] }),
    distance: (r) => ({ ...r, pairs: [{ ...r.pairs[0], distance: 0 }, r.pairs[1], r.pairs[2]] }),
    // 2i read as a place.
    shift: (r) => ({ ...r, codes: core.sinusoidalPositions([0, 2, 4, 6, 10], 8) }),
    heard: (r) => ({ ...r, waves: changed(r.waves, (x) => -x) }),
  },
  'relay-decay': {
    // The popular rounding.
    halves: (r) => ({ ...r, value: 0.35 }),
    // One step less.
    back: (r) => ({ ...r, value: r.powers[19] }),
    lost: (r) => ({ ...r, lost: 0.65 }),
    // 1 / (1 − factor): the time to 1/e, near enough to be believed.
    period: (r) => ({ ...r, period: 20 }),
    // A gate that forgets nothing.
    gate: (r) => ({ ...r, gated: r.gated.map(() => 1) }),
  },
  'eigenvalue-trap': {
    // The weights themselves in place of the Jacobian.
    columns: (r) => ({ ...r, jacobian: matrix([[8, 8], [-8, -8]]) }),
    // One step, however many were asked for.
    split: (r) => ({ ...r, powers: r.powers.map(() => r.jacobian) }),
    // The eigenvalue taken for the size.
    norm: (r) => ({ ...r, norms: r.norms.map((_: number, i: number) => (i === 0 ? 2 : r.norms[i])) }),
    bound: (r) => ({ ...r, bounds: r.bounds.map(() => 16) }),
    radius: (r) => ({ ...r, ofJ: { ...r.ofJ, radius: 20 } }),
    // The factors in the order of time.
    gradient: (r) => ({ ...r, run: r.run.map((m: Matrix) => core.transpose(m)) }),
  },
  'path-length': {
    // log_k of the distance rounded down.
    dilated: (r) => ({ ...r, paths: { ...r.paths, convolutionDilated: 7 } }),
    fewest: (r) => ({ ...r, paths: { ...r.paths, convolutionDilated: 9 } }),
    // The distance divided by the whole kernel.
    plain: (r) => ({ ...r, paths: { ...r.paths, convolutionCausal: 1000 } }),
    impulse: (r) => ({ ...r, byDistance: r.byDistance.map((row: any) => ({ ...row, paths: { ...row.paths, convolutionCausal: row.paths.convolutionCausal - 1 } })) }),
    mirror: (r) => ({ ...r, paths: { ...r.paths, attention: 8 } }),
    // A constant amount of work.
    square: (r) => ({ ...r, layers: { ...r.layers, attention: { ...r.layers.attention, madds: 1 } } }),
  },
  'sequential-work': {
    // One matrix a token.
    table: (r) => ({ ...r, now: { ...r.now, rnnFlops: r.now.rnnFlops / 2 } }),
    layer: (r) => ({ ...r, now: { ...r.now, projectionFlops: 0 } }),
    steps: (r) => ({ ...r, now: { ...r.now, rnnSteps: 1 } }),
    even: (r) => ({ ...r, even: r.now }),
    // The popular 99 % that stand idle.
    batch: (r) => ({ ...r, bound: { ...r.bound, fractionOfPeak: 0.01 } }),
  },
  probe: {
    start: (r) => ({ ...r, linear: { ...r.linear, real: { ...r.linear.real, history: r.mlp.real.history } } }),
    // The curve of the other labels.
    again: (r) => ({ ...r, linear: { ...r.linear, control: { ...r.linear.control, history: r.linear.real.history } } }),
    // Accuracy alone under the name of selectivity.
    difference: (r) => ({ ...r, mlp: { ...r.mlp, selectivity: 1 } }),
    sum: (r) => ({ ...r, shares: changed(r.shares, (x, i) => (i === 0 ? x + 0.01 : x)) }),
    step: (r) => ({ ...r, mlp: { ...r.mlp, control: r.mlp.real } }),
    // Layers counted from 1.
    centre: (r) => ({ ...r, centre: r.centre + 1 }),
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
