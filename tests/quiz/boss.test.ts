// The wall: every move of the game, and every question that it can ask.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Core } from '../../web/core/core.ts';
import { loadCoreInNode } from '../../web/core/node.ts';
import { makeProblem } from '../../web/quiz/boss/problems.ts';
import {
  after,
  ASKED,
  asked,
  fresh,
  readSeed,
  restore,
  rightOf,
  save,
  seedInHash,
  thickness,
  wrongOf,
  type Asked,
  type Game,
  type Move,
  type Phase,
} from '../../web/quiz/boss/state.ts';
import { judgeNumber, judgePicks, type Words } from '../../web/quiz/judge.ts';
import { lint } from '../../web/quiz/lint.ts';
import { parseNumber } from '../../web/quiz/numbers.ts';
import type { CardData, Question } from '../../web/quiz/types.ts';
import { fill } from '../../web/site/strings.ts';
import { strings } from './scratch.ts';

const words: Words = (key, slots) => fill(strings[key]!, slots);

let core: Core;
before(async () => {
  core = await loadCoreInNode(process.env.ATTN_CORE);
});

const RIGHT: Move = { type: 'answer', right: true };
const WRONG: Move = { type: 'answer', right: false };
const NEXT: Move = { type: 'next' };

const play = (...moves: Move[]): Game => moves.reduce(after, fresh());
const answersOf = (marks: string): Move[] =>
  [...marks].flatMap((mark, i) => [...(i > 0 ? [NEXT] : []), mark === 'r' ? RIGHT : WRONG]);
const game = (marks: string, ...moves: Move[]): Game => play({ type: 'start' }, ...answersOf(marks), ...moves);

const samples: Record<Phase, Game> = {
  ready: fresh(),
  asking: game(''),
  answered: game('r'),
  retreated: game('r', { type: 'retreat' }),
  won: game('rrr'),
  lost: game('wwwwww'),
};
const moves: Record<string, Move> = {
  start: { type: 'start' },
  right: RIGHT,
  wrong: WRONG,
  next: NEXT,
  retreat: { type: 'retreat' },
  return: { type: 'return' },
  again: { type: 'again' },
};
const table: Record<Phase, Partial<Record<string, Phase>>> = {
  ready: { start: 'asking' },
  asking: { right: 'answered', wrong: 'answered', retreat: 'retreated' },
  answered: { next: 'asking', retreat: 'retreated' },
  retreated: { return: 'answered' },
  won: { again: 'asking' },
  lost: { again: 'asking' },
};

for (const [phase, sample] of Object.entries(samples))
  for (const [name, move] of Object.entries(moves)) {
    const to = table[phase as Phase][name];
    test(`${phase}, ${name}: ${to ?? 'nothing happens'}.`, () => {
      assert.equal(sample.phase, phase);
      const found = after(sample, move);
      if (to === undefined) assert.equal(found, sample);
      else assert.equal(found.phase, to);
    });
  }

test('A move never changes the game that it was given.', () => {
  for (const sample of Object.values(samples)) {
    const kept = structuredClone(sample);
    for (const move of Object.values(moves)) after(sample, move);
    assert.deepEqual(sample, kept);
  }
});

test('The wall is 3 and wrong and less right, from 0 to 9, for every course of a game.', () => {
  const walk = (state: Game, depth: number): void => {
    const bare = 3 + wrongOf(state) - rightOf(state);
    assert.equal(thickness(state), bare);
    assert.ok(bare >= 0 && bare <= 9);
    assert.equal(state.phase === 'won', bare === 0);
    assert.equal(state.phase === 'lost', bare === 9);
    if (depth === 0 || state.phase === 'won' || state.phase === 'lost') return;
    for (const move of [RIGHT, WRONG]) walk(after(after(state, NEXT), move), depth - 1);
  };
  walk(game(''), 12);
  assert.equal(thickness({ answers: Array(5).fill(true) }), 0);
  assert.equal(thickness({ answers: Array(20).fill(false) }), 9);
});

test('Three right answers win; six wrong ones lose; in between nothing is decided.', () => {
  assert.equal(game('rrr').phase, 'won');
  assert.equal(game('wwwwww').phase, 'lost');
  assert.equal(game('rwrwrwrrr').phase, 'won');
  assert.equal(game('rrwwwwww').phase, 'answered');
});

test('A right answer leads to the next of three questions, a wrong one to the same with other numbers.', () => {
  const at = (marks: string) => ASKED[game(marks, NEXT).question];
  assert.equal(at('r'), 'diagnose');
  assert.equal(at('rr'), 'choose');
  assert.equal(at('w'), 'compute');
  assert.equal(at('rw'), 'diagnose');
  assert.equal(at('rwrr'), 'compute');
  assert.equal(asked(game('')), 0);
  assert.equal(asked(game('w')), 0, 'its verdict stands there');
  assert.equal(asked(game('w', NEXT)), 1);
  assert.equal(asked(game('w', NEXT, { type: 'retreat' })), 1);
  assert.equal(asked(game('w', { type: 'retreat' })), 0);
});

test('A retreat returns to the very question, answered or not, and costs nothing.', () => {
  for (const before of [game('w'), game('w', NEXT)]) {
    const away = after(before, { type: 'retreat' });
    assert.equal(thickness(away), thickness(before));
    assert.deepEqual({ ...after(away, { type: 'return' }), resume: before.resume }, before);
  }
});

test('A new game begins with the first question and a wall of three.', () => {
  for (const marks of ['rrr', 'wwwwww']) {
    const again = game(marks, { type: 'again' });
    assert.deepEqual([again.phase, again.question, thickness(again)], ['asking', 0, 3]);
  }
});

test('A game comes back as it was put away.', () => {
  for (const sample of [...Object.values(samples), game('rwr'), game('rwr', NEXT), game('w', NEXT, { type: 'retreat' })])
    assert.deepEqual(restore(save({ seed: 7, game: sample })), { seed: 7, game: sample });
});

test('What was not put away by this page is no game.', () => {
  const good = JSON.parse(save({ seed: 7, game: game('rw') })) as Record<string, unknown>;
  const bad: unknown[] = [
    null,
    7,
    'x',
    [],
    {},
    { ...good, version: 2 },
    { ...good, seed: -1 },
    { ...good, seed: 1.5 },
    { ...good, seed: '7' },
    { ...good, answers: 'rw' },
    { ...good, answers: [1, 0] },
    { ...good, answers: [true, true, true, true] },
    { ...good, phase: 'won' },
    { ...good, phase: 'ready' },
    { ...good, phase: 'elsewhere' },
    { ...good, answers: [true, true, true], phase: 'retreated', resume: 'answered' },
  ];
  for (const raw of bad) assert.equal(restore(JSON.stringify(raw)), undefined, JSON.stringify(raw));
  assert.equal(restore('{broken'), undefined);
  assert.equal(restore(null), undefined);
});

test('A seed is a whole number that the core takes; anything else is refused.', () => {
  for (const [text, seed] of [['0', 0], ['7', 7], [' 42 ', 42], ['４２', 42], ['4294967295', 4294967295]] as const)
    assert.equal(readSeed(text), seed);
  for (const text of ['', 'abc', '-1', '1.5', '1e3', '4294967296', '99999999999', '七', '1 2', 'NaN', 'Infinity'])
    assert.equal(readSeed(text), undefined, text);
  assert.equal(seedInHash('#seed=12'), '12');
  assert.equal(seedInHash('#seed='), '');
  assert.equal(seedInHash('#seed=%E4%B8%83'), '七');
  assert.equal(seedInHash('#seed=%'), '%');
  assert.equal(seedInHash('#trial'), undefined);
  assert.equal(seedInHash(''), undefined);
});

const problem = (kind: Asked, seed: number, place = 0): Question => makeProblem(kind, { core, seed, place, words });
const cardOf = (q: Question): CardData => ({ ...q, number: 10, unit: q.unit ?? '' });
const SEEDS = [...Array(60).keys(), 4294967295];

const signature = (q: Question): string => JSON.stringify([q.prompt, q.options]);

test('The same seed and place ask the same; other seeds and other places ask otherwise.', () => {
  for (const kind of ASKED) {
    assert.equal(signature(problem(kind, 5, 3)), signature(problem(kind, 5, 3)));
    const seeds = new Set(SEEDS.map((seed) => signature(problem(kind, seed))));
    const places = new Set(Array.from({ length: 30 }, (_, place) => signature(problem(kind, 5, place))));
    assert.ok(seeds.size >= 9, `${kind}: ${seeds.size} over seeds`);
    assert.ok(places.size >= 8, `${kind}: ${places.size} over places`);
  }
});

for (const kind of ASKED)
  test(`Every question of ${kind} obeys the rules of the bank, and has one right answer and named mistakes.`, () => {
    for (const seed of SEEDS) {
      const q = problem(kind, seed);
      assert.deepEqual(lint(q), [], `${seed}: ${JSON.stringify(q.prompt)}`);
      assert.equal(q.options.filter((o) => o.correct).length, 1);
      assert.ok(q.options.length >= 4);
      assert.equal(new Set(q.options.map((o) => o.text)).size, q.options.length, JSON.stringify(q.options));
      for (const o of q.options) assert.equal(o.misconception !== undefined, !o.correct, o.text);
      for (const o of q.options)
        if (o.numbers) assert.ok([...`${o.text}：${o.numbers}`].length <= 40, `${o.text}：${o.numbers}`);
    }
  });

test('The first question is n squared, typed in full, in 萬, or rounded; each mistake is known by its number.', () => {
  for (const seed of SEEDS) {
    const q = problem('compute', seed);
    const n = Number(/長度是 (\d+)/.exec(q.prompt[0]!)![1]);
    const key = q.options.find((o) => o.correct)!;
    assert.equal(key.value, n * n);
    const about = /約 (.*)格/.exec(key.text)![1]!;
    for (const typed of [String(n * n), about, `${about}格`])
      assert.equal(judgeNumber(cardOf(q), typed, words).state, 'right', `${typed} for ${n}`);
    for (const o of q.options)
      if (!o.correct) {
        const verdict = judgeNumber(cardOf(q), String(o.value), words);
        assert.equal(verdict.state, 'wrong');
        assert.ok(verdict.said.includes(o.misconception!), verdict.said);
      }
    for (const a of q.options)
      for (const b of q.options)
        if (a !== b) assert.ok(Math.abs(a.value! - b.value!) > a.tolerance! + b.tolerance!, `${a.text}, ${b.text}`);
  }
});

test('The second question breaks one step of n squared d: each is broken by some seed, and what follows goes on from it.', () => {
  const broken = new Set<number>();
  for (const seed of SEEDS) {
    const q = problem('diagnose', seed);
    const [n, d, heads] = q.prompt[0]!.match(/\d+/g)!.map(Number) as [number, number, number];
    const at = q.options.findIndex((o) => o.correct);
    broken.add(at);
    const value = (text: string) => (parseNumber(text) as { value: number }).value;
    const near = (a: number, b: number) => Math.abs(a - b) <= 1e-3 * b;
    const [width, scores, head, all] = q.options.map((o) => value(o.numbers!)) as [number, number, number, number];
    const holds = [width === d / heads, near(scores, n * n), near(head, scores * width), near(all, head * heads)];
    assert.deepEqual(holds, [0, 1, 2, 3].map((i) => i !== at), `${seed}: ${q.options.map((o) => o.numbers).join()}`);
    assert.notEqual(q.options[at]!.sound, q.options[at]!.numbers);
    const total = core.multiHeadCost(n, d, heads).scoreMultiplyAdds;
    assert.ok(near(value(/合計約 ([\d.]+ .)/.exec(q.answer[1]!)![1]!), total), q.answer[1]);
    assert.equal(judgePicks(cardOf(q), [at], words).state, 'right');
  }
  assert.equal(broken.size, 4);
});

test('The third question: the right length fits the budget, the next one does not, and each mistake picks its own length.', () => {
  const lengths = [512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384];
  for (const seed of SEEDS) {
    const q = problem('choose', seed);
    const layers = Number(/(\d+) 層/.exec(q.prompt[0]!)![1]);
    const [, wide, billions] = /寬度 (\d+).*預算是 ([\d.]+) 億/.exec(q.prompt[1]!)!;
    const d = Number(wide);
    const budget = Number(billions) * 1e8;
    const picked = (option: (typeof q.options)[number]) => Number(/\d+/.exec(option.text)![0]);
    const longest = (cost: (n: number) => number) => lengths.filter((n) => cost(n) <= budget).at(-1);
    const key = q.options.find((o) => o.correct)!;
    assert.equal(picked(key), longest((n) => 2 * n * n * d * layers), `${seed}`);
    const byName = new Map(q.options.map((o) => [o.misconception, picked(o)]));
    assert.equal(byName.get('忘了第二個乘法'), longest((n) => n * n * d * layers));
    assert.equal(byName.get('忘了乘以層數'), longest((n) => 2 * n * n * d));
    assert.equal(byName.get('把乘加當成浮點運算'), longest((n) => 4 * n * n * d * layers));
  }
  const places = new Set(SEEDS.map((seed) => problem('choose', seed).options.findIndex((o) => o.correct)));
  assert.equal(places.size, 4);
});

test('A core that counts otherwise makes other questions: nothing is canned.', () => {
  const off: Core = {
    ...core,
    squareCosts: (n, d, layers) => {
      const { elements, ...rest } = core.squareCosts(n, d, layers);
      return { ...rest, elements: elements + 1 };
    },
  };
  const made = makeProblem('compute', { core: off, seed: 1, place: 0, words });
  const n = Number(/長度是 (\d+)/.exec(made.prompt[0]!)![1]);
  assert.equal(made.options.find((o) => o.correct)!.value, n * n + 1);
});
