import {
  attribute,
  childrenOf,
  closest,
  elements,
  isElement,
  textOf,
  type Element,
  type Node,
} from '../../web/site/transforms/html.ts';

/** What stands for a formula or code inside a text: neither Chinese nor Latin. */
const OBJECT = '\ufffc';
const BLOCKS = [
  'p',
  'li',
  'dt',
  'dd',
  'th',
  'td',
  'caption',
  'label',
  'legend',
  'summary',
  'button',
  'option',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
];

const isForeign = (element: Element): boolean =>
  ['code', 'pre', 'script', 'style'].includes(element.tagName) ||
  attribute(element, 'data-raw') !== undefined ||
  (attribute(element, 'lang') ?? '').startsWith('en');

function ownText(element: Element): string {
  return childrenOf(element)
    .map((child) => {
      if (!isElement(child)) return textOf(child);
      if (isForeign(child) || child.tagName === 'math') return OBJECT;
      return BLOCKS.includes(child.tagName) || ['ul', 'ol', 'table'].includes(child.tagName)
        ? '\n'
        : ownText(child);
    })
    .join('')
    .replace(/[ \t\r]+/g, ' ')
    .trim();
}

/** The texts of a page, a block each, as a reader meets them. */
export function textsOf(page: Node): { element: Element; text: string }[] {
  return [...elements(page)]
    .filter(({ tagName }) => BLOCKS.includes(tagName))
    .filter((element) => closest(element, isForeign) === undefined)
    .map((element) => ({ element, text: ownText(element) }))
    .filter(({ text }) => text !== '');
}

const HAN = '\\p{Script=Han}';
const STOPS = '，。、；：！？';
/** Names that a reader types into a field, where spaces part one from the next. */
const NAMES = /[頭头鍵键][1-9]|(?:預測|预测|答案)[1-9]/gu;
const RULES: [name: string, pattern: RegExp][] = [
  ['no space between Chinese and Latin', new RegExp(`${HAN}[A-Za-z0-9]|[A-Za-z0-9%]${HAN}`, 'u')],
  ['a space before punctuation', /\S [，。、；：！？」』”’）%]/u],
  ['a space after punctuation', /[，。、；：！？「『“‘（] \S/u],
  [
    'half-width punctuation',
    new RegExp(`${HAN}[,;:?!()"']|[,;:?!()"']${HAN}|${HAN}\\.|[${STOPS}][,;:?!.]`, 'u'),
  ],
  ['a stop said twice', new RegExp(`[${STOPS}][${STOPS}]`, 'u')],
];

/** Where a text breaks the rules for punctuation and spaces, with the quotation marks of its edition. */
export function lintText(text: string, lang: 'zh-TW' | 'zh-CN'): string[] {
  const rules = [...RULES];
  if (lang === 'zh-TW') rules.push(['quotation marks of the other edition', /[“”‘’]/]);
  else rules.push(['quotation marks of the other edition', /[「」『』]/]);
  const named = text.replace(NAMES, (name) => OBJECT.repeat(name.length));
  const found = rules.flatMap(([name, pattern]) => {
    const at = pattern.exec(named);
    return at ? [`${name}: ${around(text, at.index)}`] : [];
  });
  const open: string[] = [];
  for (const { 0: mark, index } of text.matchAll(/[「」『』“”‘’（）]/g)) {
    const partner = PAIRS.get(mark);
    if (partner === undefined) open.push(mark);
    else if (open.pop() !== partner) found.push(`a mark that nothing opens: ${around(text, index)}`);
  }
  if (open.length > 0) found.push(`${open.join('')} stays open: ${text.slice(0, 40)}`);
  return found;
}

const PAIRS = new Map([
  ['」', '「'],
  ['』', '『'],
  ['”', '“'],
  ['’', '‘'],
  ['）', '（'],
]);

const around = (text: string, index: number): string =>
  text.slice(Math.max(0, index - 12), index + 14).replaceAll('\n', ' ');

/** English that no voice is told of, or a voice that is told of a term: both at odds with what a listener needs. */
export function lintLanguages(page: Node): string[] {
  const found: string[] = [];
  for (const element of elements(page)) {
    const lang = attribute(element, 'lang');
    const text = textOf(element).trim();
    if (lang !== undefined && !['zh-TW', 'zh-CN', 'en'].includes(lang))
      found.push(`lang="${lang}" is no voice of this course`);
    if (lang === 'en' && (/\p{Script=Han}/u.test(text) || text.split(/\s+/).length < 4))
      found.push(`lang="en" is for a whole sentence or title: ${text.slice(0, 40)}`);
  }
  for (const { text } of textsOf(page)) {
    const sentence = /(?:[A-Za-z][a-z]+[,:]? ){4,}[A-Za-z]*/.exec(text);
    if (sentence) found.push(`English that is not tagged: ${sentence[0]}`);
  }
  return found;
}

/** Names in a text that the word list wants to be others; `avoid` maps a pattern to the name that is used. */
export function avoided(text: string, avoid: Record<string, string>): string[] {
  return Object.entries(avoid).flatMap(([pattern, name]) => {
    const at = new RegExp(pattern, 'u').exec(text);
    return at ? [`${at[0]} for ${name}: ${around(text, at.index)}`] : [];
  });
}

/** Characters of a text, the way the limits of STYLE.md count them. */
export const lengthOf = (text: string): number => [...text.trim()].length;

/** The sentences of a lesson's own prose. */
export function sentencesOf(page: Node): string[] {
  return textsOf(page)
    .filter(
      ({ element }) =>
        ['p', 'li'].includes(element.tagName) &&
        closest(element, (at) => (attribute(at, 'class') ?? '').split(' ').includes('prose')) &&
        !closest(element, ({ tagName }) => ['attn-lab', 'form', 'figure'].includes(tagName)),
    )
    .flatMap(({ text }) => text.split(/(?<=[。！？])/))
    .map((sentence) => sentence.replace(/[\s」』”）]+/g, ''))
    .filter((sentence) => lengthOf(sentence) > 1);
}
