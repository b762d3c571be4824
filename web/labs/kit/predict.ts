import { parseNumber } from './parse.ts';
import { phrase } from './template.ts';
import type { Lab, Problem, Values, Words } from './types.ts';

export type Guess = { ok: true; guess: string } | { ok: false; problem: Problem };

/** The guess as the form holds it; `null` when nothing was chosen. */
export function readGuess(lab: Lab, text: string | null): Guess {
  if (text === null || text.trim() === '') return { ok: false, problem: { code: 'no-guess', slots: {} } };
  if (lab.predict.kind !== 'number') return { ok: true, guess: text };
  const parsed = parseNumber(text, lab.predict.min, lab.predict.max);
  return parsed.ok ? { ok: true, guess: String(parsed.value) } : { ok: false, problem: parsed.problem };
}

/** What was guessed, what happened and why, in one sentence. */
export function reconcile(lab: Lab, guess: string, values: Values, result: unknown, words: Words): string {
  const { key, slots } = lab.predict.judge(guess, values, result);
  return phrase(words, { key: `predict.reconcile.${key}`, slots });
}
