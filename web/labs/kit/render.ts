import type { Core } from '../../core/core.ts';
import { highlight } from '../../site/transforms/highlight.ts';
import { labs } from '../index.ts';
import { escape, json, tag } from './html.ts';
import { defaults, read, reshape } from './raw.ts';
import { renderInputs } from './render-inputs.ts';
import { renderTables, renderTrust, renderView, type ResultContext } from './render-result.ts';
import { list, lookup, phrase, ui, word } from './template.ts';
import { trustLines } from './trust.ts';
import type { Lab, Strings, Words } from './types.ts';

export interface Excerpt {
  code: string;
  /** Line of the file where the excerpt starts, from 1. */
  line: number;
}

export interface RenderOptions {
  /** Name of the page, for ids that are unique when a lab stands on two pages. */
  page: string;
  strings: Strings;
  /** The compiled C++ that a lab shows; without it the lab shows none. */
  excerpt?: (file: string, region: string) => Excerpt;
  /** Level of the lab's heading. */
  level?: number;
}

function renderPredict(lab: Lab, id: string, words: Words, strings: Strings, level: number): string {
  const { predict } = lab;
  const question = word(words, 'predict.question');
  const name = `${id}-guess`;
  const radio = (value: string, label: string) =>
    tag(
      'div',
      { class: 'lab-option' },
      tag('input', { type: 'radio', id: `${name}-${value}`, name, value }),
      tag('label', { for: `${name}-${value}` }, escape(label)),
    );
  const answers =
    predict.kind === 'choice'
      ? predict.options.map((option) => radio(option, word(words, `predict.options.${option}`))).join('')
      : predict.kind === 'item'
        ? list(words, `inputs.${predict.of}.initial`)
            .map((token, i) => radio(String(i), phrase(words, { key: 'predict.option', slots: { i: String(i + 1), token } })))
            .join('')
        : tag('label', { for: name }, escape(ui(strings, 'lab.predict-number', { min: String(predict.min), max: String(predict.max) }))) +
          tag('input', { type: 'text', id: name, name, autocomplete: 'off' });
  return tag(
    'form',
    { class: 'lab-predict', 'data-part': 'predict', novalidate: true, autocomplete: 'off', hidden: true },
    tag(`h${level + 1}`, {}, escape(ui(strings, 'lab.predict-heading'))),
    tag('fieldset', {}, tag('legend', {}, escape(question)), answers),
    tag(
      'div',
      { class: 'lab-buttons' },
      tag('button', { type: 'submit', class: 'lab-run' }, escape(ui(strings, 'lab.predict-submit'))),
      tag('button', { type: 'button', class: 'lab-minor', 'data-do': 'skip' }, escape(ui(strings, 'lab.predict-skip'))),
    ),
  );
}

function renderCode(lab: Lab, words: Words, strings: Strings, title: string, excerpt: NonNullable<RenderOptions['excerpt']>): string {
  const blocks = lab.code.map(({ file, region }) => {
    const { code, line } = excerpt(file, region);
    const place = ui(strings, 'lab.code-place', { file, line: String(line) });
    return (
      tag('p', {}, escape(word(words, `code.${region}`)), tag('span', { class: 'lab-small', 'data-raw': true }, escape(place))) +
      tag('pre', { tabindex: 0 }, tag('code', {}, highlight(code)))
    );
  });
  return tag('details', { class: 'lab-fold' }, tag('summary', {}, escape(ui(strings, 'lab.code', { title }))), ...blocks);
}

/** How far long work has come, and a way to stop it. */
function renderWork(strings: Strings): string {
  return tag(
    'div',
    { class: 'lab-work', 'data-part': 'work', hidden: true },
    tag('p', { class: 'lab-small', 'data-part': 'work-text' }, escape(ui(strings, 'lab.work-idle'))),
    tag('button', { type: 'button', class: 'lab-minor', 'data-do': 'cancel' }, escape(ui(strings, 'lab.cancel'))),
  );
}

/** Without the machine-readable expectations, which only tests read. */
function embedded(words: Words): Words {
  const { expect: _, ...rest } = words;
  return rest;
}

/** The complete lab for its default input, as it reads without any script. */
export function renderLab(stem: string, words: Words, core: Core, options: RenderOptions): string {
  const lab = labs[stem];
  if (!lab) throw new Error(`there is no lab "${stem}"`);
  const { page, strings, excerpt, level = 3 } = options;
  const id = `${page}-${stem}`;
  const title = word(words, 'title');
  const raw = reshape(lab, defaults(lab, words));
  const reading = read(lab, raw);
  if ('problems' in reading) throw new Error(`the defaults of ${stem} do not read: ${json(reading.problems)}`);
  const result = lab.run(core, reading.values);
  const view = lab.view(reading.values, result, words);
  const context: ResultContext = { id, words, strings, corners: {}, level, live: false };
  const think = lookup(words, 'think') === undefined ? [] : list(words, 'think');

  return tag(
    'attn-lab',
    { name: stem, id, 'data-level': level },
    tag(
      'section',
      { class: 'lab', 'aria-labelledby': `${id}-title` },
      tag(`h${level}`, { id: `${id}-title`, tabindex: -1 }, escape(ui(strings, 'lab.heading', { title }))),
      ...list(words, 'intro').map((paragraph) => tag('p', { class: 'lab-intro' }, escape(paragraph))),
      tag('p', { class: 'lab-status', 'data-part': 'status' }, escape(ui(strings, 'lab.static'))),
      renderPredict(lab, id, words, strings, level),
      tag('p', { class: 'lab-reconcile', 'data-part': 'reconcile', hidden: true }),
      tag(
        'div',
        { class: 'lab-body' },
        tag(
          'form',
          { class: 'lab-controls', 'data-part': 'inputs', novalidate: true, autocomplete: 'off' },
          renderInputs({ lab, id, words, strings, raw, problems: [], disabled: true }),
        ),
        tag(
          'div',
          { class: 'lab-result', 'data-part': 'result' },
          tag('p', { class: 'lab-waiting', 'data-part': 'waiting', hidden: true }),
          tag('p', { class: 'lab-stale', 'data-part': 'stale', hidden: true }),
          renderWork(strings),
          tag('div', { 'data-part': 'view' }, renderView(context, view)),
          tag('div', { 'data-part': 'sound' }),
        ),
      ),
      tag(
        'div',
        { 'data-part': 'more' },
        tag('div', { class: 'lab-tables', 'data-part': 'tables' }, renderTables(context, view)),
        tag('div', { 'data-part': 'tools' }),
        tag('div', { class: 'lab-trust', 'data-part': 'trust' }, renderTrust(context, trustLines(lab, core, reading.values, result), title)),
      ),
      excerpt && lab.code.length > 0 ? renderCode(lab, words, strings, title, excerpt) : '',
      think.length > 0
        ? tag(`h${level + 1}`, {}, escape(ui(strings, 'lab.think'))) + tag('ul', { class: 'lab-think' }, ...think.map((t) => tag('li', {}, escape(t))))
        : '',
      `<script type="application/json" class="lab-words">${json(embedded(words))}</script>`,
    ),
  );
}
