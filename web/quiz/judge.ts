import { parseNumber } from './numbers.ts';
import type { CardData, CardOption, Kind } from './types.ts';

export type Words = (key: string, slots?: Record<string, string | number>) => string;

export interface Verdict {
  /** `none`: there was nothing to judge. */
  state: 'right' | 'wrong' | 'none';
  /** Verdict and the reason for what was chosen: shown and announced. */
  said: string;
  /** Why the right answer holds; empty when `said` says it already. */
  right: string[];
  /** Reasons of the options that were neither chosen nor right. */
  rest: string[];
}

/** Judges ticked options, given by their places in the list. */
export function judgePicks(card: CardData, picks: number[], words: Words): Verdict {
  const n = card.number;
  const chosen = card.options.filter((_, place) => picks.includes(place));
  const [first] = chosen;
  if (!first) return nothing(words('quiz.empty.choice', { n }));
  if (card.kind === 'multi') return judgeSeveral(card, chosen, words);
  const chose = card.kind === 'diagnose' ? 'quiz.diagnosed' : 'quiz.chosen';
  const key = first.correct ? `${chose}.right` : `${chose}.wrong`;
  return judgeOne(card, first, words(key, named(first)), words);
}

/** Judges what was typed into a number field. */
export function judgeNumber(card: CardData, typed: string, words: Words): Verdict {
  const n = card.number;
  const parsed = parseNumber(typed, card.unit);
  if (!parsed.ok) {
    const keys = {
      empty: 'quiz.empty.number',
      unreadable: 'quiz.unreadable',
      'too-large': 'quiz.too-large',
    };
    return nothing(words(keys[parsed.reason], { n }));
  }
  const value = spoken(parsed.value);
  const hit = card.options.find((o) => Math.abs(parsed.value - (o.value ?? NaN)) <= (o.tolerance ?? 0));
  if (!hit) return judgeOne(card, undefined, words('quiz.typed.other', { value }), words);
  const key = hit.correct ? 'quiz.typed.right' : 'quiz.typed.wrong';
  return judgeOne(card, hit, words(key, { ...named(hit), value }), words);
}

/** Judges an order, given by places in the card's items. */
export function judgeOrder(card: CardData, order: number[], words: Words): Verdict {
  const hit = card.options.find((o) => o.order?.join() === order.join());
  if (hit) return judgeOne(card, hit, words(hit.correct ? 'quiz.ordered.right' : 'quiz.ordered.wrong', named(hit)), words);
  // As it was given: not an answer, unless it is a mistake that has a name.
  if (order.every((place, at) => place === at)) return nothing(words('quiz.empty.order', { n: card.number }));
  const right = card.options.find((o) => o.correct)?.order ?? [];
  const first = order.findIndex((place, at) => place !== right[at]);
  const item = card.items[order[first] ?? 0] ?? '';
  return judgeOne(card, undefined, words('quiz.ordered.other', { k: first + 1, item }), words);
}

function judgeOne(card: CardData, chosen: CardOption | undefined, why: string, words: Words): Verdict {
  const right = chosen?.correct === true;
  const verdict = words(right ? 'quiz.right' : 'quiz.wrong', { n: card.number });
  return {
    state: right ? 'right' : 'wrong',
    said: verdict + why,
    right: right
      ? []
      : reasons(
          card,
          card.options.filter((o) => o.correct),
          words,
        ),
    rest: reasons(
      card,
      card.options.filter((o) => !o.correct && o !== chosen),
      words,
    ),
  };
}

function judgeSeveral(card: CardData, chosen: CardOption[], words: Words): Verdict {
  const n = card.number;
  const extra = chosen.filter((o) => !o.correct);
  const missing = card.options.filter((o) => o.correct && !chosen.includes(o));
  const right = extra.length === 0 && missing.length === 0;
  const said = [words(right ? 'quiz.right' : 'quiz.wrong', { n })];
  if (extra.length > 0) said.push(words('quiz.multi.extra', { k: extra.length }));
  if (missing.length > 0) said.push(words('quiz.multi.missing', { k: missing.length }));
  const [worst] = extra;
  if (worst) said.push(reason(card.kind, worst, words));
  return {
    state: right ? 'right' : 'wrong',
    said: said.join(''),
    right: reasons(
      card,
      card.options.filter((o) => o.correct),
      words,
    ),
    rest: reasons(
      card,
      card.options.filter((o) => !o.correct && o !== worst),
      words,
    ),
  };
}

/** One option with its verdict and reason; the same sentence with and without script. */
export function reason(kind: Kind, option: CardOption, words: Words): string {
  const key = kind === 'diagnose' ? 'quiz.diagnose.reason' : 'quiz.reason';
  return words(`${key}.${option.correct ? 'right' : 'wrong'}`, named(option));
}

function reasons({ kind }: CardData, options: CardOption[], words: Words): string[] {
  return options.map((o) => reason(kind, o, words));
}

function named(option: CardOption): Record<string, string> {
  return { option: option.text, why: option.why, misconception: option.misconception ?? '', sound: option.sound ?? '' };
}

function nothing(said: string): Verdict {
  return { state: 'none', said, right: [], rest: [] };
}

/** Short, and without the signs that a screen reader skips. */
function spoken(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) {
    const [mantissa, exponent] = value.toExponential(3).split('e') as [string, string];
    return `${Number(mantissa)} 乘以 10 的${exponent.startsWith('-') ? '負' : ''} ${exponent.slice(1)} 次方`;
  }
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(8)));
}
