import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { parse } from 'yaml';
import type { Core } from '../../web/core/core.ts';
import { CHEN, PRESS, PRESS_LENGTHS } from '../../web/labs/extrapolation.ts';
import { labs } from '../../web/labs/index.ts';
import { defaults } from '../../web/labs/kit/raw.ts';
import { lookup, phrase, slotsOf } from '../../web/labs/kit/template.ts';
import { trustLines } from '../../web/labs/kit/trust.ts';
import type { Lab, Raw, View } from '../../web/labs/kit/types.ts';
import { leaves, loadCore, root, show, toldBy, valuesOf, wordsOf } from './kit.ts';

let core: Core;
before(async () => {
  core = await loadCore();
});

const lab = (stem: string): Lab => labs[stem]!;
const view = (stem: string, raw: Raw = {}): View => show(lab(stem), core, wordsOf(stem), raw).view;
const result = (stem: string, raw: Raw = {}) => show(lab(stem), core, wordsOf(stem), raw).result;
const vectors = (name: string): any => JSON.parse(readFileSync(`${root}tests/vectors/${name}.json`, 'utf8'));
const vector = (name: string, id: string): any => vectors(name).cases.find((c: any) => c.id === id);
const presets = (stem: string): Raw[] => lab(stem).presets.map(({ raw }) => raw(core, wordsOf(stem)));

function near(actual: number, expected: number, what: string): void {
  assert.ok(Math.abs(actual - expected) < 1e-9, `${what}: ${actual} is not ${expected}`);
}

const schemes = ['sinusoidal', 'learned', 'rotary', 'interpolated', 'alibi'];

/** Inputs that between them bring up every state, announcement and fact of a lab. */
const INPUTS: Record<string, () => Raw[]> = {
  rotary: () => [...presets('rotary'), { m: '7', n: '7' }, { base: '100', trained: '8192' }, { m: '16384', n: '9999', t: '16384', base: '1000000' }],
  alibi: () => [...presets('alibi'), { heads: '1' }, { heads: '3', head: '16', i: '5', k: '4096' }, { heads: '16', rule: 'paper', i: '4096', k: '2048' }, { heads: '11', i: '0', k: '0' }],
  extrapolation: () => [
    ...presets('extrapolation'),
    { tested: '512' },
    { tested: '256' },
    ...schemes.flatMap((scheme) => ['512', '2048'].flatMap((trained) => ['513', '4096', '15512'].map((tested) => ({ scheme, trained, tested })))),
  ],
};

for (const [stem, inputs] of Object.entries(INPUTS)) {
  test(`${stem}: every state, announcement and fact is reached, whole and short enough, and every self-check passes`, (t) => {
    const words = wordsOf(stem);
    const used = new Set<string>();
    for (const raw of inputs()) {
      const shown = show(lab(stem), core, words, raw);
      const { state, sound, tables } = shown.view;
      for (const key of toldBy(shown.view, words)) used.add(key);
      if (sound) {
        used.add(sound.intro.key);
        for (const sentence of phrase(words, sound.intro).split('。')) assert.ok([...sentence].length <= 60, sentence);
      }
      for (const table of tables) assert.ok([...phrase(words, table.caption)].length <= 40, phrase(words, table.caption));
      t.diagnostic(phrase(words, state));
      for (const line of trustLines(lab(stem), core, shown.values, shown.result)) assert.ok(line.passes, `${JSON.stringify(raw)} ${line.key} ${line.value}`);
    }
    const wanted = [
      ...leaves(words, 'state'),
      ...leaves(words, 'facts'),
      ...leaves(words, 'say'),
      ...leaves(words, 'picture.label'),
    ];
    assert.deepEqual(wanted.filter((key) => !used.has(key)), []);
    for (const key of leaves(words, 'state')) {
      const text = lookup(words, key) as string;
      assert.doesNotMatch(text, /\}\s*\{/);
      assert.ok(slotsOf(text).length > 0);
    }
  });
}

test('rotary: scores, lengths, layouts and interpolation as in the vectors', () => {
  const relative = vector('06_rope', 'relative_property');
  relative.input.pairs.forEach(([m, n]: [number, number], i: number) => near(result('rotary', { m: String(m), n: String(n) }).scores[0], relative.expected.scores[i], `${m} ${n}`));
  const { expected } = vector('06_rope', 'norm_preserved');
  const { lengths, vectors: turned } = result('rotary', { m: '7' });
  near(lengths[0], expected.norm_before, 'before');
  near(lengths[1], expected.norm_after, 'after');
  for (const [layout, id] of [['interleaved', 'rotate_interleaved_d4'], ['half-split', 'rotate_half_split_d4']] as const) {
    const { vectors: rows } = result('rotary', { m: '7', layout });
    vector('06_rope', id).expected.rotated[3].forEach((x: number, j: number) => near(rows.data[4 + j], x, `${layout} ${j}`));
  }
  assert.equal(turned.rows, 4);
  const pi = vector('06_rope', 'position_interpolation');
  near(result('rotary', { m: '4096', n: '0', pi: '4' }).scores[0], pi.expected.score_interpolated, 'interpolated');
  near(result('rotary', { m: '4096', n: '0' }).scores[0], pi.expected.score_extrapolated, 'extrapolated');
});

test('rotary: pairs that never complete a turn as in the vectors, for both bases', () => {
  const lengths = vector('23_extrapolation', 'pairs_with_wavelength_longer_than_L');
  const { unseen } = result('rotary');
  assert.deepEqual(unseen.map((u: any) => u.length), lengths.input.L);
  assert.deepEqual(unseen.map((u: any) => u.pairs), lengths.expected.pairs_out_of_64);
  const { expected } = vector('23_extrapolation', 'base_change');
  assert.equal(result('rotary', { base: '500000' }).unseen[3].pairs, expected.pairs_out_of_64[1]);
});

test('rotary: a key can be made that is best at any distance, so that scores need not fall', () => {
  const [, , , , peak] = presets('rotary');
  const { curve } = result('rotary', peak);
  assert.equal(curve.indexOf(Math.max(...curve)), 37);
  const best = vector('06_rope', 'max_at_chosen_distance').expected;
  near(curve[37], best.score_at_r, 'at 37');
  near(curve[0], best.score_at_0, 'at 0');
});

test('rotary: the angle is said in whole turns and degrees, and the hands of the dial point there', () => {
  const said = view('rotary', { m: '0', n: '16' }).lines!.sentences.map((line) => phrase(wordsOf('rotary'), line));
  assert.match(said[0]!, /鍵轉了 2 圈又 196\.7 度。鍵多轉 2 圈又 196\.7 度。$/);
  assert.match(said[1]!, /鍵轉了 9\.2 度。/);
  for (const raw of [{ n: '16' }, { n: '3' }, { m: '5', n: '2', pi: '4' }] as Raw[]) {
    const shown = view('rotary', raw);
    assert.ok(shown.picture.kind === 'dials');
    const turns = shown.tables.find(({ id }) => id === 'turns')!.cells;
    shown.picture.dials.forEach(({ hands }, i) =>
      hands.forEach(({ x, y }, which) => {
        const radians = (turns[i]![1 + which]! / 180) * Math.PI;
        near(x, Math.cos(radians), `x ${i} ${which}`);
        near(y, Math.sin(radians), `y ${i} ${which}`);
      }),
    );
  }
});

test('rotary: interpolation slows what is heard, and an odd width is refused at its field', () => {
  const slow = view('rotary', { pi: '4' });
  const fast = view('rotary');
  near(slow.sound!.values[4]!, fast.sound!.values[1]!, 'a quarter of the pace');
  const values = valuesOf(lab('rotary'), defaults(lab('rotary'), wordsOf('rotary')));
  assert.deepEqual(lab('rotary').fits!({ ...values, x: [[1, 2, 3], [1, 2, 3]] }), { field: 'x', code: 'even', slots: { got: '3' } });
  assert.equal(lab('rotary').fits!(values), null);
});

test('alibi: slopes of every number of heads in the vectors, and the paper where it differs', () => {
  const { input, expected } = vector('07_alibi', 'slopes');
  input.heads.forEach((heads: number, i: number) => {
    const { slopes } = result('alibi', { heads: String(heads) });
    slopes.forEach((m: number, h: number) => near(m, expected.slopes[i][h], `${heads} heads, ${h}`));
  });
  const six = vector('07_alibi', 'paper_general_formula_6_heads').expected;
  result('alibi', { heads: '6', rule: 'paper' }).slopes.forEach((m: number, h: number) => near(m, six.paper_text[h], `paper ${h}`));
  result('alibi', { heads: '6' }).slopes.forEach((m: number, h: number) => near(m, six.released_code[h], `released ${h}`));
});

test('alibi: weights, reach and both forms of the bias as in the vectors', () => {
  const { expected } = vector('07_alibi', 'uniform_scores_softmax');
  result('alibi').weights.forEach((w: number, j: number) => near(w, expected.weights[j], `weight ${j}`));
  const reach = vector('07_alibi', 'effective_window').expected.distance_where_weight_falls_to_1_percent;
  result('alibi').reaches.forEach((r: number, h: number) => near(r, reach[h], `reach ${h}`));
  const same = vector('07_alibi', 'row_constant_shift').expected;
  for (const form of ['distance', 'shifted']) {
    const weights = core.softmaxRows(result('alibi', { form }).bias);
    same.weights_code_bias[3].forEach((w: number, j: number) => near(weights.data[12 + j]!, w, `${form} ${j}`));
  }
});

test('alibi: what is heard falls from head to head as steeply as its slope, and a tiny weight is not called 0', () => {
  const heard = (head: string) => view('alibi', { head }).sound!.values;
  assert.equal(heard('1')[0], 1);
  assert.ok(heard('1')[9]! < 0.012 && heard('8')[9]! > 0.96);
  const far = view('alibi', { i: '4096', k: '4096' });
  assert.match(phrase(wordsOf('alibi'), far.state), /權重是不到 0\.0001。/);
  assert.equal(far.tables[0]!.rows.length, 48);
});

test('extrapolation: what is published stands in the sources and the vectors, figure by figure', () => {
  const sources = parse(readFileSync(`${root}lessons/sources.yaml`, 'utf8')) as any;
  const numbers = (source: string, what: string): number[] =>
    sources[source].figures.find((figure: any) => figure.what.includes(what)).value.match(/\d+(?:\.\d+)?/g).map(Number);
  const table = vector('23_extrapolation', 'alibi_table2_L512');
  assert.deepEqual(PRESS_LENGTHS, table.input.eval_length);
  for (const [scheme, what] of [['sinusoidal', '正弦位置的困惑度'], ['rotary', '旋轉位置的困惑度'], ['alibi', 'ALiBi 的困惑度']] as const) {
    assert.deepEqual(PRESS[scheme], numbers('press2022', what));
    assert.deepEqual(PRESS[scheme], table.expected[scheme]);
  }
  assert.deepEqual(CHEN.rotary.map((f) => f.perplexity), numbers('chen2023', '不延長'));
  assert.deepEqual([CHEN.interpolated.tuned], numbers('chen2023', '在長度 8192 的困惑度'));
  assert.deepEqual([CHEN.interpolated.untuned], numbers('chen2023', '還沒有微調'));
  assert.deepEqual([CHEN.interpolated.after200], numbers('chen2023', '微調 200 步'));
});

test('extrapolation: a perplexity is said only where it was published, with its source', () => {
  const words = wordsOf('extrapolation');
  for (const scheme of schemes) {
    for (const trained of ['512', '2048']) {
      for (const tested of ['513', '1012', '2048', '4096', '8192', '15512']) {
        const { result: r, view: shown } = show(lab('extrapolation'), core, words, { scheme, trained, tested });
        const text = phrase(words, shown.state);
        assert.equal(/出處是/.test(text), r.figure !== null, text);
        if (trained === '512') assert.equal(r.figure !== null, scheme in PRESS && PRESS_LENGTHS.includes(Number(tested)), text);
        else assert.equal(r.figure !== null, (scheme === 'rotary' && tested !== '8192' && ['2048', '4096'].includes(tested)) || (scheme === 'interpolated' && tested === '8192'), text);
      }
    }
  }
});

test('extrapolation: the last place of training has a row and the next has none; ALiBi keeps the near weights', () => {
  assert.deepEqual([result('extrapolation', { tested: '512' }).hasRow, result('extrapolation', { tested: '513' }).hasRow], [true, false]);
  const share = (tested: string) => result('extrapolation', { tested }).unseen[7];
  assert.equal(share('512'), 0);
  // A geometric series: e^(−L/256) of the rest.
  near(share('16384'), Math.exp(-2) * ((1 - Math.exp(-(16384 - 512) / 256)) / (1 - Math.exp(-64))), 'flattest head');
});
