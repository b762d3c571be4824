import type { Question } from './types.ts';

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193) >>> 0;
  return h;
}

/**
 * The options in the order in which learners meet them: always the same for a question, and no habit of an author shows in it.
 * Steps of a diagnosis keep theirs.
 */
export function inShownOrder(question: Question): Question {
  if (question.kind !== 'choice' && question.kind !== 'multi') return question;
  const ranked = question.options.map((option, i) => ({ option, rank: hash(`${question.id} ${i} ${question.id}`) }));
  return { ...question, options: ranked.sort((a, b) => a.rank - b.rank).map(({ option }) => option) };
}
