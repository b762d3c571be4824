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

/** What a built page says that a listener could not follow: the rules that validators do not know. */
export function lintPage(document: Node, lang: 'zh-TW' | 'zh-CN'): string[] {
  const found: string[] = [];
  const all = [...elements(document)];
  const say = (rule: string, element: Element, why: string) => {
    const id = attribute(element, 'id');
    found.push(
      `${rule}: <${element.tagName}${id ? ` id="${id}"` : ''}> ${squeezed(element).slice(0, 40)} — ${why}`,
    );
  };
  const tagged = (...tags: string[]) => all.filter(({ tagName }) => tags.includes(tagName));
  const withAttribute = (name: string) =>
    all.filter((element) => attribute(element, name) !== undefined);

  const html = tagged('html')[0]!;
  if (attribute(html, 'lang') !== lang) say('R1', html, `lang is ${attribute(html, 'lang')}`);
  for (const element of withAttribute('lang')) {
    const value = attribute(element, 'lang')!;
    if (/^zh-Han/i.test(value)) say('R1', element, 'zh-TW and zh-CN are the names of voices');
    if (value.startsWith('en') && squeezed(element).split(' ').length < 4)
      say('R2', element, 'no change of voice for a term');
  }

  if (tagged('h1').length !== 1) say('R3', html, `${tagged('h1').length} h1`);
  let level = 0;
  for (const heading of tagged('h1', 'h2', 'h3', 'h4', 'h5', 'h6')) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1 && level > 0) say('R3', heading, `an h${next} after an h${level}`);
    level = next;
  }
  const [body] = tagged('body');
  const first = [...elements(body!)][0]!;
  if (attribute(first, 'href') !== '#main') say('R4', first, 'the first element is the skip link');
  const [main] = tagged('main');
  if (!main || attribute(main, 'id') !== 'main' || attribute(main, 'tabindex') !== '-1')
    say('R4', html, 'main#main tabindex=-1');
  for (const name of [
    'accesskey',
    'aria-roledescription',
    'aria-busy',
    'aria-relevant',
    'aria-live',
  ])
    for (const element of withAttribute(name)) say('R6', element, name);
  for (const element of withAttribute('tabindex'))
    if (!['0', '-1'].includes(attribute(element, 'tabindex')!))
      say('R6', element, 'positive tabindex');
  for (const element of withAttribute('role'))
    if (['application', 'alert', 'dialog'].includes(attribute(element, 'role')!))
      say('R6', element, attribute(element, 'role')!);

  for (const element of tagged('p', 'li', 'dd')) {
    if (hiddenOrCode(element)) continue;
    const text = ownText(element, isEnglish);
    for (const sentence of text.split(/[。！？]/))
      if (length(sentence) > 60) say('R8', element, `a sentence of ${length(sentence)} characters`);
    const sentences = text.split(/[。！？]/).filter((sentence) => sentence.trim() !== '').length;
    if (element.tagName === 'p' && sentences > 4)
      say('R8', element, `a paragraph of ${sentences} sentences`);
    if (element.tagName === 'li' && !inAnswer(element) && length(text) > 100)
      say('R8', element, `an item of ${length(text)} characters`);
  }
  for (const element of tagged('label', 'legend', 'summary', 'button'))
    if (length(squeezed(element)) > 40)
      say('R8', element, `${length(squeezed(element))} characters`);

  for (const element of tagged(
    'label',
    'legend',
    'summary',
    'caption',
    'button',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'option',
  )) {
    const sign = SIGNS.exec(withoutRaw(element));
    if (sign && !/^原始碼|^源代码/.test(squeezed(element)))
      say('R9', element, `the sign "${sign[0]}" is not spoken`);
    if (PICTURES.test(squeezed(element))) say('R12', element, 'a picture character');
  }
  for (const name of ['aria-label', 'aria-valuetext'])
    for (const element of withAttribute(name))
      if (SIGNS.test(attribute(element, name)!)) say('R9', element, attribute(element, name)!);
  for (const element of tagged('p', 'li', 'td', 'th', 'label', 'legend')) {
    if (/[０-９Ａ-Ｚａ-ｚ]/.test(ownText(element)))
      say('R11', element, 'full-width digits or letters');
    if (lang === 'zh-TW' && !closest(element, isCode)) {
      const bare = BARE.exec(ownText(element).replace(WHOLE_WORDS, ''));
      if (bare) say('R10', element, `a bare ${bare[0]}`);
    }
    const place = PLACES.exec(ownText(element));
    if (place) say('R10', element, `${place[0]} says where, not what`);
  }
  for (const element of tagged('ruby')) say('R12', element, 'ruby');
  for (const element of tagged('button', 'a', 'h1', 'h2', 'h3', 'h4', 'summary')) {
    const name = /按鈕|連結|按钮|链接|點這裡|点这里|^更多$/.exec(squeezed(element));
    if (name) say('R13', element, `the name says "${name[0]}"`);
  }
  const targets = new Map<string, string>();
  for (const link of tagged('a')) {
    const text = squeezed(link);
    const href = attribute(link, 'href')!;
    if (targets.has(text) && targets.get(text) !== href)
      say('R13', link, `another link of this name leads to ${targets.get(text)}`);
    targets.set(text, href);
  }

  for (const math of tagged('math')) {
    if (attribute(math, 'aria-label') ?? attribute(math, 'alttext'))
      say('R14', math, 'a label on a formula is not read');
    if (closest(math, (at) => attribute(at, 'role') === 'img'))
      say('R14', math, 'role=img around a formula');
    if (/[⊤ᵀ]/.test(textOf(math))) say('R14', math, 'a transpose is the letter T');
    if (
      attribute(math, 'display') === 'block' &&
      !/^(讀法|读法)：/.test(squeezed(next(math.parentNode as Element)!))
    )
      say('R15', math, 'no reading after it');
  }

  const summaries = new Set<string>();
  for (const summary of tagged('summary')) {
    if (summaries.has(squeezed(summary))) say('R19', summary, 'two of the same words');
    summaries.add(squeezed(summary));
    if (
      [...elements(summary)].some(({ tagName }) =>
        ['a', 'button', 'input', 'h2', 'h3', 'h4'].includes(tagName),
      )
    )
      say('R19', summary, 'more than text inside');
  }
  for (const details of tagged('details')) {
    if (attribute(details, 'name') !== undefined) say('R19', details, 'opening one closes another');
    const [child] = childrenOf(details).filter(isElement);
    if (child?.tagName !== 'summary') say('R19', details, 'the summary is not first');
  }
  for (const input of tagged('input')) {
    const type = attribute(input, 'type');
    const id = attribute(input, 'id');
    if (['radio', 'checkbox'].includes(type!)) {
      if (
        attribute(input, 'checked') !== undefined &&
        closest(input, (at) => /\bq-/.test(attribute(at, 'class') ?? ''))
      )
        say('R17', input, 'chosen beforehand');
      const group = closest(input, ({ tagName }) => tagName === 'fieldset');
      if (!group || ![...elements(group)].some(({ tagName }) => tagName === 'legend'))
        say('R17', input, 'no fieldset with a legend');
    }
    if (type === 'range' && !attribute(input, 'aria-valuetext'))
      say('R22', input, 'no aria-valuetext');
    if (
      !tagged('label').some((label) => attribute(label, 'for') === id) &&
      !attribute(input, 'aria-label')
    )
      say('R17', input, 'no label');
  }

  const live = all.filter(
    (element) => attribute(element, 'role') === 'status' || element.tagName === 'output',
  );
  if (live.length !== 1) say('R24', html, `${live.length} live regions`);
  for (const element of live) {
    if (squeezed(element) !== '') say('R24', element, 'not empty at load');
    if (attribute(element, 'id') !== 'say' || attribute(element, 'aria-atomic') !== 'true')
      say('R24', element, 'not the announcer');
  }

  for (const table of tagged('table')) {
    const inside = [...elements(table)];
    if (inside[0]?.tagName !== 'caption') say('R26', table, 'no caption');
    for (const cell of inside) {
      if (cell.tagName === 'th' && !attribute(cell, 'scope'))
        say('R26', cell, 'a header without scope');
      if (attribute(cell, 'colspan') ?? attribute(cell, 'rowspan'))
        say('R26', cell, 'merged cells');
      if (['td', 'th'].includes(cell.tagName) && squeezed(cell) === '')
        say('R26', cell, 'an empty cell');
    }
    const rows = inside.filter(({ tagName }) => tagName === 'tr');
    const width = Math.max(
      ...rows.map(
        (row) =>
          [...elements(row)].filter(({ tagName }) => tagName === 'td' || tagName === 'th').length,
      ),
    );
    if (rows.length > 13 || width > 13)
      say('R26', table, `${rows.length - 1} times ${width - 1} cells shown`);
  }
  for (const svg of tagged('svg')) {
    if (closest(svg, (at) => attribute(at, 'aria-hidden') === 'true')) continue;
    const label = attribute(svg, 'aria-label') ?? '';
    if (attribute(svg, 'role') !== 'img' || !label)
      say('R28', svg, 'a picture has role=img and a name, or is hidden');
    if (length(label) > 60) say('R28', svg, `a name of ${length(label)} characters`);
    for (const text of elements(svg))
      if (
        text.tagName === 'text' &&
        !closest(text, (at) => attribute(at, 'aria-hidden') === 'true')
      )
        say('R28', text, 'Firefox reads text inside a picture');
  }
  for (const canvas of tagged('canvas'))
    if (attribute(canvas, 'aria-hidden') !== 'true') say('R28', canvas, 'a canvas is hidden');
  for (const element of withAttribute('aria-describedby')) {
    const ids = attribute(element, 'aria-describedby')!.split(/\s+/);
    const text = ids
      .map((id) => all.find((other) => attribute(other, 'id') === id))
      .map((other) => (other ? squeezed(other) : ''))
      .join('');
    if (length(text) > 40) say('R32', element, `${length(text)} characters`);
    if (element.tagName === 'fieldset') say('R32', element, 'a description on a fieldset is lost');
  }
  for (const pre of tagged('pre')) {
    if (closest(pre, (at) => /\bsource-file\b/.test(attribute(at, 'class') ?? ''))) continue;
    const lines = textOf(pre).split('\n');
    if (lines.length > 26 || lines.some((line) => line.length > 80))
      say('R33', pre, 'over 25 lines or 80 columns');
  }
  return found;
}

const SIGNS = /[→×÷<>≠±⋅＝＋=+~()_/]/;
const PICTURES = /\p{Extended_Pictographic}|[←→★☆✓✗►▶]/u;
const BARE = /[列行]/;
const WHOLE_WORDS =
  /橫列|序列|排列|陣列|列表|列出|列舉|並列|系列|羅列|執行|進行|平行|並行|行為|行動|流行|銀行|另行|自行|可行|行不通|不行|都行|旅行|行人|先行詞|成行|換行|獨立成行|行得通|行前準備|列印|網址列|第 \d+( 到 \d+)? 行|第一行|一行是一個|[，共]\s*\d+ 行/g;
const PLACES =
  /如[上下左右]?[圖图表]所示|[如見见看][上下左右][圖图表]|[圖图]中可以?[看見见]|[左右][邊边側侧]那|[紅红藍蓝綠绿黃黄]色的/;

const squeezed = (element: Element): string => textOf(element).trim().replace(/\s+/g, ' ');
const length = (text: string): number => [...text.trim()].length;
const isCode = (element: Element): boolean => ['code', 'pre', 'script'].includes(element.tagName);
const hiddenOrCode = (element: Element): boolean =>
  closest(element, (at) => isCode(at) || attribute(at, 'hidden') !== undefined) !== undefined;
const inAnswer = (element: Element): boolean =>
  closest(element, ({ tagName }) => tagName === 'details') !== undefined;

const isEnglish = (element: Element): boolean =>
  (attribute(element, 'lang') ?? '').startsWith('en');

/** Text of an element without that of the blocks inside it. */
function ownText(element: Element, leaveOut: (inside: Element) => boolean = () => false): string {
  const part = (child: Node): string => {
    if (!isElement(child)) return textOf(child);
    const apart = ['p', 'ul', 'ol', 'li', 'table', 'pre', 'code', 'math', 'script'].includes(
      child.tagName,
    );
    return apart || leaveOut(child) ? ' ' : ownText(child, leaveOut);
  };
  return childrenOf(element).map(part).join('');
}

function withoutRaw(element: Element): string {
  return childrenOf(element)
    .map((child) =>
      isElement(child)
        ? attribute(child, 'data-raw') === undefined && child.tagName !== 'math'
          ? withoutRaw(child)
          : ''
        : textOf(child),
    )
    .join('');
}

function next(element: Element): Element | undefined {
  const siblings = childrenOf(element.parentNode!).filter(isElement);
  return siblings[siblings.indexOf(element) + 1];
}
