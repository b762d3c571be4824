import { chooseInline } from '../site/transforms/variants.ts';
import { plain } from './text.ts';
import type { Option, Question } from './types.ts';

export interface Finding {
  field: string;
  message: string;
}

const limits = { sentence: 60, paragraph: 4, item: 100, label: 40 };
/** The legend is shown after 「第 10 題：」. */
const legendLimit = limits.label - '第 10 題：'.length;
const lengthFactor = 1.6;

/** Signs that screen readers skip or misread, so they may not stand in names and announcements. */
const silent = /[→←×÷<>≠±⋅·＝＋=+~～()（）/√≤≥∑]/u;
const transpose = /[ᵀ⊤]|\^T/u;
const fullWidth = /[０-９Ａ-Ｚａ-ｚ]/u;
const pictures = /\p{Extended_Pictographic}|[✓✗★☆►▶]/u;

const anyOf = (...patterns: string[]): RegExp => new RegExp(patterns.join('|'), 'gu');

const places = anyOf(
  '[上下左右](?:圖|表(?!示|達|現)|方(?!法|式|向|程)|面|邊|側|欄|述|列)',
  '如[上下左右]',
  '[最偏][左右上下]',
  '[紅藍綠黃橙紫]色',
);
const negative = anyOf(
  '不正確',
  '錯誤的是',
  '不對的',
  '何者[不非沒]',
  '哪.{0,8}(?:不|沒有|並非)',
  '不屬於',
  '不包括',
  '不成立',
  '除了.{0,12}[哪何]',
  '\\b(?:NOT|EXCEPT)\\b',
);
const allOrNone = anyOf('以上[皆都全所]', '皆[是非對錯]', '全部[皆都]', '都不[對是]', '沒有一[項個]');
/** Words in which 列 or 行 does not mean the side of a matrix. */
const innocent = anyOf(
  '橫列|序列|排列|陣列|列表|列出|列舉|並列|系列|羅列',
  '執行|進行|平行|並行|行為|行動|流行|銀行|另行|自行|可行|行不通|旅行|行人|先行詞',
);

/** Rules of language. Numbers and structure are checked elsewhere. */
export function lint(question: Question): Finding[] {
  const findings: Finding[] = [];
  const find = (field: string, message: string) => findings.push({ field, message });
  const isList = (field: string) => /^options|^wrong/.test(field);

  for (const { field, text } of texts(question)) {
    for (const sentence of text.split(/[。！？]/)) {
      if (count(sentence) > limits.sentence)
        find(field, `a sentence of ${count(sentence)} characters: ${sentence.slice(0, 12)}…`);
    }
    const sentences = text.split(/[。！？]/).filter((s) => s.trim() !== '').length;
    if (!isList(field) && sentences > limits.paragraph) find(field, `a paragraph of ${sentences} sentences`);
    if (transpose.test(text)) find(field, 'write 「的轉置」 for a transpose');
    if (fullWidth.test(text)) find(field, 'full-width digits or letters');
    if (pictures.test(text)) find(field, 'a picture character');
    for (const [place] of text.matchAll(places)) find(field, `「${place}」 means a place or a colour`);
    const bare = /[列行]/u.exec(text.replace(innocent, ''));
    if (bare) find(field, `a bare 「${bare[0]}」: write 橫列 or 直欄`);
  }

  for (const { field, text } of names(question)) {
    if (count(text) > limits.label) find(field, `${count(text)} characters, a label has at most ${limits.label}`);
    const sign = silent.exec(text) ?? /_/.exec(text);
    if (sign) find(field, `「${sign[0]}」 is not spoken in a name`);
  }
  if (count(question.legend) > legendLimit) {
    find('legend', `${count(question.legend)} characters, with the number that is over ${limits.label}`);
  }
  for (const { field, text } of announced(question)) {
    const sign = silent.exec(text);
    if (sign) find(field, `「${sign[0]}」 is not spoken in an announcement`);
  }

  question.options.forEach((option, i) => {
    const field = `options[${i}]`;
    const total = count(option.text + option.why + (option.misconception ?? ''));
    if (total > limits.item - '「」是錯的，這個誤解叫「」。'.length)
      find(field, `${total} characters make too long a list item`);
    if (option.text.search(allOrNone) >= 0) find(`${field}.text`, 'all or none of the others');
  });
  question.wrong.forEach(({ answer, why }, i) => {
    const total = count(answer + why);
    if (total > limits.item - '有人答「」。'.length)
      find(`wrong[${i}]`, `${total} characters make too long a list item`);
  });

  if (question.kind !== 'expert') {
    const [stem] = [...question.prompt, question.legend].join('').match(negative) ?? [];
    if (stem) find('legend', `「${stem}」 asks for what is not so`);
  }
  if (question.kind === 'choice' || question.kind === 'multi') lengths(question.options, find);
  if (!/[？。]$/u.test(question.legend)) find('legend', 'does not end in ？ or 。');
  return findings;
}

function lengths(options: Option[], find: (field: string, message: string) => void): void {
  const counts = options.map((o) => count(o.text));
  const longest = Math.max(...counts);
  const shortest = Math.min(...counts);
  if (longest > lengthFactor * shortest) {
    find('options', `lengths from ${shortest} to ${longest}: more than a factor of ${lengthFactor}`);
  }
}

/** As heard, in the Taiwan edition. */
function heard(text: string): string {
  return plain(chooseInline(text, 'zh-Hant'));
}

function count(text: string): number {
  return [...heard(text).trim()].length;
}

interface Text {
  field: string;
  text: string;
}

function texts(q: Question): Text[] {
  return [
    { field: 'topic', text: q.topic },
    ...q.prompt.map((text, i) => ({ field: `prompt[${i}]`, text })),
    { field: 'legend', text: q.legend },
    ...q.items.map((text, i) => ({ field: `items[${i}]`, text })),
    ...q.options.flatMap((o, i) => [
      { field: `options[${i}].text`, text: o.text },
      { field: `options[${i}].why`, text: o.why },
      { field: `options[${i}].misconception`, text: o.misconception ?? '' },
    ]),
    { field: 'point', text: q.point },
    ...q.answer.map((text, i) => ({ field: `answer[${i}]`, text })),
    ...q.wrong.flatMap((w, i) => [
      { field: `wrong[${i}].answer`, text: w.answer },
      { field: `wrong[${i}].why`, text: w.why },
    ]),
  ].map(({ field, text }) => ({ field, text: chooseInline(text, 'zh-Hant') }));
}

/** What becomes the name of an element. */
function names(q: Question): Text[] {
  return texts(q).filter(({ field }) => /^topic$|^legend$|^items|^options\[\d+\]\.text$/.test(field));
}

/** What the announcer may say. */
function announced(q: Question): Text[] {
  return texts(q)
    .filter(({ field }) => /^options|^items/.test(field))
    .map(({ field, text }) => ({ field, text: plain(text) }));
}
