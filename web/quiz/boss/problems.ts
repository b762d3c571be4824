import type { Core } from '../../core/core.ts';
import { matrix } from '../../core/matrix.ts';
import type { Words } from '../judge.ts';
import type { Option, Question } from '../types.ts';
import type { Asked } from './state.ts';

/** Numbers drawn for one question; more than any of them needs. */
const DRAWS = 12;

/** Chance that the core makes: the same seed and place give the same question in every browser. */
class Dice {
  private readonly drawn: Float64Array;
  private next = 0;

  constructor(core: Core, seed: number, place: number) {
    this.drawn = core.uniforms(seed, DRAWS * (place + 1)).slice(-DRAWS);
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.drawn[this.next++]! * list.length)]!;
  }

  shuffled<T>(list: readonly T[]): T[] {
    const rest = [...list];
    return list.map(() => rest.splice(rest.indexOf(this.pick(rest)), 1)[0]!);
  }
}

/** Counts as they are said: four digits and 萬 or 億, whole below ten thousand. */
export function amount(x: number, words: Words): string {
  const [unit, size] = x >= 1e8 ? ['yi', 1e8] : x >= 1e4 ? ['wan', 1e4] : [undefined, 1];
  const digits = String(unit === undefined ? x : Number((x / size).toPrecision(4)));
  return unit === undefined ? digits : words(`boss.amount.${unit}`, { x: digits });
}

/** a · b by the core. */
const times = (core: Core, a: number, b: number): number => core.product(matrix([[a]]), matrix([[b]])).data[0]!;

type Texts = Pick<Question, 'topic' | 'prompt' | 'legend' | 'point' | 'answer'>;

/** The words of a question that hold its numbers. */
function texts(kind: Asked, slots: Record<string, string | number>, words: Words): Texts {
  const say = (part: string) => words(`boss.${kind}.${part}`, slots);
  return {
    topic: say('topic'),
    prompt: [say('prompt'), say('ask')],
    legend: say('legend'),
    point: say('point'),
    answer: [say('answer'), say('because')],
  };
}

const question = (id: string, kind: Question['kind'], words: Texts, options: Option[]): Question => ({
  ...words,
  id,
  kind,
  lesson: 'wall',
  items: [],
  options,
  wrong: [],
  probes: [],
  sources: [],
});

const right = (text: string, why: string): Option => ({ text, why, correct: true, probes: [] });
const wrong = (text: string, why: string, misconception: string): Option => ({
  text,
  why,
  misconception,
  correct: false,
  probes: [],
});

const LENGTHS = [768, 1024, 1536, 2048, 2560, 3072, 4096, 5120, 6144, 8192];

/** n²: how many elements has one head's matrix? */
function compute(id: string, core: Core, dice: Dice, words: Words): Question {
  const n = dice.pick(LENGTHS);
  const elements = (length: number) => core.squareCosts(length, 64, 1).elements;
  const half = times(core, 0.5, n);
  const found: [key: string, value: number][] = [
    ['right', elements(n)],
    ['causal', core.attentionPairs(n, true)],
    ['bytes', core.attentionMatrixCost(n, 1, 1, 'float16').bytes],
    ['heads', core.attentionMatrixCost(n, 8, 1, 'float16').totalElements],
    ['half', elements(half)],
  ];
  const options = found.map(([key, value]): Option => {
    const text = words('boss.compute.about', { x: amount(value, words) });
    const why = words(`boss.compute.${key}.why`, { n, half });
    const option = key === 'right' ? right(text, why) : wrong(text, why, words(`boss.compute.${key}.name`));
    // Typed in 萬 without decimals, the smallest of these numbers is off by less than a hundredth of this.
    return { ...option, value, tolerance: times(core, 0.005, value) };
  });
  const slots = { n, exact: elements(n), about: amount(elements(n), words) };
  return {
    ...question(id, 'number', texts('compute', slots, words), options),
    unit: words('boss.compute.unit'),
    lab: 'attention-matrix',
    labState: new URLSearchParams({ n: String(n), heads: '1', layers: '1' }).toString(),
  };
}

const SHAPES: [d: number, heads: number][] = [
  [256, 4],
  [512, 8],
  [512, 4],
  [768, 12],
  [768, 8],
  [1024, 16],
];

const STEPS = ['width', 'scores', 'head', 'all'] as const;
type Step = (typeof STEPS)[number];

/** n²d: the multiply-adds of queries times keys, step by step; `broken` is counted wrongly, what follows goes on from it. */
function ledger(core: Core, n: number, d: number, heads: number, broken?: Step): Record<Step, number> {
  const width = broken === 'width' ? d : core.multiHeadCost(n, d, heads).headWidth;
  const scores = broken === 'scores' ? core.attentionPairs(n, true) : core.squareCosts(n, width, 1).elements;
  const counted = times(core, scores, width);
  const head = broken === 'head' ? times(core, 2, counted) : counted;
  const all = broken === 'all' ? head : times(core, heads, head);
  return { width, scores, head, all };
}

function diagnose(id: string, core: Core, dice: Dice, words: Words): Question {
  const n = dice.pick(LENGTHS);
  const [d, heads] = dice.pick(SHAPES);
  const broken = dice.pick(STEPS);
  const shown = ledger(core, n, d, heads, broken);
  const sound = ledger(core, n, d, heads);
  const slots = { n, d, heads, width: sound.width };
  const options = STEPS.map((step): Option => {
    const text = words(`boss.diagnose.${step}`);
    const numbers = amount(shown[step], words);
    if (step !== broken) {
      const why = words(`boss.diagnose.${step}.sound`, slots);
      return { ...wrong(text, why, words(`boss.diagnose.${step}.name`)), numbers };
    }
    const why = words(`boss.diagnose.${step}.broken`, slots);
    return { ...right(text, why), numbers, sound: amount(sound[step], words) };
  });
  const step = words(`boss.diagnose.${broken}`);
  const said = texts('diagnose', { ...slots, step, all: amount(sound.all, words) }, words);
  return {
    ...question(id, 'diagnose', said, options),
    lab: 'multi-head',
    labState: new URLSearchParams({ heads: String(heads), d: String(d) }).toString(),
  };
}

/** Lengths on offer: of two neighbours the longer one costs more than 1.7 times as much, and less than 2.3 times. */
const OFFERED = [512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384];
/** From these the next one costs less than twice as much, and the one before less than half. */
const AFFORDED = [768, 1536, 3072];
const WIDTHS = [256, 512, 1024];
const LAYERS = [6, 8, 12];
/** The budget is a little more than the right answer costs. */
const SLACK = 1.05;

const longest = (cost: (n: number) => number, budget: number): number =>
  OFFERED.filter((n) => cost(n) <= budget).at(-1) ?? OFFERED[0]!;

/** 2n²dL: which length can be afforded? */
function choose(id: string, core: Core, dice: Dice, words: Words): Question {
  const n = dice.pick(AFFORDED);
  const d = dice.pick(WIDTHS);
  const layers = dice.pick(LAYERS);
  const cost = (length: number, deep = layers) => core.squareCosts(length, d, deep).modelMadds;
  // Rounded up, so that what is shown and what is compared are one number.
  const budget = Math.ceil(times(core, SLACK, cost(n)) / 1e8) * 1e8;
  const found: [key: string, length: number][] = [
    ['right', longest(cost, budget)],
    ['half', longest((length) => times(core, layers, core.squareCosts(length, d, 1).scoreMadds), budget)],
    ['layer', longest((length) => cost(length, 1), budget)],
    ['flops', longest((length) => core.squareCosts(length, d, layers).modelFlops, budget)],
  ];
  const next = OFFERED[OFFERED.indexOf(found[0]![1]) + 1]!;
  const options = dice.shuffled(found).map(([key, length]): Option => {
    const text = words('boss.choose.length', { n: length });
    const slots = { n: length, next, layers, cost: amount(cost(length), words), more: amount(cost(next), words) };
    const why = words(`boss.choose.${key}.why`, slots);
    return key === 'right' ? right(text, why) : wrong(text, why, words(`boss.choose.${key}.name`));
  });
  const slots = { d, layers, budget: amount(budget, words), n: found[0]![1], cost: amount(cost(n), words) };
  return {
    ...question(id, 'choice', texts('choose', slots, words), options),
    lab: 'layer-cost',
    labState: new URLSearchParams({ n: String(Math.min(8192, n)), d: String(d) }).toString(),
  };
}

const MAKERS = { compute, diagnose, choose };

/** The question that a game with this seed asks at this place, solved by the core. */
export function makeProblem(
  asked: Asked,
  { core, seed, place, words, id = 'wall-asked' }: { core: Core; seed: number; place: number; words: Words; id?: string },
): Question {
  return MAKERS[asked](id, core, new Dice(core, seed, place), words);
}
