import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Core } from '../../web/core/core.ts';
import { matrix, rowsOf } from '../../web/core/matrix.ts';
import { labs } from '../../web/labs/index.ts';
import { amount, cellAmount, powersAxis, spread } from '../../web/labs/kit/amount.ts';
import { defaults, reshape } from '../../web/labs/kit/raw.ts';
import { lookup, phrase } from '../../web/labs/kit/template.ts';
import { trustLines } from '../../web/labs/kit/trust.ts';
import type { Lab, Message, Raw, View } from '../../web/labs/kit/types.ts';
import { leaves, loadCore, show, toldBy, valuesOf, wordsOf } from './kit.ts';

let core: Core;
before(async () => {
  core = await loadCore();
});

const lab = (stem: string): Lab => labs[stem]!;
const shown = (stem: string, raw: Raw = {}) => show(lab(stem), core, wordsOf(stem), raw);
const said = (stem: string, message: Message): string => phrase(wordsOf(stem), message);
const expected = (stem: string, path: string): number => lookup(wordsOf(stem), `expect.${path}`) as unknown as number;
const near = (actual: number, wanted: number, limit = 1e-9): void => assert.ok(Math.abs(actual - wanted) <= limit * Math.max(1, Math.abs(wanted)), `${actual} is not ${wanted}`);
const cells = (view: View, id: string): number[][] => [...view.tables, ...(view.more?.tables ?? [])].find((table) => table.id === id)!.cells;

/** Inputs that between them bring up every state, announcement and fact of a lab, at both ends of their ranges. */
const INPUTS: Record<string, Raw[]> = {
  'relay-decay': [
    {},
    { factor: '1.05' },
    { factor: '1' },
    { steps: '3000' },
    { factor: '0.8', steps: '3000', gate: '0.8' },
    { factor: '1.2', steps: '3000', gate: '1' },
    { factor: '0.9999999', steps: '1' },
    { factor: '1.0000001', steps: '2999' },
  ],
  'eigenvalue-trap': [
    {},
    { slopes: ['1', '1'] },
    { steps: '1' },
    { w: ['0.5, 0.3', '-0.2, 0.4'] },
    { w: ['0, -1', '1, 0'], slopes: ['1', '1'] },
    { w: ['0, -1', '1, 0'], slopes: ['0', '0'] },
    { w: ['0 0', '0 0'] },
    { w: ['100 100', '-100 -100'], steps: '10' },
    { units: '甲 乙 丙', w: ['1 2 3', '4 5 6', '7 8 9'], steps: '10' },
    { units: '甲 乙 丙 丁', w: Array<string>(4).fill('0 0 0 0') },
    { units: '甲 乙 丙 丁', w: Array<string>(4).fill('100 100 100 100'), steps: '10', bias: Array<string>(4).fill('0.1') },
  ],
  'path-length': [{}, { n: '2' }, { ends: 'own', from: '7', to: '7' }, { ends: 'own', from: '100', to: '99' }, { n: '8192', kernel: '7' }],
  'sequential-work': [{}, { n: '16' }, { n: '512' }, { n: '1000000', d: '1024', batch: '256' }, { peak: '2000', bandwidth: '0.01' }, { batch: '256' }],
  probe: [{}, { kind: 'mlp' }, { task: 'control', steps: '1' }, { words: '貓 貓', x: ['1', '2'], labels: ['1', '2'], control: ['3', '3'] }, { mix: ['3'] }],
};

for (const [stem, inputs] of Object.entries(INPUTS)) {
  test(`${stem}: every state, announcement and fact is reached, whole and short enough`, (t) => {
    const words = wordsOf(stem);
    const used = new Set<string>();
    for (const raw of inputs) {
      const { view } = shown(stem, raw);
      for (const key of toldBy(view, words)) used.add(key);
      t.diagnostic(phrase(words, view.state));
    }
    const wanted = [
      ...leaves(words, 'state'),
      ...leaves(words, 'facts'),
      ...Object.keys(words).filter((key) => key.startsWith('say')),
    ];
    assert.deepEqual(wanted.filter((key) => !used.has(key)), []);
  });

  test(`${stem}: every self-check passes at these inputs, and every picture and sound has finite places`, () => {
    for (const raw of inputs) {
      const { values, result, view } = shown(stem, raw);
      for (const line of trustLines(lab(stem), core, values, result)) assert.ok(line.passes, `${JSON.stringify(raw)} ${line.key} ${line.value}`);
      assert.ok(view.sound!.values.every((x) => Number.isFinite(x)));
      if (view.picture.kind !== 'lines') continue;
      const { x, y, lines } = view.picture;
      for (const { points } of lines) {
        assert.ok(points.length > 0);
        for (const [px, py] of points) assert.ok(px >= x.min && px <= x.max && py >= y.min * (1 - 1e-9) && py <= y.max * (1 + 1e-9), `${JSON.stringify(raw)} ${px} ${py}`);
      }
    }
  });
}

test('Numbers of any size are said in words, and a logarithmic axis holds them between whole powers', () => {
  const words = wordsOf('relay-decay');
  assert.deepEqual([0, 0.0059205, 0.358486, 2.6533, 226.274, -14.5].map((x) => amount(x, words)), ['0', '0.0059', '0.36', '2.65', '226.27', '-14.5']);
  assert.equal(amount(1.4818896559818796e-67, words), '1.5 乘以 10 的負 67 次方');
  assert.equal(amount(3.697406580398229e63, words), '3.7 乘以 10 的 63 次方');
  assert.deepEqual([0, 0.3585, 999999, -1e6].map((x) => cellAmount(x, words)), [undefined, undefined, undefined, '-1.0 乘以 10 的 6 次方']);
  const axis = powersAxis([1, 226.27, 0.004], { key: 'picture.y' });
  assert.deepEqual([axis.min, axis.max], [0.001, 1000]);
  assert.deepEqual(axis.ticks.map(({ text }) => text), ['10⁻³', '10⁻¹', '10', '10³']);
  assert.deepEqual([powersAxis([1], { key: 'x' }).min, powersAxis([1], { key: 'x' }).max], [1, 10]);
  assert.deepEqual(powersAxis([100, 1000], { key: 'x' }).max, 1000);
  assert.deepEqual(spread(3, 20), [0, 1, 2, 3]);
});

test('relay-decay: the numbers of the fact sheet', () => {
  const at = (raw: Raw) => shown('relay-decay', raw).result;
  near(at({}).value, expected('relay-decay', 'value'));
  near(at({}).period, expected('relay-decay', 'period'));
  near(at({ factor: '1.05' }).period, expected('relay-decay', 'doubling'));
  near(at({ steps: '3000' }).value / expected('relay-decay', 'long'), 1, 1e-11);
  near(at({ factor: '1.05', steps: '3000' }).value / expected('relay-decay', 'grownLong'), 1, 1e-11);
  near(at({ gate: '0.95', steps: '100' }).gated[100], 0.0059205292203339975);
  assert.match(said('relay-decay', shown('relay-decay').view.facts[0]!), /0\.358486，該寫 0\.36，少了 64\.15%/);
  assert.match(said('relay-decay', shown('relay-decay', { factor: '1' }).view.state), /沒有半衰期/);
});

test('eigenvalue-trap: eigenvalues of 0 with a product that doubles, and weights that must shrink', () => {
  const { result, view } = shown('eigenvalue-trap');
  assert.deepEqual([...result.ofJ.both.real], expected('eigenvalue-trap', 'eigenvalues'));
  assert.deepEqual([...result.ofW.both.real], [0, 0]);
  near(result.weightNorm, expected('eigenvalue-trap', 'weightNorm'));
  result.norms.forEach((norm: number, i: number) => near(norm, 2 ** i * Math.sqrt(200)));
  // The network that really runs stands at the fixed point of the counterexample.
  result.runNorms.forEach((norm: number, i: number) => near(norm, result.norms[i], 1e-9));
  assert.ok(view.facts.some(({ key }) => key === 'facts.unsafe'));
  const safe = shown('eigenvalue-trap', { w: ['0.5, 0.3', '-0.2, 0.4'] });
  assert.ok(safe.view.facts.some(({ key }) => key === 'facts.safe'));
  assert.ok(safe.result.norms.every((norm: number, i: number) => i === 0 || norm < safe.result.norms[i - 1]));
  assert.match(said('eigenvalue-trap', shown('eigenvalue-trap', { slopes: ['1', '1'] }).view.state), /零矩陣。$/);
  // The forget path is the sigmoid of the bias to the powers.
  near(result.forgetPath[9] / result.forgetPath[8], result.forgetPath[0]);
});

test('eigenvalue-trap: a matrix that is not square, and a slope below 0, are refused at their place', () => {
  const values = valuesOf(lab('eigenvalue-trap'), defaults(lab('eigenvalue-trap'), wordsOf('eigenvalue-trap')));
  const fits = lab('eigenvalue-trap').fits!;
  assert.equal(fits(values), null);
  assert.equal(fits({ ...values, w: [[1], [2]] })!.code, 'square');
  assert.deepEqual(fits({ ...values, slopes: [[1], [-0.5]] }), { field: 'slopes', row: 1, code: 'slope', slots: { x: '-0.5' } });
});

test('path-length: the dilated stack is asked for one more than the distance', () => {
  for (const [n, kernel, layers] of [[3000, 3, 8], [2187, 3, 7], [2188, 3, 8], [8192, 3, 9], [343, 7, 3], [344, 7, 4]] as const) {
    assert.equal(shown('path-length', { n: String(n), kernel: String(kernel) }).result.paths.convolutionDilated, layers, `${n} ${kernel}`);
  }
  const own = shown('path-length', { ends: 'own', from: '2', to: '11' }).result;
  assert.deepEqual([own.paths.recurrent, own.paths.convolutionCausal, own.paths.convolutionDilated], [9, 5, 3]);
});

test('path-length: a place beyond the end is refused only where places are chosen', () => {
  const values = valuesOf(lab('path-length'), { ...defaults(lab('path-length'), wordsOf('path-length')), n: '50', to: '60' });
  assert.equal(lab('path-length').fits!(values), null);
  assert.deepEqual(lab('path-length').fits!({ ...values, ends: 'own' }), { field: 'to', code: 'place', slots: { i: '60', n: '50' } });
});

test('sequential-work: the sums of the fact sheet, and a million tokens in units of people', () => {
  const { result } = shown('sequential-work');
  assert.equal(result.now.projectionFlops, expected('sequential-work', 'projections'));
  near(result.bound.fractionOfPeak, 0.0049839743589743584, 1e-15);
  const bounds = result.byBatch.map(({ bound }: any) => bound.fractionOfPeak);
  [0.0049839743589743584, 0.07974358974358974, 0.31897435897435894, 1].forEach((x, i) => near(bounds[i], x, 1e-15));
  assert.match(said('sequential-work', shown('sequential-work', { n: '1000000' }).view.state), /讀 100 萬個詞元.*有 2048 兆次運算/);
});

test('probe: the numbers of the fact sheet, and labels that a wide probe learns by heart', () => {
  const { result } = shown('probe');
  near(result.linear.real.history.loss[0], Math.log(3), 1e-15);
  near(result.linear.real.history.loss[100], expected('probe', 'loss'));
  near(result.linear.control.history.loss[100], expected('probe', 'controlLoss'));
  near(result.linear.selectivity, 2 / 3);
  near(result.centre, expected('probe', 'centre'));
  near(shown('probe', { steps: '1' }).result.linear.real.history.loss[1], 0.5124279742042608);
  const learnt = shown('probe', { kind: 'mlp', steps: '500' }).result;
  assert.equal(learnt.mlp.selectivity, 0);
  near(learnt.linear.selectivity, 2 / 3);
});

test('probe: the same word keeps its class in the control task, and classes are 1, 2 and 3', () => {
  const values = valuesOf(lab('probe'), defaults(lab('probe'), wordsOf('probe')));
  const fits = lab('probe').fits!;
  assert.equal(fits(values), null);
  assert.deepEqual(fits({ ...values, words: ['貓', '河', '貓', '睡', '大', '快'] }), {
    field: 'control',
    row: 2,
    code: 'type',
    slots: { word: '貓', first: '1', label: '3' },
  });
  for (const label of [0, -1, 1.5]) assert.equal(fits({ ...values, labels: [[1], [label], [1], [1], [1], [1]] })!.code, 'class');
});

test('probe: long training goes to the worker, and gives what the page would', () => {
  const l = lab('probe');
  const words = wordsOf('probe');
  const at = (raw: Raw) => valuesOf(l, reshape(l, { ...defaults(l, words), ...raw }));
  assert.equal(l.heavy!.isLong(at({})), false);
  const long = at({ steps: '2000', words: Array.from({ length: 24 }, (_, i) => `詞${i}`).join(' ') });
  assert.equal(l.heavy!.isLong(long), true);
  const values = at({ steps: '7' });
  const answers = l.heavy!.calls(values).map(({ name, args }) => (core as any)[name](...structuredClone(args)));
  assert.deepEqual(l.heavy!.finish(core, values, answers), l.run(core, values));
});

test('probe: the shares of the linear probe are those of its own weights', () => {
  const { result, values } = shown('probe', { task: 'control' });
  const { w, b } = result.linear.control.probe;
  const first = core.product(matrix([(values.x as number[][])[0]!]), w).data.map((z, j) => z + b[j]);
  rowsOf(core.softmaxRows(matrix([[...first]])))[0]!.forEach((share, j) => near(rowsOf(result.shares)[0]![j]!, share, 1e-15));
  assert.equal(cells(shown('probe').view, 'shares').length, 6);
});
