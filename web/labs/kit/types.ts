import type { Core, CoreName } from '../../core/core.ts';

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
  /** Only whole numbers make sense. */
  whole?: boolean;
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
  /** What a row that is added holds; 0 unless given. */
  fill?: number;
}

/** Words separated by spaces, commas or 、; the default list is `names.NAME` of the words. */
export interface TokensInput {
  kind: 'tokens';
  name: string;
  min: number;
  max: number;
  /** Most characters of one word, 12 unless given; more where a whole sentence may stand without a gap. */
  longest?: number;
}

export interface ChoiceInput {
  kind: 'choice';
  name: string;
  options: string[];
  initial: string;
  /** A list that opens, for more options than a page wants to show. */
  drop?: boolean;
}

/** Picks one token of a list by its place, counted from 0. */
export interface ItemInput {
  kind: 'item';
  name: string;
  of: string;
  initial: number;
}

/** Walks through the stages of a computation, one key press at a time. */
export interface StepInput {
  kind: 'step';
  name: string;
  /** How many stages these values have. */
  count(values: Values): number;
  /** The stage at the start, counted from 0. */
  initial: number;
}

/** The tokens of a list in another order: a field with their old places, and two buttons that move one of them. */
export interface OrderInput {
  kind: 'order';
  name: string;
  of: string;
  /** The item input that says which token the buttons move. */
  pick: string;
  initial: number[];
}

/** The learner's own picture as a small square of red, green and blue; the example until there is one. */
export interface ImageInput {
  kind: 'image';
  name: string;
  side: number;
  /** side · side · 3 whole numbers from 0 to 255. */
  example: number[];
}

export type Input =
  | ImageInput
  | OrderInput
  | StepInput
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
  number | string | string[] | number[] | number[][]
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
  /** Decimals of each column, 4 unless it says otherwise. */
  digits?: number[];
  /** What a cell says instead of its bare number, where there is something better to say. */
  texts?: (string | undefined)[][];
  /** Say which cell of each row (or column) is the largest. */
  mark?: 'row' | 'column';
  /** Which cells a mask hides, in a table that may have such cells. */
  masked?: boolean[][];
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
  /** The weight that fills its bar; 1 unless given. */
  full?: number;
}

/** Curves over one axis, each in a band of its own. */
export interface WavePicture {
  kind: 'waves';
  label: Message;
  x: number[];
  /** With its unit. */
  xTitle: Message;
  bands: { name: Message; y: number[]; strong?: boolean }[];
  /** Bottom and top of every band. */
  range: [number, number];
}

export interface GridPicture {
  kind: 'grids';
  label: Message;
  grids: { name: Message; cells: number[][]; strong?: boolean }[];
  /** The row that is framed in every grid. */
  row: number;
}

export interface LinkPicture {
  kind: 'links';
  label: Message;
  before: string[];
  /** Which of `before` stands at each place afterwards. */
  order: number[];
  beforeTitle: Message;
  afterTitle: Message;
  strong: number;
}

/** Two lists of names and lines between them: who goes with whom. */
export interface PairPicture {
  kind: 'pairs';
  label: Message;
  left: string[];
  right: string[];
  leftTitle: Message;
  rightTitle: Message;
  /** A dashed line leads to where there was no room. */
  lines: { from: number; to: number; kind: 'strong' | 'plain' | 'dashed' }[];
}

/** A product of two matrices, the second above it and the first before it, so that a row and a column meet in their cell. */
export interface ProductPicture {
  kind: 'product';
  label: Message;
  first: number[][];
  second: number[][];
  product: number[][];
  row: number;
  col: number;
}

/** Lines over one axis, the numbers of which stand in a table. */
export interface CurvePicture {
  kind: 'lines';
  label: Message;
  x: Axis;
  y: Axis;
  lines: Line[];
  /** The place on the x axis that the learner has chosen. */
  at?: number;
}

export interface Line {
  name: Message;
  points: [number, number][];
  /** From where to where each point may lie: a bar through it. */
  bars?: [number, number][];
  strong?: boolean;
}

export interface Axis {
  title: Message;
  min: number;
  max: number;
  log?: boolean;
  ticks: { at: number; text: string }[];
}

/** One bar a quantity, from 0 on a linear scale or from 1 on a logarithmic one. */
export interface MagnitudePicture {
  kind: 'magnitudes';
  label: Message;
  scale: 'linear' | 'log';
  bars: { name: Header; value: number; text: string; strong?: boolean }[];
}

/** Clock faces with two hands each. */
export interface DialPicture {
  kind: 'dials';
  label: Message;
  dials: {
    name: Message;
    /** Where a hand points that started at (1, 0); the first is drawn thick and short, the second thin and long. */
    hands: [{ x: number; y: number }, { x: number; y: number }];
    /** From the first hand to the second, as a share of a whole turn; below 0 against the clock. */
    turn: number;
    text: string;
  }[];
}

/** A square picture, whole and cut into square tiles. */
export interface TilePicture {
  kind: 'tiles';
  label: Message;
  side: number;
  /** side · side · 3 numbers from 0 to 255. */
  rgb: ArrayLike<number>;
  patch: number;
  /** The tile that is framed, counted from 0, row by row. */
  strong: number;
  wholeTitle: Message;
  cutTitle: Message;
}

export type Picture = DialPicture | TilePicture | ChordPicture | BarPicture | CurvePicture | MagnitudePicture | WavePicture | GridPicture | LinkPicture | PairPicture | ProductPicture;

/** A row of values that can be listened to. */
export interface Sound {
  button: Message;
  intro: Message;
  values: number[];
  /** What sounds lowest and highest; 0 and 1 unless given. */
  range?: [number, number];
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
  sound?: Sound;
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

/** One call of the core, as data that a worker can be sent. */
export interface Call {
  name: CoreName;
  args: readonly unknown[];
}

/** A run that consists of calls too long for the page and a quick rest. */
export interface Heavy<V, R> {
  /** Whether this input takes longer than a page may stand still, 50 ms. */
  isLong(values: V): boolean;
  calls(values: V): Call[];
  /** The result from the answers, in the order of the calls. */
  finish(core: Core, values: V, answers: any[]): R;
}

/** A whole function or a marked region of a source file. */
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
  /** How to do the same in a worker, when it may take long. */
  heavy?: Heavy<V, R>;
  /** `before` is what was shown until the learner's last change, where there was one. */
  view(values: V, result: R, words: Words, before?: { values: V; result: R }): View;
  checks: Check<V, R>[];
  code: CodeExcerpt[];
  /** A module beside the core whose functions `run` and the checks are given too. */
  module?: 'museum';
}
