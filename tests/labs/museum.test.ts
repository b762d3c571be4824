// The museum: what each exhibit says, and that the trust panels of the other labs notice its faults.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Core } from '../../web/core/core.ts';
import { matrix, rowsOf, type Matrix } from '../../web/core/matrix.ts';
import type { Museum } from '../../web/core/museum.ts';
import { labs } from '../../web/labs/index.ts';
import { columns } from '../../web/labs/kit/matrices.ts';
import { lookup, phrase, word } from '../../web/labs/kit/template.ts';
import { trustLines } from '../../web/labs/kit/trust.ts';
import type { Lab, Raw, Values, View } from '../../web/labs/kit/types.ts';
import type { MuseumResult } from '../../web/labs/museum.ts';
import { exhibits } from '../../web/labs/museum/exhibits.ts';
import { loadCore, show, wordsOf } from './kit.ts';

let core: Core & Museum;
before(async () => {
  core = (await loadCore()) as Core & Museum;
});

const museum = labs['museum']!;
const words = wordsOf('museum');
const ids = exhibits.map(({ id }) => id);
const at = (typed: Raw): { values: Values; result: MuseumResult; view: View } => show(museum, core, words, typed);
const texts = (view: View): string[] => [view.state, view.say!, ...view.facts, view.picture.label].map((message) => phrase(words, message));

test('there are the twelve faults of the list, each with a symptom, a name, a cause, a check and the code that ran', () => {
  assert.equal(ids.length, 12);
  assert.equal(museum.code.length, 12);
  assert.equal(new Set(museum.code.map(({ region }) => region)).size, 12);
  for (const id of ids) {
    for (const key of [`inputs.exhibit.options.${id}`, `inputs.diagnosis.options.${id}`]) assert.ok(word(words, key).length > 5, key);
    for (const part of ['what', 'why', 'hidden', 'check']) assert.ok(word(words, `exhibits.${id}.${part}`).length > 5, id);
  }
  assert.deepEqual(Object.keys(lookup(words, 'exhibits') as object).sort(), [...ids].sort());
});

for (const id of ids) {
  test(`${id}: the broken version differs, its alarm rings, that of the right one does not`, (t) => {
    const { result, view } = at({ exhibit: id });
    assert.ok(result.first, 'the default input shows the fault');
    assert.ok(result.wrongAlarm > 0.01, `broken: ${result.wrongAlarm}`);
    assert.ok(result.rightAlarm <= 1e-9, `right: ${result.rightAlarm}`);
    assert.match(phrase(words, view.state), /^現在：症狀是「.+」。第 \d 橫列第 \d 直欄先不同：壞的是 -?\d+\.\d{4}，對的是 -?\d+\.\d{4}。$/);
    const [broken, right] = view.tables.map(({ cells }) => cells) as [number[][], number[][]];
    const { row, col } = result.first;
    const differs = (i: number, j: number): boolean => broken[i]![j]!.toFixed(4).replace(/^-(?=0\.0+$)/, '') !== right[i]![j]!.toFixed(4).replace(/^-(?=0\.0+$)/, '');
    const places = broken.flatMap((line, i) => line.flatMap((_, j) => (differs(i, j) ? [[i, j]] : [])));
    assert.deepEqual(places[0], [row, col]);
    assert.equal(places.length, result.different);
    t.diagnostic(texts(view).join(' '));
  });

  test(`${id}: every diagnosis gets an answer that can be heard, and only the right one is told the cause`, () => {
    const cause = word(words, `exhibits.${id}.why`);
    for (const diagnosis of ['none', ...ids]) {
      const { view } = at({ exhibit: id, diagnosis });
      const said = texts(view);
      for (const text of said) for (const sentence of text.split('。')) assert.ok([...sentence].length <= 60, sentence);
      assert.ok([...phrase(words, view.say!)].length <= 40, phrase(words, view.say!));
      const verdict = phrase(words, view.facts[0]!);
      assert.match(verdict, diagnosis === 'none' ? /^還沒有診斷/ : diagnosis === id ? /^診斷對了/ : /^不是「.+」。那個錯的症狀是「.+」/);
      assert.equal(said.includes(cause), diagnosis === id);
    }
  });
}

test('every sentence of state, announcement and facts is used', () => {
  const used = new Set<string>();
  for (const raw of [{}, { exhibit: 'slopes', heads: '8' }, { diagnosis: 'axis' }, { diagnosis: 'late' }] as Raw[])
    for (const message of [at(raw).view.state, at(raw).view.say!, ...at(raw).view.facts, at(raw).view.picture.label]) used.add(message.key);
  for (const part of ['state', 'facts']) for (const key of Object.keys(lookup(words, part) as object)) assert.ok(used.has(`${part}.${key}`), `${part}.${key}`);
  for (const key of ['say-differ', 'say-same', 'say-hit', 'say-miss', 'picture.differ', 'picture.same']) assert.ok(used.has(key), key);
});

test('where a fault cannot be seen, the lab says that it cannot', () => {
  const unseen: Record<string, Raw> = {
    axis: { x: ['1, 0', '1, 0', '1, 0', '1, 0'] },
    billion: { pads: '0' },
    mean: { pads: '0' },
    blocks: { tokens: '貓 狗' },
    slopes: { heads: '16' },
  };
  for (const [exhibit, raw] of Object.entries(unseen)) {
    const { result, view } = at({ exhibit, ...raw });
    assert.equal(result.first, null, exhibit);
    assert.equal(result.different, 0);
    assert.match(phrase(words, view.state), /看不出錯。$/);
    assert.ok(!view.facts.some(({ key }) => key === 'facts.count'));
  }
});

test('two more values: a mean that shrinks with every padding, and the released slopes for 6 heads', () => {
  const { result } = at({ exhibit: 'mean', pads: '2' });
  assert.deepEqual([...result.right.data], [0.5, 1.5, 0.5, 0.5]);
  assert.deepEqual([...result.wrong.data], [0.25, 0.75, 0.25, 0.25]);
  const slopes = at({ exhibit: 'slopes' }).result;
  assert.deepEqual([...slopes.right.data], [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]);
  assert.ok(Math.abs(slopes.wrong.data[0]! - 0.3969) < 5e-5);
});

test('an input that an exhibit cannot take gets a sentence at its field', () => {
  const x = (width: number): number[][] => [Array<number>(width).fill(1), Array<number>(width).fill(2)];
  const problem = (exhibit: string, width: number, pads = 0) => museum.fits!({ exhibit, diagnosis: 'none', tokens: ['甲', '乙'], pads, heads: 6, x: x(width) });
  assert.deepEqual(problem('rotary', 6), { field: 'x', code: 'multiple', slots: { got: '6', want: '4' } });
  assert.deepEqual(problem('width', 3), { field: 'x', code: 'multiple', slots: { got: '3', want: '2' } });
  assert.deepEqual(problem('sample', 1), { field: 'x', code: 'least', slots: { got: '1', want: '2' } });
  assert.deepEqual(problem('axis', 1, 2), { field: 'pads', code: 'pads', slots: { n: '2' } });
  for (const id of ids) assert.equal(problem(id, 4, 1), null, id);
  for (const key of ['pads', 'multiple', 'least']) assert.ok(lookup(words, `problems.${key}`), key);
});

test('the largest input that the form takes gives a whole result in every exhibit', () => {
  const tokens = '甲 乙 丙 丁 戊 己 庚 辛';
  const x = Array.from({ length: 8 }, (_, i) => Array.from({ length: 8 }, (__, j) => ((i * 7 + j * 5) % 21) - 10).join(', '));
  for (const exhibit of ids) {
    const { values, result } = at({ exhibit, tokens, x, pads: '7', heads: '16' });
    assert.ok([...result.right.data, ...result.wrong.data].every(Number.isFinite), exhibit);
    for (const line of trustLines(museum, core, values, result)) assert.ok(line.passes, `${exhibit} ${line.key} ${line.value}`);
  }
});

/** One fault fed to another lab: its line must pass before and fail after. */
interface Feed {
  stem: string;
  line: string;
  fault: keyof Museum;
  typed?: Raw;
  spoil(result: any, values: any): unknown;
}

const first = (m: Matrix, count: number): Matrix => matrix(rowsOf(m).slice(0, count));
const project = (values: any): [Matrix, Matrix, Matrix] =>
  [values.wq, values.wk, values.wv].map((w) => core.project(matrix(values.x), matrix(w))) as [Matrix, Matrix, Matrix];
/** A lab's scores as attention over keys of width 1. */
const averaged = (r: any, v: any) => core.attentionAveragedBlocks(matrix([[1]]), matrix(r.scores.map((s: number) => [s])), matrix(v.v), v.block);
const codes = (r: any, v: any): Matrix => core.sinusoidalByParity(r.places, Number(v.d));
const overColumns = (trace: any) => ({ ...trace, weights: core.softmaxOverColumns(trace.scores) });
const scaledByModel = (v: any) =>
  core.multiHeadModelScale(matrix(v.x), { wQ: matrix(v.wq), wK: matrix(v.wk), wV: matrix(v.wv), wO: matrix(v.wo) }, v.heads.length);

/** A vector as both of two heads, turned before they are cut apart; the first of them. */
const across = (row: number[], place: number, v: any): Matrix =>
  columns(core.rotateAcrossHeads(matrix([[...row, ...row]]), [place], { layout: 'half-split', base: v.base }), 0, row.length);
const dot = (a: Matrix, b: Matrix): number => core.product(a, core.transpose(b)).data[0]!;

const FEEDS: Feed[] = [
  ...['sum', 'shift'].map(
    (line): Feed => ({ stem: 'party', line, fault: 'softmaxOverColumns', spoil: (r, v) => ({ ...r, weights: core.softmaxOverColumns(core.transpose(matrix(v.scores))) }) }),
  ),
  ...['sum', 'softmax', 'mix'].map((line): Feed => ({ stem: 'qkv', line, fault: 'softmaxOverColumns', spoil: (r) => overColumns(r) })),
  ...['seats', 'mix'].map((line): Feed => ({ stem: 'qkv', line, fault: 'attentionAveragedBlocks', spoil: (r) => ({ ...r, output: core.attentionAveragedBlocks(r.q, r.k, r.v, 2).output }) })),
  ...['softmax', 'sum'].map((line): Feed => ({ stem: 'qkv', line, fault: 'attentionMaskedLate', spoil: (r) => ({ ...r, weights: core.attentionMaskedLate(r.q, r.k, r.v, { causal: true }).weights }) })),
  { stem: 'identity-projections', line: 'sum', fault: 'softmaxOverColumns', spoil: (r) => ({ ...r, weights: core.softmaxOverColumns(core.product(r.scores, matrix([[1, 0, 0], [0, 2, 0], [0, 0, 3]]))) }), typed: { tokens: '甲 乙 丙', x: ['1, 0', '0, 1', '1, 1'] } },
  {
    stem: 'causal-mask',
    line: 'sum',
    fault: 'attentionMaskedLate',
    spoil(r, v) {
      const late = core.attentionMaskedLate(...project(v), { mask: r.mask });
      return { ...r, before: { ...r.before, ...late, shares: late.weights } };
    },
  },
  {
    stem: 'causal-mask',
    line: 'promise',
    fault: 'attentionMaskedLate',
    spoil(r, v) {
      const attend = (x: number[][]): Matrix => core.attentionMaskedLate(...project({ ...v, x }), { mask: r.mask }).output;
      const changed = [...v.x.slice(0, -1), v.x.at(-1).map((a: number) => a + 1)];
      return { ...r, leak: core.maxGap(first(attend(v.x), v.x.length - 1), first(attend(changed), v.x.length - 1)) };
    },
  },
  ...['hidden', 'sum'].map(
    (line): Feed => ({
      stem: 'causal-mask',
      line,
      fault: 'attentionMinusBillion',
      typed: { kind: 'strict' },
      spoil(r, v) {
        const { weights } = core.attentionMinusBillion(...project(v), { mask: r.mask });
        return { ...r, before: { ...r.before, weights, shares: weights } };
      },
    }),
  ),
  {
    stem: 'causal-mask',
    line: 'cache',
    fault: 'attentionWithoutOffset',
    spoil(r, v) {
      const [q, k, value] = project(v);
      const token = (i: number): number[] =>
        [...core.attentionWithoutOffset(matrix([rowsOf(q)[i]!]), first(k, i + 1), first(value, i + 1), { causal: true, queryOffset: i }).output.data];
      return { ...r, cached: matrix(v.x.map((_: unknown, i: number) => token(i))) };
    },
  },
  { stem: 'multi-head', line: 'sum', fault: 'softmaxOverColumns', spoil: (r) => ({ ...r, trace: { ...r.trace, heads: r.trace.heads.map(overColumns) } }) },
  { stem: 'multi-head', line: 'concat', fault: 'multiHeadModelScale', spoil: (r, v) => ({ ...r, trace: core.multiHeadModelScale(r.x, r.weights, v.heads) }) },
  { stem: 'head-gates', line: 'sum', fault: 'softmaxOverColumns', spoil: (r) => ({ ...r, now: { ...r.now, heads: r.now.heads.map(overColumns) } }) },
  ...['ones', 'untouched'].map((line): Feed => ({ stem: 'head-gates', line, fault: 'multiHeadModelScale', spoil: (r, v) => ({ ...r, open: scaledByModel(v) }) })),
  ...['merged', 'orders'].map(
    (line): Feed => ({ stem: 'online-softmax', line, fault: 'attentionAveragedBlocks', spoil: (r, v) => ({ ...r, trace: { ...r.trace, merged: { ...r.trace.merged, output: averaged(r, v).output.data } } }) }),
  ),
  { stem: 'online-softmax', line: 'shift', fault: 'attentionAveragedBlocks', spoil: (r, v) => ({ ...r, trace: { ...r.trace, weights: averaged(r, v).weights.data } }) },
  { stem: 'permutation', line: 'sum', fault: 'attentionMaskedLate', spoil: (r, v) => ({ ...r, before: core.attentionMaskedLate(...project(v), { causal: true }) }) },
  ...['equivariant', 'mean'].map(
    (line): Feed => ({ stem: 'permutation', line, fault: 'attentionAveragedBlocks', spoil: (r, v) => ({ ...r, after: core.attentionAveragedBlocks(...project({ ...v, x: rowsOf(r.shuffled) }), 3) }) }),
  ),
  {
    stem: 'permutation',
    line: 'leak',
    fault: 'attentionMinusBillion',
    spoil: (r, v) => ({ ...r, masked: core.attentionMinusBillion(...project(v), { causal: true, mask: core.paddingMask(v.x.length, v.x.map((_: unknown, i: number) => i > 0)) }).weights }),
  },
  ...['norm', 'shift'].map((line): Feed => ({ stem: 'sinusoidal', line, fault: 'sinusoidalByParity', spoil: (r, v) => ({ ...r, codes: codes(r, v) }) })),
  ...['closed', 'offset'].map(
    (line): Feed => ({
      stem: 'sinusoidal',
      line,
      fault: 'sinusoidalByParity',
      spoil(r, v) {
        const rows = rowsOf(codes(r, v));
        const dot = core.product(matrix([rows[0]!]), core.transpose(matrix([rows.at(-1)!]))).data[0]!;
        return { ...r, pairs: [{ ...r.pairs[0], dot }, ...r.pairs.slice(1)] };
      },
    }),
  ),
  {
    stem: 'sinusoidal',
    line: 'heard',
    fault: 'sinusoidalByParity',
    spoil: (r, v) => ({ ...r, waves: columns(core.sinusoidalByParity([...Array(r.waves.rows).keys()], Number(v.d)), 0, r.waves.cols) }),
  },
  {
    stem: 'rotary',
    line: 'shift',
    fault: 'rotateAcrossHeads',
    typed: { layout: 'half-split' },
    spoil(r, v) {
      const score = (t: number): number => dot(across(v.x[0], v.m + t, v), across(v.x[1], v.n + t, v));
      return { ...r, scores: [score(0), score(v.t), r.scores[2]] };
    },
  },
  {
    stem: 'rotary',
    line: 'length',
    fault: 'rotateAcrossHeads',
    typed: { layout: 'half-split' },
    spoil(r, v) {
      const turned = [across(v.x[0], v.m, v), across(v.x[1], v.n, v)].map((m) => core.frobeniusNorm(m));
      return { ...r, lengths: [r.lengths[0], turned[0], r.lengths[2], turned[1]] };
    },
  },
  ...['back', 'layout'].map(
    (line): Feed => ({
      stem: 'rotary',
      line,
      fault: 'rotateAcrossHeads',
      typed: { layout: 'half-split' },
      spoil: (r, v) => ({ ...r, vectors: matrix([v.x[0], [...across(v.x[0], v.m, v).data], v.x[1], [...across(v.x[1], v.n, v).data]]) }),
    }),
  ),
  { stem: 'alibi', line: 'rule', fault: 'alibiSlopesOneFormula', typed: { heads: '6' }, spoil: (r, v) => ({ ...r, released: [...core.alibiSlopesOneFormula(v.heads)] }) },
  { stem: 'layer', line: 'variance', fault: 'layerNormSample', spoil: (r) => ({ ...r, norms: [core.layerNormSample(matrix([[1, 2, 3, 4]])), r.norms[1]] }) },
  {
    stem: 'layer',
    line: 'encoder',
    fault: 'encoderLayerSwapped',
    spoil(r, v) {
      const { attention, network } = r.layers[r.at - 1];
      const options = { normFirst: v.norm === 'pre', causal: v.self === 'masked' };
      return { ...r, uncrossed: core.encoderLayerSwapped(r.stack[r.at - 1], { attention, network }, options).output };
    },
  },
  {
    stem: 'layer',
    line: 'sum',
    fault: 'softmaxOverColumns',
    spoil: (r) => ({ ...r, trace: { ...r.trace, attention: { ...r.trace.attention, heads: r.trace.attention.heads.map(overColumns) } } }),
  },
  ...['sum', 'definition', 'shift'].map(
    (line): Feed => ({ stem: 'exponential-shares', line, fault: 'softmaxOverColumns', spoil: (r) => ({ ...r, shares: core.softmaxOverColumns(matrix([r.numbers])) }) }),
  ),
];

for (const { stem, line, fault, typed = {}, spoil } of FEEDS) {
  test(`${stem}: the line ${line} of the trust panel notices ${fault}`, (t) => {
    const lab: Lab = labs[stem]!;
    const { values, result } = show(lab, core, wordsOf(stem), typed);
    const measure = (r: unknown) => trustLines(lab, core, values, r).find(({ key }) => key === line)!;
    assert.ok(measure(result).passes, `before: ${measure(result).value}`);
    const after = measure(spoil(result, values));
    t.diagnostic(`${after.value}`);
    assert.ok(!after.passes, `after: ${after.value}`);
  });
}
