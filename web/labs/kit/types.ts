import type { Core } from '../../core/core.ts';

/** Values of the named slots of a sentence, already formatted as text. */
export type Slots = Record<string, string>;

/** A sentence: a key into the lab's words and what fills its slots. */
export interface Message {
  key: string;
  slots?: Slots;
}

/** The words of one lab, from lessons/labs/STEM.yaml. */
export interface Words {
  [key: string]: string | string[] | Words;
}

/** The kit's own words: flat, dotted keys. */
export type Strings = Record<string, string>;

/**
 * A number with a slider and a text box. The slider walks along `stops` (at
 * most 40); the box takes every value from `min` to `max`.
 */
export interface SliderInput {
  kind: 'slider';
  name: string;
  min: number;
  max: number;
  stops: number[];
  initial: number;
  /** Values that get a button of their own. */
  named?: number[];
  /** Key of the judgement that `aria-valuetext` adds: `judge.NAME.KEY`. */
  judge?: (value: number) => string;
  /** The slider moves one row of a one-column matrix instead of a value of its own. */
  edits?: { matrix: string; row: string };
}

/** A matrix: one text field a row and one paste area. */
export interface MatrixInput {
  kind: 'matrix';
  name: string;
  initial: number[][];
  /** Where the number of rows comes from: a token list, or the width of another matrix. */
  rows: { tokens: string } | { widthOf: string };
  maxCols: number;
  /** Largest magnitude of an entry. */
  limit: number;
  /** Start folded away, under its own summary. */
  folded?: boolean;
}

/** Words separated by spaces, commas or 、; the default list is `names.NAME` of the words. */
export interface TokensInput {
  kind: 'tokens';
  name: string;
  min: number;
  max: number;
}

export interface ChoiceInput {
  kind: 'choice';
  name: string;
  options: string[];
  initial: string;
}

/** Picks one token of a list by its place, counted from 0. */
export interface ItemInput {
  kind: 'item';
  name: string;
  of: string;
  initial: number;
}

export type Input =
  | SliderInput
  | MatrixInput
  | TokensInput
  | ChoiceInput
  | ItemInput;

/** What the learner typed, field by field, exactly as typed. */
export type Raw = Record<string, string | string[]>;

/** What the learner meant, once every field could be read. */
export type Values = Record<
  string,
  number | string | string[] | number[][]
>;

/** Why an input was refused: `error.CODE` (kit) or `problems.CODE` (lab), with slots. */
export interface Problem {
  code: string;
  slots: Slots;
}

/** A problem at its place; `row` counts from 0. */
export interface FieldProblem extends Problem {
  field: string;
  row?: number;
}

export type Header = string | Message;

export interface Table {
  id: string;
  caption: Message;
  corner: Message;
  rows: Header[];
  cols: Header[];
  cells: number[][];
  /** `share` shades 0…1, `signed` shades by magnitude against the largest one. */
  shade?: 'share' | 'signed';
  /** Say which cell of each row (or column) is the largest. */
  mark?: 'row' | 'column';
}

export interface ChordPicture {
  kind: 'chords';
  label: Message;
  marks: string[];
  weights: number[][];
  /** Whose lines are drawn strongly. */
  from: number[];
}

export interface BarPicture {
  kind: 'bars';
  label: Message;
  bars: { name: string; score: number; weight: number }[];
  scoreTitle: Message;
  weightTitle: Message;
}

export type Picture = ChordPicture | BarPicture;

/** A row of values from 0 to 1 that can be listened to. */
export interface Sound {
  button: Message;
  intro: Message;
  values: number[];
}

/** Everything a result shows, as data; the kit turns it into HTML. */
export interface View {
  state: Message;
  say: Message | null;
  facts: Message[];
  /** One sentence for each row of a matrix. */
  lines?: { heading: Message; sentences: Message[] };
  picture: Picture;
  tables: Table[];
  /** Tables that stand under a summary of their own. */
  more?: { summary: Message; tables: Table[] };
  sound: Sound;
}

/** One line of the trust panel: passes when the residual is at most `limit`. */
export interface Check<V, R> {
  key: string;
  limit: number;
  residual(core: Core, values: V, result: R): number;
}

/** The guess before the first result. `judge` names the sentence `predict.reconcile.KEY`. */
export type Predict<V, R> = {
  judge(guess: string, values: V, result: R): Message;
} & (
  | { kind: 'choice'; options: string[] }
  | { kind: 'item'; of: string }
  | { kind: 'number'; min: number; max: number }
);

export interface Preset {
  id: string;
  /** Fields that differ from the default, as the learner would type them. */
  raw(core: Core, words: Words): Raw;
}

export interface CodeExcerpt {
  file: string;
  region: string;
}

export interface Lab<V = any, R = any> {
  stem: string;
  inputs: Input[];
  presets: Preset[];
  predict: Predict<V, R>;
  /** Fields that read well alone but do not fit together. */
  fits?(values: V): FieldProblem | null;
  /** All the numbers, from the core; pure. */
  run(core: Core, values: V): R;
  view(values: V, result: R, words: Words): View;
  checks: Check<V, R>[];
  code: CodeExcerpt[];
}
