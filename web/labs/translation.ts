import type { Bleu, Link } from '../core/bleu.ts';
import type { Core } from '../core/core.ts';
import { matrix, rowsOf, type Matrix } from '../core/matrix.ts';
import { fixed, place, plain } from './kit/format.ts';
import { rowSumError } from './kit/matrices.ts';
import { phrase, word } from './kit/template.ts';
import type { FieldProblem, Lab, Message, PairPicture, View, Words } from './kit/types.ts';
import { times } from './kit/units.ts';
import { peaks } from './kit/window.ts';

interface Values {
  unit: 'words' | 'characters';
  candidate: string[];
  reference: string[];
  candidate2: string[];
  reference2: string[];
  target: string[];
  source: string[];
  scores: number[][];
  gold: number[][];
  row: number;
}

export interface TranslationResult {
  /** The two sentences in the units that are counted. */
  candidate: string[];
  reference: string[];
  bleu: Bleu;
  /** BLEU up to pairs, triples, fours; [0] is up to single units. */
  byOrder: number[];
  /** Single units found when a word of the reference may be used again and again. */
  unclipped: number;
  /** The second sentence alone, the mean of both scores, and what a paper would report for the two. */
  second: Bleu;
  mean: number;
  corpus: Bleu;
  weights: Matrix;
  links: Link[];
  gold: Link[];
  error: number;
  /** The error of going straight down: first with first, second with second. */
  straight: number;
}

const ORDER = 4;
const MAX_UNITS = 64;
const MAX_WORDS = 8;

/** As the words of a sentence, or each character by itself. */
const unitsOf = (tokens: string[], unit: Values['unit']): string[] => (unit === 'words' ? tokens : tokens.flatMap((token) => [...token]));

/** The right links, from the places that the learner wrote; 0 stands for none. */
function goldLinks(gold: number[][]): Link[] {
  return gold.flatMap(([at], target) => (at === 0 ? [] : [{ target, source: at! - 1 }]));
}

/** Two empty lists of links agree. */
function errorRate(core: Core, links: Link[], gold: Link[]): number {
  return links.length + gold.length === 0 ? 0 : core.alignmentErrorRate(links, gold);
}

function run(core: Core, v: Values): TranslationResult {
  const candidate = unitsOf(v.candidate, v.unit);
  const reference = unitsOf(v.reference, v.unit);
  const [candidate2, reference2] = [unitsOf(v.candidate2, v.unit), unitsOf(v.reference2, v.unit)];
  const bleu = core.bleu(candidate, [reference], { order: ORDER });
  const second = core.bleu(candidate2, [reference2], { order: ORDER });
  const often = candidate.flatMap(() => reference);
  const weights = core.softmaxRows(matrix(v.scores));
  const links = core.argmaxLinks(weights);
  const gold = goldLinks(v.gold);
  const diagonal = v.target.slice(0, v.source.length).map((_, i) => ({ target: i, source: i }));
  return {
    candidate,
    reference,
    bleu,
    byOrder: Array.from({ length: ORDER }, (_, n) => core.bleu(candidate, [reference], { order: n + 1 }).score),
    unclipped: core.bleu(candidate, [often], { order: 1 }).precisions[0]!.clipped,
    second,
    mean: times(bleu.score + second.score, 2),
    corpus: core.corpusBleu([candidate, candidate2], [[reference], [reference2]], { order: ORDER }),
    weights,
    links,
    gold,
    error: errorRate(core, links, gold),
    straight: errorRate(core, diagonal, gold),
  };
}

/** In which of the bands of the guesses the score lies. */
const band = (score: number): string => (score === 0 ? 'zero' : score < 0.65 ? 'half' : 'eight');

const hits = ({ precisions }: Bleu, words: Words): string[] =>
  precisions.map(({ clipped, total }) =>
    total === 0 ? word(words, 'none') : phrase(words, { key: 'hits', slots: { n: plain(total), k: plain(clipped) } }),
  );

/** What a target word looks at most; null when it looks at all alike. */
function lookSentence(v: Values, r: TranslationResult, t: number): Message {
  const line = rowsOf(r.weights)[t]!;
  const slots = { t: v.target[t]!, w: fixed(Math.max(...line)) };
  const [top, ...ties] = peaks(line);
  if (top === undefined && line.length > 1) return { key: 'facts.look.even', slots };
  const source = v.source[top ?? 0]!;
  const right = v.gold[t]![0]!;
  if (ties.length > 0) return { key: 'facts.look.tied', slots: { ...slots, s: source, k: plain(ties.length + 1) } };
  if (right === 0) return { key: 'facts.look.none', slots: { ...slots, s: source } };
  const said = { ...slots, s: source, right: v.source[right - 1]! };
  return { key: right - 1 === (top ?? 0) ? 'facts.look.right' : 'facts.look.wrong', slots: said };
}

function lengthFact({ candidate, reference, bleu }: TranslationResult): Message {
  const slots = { c: plain(candidate.length), r: plain(reference.length), bp: fixed(bleu.brevityPenalty) };
  return { key: candidate.length < reference.length ? 'facts.length.short' : candidate.length > reference.length ? 'facts.length.long' : 'facts.length.same', slots };
}

const isPlace = (at: number, sources: number): boolean => Number.isInteger(at) && at >= 0 && at <= sources;

/** All that were asked for and all that were found: a solid line is right, a dashed one is not. */
function drawnLinks(v: Values, { links, gold }: TranslationResult): PairPicture['lines'] {
  const right = (link: Link) => gold.some(({ target, source }) => target === link.target && source === link.source);
  return links.map((link) => ({
    from: link.source,
    to: link.target,
    kind: !right(link) ? 'dashed' : link.target === v.row ? 'strong' : 'plain',
  }));
}

/** The logarithm of p / (1 − p) is ln r for the share r / (1 + r). */
const logOf = (core: Core, r: number): string => core.requiredGap(r / (1 + r)).toFixed(6);

export const lab: Lab<Values, TranslationResult> = {
  stem: 'translation',
  inputs: [
    { kind: 'choice', name: 'unit', options: ['words', 'characters'], initial: 'words' },
    { kind: 'tokens', name: 'candidate', min: 1, max: MAX_UNITS, longest: MAX_UNITS },
    { kind: 'tokens', name: 'reference', min: 1, max: MAX_UNITS, longest: MAX_UNITS },
    { kind: 'tokens', name: 'candidate2', min: 1, max: MAX_UNITS, longest: MAX_UNITS },
    { kind: 'tokens', name: 'reference2', min: 1, max: MAX_UNITS, longest: MAX_UNITS },
    { kind: 'tokens', name: 'source', min: 1, max: MAX_WORDS },
    { kind: 'tokens', name: 'target', min: 1, max: MAX_WORDS },
    { kind: 'item', name: 'row', of: 'target', initial: 0 },
    { kind: 'matrix', name: 'scores', initial: [[2, 1, 0], [0, 0.5, 2], [0.5, 1.5, 0.5]], rows: { tokens: 'target' }, maxCols: MAX_WORDS, limit: 100 },
    { kind: 'matrix', name: 'gold', initial: [[1], [3], [2]], rows: { tokens: 'target' }, maxCols: 1, limit: 100 },
  ],
  presets: [
    { id: 'one-wrong', raw: () => ({}) },
    {
      id: 'chinese',
      raw: (_, words) => ({ unit: 'characters', candidate: word(words, 'short.candidate'), reference: word(words, 'short.reference') }),
    },
    { id: 'the', raw: () => ({ candidate: 'the the the the the the the', reference: 'the cat is on the mat' }) },
    { id: 'same', raw: () => ({ candidate: 'the cat is on the mat', reference: 'the cat is on the mat' }) },
    {
      id: 'shares',
      raw: (core) => ({
        scores: [
          [logOf(core, 7), logOf(core, 2), '0'].join(', '),
          ['0', logOf(core, 1.5), logOf(core, 7.5)].join(', '),
          ['0', logOf(core, 3), '0'].join(', '),
        ],
      }),
    },
    { id: 'misled', raw: () => ({ scores: ['2, 1, 0', '0, 2, 0.5', '0.5, 1.5, 0.5'], row: '1' }) },
  ],
  predict: {
    kind: 'choice',
    options: ['eight', 'half', 'zero'],
    judge: (guess, _, { bleu }) => ({ key: `${guess}.${band(bleu.score)}`, slots: { b: fixed(bleu.score) } }),
  },
  fits(v): FieldProblem | null {
    for (const field of ['candidate', 'reference', 'candidate2', 'reference2'] as const) {
      const got = unitsOf(v[field], v.unit).length;
      if (got > MAX_UNITS) return { field, code: 'units', slots: { got: plain(got), max: plain(MAX_UNITS) } };
    }
    const sources = v.source.length;
    if (v.scores.length !== v.target.length || v.scores[0]!.length !== sources) {
      return { field: 'scores', code: 'width', slots: { got: plain(v.scores[0]!.length), want: plain(sources) } };
    }
    const row = v.gold.findIndex(([at]) => !isPlace(at!, sources));
    return row < 0 ? null : { field: 'gold', row, code: 'gold', slots: { got: plain(v.gold[row]![0]!), max: plain(sources) } };
  },
  run,
  view(v, r, words): View {
    const { bleu } = r;
    const [p1, p2, p3, p4] = hits(bleu, words) as [string, string, string, string];
    const slots = {
      p1,
      p2,
      p3,
      p4,
      bp: fixed(bleu.brevityPenalty),
      b: fixed(bleu.score),
      n: plain(r.links.length),
      e: fixed(r.error),
      hits: bleu.precisions.map(({ clipped }) => plain(clipped)).join('、'),
    };
    const cut = bleu.precisions[0]!;
    const weights = rowsOf(r.weights);
    const here = { t: v.target[v.row]!, n: plain(v.source.length) };
    return {
      state: { key: 'state', slots },
      say: { key: 'say', slots },
      facts: [
        lengthFact(r),
        {
          key: cut.clipped < r.unclipped ? 'facts.clipped' : 'facts.unclipped',
          slots: { n: plain(cut.total), a: plain(r.unclipped), c: plain(cut.clipped) },
        },
        { key: bleu.score === 0 ? 'facts.zero' : 'facts.mean', slots: { two: fixed(r.byOrder[1]!), four: slots.b } },
        { key: 'facts.corpus', slots: { a: slots.b, b: fixed(r.second.score), mean: fixed(r.mean), c: fixed(r.corpus.score) } },
        { key: 'facts.published' },
        { key: 'facts.straight', slots: { e: slots.e, d: fixed(r.straight) } },
        { key: 'facts.shape', slots: { n: plain(v.target.length), m: plain(v.source.length) } },
        { key: 'facts.reason' },
      ],
      lines: { heading: { key: 'facts.looks' }, sentences: v.target.map((_, t) => lookSentence(v, r, t)) },
      picture: {
        kind: 'pairs',
        label: { key: 'picture.label', slots },
        left: v.source,
        right: v.target,
        leftTitle: { key: 'picture.source' },
        rightTitle: { key: 'picture.target' },
        lines: drawnLinks(v, r),
      },
      tables: [
        {
          id: 'ngrams',
          caption: { key: 'tables.ngrams.caption' },
          corner: { key: 'tables.ngrams.corner' },
          rows: bleu.precisions.map((_, n) => ({ key: 'tables.ngrams.row', slots: { n: place(n) } })),
          cols: ['clipped', 'total', 'precision', 'score'].map((key) => ({ key: `tables.ngrams.${key}` })),
          cells: bleu.precisions.map(({ clipped, total }, n) => [clipped, total, total === 0 ? 0 : times(clipped, total), r.byOrder[n]!]),
          digits: [0, 0, 4, 4],
          texts: bleu.precisions.map(({ total }) => [undefined, undefined, total === 0 ? word(words, 'none') : undefined, undefined]),
        },
        {
          id: 'corpus',
          caption: { key: 'tables.corpus.caption' },
          corner: { key: 'tables.corpus.corner' },
          rows: ['first', 'second', 'mean', 'corpus'].map((key) => ({ key: `tables.corpus.${key}` })),
          cols: [{ key: 'tables.corpus.penalty' }, { key: 'tables.corpus.score' }],
          cells: [
            [bleu.brevityPenalty, bleu.score],
            [r.second.brevityPenalty, r.second.score],
            [1, r.mean],
            [r.corpus.brevityPenalty, r.corpus.score],
          ],
          // A mean of scores has no penalty of its own.
          texts: [[], [], [word(words, 'skipped')], []],
        },
        {
          id: 'weights',
          caption: { key: 'tables.weights.caption' },
          corner: { key: 'tables.weights.corner' },
          rows: v.target,
          cols: v.source,
          cells: weights,
          shade: 'share',
          mark: 'row',
        },
      ],
      sound: {
        button: { key: 'sound.button', slots: here },
        intro: { key: 'sound.intro', slots: here },
        values: weights[v.row]!,
      },
    };
  },
  checks: [
    { key: 'sum', limit: 1e-12, residual: (core, _, { weights }) => rowSumError(core, weights) },
    {
      // The fourth power of a geometric mean is the plain product.
      key: 'geometric',
      limit: 1e-12,
      residual: (_, __, { bleu: { precisions, brevityPenalty, score } }) => {
        const product = precisions.reduce((p, { clipped, total }) => (clipped === 0 ? 0 : p * times(clipped, total) * brevityPenalty), 1);
        return Math.abs(precisions.reduce((p) => p * score, 1) - product);
      },
    },
    {
      // e to the x is the ratio of the two shares that softmax gives x and 0.
      key: 'penalty',
      limit: 1e-9,
      residual(core, _, { candidate, reference, bleu }) {
        const missing = Math.max(0, reference.length - candidate.length);
        const [none, some] = core.softmax([0, times(missing, candidate.length)]);
        return Math.abs(times(none!, some!) - bleu.brevityPenalty);
      },
    },
    {
      // Every word of the candidate crosses one out of the reference, while there is one.
      key: 'clipped',
      limit: 0,
      residual: (_, __, { candidate, reference, bleu }) => {
        const left = [...reference];
        let found = 0;
        for (const unit of candidate) {
          const at = left.indexOf(unit);
          if (at < 0) continue;
          left.splice(at, 1);
          found += 1;
        }
        return Math.abs(found - bleu.precisions[0]!.clipped);
      },
    },
    {
      key: 'links',
      limit: 0,
      residual: (_, __, { weights, links }) => Math.max(...rowsOf(weights).map((line, t) => Math.max(...line) - line[links[t]!.source]!)),
    },
    {
      // With at most one right link a word: one less twice the share of those that were found.
      key: 'error',
      limit: 1e-12,
      residual: (_, v, { links, error }) => {
        const right = v.gold.filter(([at], t) => at! - 1 === links[t]!.source).length;
        const asked = v.gold.filter(([at]) => at !== 0).length;
        return Math.abs(1 - times(2 * right, links.length + asked) - error);
      },
    },
  ],
  code: [
    { file: 'cpp/src/bleu.cpp', region: 'clipped_matches' },
    { file: 'cpp/src/bleu.cpp', region: 'bleu_score' },
  ],
};
