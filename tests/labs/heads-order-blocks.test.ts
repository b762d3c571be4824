import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Core } from '../../web/core/core.ts';
import { labs } from '../../web/labs/index.ts';
import { defaults, reshape, stepped } from '../../web/labs/kit/raw.ts';
import { lookup, phrase, slotsOf } from '../../web/labs/kit/template.ts';
import type { Lab, Message, Raw, View } from '../../web/labs/kit/types.ts';
import { leaves, loadCore, show, toldBy, valuesOf, wordsOf } from './kit.ts';

let core: Core;
before(async () => {
  core = await loadCore();
});

const lab = (stem: string): Lab => labs[stem]!;
const view = (stem: string, raw: Raw = {}): View => show(lab(stem), core, wordsOf(stem), raw).view;
const said = (stem: string, message: Message): string => phrase(wordsOf(stem), message);
const cells = (stem: string, id: string, raw: Raw = {}): number[][] => {
  const { tables, more } = view(stem, raw);
  return [...tables, ...(more?.tables ?? [])].find((table) => table.id === id)!.cells;
};

/** Inputs that between them bring up every state, announcement and fact of a lab. */
const INPUTS: Record<string, Raw[]> = {
  'multi-head': [
    {},
    { heads: '1' },
    { heads: '16', head: '16' },
    { heads: '2', head: '9' },
    { tokens: '貓' },
    ...Array.from({ length: 4 }, (_, i) => ({ row: String(i), seed: '7' })),
  ],
  'head-gates': [
    {},
    { gates: ['0.5', '1'] },
    { heads: '單', gates: ['1'] },
    { heads: '甲 乙 丙 丁 戊 己 庚 辛', x: ['1', '1', '1'], wq: ['1 1 1 1 1 1 1 1'], wk: ['1 1 1 1 1 1 1 1'], wv: ['1 1 1 1 1 1 1 1'], wo: Array<string>(8).fill('1'), gates: ['0', ...Array<string>(7).fill('1')] },
  ],
  permutation: [
    {},
    { order: '1 2 3 4' },
    { mask: 'causal' },
    { position: 'on' },
    { mask: 'causal', position: 'on' },
    { pool: 'mean' },
    { tokens: '甲甲甲甲甲 乙乙乙乙乙 丙丙丙丙丙 丁丁丁丁丁' },
  ],
  sinusoidal: [{}, { d: '2' }, { d: '8', pair: '200' }, { d: '512' }],
  'online-softmax': [
    {},
    { stage: '1' },
    { stage: '2' },
    { stage: '2', shift: '1000' },
    { block: '6' },
    { keys: '甲 乙', scores: ['0', '0'], v: ['1', '2'], block: '1', stage: '1' },
    { order: 'pairwise', stage: '1' },
  ],
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
    const wanted = [
      ...leaves(words, 'state'),
      ...leaves(words, 'facts'),
      ...Object.keys(words).filter((key) => key.startsWith('say')),
    ];
    assert.deepEqual(wanted.filter((key) => !used.has(key)), []);
  });
}

test('multi-head: parameters and multiply-adds stay, weights grow with the heads', () => {
  for (const d of ['64', '768']) {
    const rows = cells('multi-head', 'costs', { d, n: '100' });
    for (const [, parameters, multiplyAdds] of rows) {
      assert.equal(parameters, 4 * Number(d) * Number(d));
      assert.equal(multiplyAdds, 100 * 100 * Number(d));
    }
    assert.deepEqual(rows.map((row) => row[3]), [1, 2, 4, 8, 16].map((h) => h * 100 * 100));
  }
});

test('multi-head: a number of heads that does not divide the width is refused at its field', () => {
  const values = valuesOf(lab('multi-head'), defaults(lab('multi-head'), wordsOf('multi-head')));
  for (const heads of [3, 5, 15]) assert.equal(lab('multi-head').fits!({ ...values, heads })!.field, 'heads');
  for (const heads of [1, 2, 4, 8, 16]) assert.equal(lab('multi-head').fits!({ ...values, heads }), null);
});

test('multi-head: every head has its table, and 16 heads have 16 pictures', () => {
  for (const head of ['1', '5', '16']) {
    const { tables, picture } = view('multi-head', { heads: '16', head });
    const looks = tables.find(({ id }) => id === 'looks')!.cells;
    const own = tables.find(({ id }) => id === 'weights')!.cells;
    assert.equal(looks.length, 16);
    assert.deepEqual(looks[Number(head) - 1], own[0]);
    assert.ok(picture.kind === 'grids' && picture.grids.length === 16 && picture.grids[Number(head) - 1]!.strong);
  }
});

test('head-gates: a closed head is silent, a gate of one half halves the change, both off leave nothing', () => {
  const off = cells('head-gates', 'output', { gates: ['0', '0'] });
  assert.ok(off.flat().every((x) => x === 0));
  const { result } = show(lab('head-gates'), core, wordsOf('head-gates'), { gates: ['0.5', '1'] });
  assert.ok(Math.abs(result.change - 5.905817969267334 / 2) < 1e-12);
  const both = show(lab('head-gates'), core, wordsOf('head-gates'), { gates: ['0', '0'] });
  assert.ok(Math.abs(both.result.change - 9.246025648699021) < 1e-12);
});

test('head-gates: a gate outside 0 and 1, and heads that do not divide the width, are refused at their place', () => {
  const values = valuesOf(lab('head-gates'), defaults(lab('head-gates'), wordsOf('head-gates')));
  assert.deepEqual(lab('head-gates').fits!({ ...values, gates: [[1], [-0.5]] }), { field: 'gates', row: 1, code: 'gate', slots: { g: '-0.5' } });
  assert.equal(lab('head-gates').fits!({ ...values, heads: ['a', 'b', 'c'], gates: [[1], [1], [1]] })!.field, 'heads');
});

test('head-gates: a head that is added starts open', () => {
  const raw = reshape(lab('head-gates'), { ...defaults(lab('head-gates'), wordsOf('head-gates')), heads: '甲 乙 丙 丁' });
  assert.deepEqual(raw.gates, ['1', '1', '1', '1']);
});

test('permutation: codes or a mask break what holds without them, and tokens that are alike hide an exchange', () => {
  const gaps = (raw: Raw) => cells('permutation', 'gaps', raw).flat();
  assert.ok(gaps({ position: 'on' })[0]! > 1);
  const [token, place, mean] = gaps({ x: ['1, 0', '1, 0', '1, 0', '1, 0'], wq: ['1', '1'], wk: ['1', '1'], wv: ['1', '1'] });
  assert.deepEqual([token, place, mean], [0, 0, 0]);
});

test('sinusoidal: the dot product knows the offset alone, and one frequency nearly repeats after 710', () => {
  const { result } = show(lab('sinusoidal'), core, wordsOf('sinusoidal'));
  assert.ok(Math.abs(result.pairs[0].dot - 3.159982507774607) < 1e-9);
  assert.ok(Math.abs(result.pairs[2].dot - 3.159982507774607) < 1e-9);
  assert.ok(Math.abs(result.single - 6.0288706718976894e-5) < 1e-12);
  const wide = show(lab('sinusoidal'), core, wordsOf('sinusoidal'), { d: '512' });
  const longest = lookup(wordsOf('sinusoidal'), 'expect.longest') as unknown as number;
  assert.equal(Math.floor(wide.result.wavelengths[255]), longest);
});

test('sinusoidal: what is heard is the chosen wave, between its own low and high', () => {
  for (const pair of ['1', '3']) {
    const shown = view('sinusoidal', { pair });
    const table = shown.tables.find(({ id }) => id === 'waves')!;
    assert.deepEqual(shown.sound!.values, table.cells.map((row) => row[Number(pair) - 1]!));
    assert.deepEqual(shown.sound!.range, [-1, 1]);
  }
});

test('permutation: a list that is refused leaves the order as it was', () => {
  const words = wordsOf('permutation');
  const kept = defaults(lab('permutation'), words).order;
  for (const tokens of ['', '甲', Array.from({ length: 100 }, (_, i) => `甲${i}`).join('、')])
    assert.equal(reshape(lab('permutation'), { ...defaults(lab('permutation'), words), tokens }).order, kept);
});

test('online-softmax: each press adds one block, in every order, and the last stage is the whole', () => {
  const words = wordsOf('online-softmax');
  for (const order of ['forward', 'backward', 'pairwise']) {
    for (const block of ['1', '2', '4', '5']) {
      let raw: Raw = reshape(lab('online-softmax'), { ...defaults(lab('online-softmax'), words), order, block });
      const seen = [];
      for (let next: Raw | null = raw; next; next = stepped(lab('online-softmax'), raw, 'stage', 1)) {
        raw = next;
        seen.push(said('online-softmax', view('online-softmax', raw).state));
      }
      assert.equal(seen.length, Math.ceil(6 / Number(block)));
      assert.equal(new Set(seen).size, seen.length);
      assert.match(seen.at(-1)!, /全部合併.*最大值 4\.00，總和 1\.59，輸出是 1\.95、-0\.33/);
    }
  }
});

test('online-softmax: the rows of the merging table name the blocks that they hold', () => {
  const names = (raw: Raw) =>
    view('online-softmax', { block: '1', ...raw }).tables[1]!.rows.map((row) => (typeof row === 'string' ? row : said('online-softmax', row)));
  assert.deepEqual(names({ order: 'forward' }).slice(0, 3), ['第 1 塊', '第 1 到 2 塊', '第 1 到 3 塊']);
  assert.deepEqual(names({ order: 'backward' }).slice(0, 3), ['第 6 塊', '第 5 到 6 塊', '第 4 到 6 塊']);
  assert.deepEqual(names({ order: 'pairwise' }), ['第 1 塊', '第 1 到 2 塊', '第 3 到 4 塊', '第 5 到 6 塊', '第 1 到 4 塊', '第 1 到 6 塊', '一次算完']);
});

test('online-softmax: a merged span holds exactly what its scores alone would give', () => {
  for (const order of ['forward', 'backward', 'pairwise']) {
    const raw = { block: '1', order };
    const table = view('online-softmax', raw).tables[1]!;
    const { values } = show(lab('online-softmax'), core, wordsOf('online-softmax'), raw);
    const scores = (values.scores as number[][]).map((row) => row[0]!);
    table.rows.slice(0, -1).forEach((row, i) => {
      const { b, e = b } = (row as Message).slots!;
      const part = scores.slice(Number(b) - 1, Number(e));
      const state = core.onlineScan(part);
      assert.equal(table.cells[i]![0], state.max.at(-1));
      assert.ok(Math.abs(table.cells[i]![1]! - state.sum.at(-1)!) < 1e-12);
    });
  }
});

test('Every slot of a sentence has a spoken name of its own, so that two never run together', () => {
  for (const stem of Object.keys(INPUTS)) {
    for (const key of leaves(wordsOf(stem), 'state')) {
      const text = lookup(wordsOf(stem), key) as string;
      assert.doesNotMatch(text, /\}\s*\{/, `${stem} ${key}`);
      assert.ok(slotsOf(text).length > 0);
    }
  }
});
