import { fill } from '../site/strings.ts';
import { reason, type Words } from './judge.ts';
import { escape, plain, rich } from './text.ts';
import type { CardData, Option, Question } from './types.ts';

export interface Citation {
  text: string;
  href?: string;
}

export interface CardContext {
  /** The place of the question among those of its page. */
  number: number;
  /** All `quiz.*` templates. */
  strings: Record<string, string>;
  /** Level of the card's heading. */
  level?: 2 | 3 | 4;
  /** The words of a source id; without it the id is shown. */
  cite?: (id: string) => Citation | undefined;
  /** Where the lab stands in the state that settles the question; without it there is no such link. */
  labHref?: (lab: string, state: string | undefined) => string | undefined;
}

/**
 * The complete HTML of a question. It reads fully without script: the answers are in a <details>; what only a
 * script can do (checking, saving, rating) is `hidden` until web/quiz/client.ts shows it.
 */
export function renderQuestion(question: Question, context: CardContext): string {
  const { number: n, level = 3 } = context;
  const words: Words = (key, slots) => {
    const template = context.strings[key];
    if (template === undefined) throw new Error(`no string ${key}`);
    return fill(template, slots);
  };
  const id = `q-${question.id}`;
  const lines = [
    `<div class="q-card q-${question.kind}" id="${id}">`,
    `<h${level} class="q-title">${rich(words('quiz.title', { n, topic: question.topic }))}</h${level}>`,
    ...question.prompt.map(paragraph),
    ...(question.kind === 'expert' ? ownAnswer(id, question, n, words) : checked(id, question, n, words)),
    ...solution(question, words(question.kind === 'expert' ? 'quiz.expert' : 'quiz.explanation', { n }), words, context),
    ...(question.kind === 'expert' ? rating(id, n, words) : []),
    ...runLink(question, n, words, context),
    `<script type="application/json" class="q-data">${data(question, n)}</script>`,
    '</div>',
  ];
  return lines.join('\n');
}

function paragraph(text: string): string {
  return `<p>${rich(text)}</p>`;
}

function legend(question: Question, n: number, words: Words): string {
  return `<legend>${escape(plain(words('quiz.legend', { n, legend: question.legend })))}</legend>`;
}

function action(label: string): string {
  return `<p class="q-action" hidden><button type="submit">${escape(label)}</button></p>`;
}

function checked(id: string, question: Question, n: number, words: Words): string[] {
  const controls =
    question.kind === 'number'
      ? numberField(id, question, n, words)
      : question.kind === 'order'
        ? orderList(id, question, n, words)
        : question.kind === 'diagnose'
          ? stepList(id, question, words)
          : question.options.map((option, place) => tick(id, question, option, place));
  return [
    `<p class="q-how">${escape(words(`quiz.${question.kind}.how`))}</p>`,
    '<form class="q-form">',
    '<fieldset>',
    legend(question, n, words),
    ...controls,
    '</fieldset>',
    action(words('quiz.check', { n })),
    '</form>',
    `<p class="q-verdict" id="${id}-said" hidden></p>`,
    '<div class="q-reasons" hidden></div>',
  ];
}

function tick(id: string, question: Question, option: Option, place: number): string {
  const input = `${id}-${place + 1}`;
  const [type, name] = question.kind === 'multi' ? ['checkbox', input] : ['radio', id];
  return (
    `<div class="q-option"><input type="${type}" name="${name}" id="${input}" value="${place}">` +
    `<label for="${input}">${escape(plain(option.text))}</label></div>`
  );
}

/** The steps in the order in which they are computed, each with its numbers. */
function stepList(id: string, question: Question, words: Words): string[] {
  const steps = question.options.map((option, place) => {
    const input = `${id}-${place + 1}`;
    if (option.numbers === undefined) throw new Error(`${question.id}: the numbers of ${option.text} are not computed`);
    const label = words('quiz.diagnose.step', { step: plain(option.text), numbers: option.numbers });
    return (
      `<li class="q-option"><input type="radio" name="${id}" id="${input}" value="${place}">` +
      `<label for="${input}">${escape(label)}</label></li>`
    );
  });
  return ['<ol class="q-steps">', ...steps, '</ol>'];
}

/** An item is picked and then moved by two buttons that stay where they are, so that the focus does too. */
function orderList(id: string, question: Question, n: number, words: Words): string[] {
  return [
    '<ol class="q-order">',
    ...question.items.map((item, place) => {
      const input = `${id}-${place + 1}`;
      return (
        `<li class="q-option"><input type="radio" name="${id}" id="${input}" value="${place}">` +
        `<label for="${input}">${escape(plain(item))}</label></li>`
      );
    }),
    '</ol>',
    '<p class="q-move" hidden>' +
      (['earlier', 'later'] as const)
        .map((way) => `<button type="button" data-way="${way}">${escape(words(`quiz.order.${way}`, { n }))}</button>`)
        .join(' ') +
      '</p>',
    `<p class="q-moved" id="${id}-moved" hidden></p>`,
  ];
}

function numberField(id: string, question: Question, n: number, words: Words): string[] {
  const label =
    question.unit === undefined
      ? words('quiz.number.label', { n })
      : words('quiz.number.label.unit', { n, unit: question.unit });
  return [
    `<div class="q-number"><label for="${id}-value">${escape(label)}</label>`,
    `<input type="text" id="${id}-value" name="${id}" autocomplete="off" spellcheck="false"></div>`,
  ];
}

function ownAnswer(id: string, question: Question, n: number, words: Words): string[] {
  return [
    `<p class="q-how">${escape(words('quiz.own.how'))}</p>`,
    '<form class="q-form">',
    '<fieldset>',
    legend(question, n, words),
    `<label for="${id}-own">${escape(words('quiz.own.label', { n }))}</label>`,
    `<textarea id="${id}-own" name="${id}" rows="6"></textarea>`,
    '</fieldset>',
    action(words('quiz.own.save', { n })),
    '</form>',
    `<p class="q-verdict" id="${id}-said" hidden></p>`,
  ];
}

function rating(id: string, n: number, words: Words): string[] {
  const choices = ['full', 'part', 'none'].map((value) => {
    const input = `${id}-rate-${value}`;
    return (
      `<div class="q-option"><input type="radio" name="${id}-rate" id="${input}" value="${value}">` +
      `<label for="${input}">${escape(words(`quiz.rate.${value}`))}</label></div>`
    );
  });
  return [
    '<form class="q-rating" hidden>',
    '<fieldset>',
    `<legend>${escape(words('quiz.rate.legend', { n }))}</legend>`,
    ...choices,
    '</fieldset>',
    action(words('quiz.rate.save', { n })),
    '</form>',
    `<p class="q-verdict" id="${id}-rated" hidden></p>`,
  ];
}

/** The answer, every reason, the point and the sources, behind a summary. */
export function solution(question: Question, summary: string, words: Words, context: CardContext): string[] {
  const lines = [
    '<details class="q-answer">',
    `<summary>${escape(summary)}</summary>`,
    ...question.answer.map(paragraph),
    ...rightOrder(question, words),
    ...list(question.options.map((option) => reason(question.kind, option, words))),
    heading(words('quiz.point')),
    paragraph(question.point),
  ];
  if (question.wrong.length > 0) {
    lines.push(heading(words('quiz.mistakes')), ...list(question.wrong.map((w) => words('quiz.mistake', { ...w }))));
  }
  if (question.sources.length > 0) {
    lines.push(
      heading(words('quiz.sources')),
      ...list(
        question.sources.map((s) => s.id),
        (id) => citation(id, context),
      ),
    );
  }
  lines.push('</details>');
  return lines;
}

function rightOrder({ items, options }: Question, words: Words): string[] {
  const order = options.find((o) => o.correct)?.order;
  if (order === undefined) return [];
  const steps = order.map((place) => `<li>${rich(items[place] ?? '')}</li>`);
  return [heading(words('quiz.order.is')), '<ol>', ...steps, '</ol>'];
}

/** A bold line, not a heading element: inside a closed <details> headings would come and go from the outline. */
function heading(text: string): string {
  return `<p class="q-part"><strong>${escape(text)}</strong></p>`;
}

function list(items: string[], html: (item: string) => string = rich): string[] {
  return items.length === 0 ? [] : ['<ul>', ...items.map((i) => `<li>${html(i)}</li>`), '</ul>'];
}

function citation(id: string, context: CardContext): string {
  const found = context.cite?.(id);
  if (found?.href === undefined) return escape(found?.text ?? id);
  return `<a href="${escape(found.href)}">${escape(found.text)}</a>`;
}

function runLink(question: Question, n: number, words: Words, context: CardContext): string[] {
  if (question.lab === undefined) return [];
  const href = context.labHref?.(question.lab, question.labState);
  return href === undefined
    ? []
    : [`<p class="q-run"><a href="${escape(href)}">${escape(words('quiz.run', { n }))}</a></p>`];
}

function data(question: Question, n: number): string {
  const card: CardData = {
    id: question.id,
    kind: question.kind,
    number: n,
    unit: question.unit ?? '',
    items: question.items,
    options: question.options.map(({ text, correct, why, misconception, value, tolerance, order, sound }) => ({
      text,
      correct,
      why,
      misconception,
      value,
      tolerance,
      order,
      sound,
    })),
  };
  return JSON.stringify(card).replace(/</g, '\\u003c');
}
