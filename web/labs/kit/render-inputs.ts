import { plain } from './format.ts';
import { escape, tag } from './html.ts';
import { readImage } from './image-text.ts';
import { parseNumber } from './parse.ts';
import { itemIndex, rowsInUse, sliderText, textOf, tokensSoFar } from './raw.ts';
import { nearestStop, sliderLabel, valueText } from './slider.ts';
import { phrase, ui, word } from './template.ts';
import type { ChoiceInput, FieldProblem, ImageInput, Input, ItemInput, Lab, MatrixInput, OrderInput, Raw, SliderInput, StepInput, Strings, TokensInput, Words } from './types.ts';

export interface InputContext {
  lab: Lab;
  id: string;
  words: Words;
  strings: Strings;
  raw: Raw;
  problems: FieldProblem[];
  /** A sentence below the paste area of one matrix. */
  pasteProblem?: { field: string; text: string } | undefined;
  /** Fields cannot be used before the script has taken over. */
  disabled: boolean;
}

/** Longer texts are found after the field; a description is read before it. */
const LONGEST_DESCRIPTION = 40;

const NUMBER_KEYS = { inputmode: 'text', autocomplete: 'off', spellcheck: 'false' } as const;

export function problemText(problem: FieldProblem, words: Words, strings: Strings): string {
  const key = `error.${problem.code}`;
  if (key in strings) return ui(strings, key, problem.slots);
  return phrase(words, { key: `problems.${problem.code}`, slots: problem.slots });
}

function problemAt(c: InputContext, field: string, row?: number) {
  const found = c.problems.find((p) => p.field === field && p.row === row);
  return found ? problemText(found, c.words, c.strings) : null;
}

/** Attributes of a field that may be in error, and the sentence that follows it. */
function flagged(id: string, text: string | null): { attributes: Record<string, string>; after: string } {
  if (text === null) return { attributes: {}, after: '' };
  const errorId = `${id}-error`;
  return {
    attributes: {
      'aria-invalid': 'true',
      ...([...text].length <= LONGEST_DESCRIPTION ? { 'aria-describedby': errorId } : {}),
    },
    after: tag('p', { class: 'lab-error', id: errorId }, escape(text)),
  };
}

function textField(id: string, label: string, value: string, data: Record<string, string>, error: string | null, kind = 'lab-field'): string {
  const { attributes, after } = flagged(id, error);
  return tag(
    'div',
    { class: kind },
    tag('label', { for: id }, escape(label)),
    tag('input', { type: 'text', id, value, ...NUMBER_KEYS, ...data, ...attributes }),
    after,
  );
}

/** What is wrong with a slider's number; where it edits a row, what is wrong with that row, told as of one number. */
function sliderProblem(c: InputContext, input: SliderInput): string | null {
  if (!input.edits) return problemAt(c, input.name);
  const { matrix, row } = input.edits;
  const at = itemIndex(c.lab, c.raw, row);
  const found = c.problems.find((p) => p.field === matrix && p.row === at);
  if (!found) return null;
  const code = found.code === 'empty-row' ? 'empty' : found.code.replace(/^row-/, '');
  return problemText({ ...found, code }, c.words, c.strings);
}

function slider(c: InputContext, input: SliderInput): string {
  const id = `${c.id}-${input.name}`;
  const text = sliderText(c.lab, c.raw, input);
  const parsed = parseNumber(text, input.min, input.max);
  const value = parsed.ok ? parsed.value : input.initial;
  const error = sliderProblem(c, input);
  const named = (input.named ?? []).map((v) =>
    tag(
      'button',
      { type: 'button', class: 'lab-minor', 'data-do': 'set', 'data-field': input.name, 'data-value': plain(v) },
      escape(phrase(c.words, { key: `inputs.${input.name}.set`, slots: { value: plain(v) } })),
    ),
  );
  return tag(
    'div',
    { class: 'lab-field lab-slider' },
    tag('label', { for: id }, escape(sliderLabel(input, c.words))),
    tag('input', {
      type: 'range',
      id,
      min: 0,
      max: input.stops.length - 1,
      step: 1,
      value: nearestStop(input.stops, value),
      'aria-valuetext': parsed.ok ? valueText(input, value, c.words, c.strings) : ui(c.strings, 'lab.no-value'),
      autocomplete: 'off',
      'data-field': input.name,
      'data-part': 'range',
    }),
    textField(`${id}-box`, word(c.words, `inputs.${input.name}.box`), text, { 'data-field': input.name, 'data-part': 'box' }, error, 'lab-box'),
    named.length > 0 ? tag('div', { class: 'lab-buttons' }, ...named) : '',
  );
}

function tokens(c: InputContext, input: TokensInput): string {
  const id = `${c.id}-${input.name}`;
  const slots = { min: String(input.min), max: String(input.max) };
  const label = phrase(c.words, { key: `inputs.${input.name}.label`, slots });
  return textField(id, label, textOf(c.raw, input.name), { 'data-field': input.name, 'data-part': 'text' }, problemAt(c, input.name));
}

function matrix(c: InputContext, input: MatrixInput): string {
  const id = `${c.id}-${input.name}`;
  const key = (part: string) => `inputs.${input.name}.${part}`;
  const names = 'tokens' in input.rows ? tokensSoFar(c.lab, c.raw, input.rows.tokens) : [];
  const rows = rowsInUse(c.lab, c.raw, input).map((text, i) =>
    textField(
      `${id}-${i + 1}`,
      phrase(c.words, { key: key('row'), slots: { i: String(i + 1), token: names[i] ?? '' } }),
      text,
      { 'data-field': input.name, 'data-part': 'row', 'data-row': String(i) },
      problemAt(c, input.name, i),
      'lab-row',
    ),
  );
  const whole = problemAt(c, input.name);
  const refused = c.pasteProblem?.field === input.name ? c.pasteProblem.text : null;
  const pasteId = `${id}-paste`;
  const { attributes, after } = flagged(pasteId, refused);
  const pasteArea = tag(
    'details',
    { class: 'lab-paste' },
    tag('summary', {}, escape(word(c.words, key('paste')))),
    tag('label', { for: pasteId }, escape(ui(c.strings, 'lab.paste'))),
    tag('textarea', { id: pasteId, rows: 3, spellcheck: 'false', autocomplete: 'off', ...attributes }),
    after,
    tag('button', { type: 'button', class: 'lab-minor', 'data-do': 'paste', 'data-field': input.name }, escape(ui(c.strings, 'lab.paste-apply'))),
  );
  const group = tag(
    'fieldset',
    { class: 'lab-matrix', id, disabled: c.disabled },
    tag('legend', {}, escape(word(c.words, key('legend')))),
    whole === null ? '' : tag('p', { class: 'lab-error' }, escape(whole)),
    tag('div', { class: 'lab-rows' }, ...rows),
    pasteArea,
  );
  if (!input.folded) return group;
  return tag('details', { class: 'lab-fold' }, tag('summary', {}, escape(word(c.words, key('fold')))), group);
}

function dropDown(c: InputContext, input: ChoiceInput, chosen: string): string {
  const id = `${c.id}-${input.name}`;
  const options = input.options.map((option) =>
    tag('option', { value: option, selected: option === chosen }, escape(word(c.words, `inputs.${input.name}.options.${option}`))),
  );
  return tag(
    'div',
    { class: 'lab-field' },
    tag('label', { for: id }, escape(word(c.words, `inputs.${input.name}.legend`))),
    tag('select', { id, autocomplete: 'off', 'data-field': input.name, 'data-part': 'select' }, ...options),
  );
}

function choice(c: InputContext, input: ChoiceInput): string {
  const chosen = input.options.includes(textOf(c.raw, input.name)) ? textOf(c.raw, input.name) : input.initial;
  if (input.drop) return dropDown(c, input, chosen);
  const options = input.options.map((option) => {
    const id = `${c.id}-${input.name}-${option}`;
    return tag(
      'div',
      { class: 'lab-option' },
      tag('input', {
        type: 'radio',
        id,
        name: `${c.id}-${input.name}`,
        value: option,
        checked: option === chosen,
        'data-field': input.name,
        'data-part': 'radio',
      }),
      tag('label', { for: id }, escape(word(c.words, `inputs.${input.name}.options.${option}`))),
    );
  });
  const legend = tag('legend', {}, escape(word(c.words, `inputs.${input.name}.legend`)));
  return tag('fieldset', { class: 'lab-choice', disabled: c.disabled }, legend, ...options);
}

function item(c: InputContext, input: ItemInput): string {
  const id = `${c.id}-${input.name}`;
  const at = itemIndex(c.lab, c.raw, input.name);
  const options = tokensSoFar(c.lab, c.raw, input.of).map((token, i) =>
    tag(
      'option',
      { value: i, selected: i === at },
      escape(phrase(c.words, { key: `inputs.${input.name}.option`, slots: { i: String(i + 1), token } })),
    ),
  );
  return tag(
    'div',
    { class: 'lab-field' },
    tag('label', { for: id }, escape(word(c.words, `inputs.${input.name}.label`))),
    tag('select', { id, autocomplete: 'off', 'data-field': input.name, 'data-part': 'select' }, ...options),
  );
}

const small = (text: string, data: Record<string, string>): string =>
  tag('button', { type: 'button', class: 'lab-minor', ...data }, escape(text));

function steps(c: InputContext, input: StepInput): string {
  const button = (by: number, key: string) =>
    small(ui(c.strings, `lab.${key}`), { 'data-do': 'step', 'data-field': input.name, 'data-value': String(by) });
  return tag(
    'fieldset',
    { class: 'lab-steps', disabled: c.disabled },
    tag('legend', {}, escape(word(c.words, `inputs.${input.name}.legend`))),
    tag('div', { class: 'lab-buttons' }, button(1, 'step-next'), button(-1, 'step-back'), button(0, 'step-start')),
  );
}

function order(c: InputContext, input: OrderInput): string {
  const id = `${c.id}-${input.name}`;
  const button = (by: number, key: string) =>
    small(ui(c.strings, `lab.${key}`), { 'data-do': 'move', 'data-field': input.name, 'data-value': String(by) });
  const data = { 'data-field': input.name, 'data-part': 'order' };
  return tag(
    'div',
    { class: 'lab-order' },
    tag('div', { class: 'lab-buttons' }, button(-1, 'move-earlier'), button(1, 'move-later')),
    textField(id, word(c.words, `inputs.${input.name}.label`), textOf(c.raw, input.name), data, problemAt(c, input.name)),
  );
}

/** Which picture is in use, and what became of it on the way. */
export function imageNote({ width: w, height: h }: { width: number; height: number }, side: number, strings: Strings): string {
  const key = w === side && h === side ? 'as-is' : w > side || h > side ? 'shrunk' : 'stretched';
  const slots = { w: plain(w), h: plain(h), side: plain(side) };
  return ui(strings, `lab.image-${key}`, slots) + (w === h ? '' : ui(strings, 'lab.image-squeezed')) + ui(strings, 'lab.image-stays');
}

function image(c: InputContext, input: ImageInput): string {
  const id = `${c.id}-${input.name}`;
  const data = { 'data-image': input.name };
  const text = textOf(c.raw, input.name);
  const small = readImage(text, input.side);
  const refused = c.pasteProblem?.field === input.name ? c.pasteProblem.text : problemAt(c, input.name);
  const note = small ? imageNote(small, input.side, c.strings) : ui(c.strings, 'lab.image-example');
  return tag(
    'fieldset',
    { class: 'lab-image', disabled: c.disabled },
    tag('legend', {}, escape(word(c.words, `inputs.${input.name}.legend`))),
    tag(
      'div',
      { class: 'lab-field' },
      tag('label', { for: `${id}-file` }, escape(ui(c.strings, 'lab.image-file'))),
      tag('input', { type: 'file', id: `${id}-file`, accept: 'image/*', ...data }),
    ),
    tag(
      'div',
      { class: 'lab-field' },
      tag('label', { for: `${id}-paste` }, escape(ui(c.strings, 'lab.image-paste'))),
      tag('input', { type: 'text', id: `${id}-paste`, spellcheck: 'false', autocomplete: 'off', ...data }),
    ),
    refused === null ? '' : tag('p', { class: 'lab-error' }, escape(refused)),
    text !== '' && !small ? '' : tag('p', { class: 'lab-small' }, escape(note)),
  );
}

function field(c: InputContext, input: Input): string {
  switch (input.kind) {
    case 'image': return image(c, input);
    case 'step': return steps(c, input);
    case 'order': return order(c, input);
    case 'slider': return slider(c, input);
    case 'tokens': return tokens(c, input);
    case 'matrix': return matrix(c, input);
    case 'choice': return choice(c, input);
    case 'item': return item(c, input);
  }
}

/** The learner's side of the lab: everything that can be set, then what can be done with it. */
export function renderInputs(c: InputContext): string {
  const button = (action: string, type: 'button' | 'submit' = 'button') =>
    tag('button', { type, class: type === 'submit' ? 'lab-run' : 'lab-minor', 'data-do': type === 'submit' ? undefined : action }, escape(ui(c.strings, `lab.${action}`)));
  const presets = c.lab.presets.map(({ id }) =>
    tag('button', { type: 'button', class: 'lab-minor', 'data-do': 'preset', 'data-value': id }, escape(word(c.words, `presets.${id}`))),
  );
  return tag(
    'fieldset',
    { class: 'lab-inputs', disabled: c.disabled },
    tag('legend', {}, escape(ui(c.strings, 'lab.inputs'))),
    presets.length === 0
      ? ''
      : tag('p', { class: 'lab-small' }, escape(ui(c.strings, 'lab.presets'))) + tag('div', { class: 'lab-buttons' }, ...presets),
    ...c.lab.inputs.map((input) => field(c, input)),
    tag('div', { class: 'lab-buttons lab-actions' }, button('run', 'submit'), button('undo'), button('reset')),
  );
}
