/**
 * What decides an answer: ticking one option, ticking several, a number, an order, the broken one among the steps of
 * a computation, or the learner's own judgement.
 */
export type Kind = 'choice' | 'multi' | 'number' | 'order' | 'diagnose' | 'expert';

/** A value of a probe's arguments; a nested probe call is worked out first. */
export type ProbeArgument =
  number | string | boolean | null | ProbeArgument[] | ProbeCall | { [name: string]: ProbeArgument };

/** One call of the core facade by its named arguments; arrays of arrays become matrices. */
export interface ProbeCall {
  call: string;
  args: Record<string, ProbeArgument>;
  /** Into the result: `weights.0,1`, `0,2` or `entropy`; without it the result is the number. */
  path?: string;
}

/** A number that the core has to confirm. A distractor's probe is its wrong formula. */
export interface Probe extends ProbeCall {
  expect: number;
  /** Absolute. */
  tolerance: number;
}

export interface Option {
  /** choice, multi: the label. number, order: the value or the order in words, for the explanation. */
  text: string;
  correct: boolean;
  why: string;
  /** The name of the mistake; every wrong option has one, no right one does. */
  misconception?: string;
  /** number only: what the learner would type, and how far off still counts. */
  value?: number;
  tolerance?: number;
  /** order only: places in the question's `items`, from 0. */
  order?: number[];
  /** diagnose only: what the step computes, and for the broken one what it ought to compute. */
  shows?: ProbeCall;
  should?: ProbeCall;
  /** diagnose only: what the core made of these calls, in words. */
  numbers?: string;
  sound?: string;
  probes: Probe[];
}

/** A paper, and those of its published figures that the question quotes. */
export interface Source {
  id: string;
  figures: number[];
}

export interface WrongAnswer {
  answer: string;
  why: string;
}

export interface Question {
  id: string;
  /** The short name, which becomes the heading. */
  topic: string;
  lesson: string;
  /** The lab that settles it, and the state in which to open it. */
  lab?: string;
  labState?: string;
  kind: Kind;
  prompt: string[];
  legend: string;
  /** number only */
  unit?: string;
  /** order only: what is put in order, as it stands at first. */
  items: string[];
  /** diagnose only: decimals of the numbers of a step. */
  digits?: number;
  options: Option[];
  /** The discriminating point: what tells one who understands from one who does not. */
  point: string;
  answer: string[];
  wrong: WrongAnswer[];
  /** Where options have probes the first of these is the key: right options agree with it, wrong ones do not. */
  probes: Probe[];
  sources: Source[];
}

/** The part of a question that the page's script needs, embedded beside it as JSON. */
export interface CardData {
  id: string;
  kind: Kind;
  number: number;
  /** The unit that may follow a typed number, or nothing. */
  unit: string;
  items: string[];
  options: CardOption[];
}

export type CardOption = Pick<
  Option,
  'text' | 'correct' | 'why' | 'misconception' | 'value' | 'tolerance' | 'order' | 'sound'
>;
