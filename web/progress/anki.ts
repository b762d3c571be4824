import type { QuestionRecord } from '../quiz/record.ts';
import { escape, plain } from '../quiz/text.ts';
import type { Question } from '../quiz/types.ts';

/** The words between the parts of a card. */
export interface AnkiWords {
  point: string;
  own: string;
}

/**
 * Notes for Anki: a line each, its id first, so that a second import brings up to date what the first one made. The cards
 * are HTML in which every text is only text.
 */
export function ankiNotes(
  questions: readonly Question[],
  records: ReadonlyMap<string, QuestionRecord>,
  words: AnkiWords,
): string {
  const head = ['#separator:tab', '#html:true', '#guid column:1', '#tags column:4'];
  const lines = questions.map((question) => {
    const { id, topic, prompt, legend, kind, options, items, answer, point, lesson } = question;
    // A number's options are not shown to the learner: they are what a typed number is compared with.
    const choices = kind === 'order' ? items : kind === 'number' ? [] : options.map(shown);
    const right = options.filter((option) => option.correct).map((option) => `${option.text}。${option.why}`);
    const own = records.get(id)?.text?.trim() ?? '';
    const front = [bold(topic), ...prompt.map(text), text(legend), list(choices)];
    const back = [
      ...answer.map(text),
      list(right),
      bold(words.point),
      text(point),
      ...(kind === 'expert' && own !== '' ? [bold(words.own), text(own)] : []),
    ];
    return [`attention-${id}`, front.join(''), back.join(''), `attention ${lesson}`].join('\t');
  });
  return [...head, ...lines, ''].join('\n');
}

const shown = ({ text: label, numbers }: Question['options'][number]): string =>
  numbers === undefined ? label : `${label}：${numbers}`;

/** In one line, since a line is a note. */
const text = (words: string): string => `<p>${oneLine(words)}</p>`;
const bold = (words: string): string => `<p><b>${oneLine(words)}</b></p>`;
const list = (items: string[]): string =>
  items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${oneLine(item)}</li>`).join('')}</ul>`;

const oneLine = (words: string): string =>
  escape(plain(words))
    .replaceAll('\t', ' ')
    .replaceAll(/\r\n|[\n\r\u2028\u2029]/g, '<br>');
