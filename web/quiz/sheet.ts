import { fill } from '../site/strings.ts';
import { reason, type Words } from './judge.ts';
import type { Citation } from './render.ts';
import { escape, plain, rich } from './text.ts';
import type { Option, Question } from './types.ts';

export interface SheetContext {
  /** All `quiz.*` and `sheet.*` templates. */
  strings: Record<string, string>;
  cite: (id: string) => Citation | undefined;
}

/** The questions of a lesson on paper, and their answers, which go on sheets of their own. */
export interface Sheet {
  questions: string;
  answers: string;
}

export function renderSheet(questions: Question[], { strings, cite }: SheetContext): Sheet {
  const words: Words = (key, slots) => {
    const template = strings[key];
    if (template === undefined) throw new Error(`no string ${key}`);
    return fill(template, slots);
  };
  return {
    questions: questions.map((question, i) => onPaper(question, i + 1, words).join('\n')).join('\n'),
    answers: questions.map((question, i) => answered(question, i + 1, words, cite).join('\n')).join('\n'),
  };
}

const LETTERS = 'ABCDEFGHIJ';

function onPaper(question: Question, n: number, words: Words): string[] {
  return [
    '<section class="sheet-question">',
    `<h3>${rich(words('quiz.title', { n, topic: question.topic }))}</h3>`,
    ...question.prompt.map((text) => `<p>${rich(text)}</p>`),
    `<p class="sheet-asked">${rich(question.legend)}</p>`,
    ...places(question, words),
    '</section>',
  ];
}

/** Where the answer is written. */
function places(question: Question, words: Words): string[] {
  const how = (slots?: Record<string, string>) =>
    `<p class="sheet-how">${escape(words(`sheet.${question.kind}.how`, slots))}</p>`;
  const lettered = (texts: string[]) => ['<ol class="sheet-options">', ...texts.map((text) => `<li>${rich(text)}</li>`), '</ol>'];
  switch (question.kind) {
    case 'choice':
    case 'multi':
      return [how(), ...lettered(question.options.map(({ text }) => text))];
    case 'diagnose':
      return [how(), ...lettered(question.options.map((step) => labelOf(step, words)))];
    case 'order':
      return [how(), ...lettered(question.items)];
    case 'number':
      return question.unit === undefined
        ? [how()]
        : [`<p class="sheet-how">${escape(words('sheet.number.how.unit', { unit: question.unit }))}</p>`];
    case 'expert':
      return [how(), '<div class="sheet-lines" aria-hidden="true"></div>'];
  }
}

const labelOf = ({ text, numbers }: Option, words: Words): string =>
  words('quiz.diagnose.step', { step: plain(text), numbers: numbers ?? '' });

function answered(question: Question, n: number, words: Words, cite: SheetContext['cite']): string[] {
  const { kind, options } = question;
  const list = (items: string[]) => ['<ul>', ...items.map((item) => `<li>${item}</li>`), '</ul>'];
  const part = (key: string, items: string[]) =>
    items.length === 0 ? [] : [`<p class="q-part"><strong>${escape(words(key))}</strong></p>`, ...list(items)];
  return [
    '<section class="sheet-answer">',
    `<h3>${rich(words('sheet.answer', { n, topic: question.topic }))}</h3>`,
    ...key(question, words),
    ...question.answer.map((text) => `<p>${rich(text)}</p>`),
    ...(options.length > 0 ? list(options.map((option) => rich(reason(kind, option, words)))) : []),
    `<p>${rich(words('sheet.point', { point: question.point }))}</p>`,
    ...part('quiz.mistakes', question.wrong.map((wrong) => rich(words('quiz.mistake', { ...wrong })))),
    ...part('quiz.sources', question.sources.map(({ id }) => escape(cite(id)?.text ?? id))),
    '</section>',
  ];
}

/** The letters to tick, or the order of the letters; nothing where the answer says it itself. */
function key({ kind, options }: Question, words: Words): string[] {
  const right = options.flatMap((option, at) => (option.correct ? [LETTERS[at]!] : []));
  const order = options.find(({ correct }) => correct)?.order?.map((place) => LETTERS[place]!) ?? [];
  if (kind === 'number' || kind === 'expert') return [];
  const letters = (kind === 'order' ? order : right).join('、');
  return [`<p class="sheet-key">${escape(words('sheet.key', { letters }))}</p>`];
}
