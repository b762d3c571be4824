import { escape, tag } from './html.ts';
import { allTables, tableName } from './render-result.ts';
import { phrase, ui } from './template.ts';
import type { Strings, View, Words } from './types.ts';

const button = (strings: Strings, action: string) =>
  tag('button', { type: 'button', class: 'lab-minor', 'data-do': action }, escape(ui(strings, `lab.${action}`)));

/** Listening to one row, once the learner asks for it. */
export function renderSound(id: string, view: View, words: Words, strings: Strings, volume: number): string {
  if (!view.sound) return '';
  const volumeId = `${id}-volume`;
  return tag(
    'div',
    { class: 'lab-sound' },
    tag('button', { type: 'button', class: 'lab-minor', 'data-do': 'sound' }, escape(phrase(words, view.sound.button))),
    tag('label', { for: volumeId }, escape(ui(strings, 'lab.volume'))),
    tag('input', {
      type: 'range',
      id: volumeId,
      min: 0,
      max: 10,
      step: 1,
      value: volume,
      'aria-valuetext': volumeText(volume, strings),
      autocomplete: 'off',
      'data-volume': true,
    }),
    tag('p', { class: 'lab-small', 'data-part': 'sound-text' }, escape(ui(strings, 'lab.sound-hint'))),
  );
}

export function volumeText(volume: number, strings: Strings): string {
  const judgement = ui(strings, volume < 4 ? 'lab.volume-quiet' : volume < 8 ? 'lab.volume-middle' : 'lab.volume-loud');
  return ui(strings, 'lab.value-text', { value: String(volume), judgement });
}

/** Taking numbers, the sentence or the whole state away, and finding an extreme cell. */
export function renderTools(id: string, view: View, words: Words, strings: Strings, chosen: string): string {
  const selectId = `${id}-table`;
  const options = allTables(view).map((table) =>
    tag('option', { value: table.id, selected: table.id === chosen }, escape(tableName(table, words))),
  );
  const jumps = ['jump-largest', 'jump-smallest', ...(allTables(view).some(({ masked }) => masked) ? ['jump-masked'] : [])];
  return tag(
    'fieldset',
    { class: 'lab-tools' },
    tag('legend', {}, escape(ui(strings, 'lab.tools'))),
    tag(
      'div',
      { class: 'lab-buttons' },
      tag('label', { for: selectId }, escape(ui(strings, 'lab.tools-table'))),
      tag('select', { id: selectId, autocomplete: 'off', 'data-tables': true }, ...options),
      ...[...jumps, 'copy-csv', 'download-csv'].map((action) => button(strings, action)),
    ),
    tag('div', { class: 'lab-buttons' }, button(strings, 'copy-sentence'), button(strings, 'copy-link')),
    tag('p', { class: 'lab-small', 'data-part': 'tools-text' }),
  );
}
