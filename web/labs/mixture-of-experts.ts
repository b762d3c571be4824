import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import type { BalanceLoss, Dispatch, Gating, MixtureCounts, Routing } from '../core/mixture-of-experts.ts';
import { fixed, numbers, place, plain } from './kit/format.ts';
import { rowSumError } from './kit/matrices.ts';
import { word } from './kit/template.ts';
import type { FieldProblem, Lab, Message, View, Words } from './kit/types.ts';
import { people, times } from './kit/units.ts';

interface Values {
  /** 0 shows the whole round, s the s-th token that asks for a seat. */
  stage: number;
  k: '1' | '2';
  gating: Gating;
  capacity: number;
  alpha: number;
  tokens: string[];
  experts: string[];
  logits: number[][];
  bill: number;
}

/** One token that asks one expert for a seat; `choice` counts from 0. */
interface Visit {
  token: number;
  choice: number;
  expert: number;
  gate: number;
  kept: boolean;
}

export interface MixtureResult {
  routing: Routing;
  balance: BalanceLoss;
  dispatch: Dispatch;
  /** All first choices, token by token, then all second ones. */
  visits: Visit[];
  counts: MixtureCounts;
  /** Multiplications and additions of one token in one network, without a router. */
  denseFlops: number;
}

const MOST_TOKENS = 16;
const MOST_EXPERTS = 8;
/** So many names are said. */
const FEW = 4;
/** For the bill: the base model of 2017. */
const WIDTH = 512;
const HIDDEN = 2048;
/** Nearer to α than this counts as α. */
const SAME = 1e-12;

const kOf = (v: Pick<Values, 'k'>): number => Number(v.k);
const row = (list: ArrayLike<number>): Matrix => matrix([Array.from(list)]);
const column = (list: ArrayLike<number>): Matrix => matrix(Array.from(list, (x) => [x]));
const one = (m: Matrix): number => m.data[0]!;

function run(core: Core, values: Values): MixtureResult {
  const k = kOf(values);
  const n = values.tokens.length;
  const routing = core.routeTokens(matrix(values.logits), k, values.gating);
  const asked = Array.from({ length: k * n }, (_, visit) => ({ token: visit % n, choice: Math.floor(visit / n) }));
  const at = ({ token, choice }: { token: number; choice: number }) => token * k + choice;
  const dispatch = core.dispatchTokens(
    asked.map((visit) => routing.experts[at(visit)]!),
    values.experts.length,
    values.capacity,
  );
  const single = core.mixtureCounts(WIDTH, HIDDEN, 1, 1);
  return {
    routing,
    balance: core.balanceLoss(routing.probabilities, values.alpha),
    dispatch,
    visits: asked.map((visit, i) => ({ ...visit, expert: routing.experts[at(visit)]!, gate: routing.gates[at(visit)]!, kept: dispatch.kept[i]! })),
    counts: core.mixtureCounts(WIDTH, HIDDEN, values.bill, Math.min(k, values.bill)),
    denseFlops: one(core.product(matrix([[2]]), matrix([[single.denseParameters]]))),
  };
}

const refused = (visits: Visit[]): Visit[] => visits.filter(({ kept }) => !kept);

/** How many of the first visits found a seat with an expert. */
const seated = (visits: Visit[], expert: number): number => visits.filter((visit) => visit.kept && visit.expert === expert).length;

function state(values: Values, r: MixtureResult): Message {
  const { stage, tokens, experts, k } = values;
  const all = r.visits.length;
  if (stage === 0) {
    const slots = {
      e: plain(experts.length),
      f: numbers(Array.from(r.balance.fraction)),
      l: fixed(r.balance.switchLoss, 4),
      c: plain(r.dispatch.capacity),
      n: plain(tokens.length),
      v: plain(all),
      d: plain(refused(r.visits).length),
    };
    return { key: `state.all.${k}`, slots };
  }
  const visit = r.visits[stage - 1]!;
  const before = seated(r.visits.slice(0, stage - 1), visit.expert);
  const slots = {
    s: plain(stage),
    v: plain(all),
    t: place(visit.token),
    token: tokens[visit.token]!,
    c: place(visit.choice),
    expert: experts[visit.expert]!,
    p: fixed(r.routing.probabilities.data[visit.token * experts.length + visit.expert]!),
    m: plain(before + 1),
    max: plain(r.dispatch.capacity),
  };
  if (visit.kept) return { key: before + 1 === r.dispatch.capacity ? 'state.filled' : 'state.kept', slots };
  return { key: r.dispatch.capacity === 0 ? 'state.closed' : 'state.refused', slots };
}

/** Who was passed over, by name as long as they are few. */
function dropped(values: Values, visits: Visit[]): Message {
  const missed = refused(visits);
  const places = missed.map(({ token }) => place(token)).join('、');
  const names = missed.map(({ token }) => values.tokens[token]!).join('、');
  const slots = { d: plain(missed.length), places, names };
  if (missed.length === 0) return { key: 'facts.none-dropped' };
  return { key: missed.length > FEW ? 'facts.many-dropped' : `facts.dropped.${values.k}`, slots };
}

function lossFact({ alpha, experts }: Values, { balance }: MixtureResult): Message {
  const slots = { a: plain(alpha), l: fixed(balance.switchLoss, 4), f: numbers(Array.from(balance.fraction)), p: numbers(Array.from(balance.probability)), n: plain(experts.length) };
  const gap = balance.switchLoss - alpha;
  return { key: `facts.loss.${Math.abs(gap) <= SAME ? 'same' : gap < 0 ? 'below' : 'above'}`, slots };
}

function outcomeText(r: MixtureResult, stage: number, visit: number, words: Words): string {
  if (stage > 0 && visit >= stage) return word(words, 'outcome.waiting');
  return word(words, r.visits[visit]!.kept ? 'outcome.kept' : 'outcome.refused');
}

export const lab: Lab<Values, MixtureResult> = {
  stem: 'mixture-of-experts',
  inputs: [
    { kind: 'step', name: 'stage', count: (v) => 1 + (v as unknown as Values).tokens.length * kOf(v as unknown as Values), initial: 0 },
    { kind: 'choice', name: 'k', options: ['1', '2'], initial: '1' },
    {
      kind: 'slider',
      name: 'capacity',
      min: 0.25,
      max: 4,
      stops: [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 4],
      initial: 1,
      named: [1, 1.5, 2],
      judge: (v) => (v < 1 ? 'short' : v === 1 ? 'exact' : 'spare'),
    },
    { kind: 'choice', name: 'gating', options: ['raw', 'renormalised'], initial: 'raw' },
    { kind: 'slider', name: 'alpha', min: 0.001, max: 0.1, stops: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1], initial: 0.01 },
    { kind: 'slider', name: 'bill', min: 1, max: 2048, stops: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048], initial: 8, whole: true },
    { kind: 'tokens', name: 'tokens', min: 2, max: MOST_TOKENS },
    { kind: 'tokens', name: 'experts', min: 2, max: MOST_EXPERTS },
    {
      kind: 'matrix',
      name: 'logits',
      initial: [[2, 1, 0, -1], [0.5, 2.5, 0, 0], [3, 0, 1, 0], [1, 1.5, 0, 2], [2, 0, 0, 1], [0, 0, 0.1, 0], [1, 0.9, 0, 0], [0, 3, 1, 0]],
      rows: { tokens: 'tokens' },
      maxCols: MOST_EXPERTS,
      limit: 50,
      folded: true,
    },
  ],
  presets: [
    { id: 'one', raw: () => ({}) },
    { id: 'roomy', raw: () => ({ capacity: '2' }) },
    { id: 'two', raw: () => ({ k: '2', gating: 'renormalised' }) },
    {
      id: 'below',
      raw: (core, words) => ({
        tokens: String(words.ten),
        experts: String(words.pair),
        // Six tokens are all but undecided, four are sure of the other expert.
        logits: [...Array<string>(6).fill(`${core.requiredGap(0.51)}, 0`), ...Array<string>(4).fill(`0, ${core.requiredGap(0.99)}`)],
        alpha: '0.1',
      }),
    },
    { id: 'collapsed', raw: () => ({ logits: Array<string>(8).fill('40, 0, 0, 0') }) },
    { id: 'tied', raw: () => ({ logits: Array<string>(8).fill('0, 0, 0, 0') }) },
  ],
  predict: {
    kind: 'choice',
    options: ['0', '2', '4'],
    judge(guess, values, r) {
      const d = refused(r.visits).length;
      return { key: `${guess}.${d === 0 ? 'none' : 'some'}`, slots: { d: plain(d), c: plain(r.dispatch.capacity), top: values.experts[r.visits[0]!.expert]! } };
    },
  },
  fits({ logits, experts }): FieldProblem | null {
    const width = logits[0]!.length;
    return width === experts.length ? null : { field: 'logits', code: 'width', slots: { got: plain(width), want: plain(experts.length) } };
  },
  run,
  view(values, r, words): View {
    const { tokens, experts, stage, bill } = values;
    const k = kOf(values);
    const n = tokens.length;
    const visits = stage === 0 ? r.visits : r.visits.slice(0, stage);
    const now = r.visits[stage - 1];
    const load = experts.map((_, e) => r.visits.filter(({ expert }) => expert === e).length);
    const slots = {
      d: plain(refused(visits).length),
      n: plain(n),
      e: plain(experts.length),
      l: fixed(r.balance.switchLoss, 4),
      s: plain(stage),
      token: now ? tokens[now.token]! : '',
      expert: now ? experts[now.expert]! : '',
      bill: plain(bill),
      more: plain(times(r.counts.expertParameters, r.counts.denseParameters)),
      router: people(r.counts.routerParameters, words),
      flops: people(r.counts.flopsPerToken, words),
      ratio: fixed(times(r.counts.flopsPerToken, r.denseFlops), 3),
    };
    return {
      state: state(values, r),
      say: { key: now ? `say.${now.kept ? 'kept' : 'refused'}` : 'say.all', slots },
      facts: [
        ...(stage === 0 ? [dropped(values, visits)] : [{ key: 'facts.order' }]),
        lossFact(values, r),
        { key: 'facts.bill', slots },
      ],
      picture: {
        kind: 'pairs',
        label: { key: now ? 'picture.label-step' : 'picture.label', slots },
        left: tokens,
        right: experts,
        leftTitle: { key: 'picture.left' },
        rightTitle: { key: 'picture.right' },
        lines: visits.map((visit) => ({
          from: visit.token,
          to: visit.expert,
          kind: !visit.kept ? 'dashed' : now && visit !== now ? 'plain' : 'strong',
        })),
      },
      tables: [
        {
          id: 'routes',
          caption: { key: 'tables.routes.caption' },
          corner: { key: 'tables.token' },
          rows: tokens,
          cols: experts,
          cells: rowsOf(r.routing.probabilities),
          shade: 'share',
          mark: 'row',
        },
        {
          id: 'seats',
          caption: { key: 'tables.seats.caption' },
          corner: { key: 'tables.token' },
          rows: tokens,
          cols: Array.from({ length: k }, (_, c) => ['choice', 'gate', 'outcome'].map((part) => ({ key: `tables.seats.${part}`, slots: { c: place(c) } }))).flat(),
          cells: tokens.map((_, t) => Array.from({ length: k }, (__, c) => r.visits[c * n + t]!).flatMap((visit) => [visit.expert + 1, visit.gate, visit.kept ? 1 : 0])),
          texts: tokens.map((_, t) =>
            Array.from({ length: k }, (__, c) => c * n + t).flatMap((at) => [experts[r.visits[at]!.expert]!, undefined, outcomeText(r, stage, at, words)]),
          ),
        },
        {
          id: 'loads',
          caption: { key: 'tables.loads.caption' },
          corner: { key: 'tables.loads.corner' },
          rows: experts,
          cols: ['fraction', 'probability', 'load', 'kept'].map((part) => ({ key: `tables.loads.${part}` })),
          cells: experts.map((_, e) => [r.balance.fraction[e]!, r.balance.probability[e]!, load[e]!, seated(r.visits, e)]),
          digits: [4, 4, 0, 0],
        },
      ],
      more: {
        summary: { key: 'tables.more' },
        tables: [
          {
            id: 'losses',
            caption: { key: 'tables.losses.caption' },
            corner: { key: 'tables.losses.corner' },
            rows: ['switch', 'gshard', 'importance'].map((loss) => ({ key: `tables.losses.${loss}` })),
            cols: [{ key: 'tables.losses.value' }],
            cells: [[r.balance.switchLoss], [r.balance.gshardLoss], [r.balance.importanceCv2]],
            digits: [6],
          },
          {
            id: 'account',
            caption: { key: 'tables.account.caption' },
            corner: { key: 'tables.account.corner' },
            rows: ['dense', 'mixture'].map((kind) => ({ key: `tables.account.${kind}` })),
            cols: ['experts', 'router', 'flops'].map((part) => ({ key: `tables.account.${part}` })),
            cells: [
              [r.counts.denseParameters, 0, r.denseFlops],
              [r.counts.expertParameters, r.counts.routerParameters, r.counts.flopsPerToken],
            ],
            digits: [0, 0, 0],
          },
        ],
      },
      sound: { button: { key: 'sound.button' }, intro: { key: 'sound.intro', slots }, values: Array.from(r.balance.fraction) },
    };
  },
  checks: [
    { key: 'sum', limit: 1e-12, residual: (core, _, r) => rowSumError(core, r.routing.probabilities) },
    {
      // Shares of the kept experts alone are a softmax over their numbers alone (Shazeer and others 2017).
      key: 'gates',
      limit: 1e-12,
      residual(core, v, r) {
        const k = kOf(v);
        const gaps = v.logits.map((line, t) => {
          const chosen = Array.from({ length: k }, (_, c) => r.routing.experts[t * k + c]!);
          const expected =
            v.gating === 'raw'
              ? chosen.map((e) => r.routing.probabilities.data[t * line.length + e]!)
              : core.softmax(chosen.map((e) => line[e]!));
          return core.maxGap(row(r.routing.gates.slice(t * k, (t + 1) * k)), row(expected));
        });
        return Math.max(...gaps);
      },
    },
    {
      key: 'loss',
      limit: 1e-12,
      residual(core, v, r) {
        const both = core.product(row(r.balance.fraction), column(r.balance.probability));
        return core.maxGap(core.product(matrix([[v.alpha * v.experts.length]]), both), matrix([[r.balance.switchLoss]]));
      },
    },
    {
      key: 'gshard',
      limit: 1e-12,
      residual: (core, v, r) =>
        core.maxGap(core.product(matrix([[v.alpha * v.experts.length * v.experts.length]]), matrix([[r.balance.gshardLoss]])), matrix([[r.balance.switchLoss]])),
    },
    {
      // Nobody takes more than there are seats, and nobody is sent away while one is free.
      key: 'room',
      limit: 0,
      residual: (_, v, r) =>
        Math.max(
          ...v.experts.map((__, e) => {
            const asked = r.visits.filter(({ expert }) => expert === e).length;
            return Math.abs(seated(r.visits, e) - Math.min(asked, r.dispatch.capacity));
          }),
        ),
    },
    {
      key: 'bill',
      limit: 0,
      residual: (core, v, { counts }) =>
        core.maxGap(core.product(matrix([[v.bill]]), matrix([[counts.denseParameters]])), matrix([[counts.expertParameters]])),
    },
  ],
  code: [
    { file: 'cpp/src/mixture_of_experts.cpp', region: 'route_tokens' },
    { file: 'cpp/src/mixture_of_experts.cpp', region: 'dispatch_tokens' },
  ],
};
