import { readLesson } from '../../web/site/front-matter.ts';

/** A number that somebody measured or that was computed: it has a unit or a percent sign. */
const MEASURED =
  /(?<![\d.])\d[\d.,]*\s*(?:%|‰|[KMGTP]i?B\b|位元組|毫秒|微秒|奈秒|秒(?!針)|[GT]?FLOPs?\b|BLEU\b|AP\b|百分點|赫茲|瓦)/g;
const COMPUTED = /\{\{\s*core\b.*?\}\}/g;
/** What the texts say is quoted to be answered, and what we chose ourselves is called an example. */
const QUOTED = /你讀過的/;
const SAID = /「[^」]*」/g;
const EXAMPLE = /例如|例子|比方|假設|假如|如果|我們選|自己選|設成|設為/;

/** One sentence with a number that nothing stands behind. */
export interface Unbacked {
  line: number;
  number: string;
  sentence: string;
}

/**
 * The numbers of a lesson that have a unit and are typed, not computed, without a paper of the lesson in the sentence or before
 * it in the paragraph. Free are what a story's speakers say, what is quoted, and examples that are called so.
 */
export function unbackedNumbers(
  text: string,
  file: string,
  nameOf: (source: string) => string,
): Unbacked[] {
  const { head, body, firstLine } = readLesson(text, file);
  const names = head.sources.map(nameOf);
  const found: Unbacked[] = [];
  const look = (paragraph: string, line: number) => {
    let sourced = false;
    for (const sentence of paragraph.replace(COMPUTED, ' ').replace(SAID, '').split(/(?<=[。！？])/)) {
      sourced ||= names.some((name) => sentence.includes(name));
      if (sourced || QUOTED.test(sentence) || EXAMPLE.test(sentence)) continue;
      for (const [number] of sentence.matchAll(MEASURED))
        found.push({ line, number, sentence: sentence.trim() });
    }
  };
  head.summary.forEach((sentence) => look(sentence, 1));
  const open: string[] = [];
  body.split('\n').forEach((paragraph, index) => {
    const fence = /^\s*(:::|```)\s*(\S*)/.exec(paragraph);
    if (fence) {
      const closes = fence[1] === '```' ? open.at(-1) === '```' : !fence[2];
      if (closes) open.pop();
      else open.push(fence[1] === '```' ? '```' : fence[2]!);
      return;
    }
    if (open.includes('```') || open.includes('scene') || open.includes('cn')) return;
    look(paragraph, firstLine + index);
  });
  return found;
}
