// layer, translation, masked-language: every sentence is reached, and what each switch must do to the numbers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import type { Core } from '../../web/core/core.ts';
import { matrix } from '../../web/core/matrix.ts';
import { labs } from '../../web/labs/index.ts';
import { defaults, reshape, stepped } from '../../web/labs/kit/raw.ts';
import { lookup, phrase } from '../../web/labs/kit/template.ts';
import { trustLines } from '../../web/labs/kit/trust.ts';
import type { Lab, Message, Raw, View } from '../../web/labs/kit/types.ts';
import { leaves, loadCore, root, show, toldBy, valuesOf, wordsOf } from './kit.ts';

let core: Core;
before(async () => {
  core = await loadCore();
});

const lab = (stem: string): Lab => labs[stem]!;
const result = (stem: string, raw: Raw = {}) => show(lab(stem), core, wordsOf(stem), raw).result;
const view = (stem: string, raw: Raw = {}): View => show(lab(stem), core, wordsOf(stem), raw).view;
const said = (stem: string, message: Message): string => phrase(wordsOf(stem), message);

const vectors = (file: string, id: string) => {
  const { cases } = JSON.parse(readFileSync(`${root}tests/vectors/${file}.json`, 'utf8')) as { cases: { id: string; input: any; expected: any }[] };
  return cases.find((c) => c.id === id)!;
};

const near = (actual: number, expected: number, limit: number, what: string): void =>
  assert.ok(Math.abs(actual - expected) <= limit, `${what}: ${actual} is not ${expected}`);

const PARTS = { self: ['open', 'masked', 'off'], cross: ['off', 'on'], network: ['none', 'relu', 'gelu'], residual: ['off', 'on'], norm: ['none', 'post', 'pre'], projections: ['identity', 'random'] };

/** Every way to put a layer together. */
function assemblies(): Record<string, string>[] {
  return Object.entries(PARTS).reduce<Record<string, string>[]>(
    (all, [name, options]) => all.flatMap((raw) => options.map((option) => ({ ...raw, [name]: option }))),
    [{}],
  );
}

/** Rows that lie along different axes, so far out. */
const apart = (far: number): string[] => Array.from({ length: 8 }, (_, i) => Array.from({ length: 8 }, (__, j) => (i === j ? far : 0)).join(' '));

/** Inputs that between them bring up every state, announcement and fact of a lab. */
const INPUTS: Record<string, Raw[]> = {
  layer: [
    {},
    { layer: '0' },
    { residual: 'on', layer: '8' },
    { self: 'masked' },
    { self: 'off' },
    { cross: 'on' },
    { network: 'relu', residual: 'on', norm: 'post' },
    { self: 'masked', cross: 'on', network: 'gelu', residual: 'on', norm: 'pre', projections: 'random' },
    { self: 'masked', network: 'gelu', residual: 'on', norm: 'pre' },
    { x: apart(3.7) },
    { x: apart(10) },
    // Two tokens so far apart that softmax gives the other nothing at all.
    { tokens: '甲 乙', x: ['10 10 10 10 10 10 10 10', '-10 -10 -10 -10 -10 -10 -10 -10'], layer: '1' },
  ],
  translation: [
    {},
    { candidate: 'the the the the the the the', reference: 'the cat is on the mat' },
    { candidate: 'a b c d', reference: 'a b c d e' },
    { candidate: 'a', reference: 'a' },
    { scores: ['2 2 0', '0 0 0', '0 0 9'] },
    { gold: ['0', '3', '1'] },
    { source: '原', target: '譯', scores: ['3'], gold: ['0'] },
  ],
  'masked-language': [{}, { seed: '2' }, { seed: '86' }, { seed: '86', stage: '5' }, { seed: '86', stage: '9' }, { seed: '86', stage: '1' }],
};

for (const [stem, inputs] of Object.entries(INPUTS)) {
  test(`${stem}: every state, announcement and fact is reached, whole and short enough`, (t) => {
    const words = wordsOf(stem);
    const used = new Set<string>();
    for (const raw of inputs) {
      const seen = view(stem, raw);
      for (const key of toldBy(seen, words)) used.add(key);
      t.diagnostic(phrase(words, seen.state));
    }
    const wanted = ['state', 'say', 'facts'].flatMap((part) => leaves(words, part));
    assert.deepEqual(wanted.filter((key) => !used.has(key)), []);
  });
}

test('layer: rows collapse without the residual path and not with it, as in the vectors', () => {
  const { input, expected } = vectors('22_rank_collapse', 'residual_to_mean_row');
  const drawn = core.normals(input.seed, input.n * input.d);
  const x = Array.from({ length: input.n }, (_, i) => [...drawn.subarray(i * input.d, (i + 1) * input.d)].join(' '));
  const r = result('layer', { x });
  for (const [name, values] of Object.entries({ pure_attention: r.pure, with_skip: r.skip, with_skip_and_post_ln: r.post })) {
    // From the sixth layer on, pure attention is at the level of rounding.
    (expected[name] as number[]).forEach((x, l) => near((values as number[])[l]!, x, x < 1e-6 ? 1e-6 : 1e-9, `${name} ${l}`));
  }
  assert.deepEqual(r.spread, r.pure);
  assert.deepEqual(r.twin, r.skip);
  const table = view('layer').tables[0]!;
  assert.equal(table.texts![5]![0], '1.7 乘以 10 的負 11 次方');
});

test('layer: LayerNorm divides by the number of numbers', () => {
  const { norms, sampleVariances } = result('layer');
  assert.deepEqual([norms[0].mean[0], norms[0].variance[0]], [2.5, 1.25]);
  near(sampleVariances[0], 5 / 3, 1e-12, 'divided by d − 1');
});

test('layer: every assembly passes its checks; a mask stops the leak, and without its window the encoder means nothing', () => {
  for (const raw of assemblies()) {
    const { values, result: r } = show(lab('layer'), core, wordsOf('layer'), { ...raw, layer: '3' });
    for (const line of trustLines(lab('layer'), core, values, r)) assert.ok(line.passes, `${JSON.stringify(raw)} ${line.key} ${line.value}`);
    const [leak, dependence] = [Math.max(...r.leaks), Math.max(...r.dependence)];
    if (raw.self === 'open') assert.ok(leak > 0, JSON.stringify(raw));
    else assert.equal(leak, 0, JSON.stringify(raw));
    if (raw.cross === 'on') assert.ok(dependence > 0 && r.memoryGradient > 0, JSON.stringify(raw));
    else assert.deepEqual([dependence, r.memoryGradient], [0, 0], JSON.stringify(raw));
    assert.equal(r.rank.every((x: number) => x >= 1 - 1e-9 && x <= 8 + 1e-9), true);
  }
});

test('layer: the gradient through the stack is the core’s own', () => {
  const assembled: Raw[] = [{}, { residual: 'on', norm: 'post', network: 'relu' }, { self: 'masked', residual: 'on', norm: 'pre', network: 'gelu', projections: 'random' }];
  for (const raw of assembled) {
    const r = result('layer', raw);
    const layers = r.layers.map(({ attention, network }: any) => ({ attention, network }));
    const options = {
      causal: raw.self === 'masked',
      residual: raw.residual === 'on',
      norm: raw.norm ? ('layerNorm' as const) : ('none' as const),
      normFirst: raw.norm === 'pre',
      network: raw.network !== undefined,
    };
    const norms = core.encoderGradientNorms(r.stack[0], layers, r.gradients[8], options);
    [...norms].forEach((x, l) => near(r.gradientSizes[l], x, 1e-12 * Math.max(1, x), `${JSON.stringify(raw)} ${l}`));
  }
});

test('layer: with nothing switched on, the input comes out', () => {
  const r = result('layer', { self: 'off' });
  assert.deepEqual(r.stack[8], r.stack[0]);
  assert.match(said('layer', view('layer', { self: 'off' }).state), /零件是空的/);
});

test('layer: the learner’s own rows, one each token', () => {
  const r = result('layer', { tokens: '甲 乙', x: ['1 2 3', '4 5 6'] });
  assert.deepEqual(r.stack[0], matrix([[1, 2, 3], [4, 5, 6]]));
  assert.equal(r.attentionParameters, 36);
  assert.equal(r.networkParameters, 72);
  const values = valuesOf(lab('layer'), defaults(lab('layer'), wordsOf('layer')));
  assert.equal(lab('layer').fits!({ ...values, tokens: ['甲', '乙'] })!.field, 'x');
});

test('translation: BLEU of the vectors, by words and by characters', () => {
  const hits = (r: any) => r.bleu.precisions.map(({ clipped, total }: any) => [clipped, total]);
  const wrong = vectors('17_bleu_alignment', 'one_word_wrong').expected;
  const first = result('translation');
  assert.deepEqual(hits(first), wrong.precisions);
  assert.equal(first.bleu.score, wrong.bleu4);
  near(first.byOrder[1], wrong.bleu2, 1e-12, 'BLEU-2');
  const short = vectors('17_bleu_alignment', 'short_candidate_zh_chars').expected;
  const chinese = result('translation', { unit: 'characters', candidate: '小狗在河邊玩耍', reference: '小狗在河邊開心地玩耍' });
  assert.deepEqual(hits(chinese), short.precisions);
  near(chinese.bleu.brevityPenalty, short.bp, 1e-12, 'brevity');
  near(chinese.bleu.score, short.bleu4, 1e-12, 'BLEU-4');
  const the = result('translation', { candidate: 'the the the the the the the', reference: 'the cat is on the mat' });
  assert.deepEqual([the.bleu.precisions[0].clipped, the.unclipped], [2, 7]);
});

test('translation: two sentences together are not the mean of their scores', () => {
  const r = result('translation');
  near(r.mean, 0.4606369751099829 / 2, 1e-12, 'mean');
  assert.ok(r.corpus.score > r.mean + 0.1);
  assert.deepEqual(r.corpus.precisions[3], { clipped: 2, total: 7 });
});

test('translation: the largest weight of a row is its link, and the error counts those that are wrong', () => {
  const { input, expected } = vectors('17_bleu_alignment', 'argmax_alignment_aer');
  const raw = lab('translation').presets.find(({ id }) => id === 'shares')!.raw(core, wordsOf('translation'));
  const r = result('translation', raw);
  assert.ok(core.maxGap(r.weights, matrix(input.weights_target_by_source)) < 1e-6);
  assert.deepEqual(r.links.map(({ target, source }: any) => [target, source]), expected.links);
  assert.equal(r.error, expected.aer);
  near(result('translation', { scores: ['2 1 0', '0 2 0', '0 2 0'] }).error, 1 / 3, 1e-12, 'one of three');
  near(result('translation', { gold: ['1', '3', '0'] }).error, 1 - 4 / 5, 1e-12, 'a word without a partner');
  assert.equal(result('translation', { source: '原', target: '譯', scores: ['3'], gold: ['0'] }).error, 1);
});

test('translation: scores that do not fit the source, and a place that is not there, are refused at their field', () => {
  const values = valuesOf(lab('translation'), defaults(lab('translation'), wordsOf('translation')));
  const fits = (v: object) => lab('translation').fits!({ ...values, ...v });
  assert.equal(fits({ source: ['甲', '乙'] })!.field, 'scores');
  for (const at of [4, -1, 1.5]) assert.deepEqual([fits({ gold: [[1], [at], [2]] })!.field, fits({ gold: [[1], [at], [2]] })!.row], ['gold', 1]);
  assert.equal(fits({ unit: 'characters', reference2: ['長'.repeat(64), '句'] })!.field, 'reference2');
  assert.equal(fits({}), null);
});

test('masked-language: seed 7 over 20,000 tokens, and the shares one expects', () => {
  const r = result('masked-language');
  const { expected } = vectors('16_mlm', 'mulberry32_seed7_20000');
  assert.deepEqual(r.run.at(-1), { tokens: 20000, none: expected.none, mask: expected.MASK, random: expected.RANDOM, keep: expected.KEEP });
  const shares = lookup(wordsOf('masked-language'), 'expect.shares') as unknown as Record<string, number>;
  for (const [name, share] of Object.entries(shares)) near(r.shares[name], share, 1e-12, name);
  assert.match(said('masked-language', view('masked-language').facts.find(({ key }) => key === 'facts.full')!), /平均選中 76\.8 個/);
});

test('masked-language: the rule of the vectors, and a loss on tokens that were kept', () => {
  const { input, expected } = vectors('16_mlm', 'explicit_uniforms');
  const plan = core.planMasks(input.u_select, input.u_action);
  assert.deepEqual(plan.actions.map((a) => (a === 'none' ? a : a.toUpperCase())), expected.action);
  assert.deepEqual([...plan.lossPositions], expected.loss_positions);
  const r = result('masked-language', { mask: '0', random: '0', select: '0.3' });
  assert.ok(r.counts.keep > 0 && r.plan.lossPositions.length === r.counts.keep);
});

test('masked-language: each press is one token, to the last, and the table tells what the model sees', () => {
  const words = wordsOf('masked-language');
  let raw: Raw = reshape(lab('masked-language'), { ...defaults(lab('masked-language'), words), seed: '86' });
  const states = [];
  for (let next: Raw | null = raw; next; next = stepped(lab('masked-language'), raw, 'stage', 1)) {
    raw = next;
    states.push(said('masked-language', view('masked-language', raw).state));
  }
  assert.equal(new Set(states).size, 10);
  const { texts, cells } = view('masked-language', { seed: '86' }).tables[0]!;
  const r = result('masked-language', { seed: '86' });
  assert.deepEqual(r.plan.actions.filter((a: string) => a !== 'none'), ['keep', 'mask', 'random']);
  assert.deepEqual([texts![0]![3], texts![5]![3], texts![9]![3]], ['「小」', '遮罩符號', `「${r.exchanges[9]}」`]);
  assert.deepEqual(cells.map((row) => row[4]), [1, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
});

test('masked-language: shares over 1, and a sentence of more than 64 characters, are refused at their field', () => {
  const values = valuesOf(lab('masked-language'), defaults(lab('masked-language'), wordsOf('masked-language')));
  assert.equal(lab('masked-language').fits!({ ...values, random: 0.3 })!.field, 'random');
  assert.equal(lab('masked-language').fits!({ ...values, mask: 0.7, random: 0.3 }), null);
  assert.equal(lab('masked-language').fits!({ ...values, sentence: ['字'.repeat(60), '多了五個字'] })!.field, 'sentence');
  assert.equal(lab('masked-language').fits!({ ...values, unit: 'words', sentence: ['字'.repeat(60), '多了五個字'] }), null);
});

test('A sentence without a gap may be longer than a name', () => {
  const long = '今天天氣很好所以小狗在河邊玩得很開心';
  assert.equal(result('masked-language', { sentence: long }).tokens.length, [...long].length);
  assert.throws(() => show(lab('party'), core, wordsOf('party'), { names: `${long} 乙` }), /long-token/);
});
