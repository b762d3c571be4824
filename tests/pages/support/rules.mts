/**
 * Rules for readers who listen, of the kind that axe does not know. Runs inside a page; one line a finding.
 * Everything here was found out with a real screen reader: what breaks one of these rules is lost, garbled or said twice.
 */
export function rules(): string[] {
  const found: string[] = [];
  const $ = (selector: string, root: ParentNode = document): HTMLElement[] => [
    ...root.querySelectorAll<HTMLElement>(selector),
  ];
  const textOf = (e: Element): string => (e.textContent ?? '').trim().replace(/\s+/g, ' ');
  const say = (rule: string, e: Element, why: string): void => {
    found.push(`${rule}: ${e.tagName.toLowerCase()}${e.id ? `#${e.id}` : ''} 「${textOf(e).slice(0, 40)}」 ${why}`);
  };
  const names =
    'button, a, legend, label, summary, caption, th, h1, h2, h3, h4, h5, h6, option, output, [role=status], [aria-live]';

  const { lang } = document.documentElement;
  if (!['zh-TW', 'zh-CN'].includes(lang)) say('lang', document.documentElement, `is "${lang}"`);
  for (const e of $('[lang]')) {
    if (/^zh-han/i.test(e.lang)) say('lang', e, 'no voice is called zh-Hant or zh-Hans');
    if (/^en/.test(e.lang) && textOf(e).split(' ').length < 4) say('lang', e, 'a short term changes the voice');
  }

  if ($('h1').length !== 1) say('headings', document.body, `has ${$('h1').length} h1`);
  let level = 0;
  for (const h of $('h1, h2, h3, h4, h5, h6')) {
    const next = Number(h.tagName[1]);
    if (next > level + 1) say('headings', h, `comes after level ${level}`);
    level = next;
  }
  const first = document.body.querySelector('a[href], button, input, select, textarea, summary, [tabindex="0"]');
  const framed = document.querySelector('header, nav') !== null;
  if (framed && first?.getAttribute('href') !== '#main')
    say('skip-link', first ?? document.body, 'is not the link to #main');
  const main = document.querySelector('main');
  if (framed && (main?.id !== 'main' || main.getAttribute('tabindex') !== '-1'))
    say('skip-link', main ?? document.body, 'main needs id main and tabindex -1');

  for (const math of $('math')) {
    if (math.closest(names)) say('math-in-name', math.closest(names)!, 'MathML in a name is dropped');
    if (/[⊤ᵀ]/.test(math.textContent ?? '')) say('math-transpose', math, 'a transpose is <mi>T</mi>');
    if (math.hasAttribute('aria-label') || math.hasAttribute('alttext')) say('math-label', math, 'is not read');
    if (math.closest('[role=img]')) say('math-label', math, 'is read in spite of role=img');
    if (math.getAttribute('display') === 'block') {
      const next = math.nextElementSibling ?? math.parentElement?.nextElementSibling;
      if (!/^[讀读]法：/.test(textOf(next ?? document.createElement('p'))))
        say('math-reading', math, 'has no 讀法 after it');
    }
  }

  const live = '[aria-live], [role=status], [role=alert], [role=log], output';
  // The door page has the theme's script alone, which never speaks.
  if (
    document.querySelector('script[src$="assets/site.js"]') &&
    ($(live).length !== 1 || !document.querySelector('p#say[role=status][aria-atomic=true]'))
  )
    say('announcer', document.body, `${$(live).length} live regions; one, p#say, is right`);
  const ready = JSON.parse(document.getElementById('strings')?.textContent ?? '{}')['lab.ready'];
  for (const e of $(live)) {
    if (textOf(e) && textOf(e) !== ready) say('live-empty', e, 'is said at load');
    if (e.hasAttribute('tabindex')) say('live-tabindex', e, 'is said twice');
    if (e.closest('[aria-hidden=true], [hidden]')) say('live-hidden', e, 'is never said');
  }

  for (const table of $('table') as HTMLTableElement[]) {
    if (!table.caption) say('table-caption', table, 'has none');
    if (table.querySelector('th:not([scope])')) say('table-scope', table, 'a th has no scope');
    if (table.querySelector('[colspan], [rowspan]')) say('table-merge', table, 'has merged cells');
    if (table.tHead && table.tHead.rows.length !== 1) say('table-head', table, 'needs one header row');
    for (const row of table.tBodies[0]?.rows ?? [])
      if (row.cells[0]?.getAttribute('scope') !== 'row') say('table-scope', row, 'has no row header');
    for (const cell of table.querySelectorAll('td, th'))
      if (!textOf(cell) && !cell.querySelector('input, math')) say('table-empty', table, 'has an empty cell');
    if (
      table.tBodies[0] &&
      table.closest('attn-lab') &&
      (table.tBodies[0].rows.length > 12 || table.rows[0]!.cells.length > 13)
    )
      say('table-size', table, 'is over 12 by 12');
  }

  for (const svg of $('svg')) {
    if (svg.closest('[aria-hidden=true]')) continue;
    const name = svg.getAttribute('aria-label') ?? '';
    if (svg.getAttribute('role') !== 'img' || !name) say('svg', svg, 'needs role=img and a name, or aria-hidden');
    if (name.length > 60) say('svg', svg, `has a name of ${name.length} characters`);
    if ($('text', svg).some((t) => !t.closest('[aria-hidden=true]'))) say('svg', svg, 'Firefox reads its text');
  }
  for (const canvas of $('canvas:not([aria-hidden=true])')) say('canvas', canvas, 'must be aria-hidden');
  for (const image of $('img:not([alt])')) say('img', image, 'has no alt');

  for (const radio of $('input[type=radio]')) {
    if (!radio.closest('fieldset')?.querySelector('legend')) say('radio', radio, 'has no fieldset with a legend');
    if (radio.hasAttribute('checked') && radio.closest('form.q-form, [class^=q-]'))
      say('radio', radio, 'an answer is chosen at load');
  }
  for (const range of $('input[type=range]') as HTMLInputElement[]) {
    const valuetext = range.getAttribute('aria-valuetext') ?? '';
    if (!valuetext) say('range', range, 'has no aria-valuetext');
    if (valuetext.length > 12) say('range', range, `says ${valuetext.length} characters at each step`);
    if (!range.labels?.length && !range.getAttribute('aria-label')) say('range', range, 'has no label');
    const stops = (Number(range.max) - Number(range.min)) / Number(range.step || 1);
    if (stops > 40.5) say('range', range, `has ${Math.round(stops)} steps`);
    for (const attribute of ['role', 'aria-valuenow', 'aria-valuemin', 'aria-valuemax'])
      if (range.hasAttribute(attribute)) say('range', range, `${attribute} repeats what the element says`);
  }

  const summaries = new Set<string>();
  for (const summary of $('summary')) {
    const text = textOf(summary);
    if (summaries.has(text)) say('summary', summary, 'stands on this page twice');
    summaries.add(text);
    if (summary.querySelector('a, button, input, h1, h2, h3, h4, h5, h6'))
      say('summary', summary, 'holds more than text');
    if (summary.parentElement?.firstElementChild !== summary) say('summary', summary, 'is not the first child');
  }
  if (document.querySelector('details[name]'))
    say('summary', document.body, 'an accordion closes what the reader opened');

  const links = new Map<string, string>();
  for (const link of $('a[href]') as HTMLAnchorElement[]) {
    const text = link.getAttribute('aria-label') ?? textOf(link);
    const other = links.get(text);
    if (other !== undefined && other !== link.href) say('link', link, `the same words lead to ${other}`);
    links.set(text, link.href);
    if (/^(點這裡|点这里|更多|這裡|这里|按此)$/.test(text)) say('link', link, 'says nothing by itself');
  }

  const forbidden =
    '[role=application], [aria-roledescription], [accesskey], [aria-busy], [aria-relevant], dialog, marquee, [autofocus], [tabindex]:not([tabindex="0"]):not([tabindex="-1"])';
  for (const e of $(forbidden)) say('forbidden', e, 'breaks browse mode or moves the reader');
  for (const e of $('[aria-describedby]')) {
    if (e.tagName === 'FIELDSET') say('describedby', e, 'is lost on a fieldset');
    const ids = e.getAttribute('aria-describedby')!.split(/\s+/);
    const text = ids.map((id) => document.getElementById(id)?.textContent?.trim() ?? '').join('');
    if (text.length > 40) say('describedby', e, `is ${text.length} characters long`);
  }

  // A page that shows a whole file is named after it, and is as long as it is.
  const isSource = (e: Element): boolean => e.closest('.source-file') !== null;
  const spoken = 'label, legend, summary, caption, h1, h2, h3, h4, h5, h6';
  const unspoken = /[→←×÷<>≠±⋅·＝＋=+~()_/★✓\p{Extended_Pictographic}]/u;
  for (const e of $(spoken)) {
    if (isSource(e)) continue;
    const hit = unspoken.exec(textOf(e).replace(/\d/g, ''));
    if (hit) say('symbol', e, `some voices leave out ${hit[0]}`);
  }
  for (const attribute of ['aria-label', 'aria-valuetext'])
    for (const e of $(`[${attribute}]`)) {
      const hit = unspoken.exec(e.getAttribute(attribute)!.replace(/\d/g, ''));
      if (hit) say('symbol', e, `${attribute}: some voices leave out ${hit[0]}`);
    }
  for (const e of $('legend, summary, label'))
    if (textOf(e).length > 40) say('length', e, `is ${textOf(e).length} characters long`);
  for (const e of $('button, summary, label, legend'))
    if (/按鈕|按钮|連結|链接|圖片|图片|展開專|展开专/.test(textOf(e)))
      say('name', e, 'repeats what the reader says anyway');

  const readable = (e: Element): boolean => !e.closest('pre, code, .references, [lang=en]');
  for (const e of $('p, li')) {
    if (!readable(e)) continue;
    const own = e.cloneNode(true) as Element;
    for (const inner of own.querySelectorAll('math, ul, ol, p, table, pre')) inner.remove();
    for (const sentence of textOf(own).split(/[。！？]/))
      if (/\p{Script=Han}/u.test(sentence) && sentence.trim().length > 60)
        say('sentence', e, `one of ${sentence.trim().length} characters: ${sentence.trim().slice(0, 30)}`);
    if (e.tagName === 'LI' && textOf(own).length > 100)
      say('sentence', e, `an item of ${textOf(own).length} characters`);
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (/[０-９Ａ-Ｚａ-ｚ]/.test(node.nodeValue ?? '') && !node.parentElement!.closest('script, style'))
      say('full-width', node.parentElement!, 'a full-width digit or letter');

  for (const pre of $('pre')) {
    const lines = (pre.textContent ?? '').replace(/\n$/, '').split('\n');
    if (isSource(pre)) continue;
    if (lines.length > 25) say('code', pre, `has ${lines.length} lines`);
    if (lines.some((line) => line.length > 80)) say('code', pre, 'is over 80 columns');
  }
  if (document.querySelector('ruby')) say('ruby', document.querySelector('ruby')!, 'is run together');
  return found;
}
