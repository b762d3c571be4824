import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Core } from '../../web/core/core.ts';
import { matrix, rowsOf } from '../../web/core/matrix.ts';
import { labs } from '../../web/labs/index.ts';
import { renderPicture } from '../../web/labs/kit/picture.ts';
import { defaults, read, reshape, stepped } from '../../web/labs/kit/raw.ts';
import { problemText } from '../../web/labs/kit/render-inputs.ts';
import { lookup, phrase } from '../../web/labs/kit/template.ts';
import { trustLines } from '../../web/labs/kit/trust.ts';
import type { Lab, Message, Raw, View, Words } from '../../web/labs/kit/types.ts';
import { leaves, loadCore, show, strings, toldBy, wordsOf } from './kit.ts';

let core: Core;
before(async () => {
  core = await loadCore();
});

const lab = (stem: string): Lab => labs[stem]!;
const at = (stem: string, typed: Raw = {}) => show(lab(stem), core, wordsOf(stem), typed);
const preset = (stem: string, id: string): Raw => lab(stem).presets.find((p) => p.id === id)!.raw(core, wordsOf(stem));
const say = (stem: string, message: Message): string => phrase(wordsOf(stem), message);
const stateOf = (stem: string, typed: Raw = {}): string => say(stem, at(stem, typed).view.state);
const factsOf = (stem: string, typed: Raw = {}): string => at(stem, typed).view.facts.map((fact) => say(stem, fact)).join('');
const cells = (view: View, id: string): number[][] => [...view.tables, ...(view.more?.tables ?? [])].find((table) => table.id === id)!.cells;
const expected = (stem: string) => lookup(wordsOf(stem), 'expect.default') as unknown as Record<string, any>;

function near(actual: number, wanted: number, gap = 1e-9): void {
  assert.ok(Math.abs(actual - wanted) <= gap, `${actual} is not ${wanted}`);
}

/** The complaint about these fields, as it is read. */
function complaint(stem: string, typed: Raw): { field: string; text: string } {
  const reading = read(lab(stem), reshape(lab(stem), { ...defaults(lab(stem), wordsOf(stem)), ...typed }));
  assert.ok('problems' in reading);
  return { field: reading.problems[0]!.field, text: problemText(reading.problems[0]!, wordsOf(stem), strings) };
}

/** Every stage from the first to the last, one press at a time. */
function walk(stem: string, step: string, typed: Raw = {}): string[] {
  const words = wordsOf(stem);
  let raw: Raw = reshape(lab(stem), { ...defaults(lab(stem), words), ...typed });
  const heard = [stateOf(stem, raw)];
  for (let next = stepped(lab(stem), raw, step, 1); next; next = stepped(lab(stem), raw, step, 1)) heard.push(stateOf(stem, (raw = next)));
  return heard;
}

const six = (word: string) => Array.from({ length: 6 }, (_, i) => `${word}${i + 1}`).join('、');
const grid = (rows: number, cols: number) => Array.from({ length: rows }, (_, i) => Array.from({ length: cols }, (__, j) => (7 * i + 5 * j) % 11).join(', '));

/** Inputs that between them bring up every state, announcement and fact of a lab. */
const INPUTS: Record<string, Raw[]> = {
  'dot-product': [
    {},
    { term: '1' },
    { term: '2' },
    { term: '3' },
    { vectors: ['1, 0, 1, 2, 0, 1, 1, 0', '2, 1, 0, 1, 3, 1, -1, 0'] },
    { vectors: ['3, 4', '4, -3'] },
    { vectors: ['1, 2, 3', '-1, -2, -3'] },
    { vectors: ['1, 10', '1, -0.2'] },
    { vectors: ['1, 2', '2, 3'] },
    { names: `${'長'.repeat(12)} ${'短'.repeat(12)}`, vectors: ['99.99, -99.99, 99.99, -99.99', '99.99, 99.98, 99.99, 99.99'], factor: '-3' },
    { factor: '2' },
    { factor: '-1' },
    { factor: '0' },
  ],
  'matrix-product': [
    {},
    { people: `${'長'.repeat(12)} 乙`, fruits: '一 二 三 四 五 六', kinds: `${'短'.repeat(12)} 重`, first: [six('999.'), '1 2 3 4 5 6'], second: Array<string>(6).fill('999.99, 1') },
    { fruits: '蘋果', first: ['1', '2', '3'], second: ['4, 5'] },
    { people: '甲 乙', first: ['1, 2', '3, 4'], second: ['0, 1', '1, 0'] },
    { people: '甲 乙', first: ['1, 2', '3, 4'], second: ['1, 0', '0, 1'] },
    { people: '甲 乙', fruits: '蘋果 香蕉 橘子', first: ['1, 2, 3', '3, 4, 5'], second: ['1, 0', '0, 1', '1, 1'] },
  ],
  'exponential-shares': [
    {},
    { names: '甲 乙 丙 丁 戊' },
    { names: '甲 乙 丙 丁 戊', numbers: ['1', '1', '0', '0', '0'] },
    { names: '甲 乙 丙 丁 戊', numbers: ['1', '1', '1', '1', '1'], factor: '2' },
    { shift: '10' },
    { shift: '-10' },
    { factor: '2' },
    { factor: '0' },
    { numbers: ['-1', '0', '1'] },
  ],
  'mixture-of-experts': [
    {},
    { k: '2' },
    { stage: '1' },
    { stage: '3' },
    { stage: '7' },
    { stage: '1', capacity: '0.25' },
    { capacity: '4' },
    { logits: Array<string>(8).fill('40, 0, 0, 0') },
    { logits: Array<string>(8).fill('0, 0, 0, 0') },
    { tokens: Array.from({ length: 16 }, (_, i) => `${'詞'.repeat(10)}${i}`).join(' '), experts: Array.from({ length: 8 }, (_, i) => `${'專'.repeat(11)}${i}`).join(' '), logits: Array<string>(16).fill('3, 1, 0, 0, 0, 0, 0, 0'), stage: '5' },
    { tokens: Array.from({ length: 16 }, (_, i) => `詞${i}`).join(' '), experts: six('專') + ' 七 八', logits: Array<string>(16).fill('3, 1, 0, 0, 0, 0, 0, 0'), k: '2' },
    { tokens: '一 二 三 四 五 六 七 八 九 十', experts: '甲 乙', logits: [...Array<string>(6).fill('0.04, 0'), ...Array<string>(4).fill('0, 4.6')] },
  ],
  matching: [
    {},
    { stage: '2' },
    { stage: '2', cost: ['1, 2, 10', '2, 10, 10', '10, 10, 3'] },
    { queries: six('預測'), targets: six('答案'), cost: Array.from({ length: 6 }, (_, i) => Array.from({ length: 6 }, (__, j) => (i + 1) * (j + 1)).join(' ')) },
    { queries: six('預測'), targets: '答案1 答案2 答案3 答案4', cost: grid(6, 4) },
    { cost: ['1, 5, 5', '5, 1, 5', '5, 5, 1'] },
    { queries: six('預測'), targets: six('答案'), cost: grid(6, 6) },
    { queries: six('預測'), targets: six('答案'), cost: grid(6, 6), stage: '5' },
    { queries: six('預測'), targets: six('答案'), cost: Array.from({ length: 6 }, (_, i) => Array.from({ length: 6 }, (__, j) => (i === j ? 0 : 9)).join(' ')) },
    { queries: '甲 乙', cost: ['1, 2, 3', '3, 2, 1'] },
    { queries: six('預測'), targets: '答案1 答案2 答案3 答案4 答案5', cost: grid(6, 5), stage: '2' },
    { queries: six('預測'), targets: '答案1 答案2 答案3 答案4 答案5', cost: grid(6, 5), stage: '5' },
    { source: 'boxes' },
  ],
};

for (const [stem, inputs] of Object.entries(INPUTS)) {
  test(`${stem}: every state, announcement, label and fact is reached, whole and short enough, and every check passes`, (t) => {
    const words = wordsOf(stem);
    const used = new Set<string>();
    for (const raw of inputs) {
      const { values, result, view } = at(stem, raw);
      const { state, facts, picture } = view;
      for (const key of toldBy(view, words)) used.add(key);
      t.diagnostic([state, ...facts].map((message) => phrase(words, message)).join(' '));
      assert.ok([...phrase(words, picture.label)].length <= 60, phrase(words, picture.label));
      for (const line of trustLines(lab(stem), core, values, result)) assert.ok(line.passes, `${line.key} ${line.value}`);
    }
    const wanted = ['state', 'facts', ...Object.keys(words).filter((key) => key.startsWith('say'))].flatMap((key) => leaves(words, key));
    const labels = Object.keys(words.picture as Words).filter((key) => key.startsWith('label')).map((key) => `picture.${key}`);
    assert.deepEqual([...wanted, ...labels].filter((key) => !used.has(key)), []);
  });
}

test('dot-product: the terms are added one by one, and stretching changes the size but not the share of the most', () => {
  const heard = walk('dot-product', 'term');
  assert.equal(heard.length, 4);
  assert.match(heard[1]!, /2 乘以 1 是 2，從這裡開始加。$/);
  assert.match(heard[2]!, /-1 乘以 4 是 -4，加上前面的 2，是 -2。$/);
  assert.match(heard[3]!, /3 乘以 2 是 6，加上前面的 -2，點積是 4。$/);
  const { result } = at('dot-product');
  assert.equal(result.dot, expected('dot-product').dot);
  near(result.cosine, expected('dot-product').cosine, 5e-5);
  const twice = at('dot-product', { factor: '2' }).result;
  assert.equal(twice.dot, 8);
  near(twice.cosine, result.cosine, 1e-12);
  assert.equal(at('dot-product', preset('dot-product', 'square')).result.dot, 0);
  near(at('dot-product', preset('dot-product', 'against')).result.cosine, -1, 1e-12);
});

test('dot-product: a louder vector in another direction beats a quiet one in the same', () => {
  const { result } = at('dot-product', preset('dot-product', 'louder'));
  assert.ok(result.dot > at('dot-product', { vectors: ['1, 1', '1, 1'] }).result.dot);
  assert.ok(result.cosine < 0.71);
});

test('dot-product: vectors of different length are refused at their row', () => {
  assert.match(complaint('dot-product', { vectors: ['1, 2, 3', '1, 2'] }).text, /^第 2 橫列有 2 個數字，第 1 橫列有 3 個/);
});

test('matrix-product: every cell is its row against its column', () => {
  const [first, second] = [[[2, 1], [0, 3], [1, 1]], [[10, 50], [20, 90]]];
  for (let row = 0; row < 3; row++)
    for (let col = 0; col < 2; col++) {
      const { result, view } = at('matrix-product', { row: String(row), col: String(col) });
      const wanted = first[row]![0]! * second[0]![col]! + first[row]![1]! * second[1]![col]!;
      assert.equal(result.cell, wanted);
      assert.match(say('matrix-product', view.state), new RegExp(`這一格是 ${wanted}。$`));
      assert.ok(view.picture.kind === 'product' && view.picture.row === row && view.picture.col === col);
    }
});

test('matrix-product: shapes that do not fit are told at the matrix, with both numbers', () => {
  const wide = complaint('matrix-product', { first: ['2, 1, 5', '0, 3, 1', '1, 1, 1'] });
  assert.deepEqual([wide.field, /前面有 3 個直欄，後面卻有 2 個橫列/.test(wide.text)], ['first', true]);
  const fruit = complaint('matrix-product', { fruits: '蘋果 香蕉 橘子' });
  assert.match(fruit.text, /前面有 2 個直欄，後面卻有 3 個橫列/);
  const kind = complaint('matrix-product', { kinds: '價錢' });
  assert.deepEqual([kind.field, /後面有 2 個直欄，要算的項目卻有 1 項/.test(kind.text)], ['second', true]);
});

test('exponential-shares: an added constant changes nothing, a factor does, at the ends of every slider too', () => {
  near(at('exponential-shares').result.sum, expected('exponential-shares').sum, 5e-5);
  for (const shift of ['-10', '10']) {
    const { result } = at('exponential-shares', { shift });
    assert.ok(result.shiftGap < 1e-12);
    assert.ok(core.maxGap(result.shares, result.plainShares) < 1e-12);
  }
  near(at('exponential-shares', { factor: '2' }).result.shares.data[2], 0.8668, 5e-5);
  for (const numbers of [['10', '-10', '10'], ['10', '9', '-10']])
    for (const factor of ['0', '3'])
      for (const shift of ['-10', '10']) {
        const { values, result, view } = at('exponential-shares', { numbers, factor, shift });
        for (const line of trustLines(lab('exponential-shares'), core, values, result)) assert.ok(line.passes, `${line.key} ${line.value}`);
        for (const sentence of say('exponential-shares', view.state).split('。')) assert.ok([...sentence].length <= 60, sentence);
      }
});

test('mixture-of-experts: the numbers of the fact sheet', () => {
  const want = expected('mixture-of-experts');
  const { result } = at('mixture-of-experts');
  assert.deepEqual([...result.balance.fraction], want.fraction);
  near(result.balance.switchLoss, want.loss, 1e-12);
  near(result.balance.gshardLoss, want.gshard, 1e-12);
  near(result.balance.importanceCv2, want.importance, 1e-12);
  assert.equal(result.counts.expertParameters, want.parameters);
  for (const [i, k] of ['1', '2'].entries()) assert.equal(at('mixture-of-experts', { k }).result.counts.flopsPerToken, want.flops[i]);
  for (const [capacity, tokens] of Object.entries(want.dropped as Record<string, number[]>)) {
    const visits = at('mixture-of-experts', { capacity }).result.visits as { token: number; kept: boolean }[];
    assert.deepEqual(visits.filter(({ kept }) => !kept).map(({ token }) => token), tokens, capacity);
  }
});

test('mixture-of-experts: a loss of α is no sign of balance, and a loss below α exists', () => {
  const { result: below } = at('mixture-of-experts', preset('mixture-of-experts', 'below'));
  near(below.balance.switchLoss / 0.1, 0.924, 1e-12);
  const { result: tied, view } = at('mixture-of-experts', preset('mixture-of-experts', 'tied'));
  near(tied.balance.switchLoss, 0.01, 1e-15);
  assert.deepEqual([...tied.balance.fraction], [1, 0, 0, 0]);
  assert.ok(view.facts.some(({ key }) => key === 'facts.loss.same'));
  near(at('mixture-of-experts', preset('mixture-of-experts', 'collapsed')).result.balance.switchLoss, 0.04, 1e-12);
});

test('mixture-of-experts: tokens come one by one, first choices before second ones, and a full door stays shut', () => {
  const heard = walk('mixture-of-experts', 'stage');
  assert.equal(heard.length, 9);
  assert.equal(new Set(heard).size, 9);
  assert.match(heard[3]!, /第 3 個詞元「在」的第 1 志願是專家「甲」，機率 0\.81。收下，2 個位子剛好坐滿。$/);
  assert.match(heard[5]!, /第 5 個詞元「上」的第 1 志願是專家「甲」，機率 0\.61。2 個位子已滿，跳過，只走殘差。$/);
  const two = walk('mixture-of-experts', 'stage', { k: '2' });
  assert.equal(two.length, 17);
  two.slice(1).forEach((text, i) => assert.match(text, new RegExp(`第 ${(i % 8) + 1} 個詞元.*第 ${i < 8 ? 1 : 2} 志願`)));
  const waiting = at('mixture-of-experts', { stage: '2' }).view.tables.find(({ id }) => id === 'seats')!.texts!;
  assert.deepEqual(waiting.map((line) => line[2]), ['收下', '收下', ...Array<string>(6).fill('還沒輪到')]);
});

test('mixture-of-experts: two renormalised gates are the softmax of the two kept numbers', () => {
  const { result } = at('mixture-of-experts', preset('mixture-of-experts', 'two'));
  near(result.routing.gates[0], 0.7310585786300049, 1e-12);
  near(result.routing.gates[1], 0.2689414213699951, 1e-12);
  assert.match(complaint('mixture-of-experts', { experts: '甲 乙 丙' }).text, /有 4 個分數，專家卻有 3 位/);
});

/** The cheapest by trying everything, without the core. */
function cheapest(cost: number[][]): number {
  const [first, ...rest] = cost;
  if (!first) return 0;
  return Math.min(...first.map((price, j) => price + cheapest(rest.map((row) => row.filter((_, k) => k !== j)))));
}

test('matching: the numbers of the fact sheet', () => {
  const want = expected('matching');
  const { result } = at('matching');
  assert.deepEqual([result.best.cost, result.greedy.cost], [want.best, want.greedy]);
  assert.deepEqual(result.best.pairs.map(({ row, col }: { row: number; col: number }) => [row, col]), want.pairs);
  const trap = at('matching', preset('matching', 'trap')).result;
  assert.deepEqual([trap.best.cost, trap.greedy.cost], want.trap);
  const four = at('matching', preset('matching', 'four')).result;
  assert.deepEqual([four.best.cost, four.greedy.cost], [want.four, want.four]);
  const { result: boxes } = at('matching', preset('matching', 'boxes'));
  near(boxes.best.cost, want.boxes);
  assert.deepEqual(boxes.best.pairs.map(({ row, col }: { row: number; col: number }) => [row, col]), [[0, 1], [1, 0]]);
  assert.match(factsOf('matching', preset('matching', 'boxes')), /沒配到的預測是 預測3、預測4|沒配到的預測是預測3、預測4/);
});

test('matching: after every step the seated ones have the cheapest matching of their own, and greedy never takes back', () => {
  for (const [rows, cols] of [[3, 3], [4, 6], [6, 4], [5, 5], [1, 4]] as const) {
    for (let seed = 1; seed <= 6; seed++) {
      const cost = rowsOf({ rows, cols, data: core.uniforms(seed, rows * cols).map((x) => Math.round(20 * x)) });
      const names = (word: string, n: number) => Array.from({ length: n }, (_, i) => `${word}${i + 1}`).join('、');
      const { result, values } = at('matching', { queries: names('q', rows), targets: names('t', cols), cost: cost.map((row) => row.join(', ')) });
      const lines = rows <= cols ? cost : cost[0]!.map((_, j) => cost.map((row) => row[j]!));
      lines.forEach((_, i) => near(result.seated[i].cost, cheapest(lines.slice(0, i + 1))));
      near(result.picked.at(-1).cost, result.greedy.cost);
      result.picked.forEach((step: any, i: number) => assert.deepEqual(step.pairs.slice(0, -1), i === 0 ? [] : result.picked[i - 1].pairs));
      for (const line of trustLines(lab('matching'), core, values, result)) assert.ok(line.passes, `${line.key} ${line.value}`);
    }
  }
});

test('matching: the last key press of a walk has the whole matching, and someone had to move', () => {
  const heard = walk('matching', 'stage', preset('matching', 'trap'));
  assert.equal(heard.length, 4);
  assert.match(heard[1]!, /合計 1\.00。配對是「預測1」配「答案1」。貪婪法挑了「預測1」配「答案1」，合計 1\.00。$/);
  assert.match(heard[2]!, /合計 4\.00。配對是「預測1」配「答案2」、「預測2」配「答案1」。貪婪法挑了「預測3」配「答案3」，合計 4\.00。$/);
  assert.match(heard[3]!, /合計 7\.00。配對是.*。貪婪法挑了「預測2」配「答案2」，合計 14\.00。$/);
  assert.match(factsOf('matching', { ...preset('matching', 'trap'), stage: '2' }), /有 1 對換了人/);
});

test('matching: boxes without area, impossible probabilities and unknown classes are refused at their row', () => {
  const rows = ['0.5, 0.5, 0.4, 0.4, 0.7, 0.2', '0.2, 0.2, 0.2, 0.2, 0.1, 0.8', '0.8, 0.8, 0.2, 0.2, 0.3, 0.3'];
  const changedTo = (row: string) => [rows[0]!, row, rows[2]!];
  assert.match(complaint('matching', { predictions: changedTo('0.2, 0.2, 0, 0.2, 0.1, 0.8') }).text, /沒有面積/);
  assert.match(complaint('matching', { predictions: changedTo('0.2, 0.2, 0.2, 0.2, 0.3, 0.8') }).text, /加起來超過 1/);
  assert.match(complaint('matching', { predictions: changedTo('0.2, 0.2, 0.2, 0.2, -0.3, 0.8') }).text, /有負的/);
  assert.match(complaint('matching', { predictions: ['1, 1', '1, 1', '1, 1'] }).text, /這裡只有 2 個數/);
  assert.match(complaint('matching', { answers: ['0.5 0.5 0.5 0.5 2', '0.5 0.5 0.5 0.5 3', '0.5 0.5 0.5 0.5 1'] }).text, /類別要是 1 到 2 的整數/);
  assert.match(complaint('matching', { answers: ['1', '1', '1'] }).text, /這裡有 1 個數，要剛好 5 個/);
  assert.match(complaint('matching', { cost: ['1, 2', '3, 4', '5, 6'] }).text, /有 2 個成本，答案卻有 3 個/);
  // A query or a target that is added brings a row of its own that reads well.
  at('matching', { source: 'boxes', queries: six('預測'), targets: six('答案') });
});

test('A picture of pairs has a line a pair, dashed where there was no room, and marks both ends of a strong one', () => {
  const html = renderPicture(
    { kind: 'pairs', label: { key: 'a' }, left: ['甲', '乙', '丙'], right: ['一', '<二>'], leftTitle: { key: 'a' }, rightTitle: { key: 'a' }, lines: [{ from: 0, to: 1, kind: 'strong' }, { from: 2, to: 0, kind: 'dashed' }] },
    { a: '圖' },
  );
  assert.equal(html.match(/<path/g)!.length, 2);
  assert.equal(html.match(/stroke-dasharray/g)!.length, 1);
  assert.equal(html.match(/class="lab-dot lab-dot-strong"/g)!.length, 2);
  assert.equal(html.match(/<circle/g)!.length, 5);
  assert.match(html, /&lt;二&gt;/);
});

test('A picture of a product has every number, and the row, the column and the cell framed inside the drawing', () => {
  for (const [rows, inner, cols] of [[3, 2, 2], [1, 1, 1], [6, 6, 6]] as const) {
    const filled = (r: number, c: number) => Array.from({ length: r }, () => Array<number>(c).fill(7));
    const html = renderPicture({ kind: 'product', label: { key: 'a' }, first: filled(rows, inner), second: filled(inner, cols), product: filled(rows, cols), row: rows - 1, col: cols - 1 }, { a: '圖' });
    const count = rows * inner + inner * cols + rows * cols;
    assert.equal(html.match(/class="lab-square/g)!.length, count);
    assert.equal(html.match(/lab-square-strong/g)!.length, inner + inner + 1);
    assert.equal(html.match(/lab-cell-row/g)!.length, 3);
    assert.equal((html.match(/<text/g) ?? []).length, inner + cols <= 8 ? count : 0);
    const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(html)!.map(Number) as [number, number, number];
    for (const [, x, y, w, h] of html.matchAll(/x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g))
      assert.ok(Number(x) + Number(w) <= width && Number(y) + Number(h) <= height, `${x} ${y} ${w} ${h}`);
  }
});

test('The chosen cell of a product is read off the core, not off the picture', () => {
  const { result } = at('matrix-product');
  assert.deepEqual(rowsOf(core.product(matrix([[2, 1], [0, 3], [1, 1]]), matrix([[10, 50], [20, 90]]))), rowsOf(result.product));
  assert.deepEqual(cells(at('matrix-product').view, 'product'), rowsOf(result.product));
});
