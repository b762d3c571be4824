import type { Core } from '../core/core.ts';
import type { GrowthAudit } from '../core/cost.ts';
import { matrix } from '../core/matrix.ts';
import { fixed, percent, plain } from './kit/format.ts';
import type { Lab, Message, View } from './kit/types.ts';
import { bytes, decimal, times } from './kit/units.ts';

interface Values {
  n: number;
  width: '64' | '128';
  claim: number;
}

/** What one layer keeps for training, in bytes. */
interface Ledger {
  n: number;
  quadratic: number;
  linear: number;
  total: number;
}

interface Growth {
  n: number;
  /** Of the length. */
  length: number;
  ifLinear: number;
  ifQuadratic: number;
  total: number;
}

export interface MemoryLedgerResult {
  start: Ledger;
  now: Ledger;
  quadratic: number;
  linear: number;
  total: number;
  /** What the claim would take; none while the length is still the first. */
  claim: GrowthAudit | null;
  /** What the computed growth takes. */
  actual: GrowthAudit | null;
  growth: Growth[];
}

const START = 512;
const LENGTHS = [512, 1024, 2048, 4096, 8192];
const HEADS = 8;

/**
 * The core gives the sum of both parts. With twice the heads the quadratic part
 * alone is there twice, so that two sums tell the parts apart.
 */
function ledger(core: Core, n: number, headWidth: number): Ledger {
  const width = core.product(matrix([[HEADS]]), matrix([[headWidth]])).data[0]!;
  const total = core.activationBytes(n, 1, width, HEADS);
  const more = core.activationBytes(n, 1, width, 2 * HEADS);
  const [quadratic, linear] = core.product(matrix([[total, more]]), matrix([[-1, 2], [1, -1]])).data as unknown as [number, number];
  return { n, quadratic, linear, total };
}

function growthAt(core: Core, start: Ledger, now: Ledger): Growth {
  const length = times(now.n, start.n);
  const total = times(now.total, start.total);
  if (length === 1) return { n: now.n, length, ifLinear: 1, ifQuadratic: 1, total };
  const { ifLinear, ifQuadratic } = core.growthAudit(length, total);
  return { n: now.n, length, ifLinear, ifQuadratic, total };
}

const gap = (core: Core, a: number, b: number): number => core.maxGap(matrix([[a]]), matrix([[b]]));
const scaled = (core: Core, a: number, b: number): number => core.product(matrix([[a]]), matrix([[b]])).data[0]!;

function claimFact({ claim }: Values, audit: GrowthAudit): Message {
  const share = audit.quadraticShare;
  const slots = { c: plain(claim), s: fixed(share * 100, 1), e: decimal(audit.exponent) };
  return { key: share > 1 ? 'facts.claim-over' : share < 0 ? 'facts.claim-under' : 'facts.claim', slots: { ...slots, q: decimal(audit.ifQuadratic), l: decimal(audit.ifLinear) } };
}

export const lab: Lab<Values, MemoryLedgerResult> = {
  stem: 'memory-ledger',
  inputs: [
    {
      kind: 'slider',
      name: 'n',
      min: START,
      max: 8192,
      stops: [512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192],
      initial: 8192,
      whole: true,
      named: [512, 8192],
    },
    { kind: 'choice', name: 'width', options: ['64', '128'], initial: '64' },
    {
      kind: 'slider',
      name: 'claim',
      min: 2,
      max: 1024,
      stops: [2, 4, 8, 16, 32, 64, 96, 128, 160, 192, 256, 512, 1024],
      initial: 128,
      named: [16, 128, 256],
    },
  ],
  presets: [
    { id: 'base', raw: () => ({}) },
    { id: 'wide', raw: () => ({ width: '128' }) },
    { id: 'pure', raw: () => ({ claim: '256' }) },
    { id: 'double', raw: () => ({ n: '1024', claim: '4' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['linear', 'claimed', 'quadratic'],
    judge: (guess, _, r) => ({ key: guess, slots: { q: decimal(r.quadratic), t: decimal(r.total, 1) } }),
  },
  run(core, values) {
    const head = Number(values.width);
    const start = ledger(core, START, head);
    const now = ledger(core, values.n, head);
    const own = growthAt(core, start, now);
    const later = own.length > 1;
    return {
      start,
      now,
      quadratic: times(now.quadratic, start.quadratic),
      linear: times(now.linear, start.linear),
      total: own.total,
      claim: later ? core.growthAudit(own.length, values.claim) : null,
      actual: later ? core.growthAudit(own.length, own.total) : null,
      growth: [...new Set([...LENGTHS, values.n])].sort((a, b) => a - b).map((n) => growthAt(core, start, ledger(core, n, head))),
    };
  },
  view(values, r, words): View {
    const slots = {
      n: plain(values.n),
      q: decimal(r.quadratic),
      l: decimal(r.linear),
      t: decimal(r.total, 1),
      b: bytes(r.now.total, words),
      s: percent(times(r.now.quadratic, r.now.total)),
    };
    const started = r.claim === null;
    const line = (value: (growth: Growth) => number) => r.growth.map((growth): [number, number] => [growth.n, value(growth)]);
    const amounts = ({ quadratic, linear, total }: Ledger) => [quadratic, linear, total];
    return {
      state: { key: started ? 'state.start' : 'state.grown', slots },
      say: { key: started ? 'say-start' : 'say', slots },
      facts: [
        { key: 'facts.share', slots: { a: percent(times(r.start.quadratic, r.start.total)), n: plain(values.n), b: slots.s } },
        ...(r.claim === null || r.actual === null
          ? []
          : [
              { key: 'facts.pure', slots: { r: decimal(r.claim.ifLinear), q: decimal(r.claim.ifQuadratic) } },
              claimFact(values, r.claim),
              { key: 'facts.actual', slots: { t: slots.t, e: decimal(r.actual.exponent) } },
            ]),
      ],
      picture: {
        kind: 'lines',
        label: { key: 'picture.label', slots: { t: decimal(r.growth[r.growth.length - 1]!.total, 1) } },
        x: { title: { key: 'picture.x' }, min: 512, max: 8192, log: true, ticks: LENGTHS.map((at) => ({ at, text: plain(at) })) },
        y: { title: { key: 'picture.y' }, min: 1, max: 256, log: true, ticks: [1, 4, 16, 64, 256].map((at) => ({ at, text: plain(at) })) },
        lines: [
          { name: { key: 'picture.quadratic' }, points: line((g) => g.ifQuadratic) },
          { name: { key: 'picture.actual' }, points: line((g) => g.total), strong: true },
          { name: { key: 'picture.linear' }, points: line((g) => g.ifLinear) },
        ],
        at: values.n,
      },
      tables: [
        {
          id: 'ledger',
          caption: { key: 'tables.ledger.caption' },
          corner: { key: 'tables.ledger.corner' },
          rows: [{ key: 'tables.ledger.start' }, { key: 'tables.ledger.now', slots }, { key: 'tables.ledger.ratio' }],
          cols: ['quadratic', 'linear', 'total'].map((key) => ({ key: `tables.ledger.${key}` })),
          cells: [amounts(r.start), amounts(r.now), [r.quadratic, r.linear, r.total]],
          texts: [
            amounts(r.start).map((x) => bytes(x, words)),
            amounts(r.now).map((x) => bytes(x, words)),
            [r.quadratic, r.linear, r.total].map((x) => decimal(x, 1)),
          ],
        },
        {
          id: 'growth',
          caption: { key: 'tables.growth.caption' },
          corner: { key: 'tables.growth.corner' },
          rows: r.growth.map(({ n }) => plain(n)),
          cols: ['linear', 'total', 'quadratic'].map((key) => ({ key: `tables.growth.${key}` })),
          cells: r.growth.map((g) => [g.ifLinear, g.total, g.ifQuadratic]),
          digits: [2, 2, 2],
        },
      ],
    };
  },
  checks: [
    {
      key: 'sum',
      limit: 0,
      residual: (core, _, { now }) => core.maxGap(core.product(matrix([[now.quadratic, now.linear]]), matrix([[1], [1]])), matrix([[now.total]])),
    },
    {
      key: 'square',
      limit: 1e-6,
      residual: (core, _, r) => gap(core, scaled(core, r.start.quadratic, r.claim?.ifQuadratic ?? 1), r.now.quadratic),
    },
    { key: 'straight', limit: 1e-6, residual: (core, _, r) => gap(core, scaled(core, r.start.linear, r.claim?.ifLinear ?? 1), r.now.linear) },
    {
      key: 'mixture',
      limit: 1e-9,
      residual: (core, v, { claim }) => {
        if (!claim) return 0;
        const shares = core.product(matrix([[claim.quadraticShare, 1]]), matrix([[1, -1], [0, 1]]));
        return core.maxGap(core.product(shares, matrix([[claim.ifQuadratic], [claim.ifLinear]])), matrix([[v.claim]]));
      },
    },
    {
      key: 'share',
      limit: 1e-9,
      residual: (core, _, r) => (r.actual ? gap(core, r.actual.quadraticShare, times(r.start.quadratic, r.start.total)) : 0),
    },
  ],
  code: [
    { file: 'cpp/src/cost.cpp', region: 'activation_bytes' },
    { file: 'cpp/src/cost.cpp', region: 'growth_audit' },
  ],
};
