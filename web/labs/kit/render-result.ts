import { grouped } from './format.ts';
import { escape, tag } from './html.ts';
import { renderPicture } from './picture.ts';
import { phrase, ui } from './template.ts';
import { trustSentence, trustSummary, type TrustLine } from './trust.ts';
import type { Header, Message, Strings, Table, View, Words } from './types.ts';
import { pageAt, pages, peaks, WINDOW, type Corner, type Span } from './window.ts';

export interface ResultContext {
  id: string;
  words: Words;
  strings: Strings;
  /** Where the window of each table that is larger than 12 × 12 stands. */
  corners: Record<string, Corner>;
  /** Level of the lab's own heading. */
  level: number;
  /** Controls are left out of the page that works without scripts. */
  live: boolean;
}

/** Exact values in a table have this many decimals. */
export const TABLE_DIGITS = 4;
const MANY_LINES = 4;

export function headerText(header: Header, words: Words): string {
  return typeof header === 'string' ? header : phrase(words, header);
}

export function tableName(table: Table, words: Words): string {
  return phrase(words, { key: `tables.${table.id}.name` });
}

/** A cell as it reads: its own words, or its number with the decimals of its column. */
export function cellText(table: Table, row: number, col: number): string {
  return table.texts?.[row]?.[col] ?? grouped(table.cells[row]![col]!, table.digits?.[col] ?? TABLE_DIGITS);
}

/** For each cell whether it is the largest of its line, alone or with others. */
function marks(table: Table): Map<string, 'largest' | 'largest-tied'> {
  const found = new Map<string, 'largest' | 'largest-tied'>();
  const note = (places: [number, number][]) => {
    for (const [i, j] of places) found.set(`${i},${j}`, places.length === 1 ? 'largest' : 'largest-tied');
  };
  if (table.mark === 'row') table.cells.forEach((line, i) => note(peaks(line).map((j) => [i, j])));
  if (table.mark === 'column') {
    table.cols.forEach((_, j) => note(peaks(table.cells.map((line) => line[j]!)).map((i) => [i, j])));
  }
  return found;
}

function shade(table: Table): (x: number) => string | undefined {
  if (!table.shade) return () => undefined;
  const scale = table.shade === 'share' ? 1 : Math.max(...table.cells.flat().map(Math.abs), 1e-300);
  return (x) => `--heat:${(Math.min(1, Math.abs(x) / scale)).toFixed(3)}`;
}

function spanSelect(c: ResultContext, table: Table, axis: 'row' | 'col', count: number, current: Span): string {
  if (count <= WINDOW) return '';
  const id = `${c.id}-${table.id}-${axis}`;
  const options = pages(count).map(({ start, end }) =>
    tag(
      'option',
      { value: start, selected: start === current.start },
      escape(ui(c.strings, 'lab.window-span', { first: String(start + 1), last: String(end) })),
    ),
  );
  return tag(
    'div',
    { class: 'lab-field lab-span' },
    tag('label', { for: id }, escape(ui(c.strings, `lab.window-${axis}s`, { table: tableName(table, c.words) }))),
    tag('select', { id, autocomplete: 'off', 'data-window': table.id, 'data-axis': axis }, ...options),
  );
}

export function renderTable(c: ResultContext, table: Table): string {
  const corner = c.corners[table.id] ?? { row: 0, col: 0 };
  const rows = pageAt(table.rows.length, corner.row);
  const cols = pageAt(table.cols.length, corner.col);
  const large = table.rows.length > WINDOW || table.cols.length > WINDOW;
  const marked = marks(table);
  const heat = shade(table);
  const cell = (i: number, j: number) => {
    const x = table.cells[i]![j]!;
    const value = cellText(table, i, j);
    const mark = marked.get(`${i},${j}`);
    const text = mark ? ui(c.strings, `lab.${mark}`, { value }) : value;
    return tag('td', { class: mark ? 'lab-peak' : undefined, style: heat(x) }, escape(text));
  };
  const range = (span: Span) => Array.from({ length: span.end - span.start }, (_, k) => span.start + k);
  const head = range(cols).map((j) => tag('th', { scope: 'col' }, escape(headerText(table.cols[j]!, c.words))));
  const body = range(rows).map((i) =>
    tag('tr', {}, tag('th', { scope: 'row' }, escape(headerText(table.rows[i]!, c.words))), ...range(cols).map((j) => cell(i, j))),
  );
  const captionId = `${c.id}-${table.id}-caption`;
  const where = ui(c.strings, 'lab.window', {
    firstRow: String(rows.start + 1),
    lastRow: String(rows.end),
    firstCol: String(cols.start + 1),
    lastCol: String(cols.end),
    rows: String(table.rows.length),
    cols: String(table.cols.length),
  });
  return tag(
    'div',
    { class: 'lab-table' },
    tag('p', { class: 'lab-small', hidden: !large }, escape(large ? where : '')),
    tag(
      'div',
      { class: 'lab-buttons' },
      c.live ? spanSelect(c, table, 'row', table.rows.length, rows) + spanSelect(c, table, 'col', table.cols.length, cols) : '',
    ),
    tag(
      'div',
      // Whether it needs to be scrolled is known only on the page; without scripts it always can be.
      { class: 'lab-scroll', ...(c.live ? {} : { tabindex: 0, role: 'group', 'aria-labelledby': captionId }) },
      tag(
        'table',
        { id: `${c.id}-${table.id}` },
        tag('caption', { id: captionId }, escape(phrase(c.words, table.caption))),
        tag('thead', {}, tag('tr', {}, tag('th', { scope: 'col' }, escape(phrase(c.words, table.corner))), ...head)),
        tag('tbody', {}, ...body),
      ),
    ),
  );
}

function sentenceList(c: ResultContext, messages: Message[]): string {
  return tag('ul', { class: 'lab-facts' }, ...messages.map((message) => tag('li', {}, escape(phrase(c.words, message)))));
}

/** One sentence a row; a longer list gets a heading, so that a reader can find it and pass it by. */
function renderLines(c: ResultContext, { lines }: View): string {
  if (!lines) return '';
  const heading = tag(`h${c.level + 1}`, {}, escape(phrase(c.words, lines.heading)));
  return tag('div', {}, lines.sentences.length > MANY_LINES ? heading : '', sentenceList(c, lines.sentences));
}

/** What is always true now, the picture, and the facts worth a sentence. */
export function renderView(c: ResultContext, view: View): string {
  return (
    tag('p', { class: 'lab-state', 'data-part': 'state' }, escape(phrase(c.words, view.state))) +
    renderPicture(view.picture, c.words) +
    tag('p', { class: 'lab-small lab-note' }, escape(phrase(c.words, { key: 'picture.note' }))) +
    sentenceList(c, view.facts) +
    renderLines(c, view)
  );
}

export function renderTables(c: ResultContext, view: View): string {
  const more = view.more
    ? tag(
        'details',
        { class: 'lab-fold' },
        tag('summary', {}, escape(phrase(c.words, view.more.summary))),
        ...view.more.tables.map((table) => renderTable(c, table)),
      )
    : '';
  return view.tables.map((table) => renderTable(c, table)).join('') + more;
}

export function allTables(view: View): Table[] {
  return [...view.tables, ...(view.more?.tables ?? [])];
}

export function renderTrust(c: ResultContext, lines: TrustLine[], title: string): string {
  return (
    tag('p', { class: 'lab-verdict' }, escape(trustSummary(lines, c.strings))) +
    tag(
      'details',
      { class: 'lab-fold' },
      tag('summary', {}, escape(ui(c.strings, 'lab.trust', { title }))),
      tag('ul', {}, ...lines.map((line) => tag('li', {}, escape(trustSentence(line, c.words, c.strings))))),
    )
  );
}
