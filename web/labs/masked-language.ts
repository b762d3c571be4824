import type { Core } from '../core/core.ts';
import type { MaskAction, MaskPlan, MaskRates, MaskShares } from '../core/masked-language.ts';
import { decades } from './kit/axis.ts';
import { fixed, place, plain } from './kit/format.ts';
import { phrase, word } from './kit/template.ts';
import type { FieldProblem, Lab, Line, Message, View, Words } from './kit/types.ts';
import { decimal, times } from './kit/units.ts';

interface Values {
  stage: number;
  unit: 'characters' | 'words';
  sentence: string[];
  select: number;
  mask: number;
  random: number;
  seed: number;
  vocabulary: string[];
}

interface Counts {
  tokens: number;
  none: number;
  mask: number;
  random: number;
  keep: number;
}

export interface MaskedResult {
  tokens: string[];
  /** One number a token decides whether it is chosen, another what becomes of it. */
  uSelect: number[];
  uAction: number[];
  plan: MaskPlan;
  /** What would stand in the place of each token if it were exchanged. */
  exchanges: string[];
  shares: MaskShares;
  counts: Counts;
  /** The same draws carried on, after each of so many tokens. */
  run: Counts[];
}

const MAX_TOKENS = 64;
/** BERT's longest sequence, and enough for chance to even out. */
const LENGTHS = [10, 32, 100, 320, 512, 1000, 3200, 10_000, 20_000];
const FULL = 512;
const LONG = 20_000;
/** Which word comes instead is drawn apart, so that the plan is the core's own. */
const EXCHANGE_SEED = 1_000_000;
/** So many standard deviations from the expected count hardly ever happen. */
const SIGMAS = 6;

const ACTIONS = ['mask', 'random', 'keep'] as const;

const unitsOf = (v: Pick<Values, 'unit' | 'sentence'>): string[] => (v.unit === 'words' ? v.sentence : v.sentence.flatMap((token) => [...token]));

const ratesOf = ({ select, mask, random }: Values): MaskRates => ({ select, mask, random });

function countsOf(actions: readonly MaskAction[], tokens: number): Counts {
  const counts: Counts = { tokens, none: 0, mask: 0, random: 0, keep: 0 };
  for (const action of actions.slice(0, tokens)) counts[action] += 1;
  return counts;
}

const chosen = ({ mask, random, keep }: Counts): number => mask + random + keep;

function run(core: Core, v: Values): MaskedResult {
  const tokens = unitsOf(v);
  const draws = core.uniforms(v.seed, 2 * tokens.length);
  const uSelect = tokens.map((_, i) => draws[2 * i]!);
  const uAction = tokens.map((_, i) => draws[2 * i + 1]!);
  const picks = core.uniforms(v.seed + EXCHANGE_SEED, tokens.length);
  const plan = core.planMasks(uSelect, uAction, ratesOf(v));
  const { actions } = core.planMasksSeeded(v.seed, LONG, ratesOf(v));
  return {
    tokens,
    uSelect,
    uAction,
    plan,
    exchanges: tokens.map((_, i) => v.vocabulary[Math.floor(picks[i]! * v.vocabulary.length)]!),
    shares: core.maskShares(ratesOf(v)),
    counts: countsOf(plan.actions, tokens.length),
    run: LENGTHS.map((n) => countsOf(actions, n)),
  };
}

/** What the model gets to see in the place of a token. */
function seen(r: MaskedResult, i: number, words: Words): string {
  const action = r.plan.actions[i]!;
  if (action === 'mask') return word(words, 'symbol');
  return phrase(words, { key: 'quoted', slots: { t: action === 'random' ? r.exchanges[i]! : r.tokens[i]! } });
}

/** A share as it is spoken: 1.5%. */
const spokenShare = (share: number): string => `${decimal(100 * share, 1)}%`;

/** In which of the bands of the guesses a share lies. */
const band = (share: number): string => (share < 0.05 ? 'small' : share < 0.125 ? 'middle' : 'large');

/** Why the token of this stage is treated as it is. */
function decision(v: Values, r: MaskedResult): Message {
  const i = v.stage;
  const slots = {
    i: place(i),
    t: r.tokens[i]!,
    u: fixed(r.uSelect[i]!),
    a: fixed(r.uAction[i]!),
    rate: plain(v.select),
    low: plain(v.mask),
    high: decimal(v.mask + v.random, 4),
    to: r.exchanges[i]!,
  };
  return { key: `facts.step.${r.plan.actions[i]!}`, slots };
}

/** One sentence for each chosen token. */
function chosenLines(r: MaskedResult): Message[] {
  return [...r.plan.lossPositions].map((i) => ({
    key: `facts.chosen.${r.plan.actions[i]!}`,
    slots: { i: place(i), t: r.tokens[i]!, to: r.exchanges[i]! },
  }));
}

/** A squared distance from the expected count in units of its variance; 0 when nothing is left to chance. */
function surprise(count: number, n: number, p: number): number {
  const variance = n * p * (1 - p);
  const gap = count - n * p;
  return variance < 1e-9 ? Math.abs(gap) : times(gap * gap, variance);
}

export const lab: Lab<Values, MaskedResult> = {
  stem: 'masked-language',
  inputs: [
    { kind: 'step', name: 'stage', count: (v) => unitsOf(v as unknown as Values).length, initial: 0 },
    { kind: 'tokens', name: 'sentence', min: 1, max: MAX_TOKENS, longest: MAX_TOKENS },
    { kind: 'choice', name: 'unit', options: ['characters', 'words'], initial: 'characters' },
    { kind: 'slider', name: 'seed', min: 1, max: 9999, stops: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 50, 100, 200, 500, 1000, 2000, 5000, 9999], initial: 7, whole: true },
    { kind: 'slider', name: 'select', min: 0.05, max: 0.3, stops: [0.05, 0.1, 0.15, 0.2, 0.25, 0.3], initial: 0.15, named: [0.15, 0.3] },
    { kind: 'slider', name: 'mask', min: 0, max: 1, stops: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1], initial: 0.8 },
    { kind: 'slider', name: 'random', min: 0, max: 1, stops: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1], initial: 0.1 },
    { kind: 'tokens', name: 'vocabulary', min: 1, max: 40 },
  ],
  presets: [
    { id: 'bert', raw: () => ({}) },
    { id: 'three', raw: () => ({ seed: '86' }) },
    { id: 'all', raw: () => ({ mask: '1', random: '0' }) },
    { id: 'keep', raw: () => ({ mask: '0', random: '0' }) },
    { id: 'many', raw: () => ({ select: '0.3' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['small', 'middle', 'large'],
    judge: (guess, v, { shares }) => ({
      key: `${guess}.${band(shares.keep)}`,
      slots: { k: spokenShare(shares.keep), s: spokenShare(v.select), r: spokenShare(times(shares.keep, v.select)) },
    }),
  },
  fits(v): FieldProblem | null {
    const got = unitsOf(v).length;
    if (got > MAX_TOKENS) return { field: 'sentence', code: 'units', slots: { got: plain(got), max: plain(MAX_TOKENS) } };
    if (v.mask + v.random <= 1 + 1e-12) return null;
    return { field: 'random', code: 'split', slots: { mask: plain(v.mask), random: plain(v.random) } };
  },
  run,
  view(v, r, words): View {
    const { counts, shares, plan, tokens } = r;
    const i = v.stage;
    const slots = {
      n: plain(counts.tokens),
      s: plain(chosen(counts)),
      m: plain(counts.mask),
      r: plain(counts.random),
      k: plain(counts.keep),
      i: place(i),
      t: tokens[i]!,
      action: word(words, `actions.${plan.actions[i]!}`),
    };
    const full = r.run[LENGTHS.indexOf(FULL)]!;
    const last = r.run[r.run.length - 1]!;
    const shareLines = ACTIONS.map((action): Line => ({
      name: { key: `picture.${action}` },
      points: r.run.map((c): [number, number] => [c.tokens, times(c[action], c.tokens)]),
      strong: action === 'mask',
    }));
    const highest = Math.max(0.2, ...shareLines.flatMap(({ points }) => points.map(([, y]) => y)));
    const top = [0.2, 0.4, 0.6, 0.8, 1].find((y) => y >= highest)!;
    const lines = chosenLines(r);
    return {
      state: { key: counts.none === counts.tokens ? 'state.none' : 'state.some', slots },
      say: { key: 'say', slots },
      facts: [
        decision(v, r),
        ...(counts.none === counts.tokens ? [{ key: 'facts.nobody', slots }] : []),
        {
          key: 'facts.expected',
          slots: { s: spokenShare(v.select), m: spokenShare(shares.mask), r: spokenShare(shares.random), k: spokenShare(shares.keep), same: spokenShare(shares.looksUnchanged) },
        },
        {
          key: 'facts.full',
          slots: { e: decimal(FULL * v.select, 1), s: plain(chosen(full)) },
        },
        { key: 'facts.long', slots: { m: plain(last.mask), r: plain(last.random), k: plain(last.keep) } },
        { key: 'facts.loss' },
        { key: 'facts.published' },
      ],
      ...(lines.length === 0 ? {} : { lines: { heading: { key: 'facts.list' }, sentences: lines } }),
      picture: {
        kind: 'lines',
        label: { key: 'picture.label', slots: { m: spokenShare(times(last.mask, LONG)), e: spokenShare(shares.mask) } },
        x: {
          title: { key: 'picture.x' },
          min: LENGTHS[0]!,
          max: LONG,
          log: true,
          ticks: decades(LONG).slice(1).map((at) => ({ at, text: plain(at) })),
        },
        y: { title: { key: 'picture.y' }, min: 0, max: top, ticks: [0, top / 4, top / 2, (3 * top) / 4, top].map((at) => ({ at, text: fixed(at) })) },
        lines: shareLines,
      },
      tables: [
        {
          id: 'plan',
          caption: { key: 'tables.plan.caption' },
          corner: { key: 'tables.plan.corner' },
          rows: tokens.map((t, at) => ({ key: at === i ? 'tables.plan.here' : 'tables.plan.row', slots: { i: place(at), t } })),
          cols: ['select', 'action', 'done', 'seen', 'loss'].map((key) => ({ key: `tables.plan.${key}` })),
          cells: tokens.map((_, at) => [
            r.uSelect[at]!,
            r.uAction[at]!,
            plan.actions[at] === 'none' ? 0 : ACTIONS.indexOf(plan.actions[at]! as 'mask') + 1,
            plan.actions[at] === 'none' || plan.actions[at] === 'keep' ? 0 : 1,
            plan.actions[at] === 'none' ? 0 : 1,
          ]),
          texts: tokens.map((_, at) => [
            undefined,
            undefined,
            word(words, `actions.${plan.actions[at]!}`),
            seen(r, at, words),
            word(words, plan.actions[at] === 'none' ? 'loss.no' : 'loss.yes'),
          ]),
        },
        {
          id: 'run',
          caption: { key: 'tables.run.caption', slots: { seed: plain(v.seed) } },
          corner: { key: 'tables.run.corner' },
          rows: r.run.map((c) => ({ key: 'tables.run.row', slots: { n: plain(c.tokens) } })),
          cols: ['chosen', 'expected', 'mask', 'random', 'keep'].map((key) => ({ key: `tables.run.${key}` })),
          cells: r.run.map((c) => [chosen(c), c.tokens * v.select, c.mask, c.random, c.keep]),
          digits: [0, 1, 0, 0, 0],
        },
      ],
      sound: {
        button: { key: 'sound.button' },
        intro: { key: 'sound.intro', slots: { n: plain(LENGTHS.length) } },
        values: r.run.map((c) => times(c.mask, c.tokens)),
        range: [0, top],
      },
    };
  },
  checks: [
    {
      key: 'seeded',
      limit: 0,
      residual: (core, v, { plan, tokens }) => {
        const other = core.planMasksSeeded(v.seed, tokens.length, ratesOf(v));
        return plan.actions.filter((action, i) => action !== other.actions[i]).length;
      },
    },
    {
      // Against the plain reading of the two numbers.
      key: 'rule',
      limit: 0,
      residual: (_, v, { plan, uSelect, uAction }) =>
        plan.actions.filter((action, i) => {
          const by = uAction[i]! < v.mask ? 'mask' : uAction[i]! < v.mask + v.random ? 'random' : 'keep';
          return action !== (uSelect[i]! < v.select ? by : 'none');
        }).length,
    },
    {
      key: 'loss',
      limit: 0,
      residual: (_, __, { plan }) => {
        const wanted = plan.actions.flatMap((action, i) => (action === 'none' ? [] : [i]));
        const got = [...plan.lossPositions];
        return wanted.filter((i) => !got.includes(i)).length + got.filter((i) => !wanted.includes(i)).length;
      },
    },
    {
      key: 'whole',
      limit: 1e-12,
      residual: (_, __, { shares }) => Math.abs(shares.mask + shares.random + shares.keep + shares.untouched - 1),
    },
    {
      key: 'chance',
      limit: SIGMAS * SIGMAS,
      residual: (_, __, { run: counted, shares }) => {
        const last = counted[counted.length - 1]!;
        return Math.max(...ACTIONS.map((action) => surprise(last[action], last.tokens, shares[action])));
      },
    },
  ],
  code: [{ file: 'cpp/src/masked_language.cpp', region: 'mask_action' }],
};
