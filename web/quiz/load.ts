import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseDocument } from 'yaml';
import { lint } from './lint.ts';
import type { Kind, Option, Probe, ProbeArgument, ProbeCall, Question, Source, WrongAnswer } from './types.ts';

/** Something that an author has to mend: where it stands, and why it cannot stay. */
export interface Fault {
  file: string;
  id: string;
  field: string;
  message: string;
}

export class QuestionError extends Error {
  constructor(readonly faults: Fault[]) {
    super(faults.map((f) => `${f.file}: ${f.id}: ${f.field}: ${f.message}`).join('\n'));
    this.name = 'QuestionError';
  }
}

/** Names that questions may refer to; a list that is left out is not checked. */
export interface Known {
  lessons?: Iterable<string>;
  labs?: Iterable<string>;
  sources?: Iterable<string>;
}

/** Probes share matrices by YAML aliases; the parser's own limit of 100 is meant for files of strangers. */
const mostAliases = 2000;

/**
 * Every question of every file in `folder`, by id.
 * @throws QuestionError with all faults of all files
 */
export function loadQuestions(folder: string, known: Known = {}): Map<string, Question> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort();
  return readQuestions(
    files.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') })),
    known,
  );
}

export function readQuestions(files: { name: string; text: string }[], known: Known = {}): Map<string, Question> {
  const faults: Fault[] = [];
  const questions = new Map<string, Question>();
  for (const { name, text } of files) {
    const file = basename(name);
    const document = parseDocument(text);
    for (const error of document.errors) faults.push({ file, id: '(file)', field: 'yaml', message: error.message });
    if (document.errors.length > 0) continue;
    const raw: unknown = document.toJS({ maxAliasCount: mostAliases });
    if (!Array.isArray(raw)) {
      faults.push({ file, id: '(file)', field: 'yaml', message: 'the file is not a list of questions' });
      continue;
    }
    raw.forEach((entry, place) => {
      const reader = new Reader(file, idOf(entry, place), faults);
      const question = readQuestion(reader, entry);
      if (!question) return;
      if (questions.has(question.id)) reader.fault('id', 'is used by another question');
      questions.set(question.id, question);
      checkWhole(reader, question, known);
      for (const { field, message } of lint(question)) reader.fault(field, message);
    });
  }
  if (faults.length > 0) throw new QuestionError(faults);
  return questions;
}

function idOf(entry: unknown, place: number): string {
  const id = typeof entry === 'object' && entry !== null ? (entry as { id?: unknown }).id : undefined;
  return typeof id === 'string' ? id : `(question ${place + 1})`;
}

/** Reads fields of unknown shape; what is missing becomes a fault and a harmless value. */
class Reader {
  constructor(
    private readonly file: string,
    private readonly id: string,
    private readonly faults: Fault[],
  ) {}

  fault(field: string, message: string): void {
    this.faults.push({ file: this.file, id: this.id, field, message });
  }

  object(value: unknown, field: string, allowed: readonly string[]): Record<string, unknown> | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.fault(field, 'is not a mapping');
      return undefined;
    }
    for (const key of Object.keys(value)) {
      if (!allowed.includes(key)) this.fault(field === '' ? key : `${field}.${key}`, 'is not a field of the schema');
    }
    return value as Record<string, unknown>;
  }

  text(value: unknown, field: string): string {
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    this.fault(field, value === undefined ? 'is missing' : 'is not a text');
    return '';
  }

  optionalText(value: unknown, field: string): string | undefined {
    return value === undefined ? undefined : this.text(value, field);
  }

  number(value: unknown, field: string): number {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    this.fault(field, value === undefined ? 'is missing' : 'is not a finite number');
    return 0;
  }

  list<T>(value: unknown, field: string, read: (item: unknown, field: string) => T | undefined): T[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.fault(field, 'is not a list');
      return [];
    }
    return value.map((item, i) => read(item, `${field}[${i}]`)).filter((item) => item !== undefined);
  }

  paragraphs(value: unknown, field: string): string[] {
    if (typeof value === 'string') return [this.text(value, field)];
    const found = this.list(value, field, (item, at) => this.text(item, at));
    if (found.length === 0) this.fault(field, 'has no paragraph');
    return found;
  }
}

const questionFields = [
  'id',
  'topic',
  'lesson',
  'lab',
  'labState',
  'kind',
  'prompt',
  'legend',
  'unit',
  'items',
  'digits',
  'options',
  'point',
  'answer',
  'wrong',
  'probe',
  'sources',
];
const kinds: readonly Kind[] = ['choice', 'multi', 'number', 'order', 'diagnose', 'expert'];

function readQuestion(reader: Reader, entry: unknown): Question | undefined {
  const raw = reader.object(entry, '', questionFields);
  if (!raw) return undefined;
  const kind = kinds.find((k) => k === raw.kind);
  if (!kind) {
    reader.fault('kind', `is not one of ${kinds.join(', ')}`);
    return undefined;
  }
  const question: Question = {
    id: reader.text(raw.id, 'id'),
    topic: reader.text(raw.topic, 'topic'),
    lesson: reader.text(raw.lesson, 'lesson'),
    kind,
    prompt: reader.paragraphs(raw.prompt, 'prompt'),
    legend: reader.text(raw.legend, 'legend'),
    items: reader.list(raw.items, 'items', (item, field) => reader.text(item, field)),
    options: reader.list(raw.options, 'options', (item, field) => readOption(reader, item, field, kind)),
    point: reader.text(raw.point, 'point'),
    answer: reader.paragraphs(raw.answer, 'answer'),
    wrong: reader.list(raw.wrong, 'wrong', (item, field) => readWrong(reader, item, field)),
    probes: readProbes(reader, raw.probe, 'probe'),
    sources: reader.list(raw.sources, 'sources', (item, field) => readSource(reader, item, field)),
  };
  const lab = reader.optionalText(raw.lab, 'lab');
  if (lab !== undefined) question.lab = lab;
  if (raw.labState !== undefined) question.labState = readLabState(reader, raw.labState);
  const unit = reader.optionalText(raw.unit, 'unit');
  if (unit !== undefined) question.unit = unit;
  if (raw.digits !== undefined) question.digits = reader.number(raw.digits, 'digits');
  return question;
}

function readOption(reader: Reader, item: unknown, field: string, kind: Kind): Option | undefined {
  const numeric = kind === 'number';
  const own = {
    number: ['value', 'tolerance', 'probe'],
    order: ['order', 'probe'],
    diagnose: ['shows', 'should'],
    choice: ['probe'],
    multi: ['probe'],
    expert: [],
  }[kind];
  const allowed = ['text', 'correct', 'why', 'misconception', ...own];
  const raw = reader.object(item, field, allowed);
  if (!raw) return undefined;
  if (typeof raw.correct !== 'boolean') reader.fault(`${field}.correct`, 'is not true or false');
  const option: Option = {
    text: reader.text(raw.text, `${field}.text`),
    correct: raw.correct === true,
    why: reader.text(raw.why, `${field}.why`),
    probes: readProbes(reader, raw.probe, `${field}.probe`),
  };
  const misconception = reader.optionalText(raw.misconception, `${field}.misconception`);
  if (misconception !== undefined) option.misconception = misconception;
  if (!option.correct && misconception === undefined) {
    reader.fault(`${field}.misconception`, 'is missing: a wrong option names its mistake');
  }
  if (option.correct && misconception !== undefined) {
    reader.fault(`${field}.misconception`, 'stands on a right option');
  }
  if (numeric) {
    option.value = reader.number(raw.value, `${field}.value`);
    option.tolerance = reader.number(raw.tolerance, `${field}.tolerance`);
    if (option.tolerance < 0) reader.fault(`${field}.tolerance`, 'is negative');
  }
  if (kind === 'order') {
    // Authors count from 1.
    option.order = reader.list(raw.order, `${field}.order`, (place, at) => reader.number(place, at) - 1);
  }
  if (kind === 'diagnose') readStep(reader, raw, field, option);
  return option;
}

/** What a step shows is computed; the broken one also carries what it ought to show. */
function readStep(reader: Reader, raw: Record<string, unknown>, field: string, option: Option): void {
  for (const name of ['shows', 'should'] as const) {
    if (raw[name] === undefined) continue;
    const call = reader.object(raw[name], `${field}.${name}`, ['call', 'args', 'path']);
    if (call) option[name] = readCall(reader, call, `${field}.${name}`);
  }
  if (!option.shows) reader.fault(`${field}.shows`, 'is missing: a step shows what the core computes');
  if (option.correct && !option.should) reader.fault(`${field}.should`, 'is missing: what the broken step ought to show');
  if (!option.correct && option.should) reader.fault(`${field}.should`, 'stands on a sound step');
}

function readWrong(reader: Reader, item: unknown, field: string): WrongAnswer | undefined {
  const raw = reader.object(item, field, ['answer', 'why']);
  return raw && { answer: reader.text(raw.answer, `${field}.answer`), why: reader.text(raw.why, `${field}.why`) };
}

/** `clark2019`, or with the figures that are quoted: `{id: clark2019, figures: [65.1]}`. */
function readSource(reader: Reader, item: unknown, field: string): Source | undefined {
  if (typeof item === 'string') return { id: reader.text(item, field), figures: [] };
  const raw = reader.object(item, field, ['id', 'figures']);
  return (
    raw && {
      id: reader.text(raw.id, `${field}.id`),
      figures: reader.list(raw.figures, `${field}.figures`, (n, at) => reader.number(n, at)),
    }
  );
}

/** The lab's fields as the learner would type them, as the query of a link. */
function readLabState(reader: Reader, value: unknown): string {
  const params = new URLSearchParams();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    reader.fault('labState', 'is not a mapping of fields to texts');
    return '';
  }
  for (const [name, text] of Object.entries(value)) params.set(name, reader.text(text, `labState.${name}`));
  return params.toString();
}

/** The loosest tolerance that still tells a right number from a wrong one. */
const loosest = 0.005;

function readProbes(reader: Reader, value: unknown, field: string): Probe[] {
  if (value === undefined) return [];
  const many = Array.isArray(value);
  return reader.list(many ? value : [value], field, (item, at) => {
    const here = many ? at : field;
    const raw = reader.object(item, here, ['call', 'args', 'path', 'expect', 'tolerance']);
    if (!raw) return undefined;
    const probe: Probe = {
      ...readCall(reader, raw, here),
      expect: reader.number(raw.expect, `${here}.expect`),
      tolerance: reader.number(raw.tolerance, `${here}.tolerance`),
    };
    if (probe.tolerance < 0 || probe.tolerance > loosest * Math.max(1, Math.abs(probe.expect))) {
      reader.fault(`${here}.tolerance`, 'is negative, or so loose that a wrong formula could pass');
    }
    return probe;
  });
}

function readCall(reader: Reader, raw: Record<string, unknown>, field: string): ProbeCall {
  const call: ProbeCall = { call: reader.text(raw.call, `${field}.call`), args: {} };
  const path = raw.path === undefined ? undefined : reader.text(String(raw.path), `${field}.path`);
  if (path !== undefined) call.path = path;
  if (typeof raw.args !== 'object' || raw.args === null || Array.isArray(raw.args)) {
    reader.fault(`${field}.args`, 'is not a mapping of arguments by name');
    return call;
  }
  for (const [name, value] of Object.entries(raw.args)) {
    call.args[name] = readArgument(reader, value, `${field}.args.${name}`);
  }
  return call;
}

function readArgument(reader: Reader, value: unknown, field: string): ProbeArgument {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    // Infinity is a masked place; NaN is a slip of the pen.
    if (Number.isNaN(value)) reader.fault(field, 'is not a number');
    return value;
  }
  if (Array.isArray(value)) return value.map((item, i) => readArgument(reader, item, `${field}[${i}]`));
  const raw = value as Record<string, unknown>;
  if (typeof raw.call === 'string') {
    reader.object(raw, field, ['call', 'args', 'path']);
    return readCall(reader, raw, field);
  }
  return Object.fromEntries(
    Object.entries(raw).map(([name, inner]) => [name, readArgument(reader, inner, `${field}.${name}`)]),
  );
}

function checkWhole(reader: Reader, question: Question, known: Known): void {
  const { kind, options } = question;
  if (!/^q\d\d$|^[a-z]+(?:-[a-z0-9]+)+$/.test(question.id)) {
    reader.fault('id', 'is neither q01…q99 nor lesson-word in small letters');
  }
  const right = options.filter((o) => o.correct).length;
  const wrong = options.length - right;
  if (kind === 'expert') {
    if (options.length > 0) reader.fault('options', 'an expert question has none');
    if (question.wrong.length === 0) reader.fault('wrong', 'has no common wrong answer');
  } else if (wrong < 2) {
    reader.fault('options', 'fewer than two wrong options');
  }
  if (['choice', 'number', 'order', 'diagnose'].includes(kind) && right !== 1) {
    reader.fault('options', `${right} right options, there must be one`);
  }
  if (kind === 'diagnose') checkDiagnosis(reader, question);
  else if (question.digits !== undefined) reader.fault('digits', 'belong to diagnose questions only');
  if (kind === 'multi' && right < 2) reader.fault('options', 'fewer than two right options: make it a choice');
  if (kind !== 'number' && question.unit !== undefined) reader.fault('unit', 'belongs to number questions only');
  const texts = options.map((o) => o.text);
  if (new Set(texts).size < texts.length) reader.fault('options', 'two options read the same');
  if (kind === 'number') checkValues(reader, options);
  if (kind === 'order') checkOrders(reader, question);
  else if (question.items.length > 0) reader.fault('items', 'belong to order questions only');
  checkKey(reader, question);

  if (question.lab === undefined && question.sources.length === 0) {
    reader.fault('lab', 'neither a lab nor a source settles this question');
  }
  if (question.labState !== undefined && question.lab === undefined) reader.fault('labState', 'has no lab');
  checkKnown(reader, 'lesson', [question.lesson], known.lessons);
  checkKnown(reader, 'lab', question.lab === undefined ? [] : [question.lab], known.labs);
  checkKnown(
    reader,
    'sources',
    question.sources.map((s) => s.id),
    known.sources,
  );
}

/** What a learner types must belong to one option at most. */
function checkValues(reader: Reader, options: Option[]): void {
  options.forEach((a, i) => {
    for (const b of options.slice(i + 1)) {
      if (Math.abs((a.value ?? 0) - (b.value ?? 0)) <= (a.tolerance ?? 0) + (b.tolerance ?? 0)) {
        reader.fault(`options[${i}].value`, `overlaps with ${b.text}`);
      }
    }
  });
}

/** An order names every item once, and the list does not begin in the right one. */
function checkOrders(reader: Reader, { items, options }: Question): void {
  if (items.length < 3) reader.fault('items', 'fewer than three');
  if (new Set(items).size < items.length) reader.fault('items', 'two items read the same');
  const natural = items.map((_, place) => place).join();
  options.forEach(({ order = [], correct }, i) => {
    if (order.toSorted((a, b) => a - b).join() !== natural)
      reader.fault(`options[${i}].order`, `does not name each of ${items.length} items once`);
    if (correct && order.join() === natural) reader.fault('items', 'stand in the right order from the beginning');
    if (options.slice(i + 1).some((other) => other.order?.join() === order.join()))
      reader.fault(`options[${i}].order`, 'is that of another option');
  });
}

function checkDiagnosis(reader: Reader, { options, digits = 0 }: Question): void {
  if (options.length < 4) reader.fault('options', 'fewer than four steps');
  if (!Number.isInteger(digits) || digits < 0 || digits > 6) reader.fault('digits', 'is not a whole number from 0 to 6');
}

/** The key is right when the right options, and only they, give the number that the question's own formula gives. */
function checkKey(reader: Reader, { kind, options, probes }: Question): void {
  if (options.every((o) => o.probes.length === 0)) return;
  const [key] = probes;
  if (!key) {
    reader.fault('probe', 'is missing: its first entry is the key that proves which options are right');
    return;
  }
  options.forEach((option, i) => {
    // A right option without a probe of its own is what the key computes.
    const [own = option.correct && kind !== 'multi' ? key : undefined] = option.probes;
    if (!own) {
      reader.fault(`options[${i}].probe`, 'is missing: the other options have one');
      return;
    }
    const agrees = Math.abs(own.expect - key.expect) <= own.tolerance + key.tolerance;
    if (agrees !== option.correct) {
      reader.fault(
        `options[${i}].correct`,
        `is ${option.correct}, but its number ${own.expect} ${agrees ? 'is' : 'is not'} the key ${key.expect}`,
      );
    }
    if (option.value !== undefined && Math.abs(option.value - own.expect) > (option.tolerance ?? 0)) {
      reader.fault(`options[${i}].value`, `${option.value} is not what its probe gives, ${own.expect}`);
    }
  });
}

function checkKnown(reader: Reader, field: string, names: string[], known: Iterable<string> | undefined): void {
  if (known === undefined) return;
  const list = new Set(known);
  for (const name of names) if (!list.has(name)) reader.fault(field, `there is no ${name}`);
}
