import type { Facade } from './facade.ts';
import { integer, list, matrix, optional, record, text } from './kinds.ts';
import type { Matrix } from './matrix.ts';

export type Tokens = readonly string[];

export interface Bleu {
  /** 1-grams first. */
  readonly precisions: readonly { readonly clipped: number; readonly total: number }[];
  readonly brevityPenalty: number;
  readonly referenceLength: number;
  /** 0 to 1, unsmoothed. */
  readonly score: number;
}

export interface Link {
  readonly target: number;
  readonly source: number;
}

/** Details: cpp/include/attn/bleu.hpp */
export interface BleuCore {
  /** The order defaults to 4. */
  bleu(candidate: Tokens, references: readonly Tokens[], options?: { order?: number }): Bleu;
  corpusBleu(candidates: readonly Tokens[], references: readonly (readonly Tokens[])[], options?: { order?: number }): Bleu;
  /** Each row's largest weight. */
  argmaxLinks(weights: Matrix): Link[];
  alignmentErrorRate(links: readonly Link[], sure: readonly Link[], options?: { possible?: readonly Link[] }): number;
}

const tokens = list(text);
const links = list(record({ target: integer, source: integer }));

export const bleu: Facade<BleuCore> = {
  bleu: { candidate: tokens, references: list(tokens), order: optional(integer, 4) },
  corpusBleu: { candidates: list(tokens), references: list(list(tokens)), order: optional(integer, 4) },
  argmaxLinks: { weights: matrix },
  alignmentErrorRate: { links, sure: links, possible: optional(links, []) },
};
