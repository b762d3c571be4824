import type { Core } from '../../core/core.ts';
import { CoreError } from '../../core/errors.ts';
import type { CoreWorker } from '../../core/client.ts';
import { didNotLoad, loadCoreWith, startWorker } from '../../core/load.ts';
import { announce } from '../../site/announce.ts';
import { copyText, download, offerText } from './copy.ts';
import { csv } from './csv.ts';
import { fixed, percent, place, plain } from './format.ts';
import { History, STEP_MS } from './history.ts';
import { imageFromFile, pastedImage } from './image-file.ts';
import { imageText } from './image-text.ts';
import { LongWork } from './long-work.ts';
import { recall, recallHere, remember, rememberHere } from './memory.ts';
import { pasteText } from './paste-text.ts';
import { patch } from './patch.ts';
import { readGuess, reconcile } from './predict.ts';
import { defaults, inputNamed, itemIndex, moved, paste, read, reshape, setRow, setSlider, stepped, tokensSoFar } from './raw.ts';
import { imageNote, problemText, renderInputs } from './render-inputs.ts';
import { labNamed } from './registry.ts';
import { allTables, cellText, headerText, renderTables, renderTrust, renderView, tableName } from './render-result.ts';
import { renderSound, renderTools, volumeText } from './render-tools.ts';
import { isPlaying, LEAD_MS, play, stop, tones } from './sound.ts';
import { phrase, ui, word } from './template.ts';
import { trustLines } from './trust.ts';
import type { FieldProblem, Heavy, Lab, Problem, Raw, Strings, Table, Values, View, Words } from './types.ts';
import { decodeState, encodeState, isRefused, tooLong } from './url-state.ts';
import { extreme, nextMasked, pageAt, type Corner } from './window.ts';

/** How long the hands rest before one sentence is said. */
const REST_MS = 500;
/** Work that takes longer than this is worth a word of its own. */
const LONG_MS = 1000;

let strings: Strings | null = null;
let saidReady = false;
/** A failed load is one failure, however many labs wait for it. */
let logged: unknown;
let worker: CoreWorker | undefined;

/** One worker for all labs of the page, started by the first that needs it. */
const sharedWorker = (): CoreWorker => (worker ??= startWorker());

function pageStrings(): Strings {
  strings ??= JSON.parse(document.getElementById('strings')?.textContent ?? '{}') as Strings;
  return strings;
}

interface Shown {
  values: Values;
  result: unknown;
  view: View;
}

const same = (a: Raw, b: Raw): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The lab that sounds now, or is about to. */
let sounding: LabController | null = null;

/** Brings the static HTML of one lab to life; the HTML stays what it was wherever nothing changes. */
class LabController {
  private readonly initial: Raw;
  private readonly history = new History();
  private readonly strings = pageStrings();
  private readonly wired = new WeakSet<Element>();
  private readonly work = new LongWork(sharedWorker);
  private raw: Raw;
  private hash = location.hash;
  private core: Core | null = null;
  /** Why there will be no core. */
  private dead: string | null = null;
  /** What the learner asked for before the core was there. */
  private wish: (() => void) | null = null;
  private shown: Shown | null = null;
  /** What was shown until the last change. */
  private earlier: Shown | null = null;
  private changedAt = -Infinity;
  private problems: FieldProblem[] = [];
  /** Why fields that read well were not computed. */
  private failure: string | null = null;
  private pasteProblem: { field: string; text: string } | undefined;
  private corners: Record<string, Corner> = {};
  /** Where the last jump to a hidden cell of each table went. */
  private lastMasked: Record<string, Corner> = {};
  private chosenTable = '';
  private volume = 5;
  private revealed: boolean;
  private guess: string | null = null;
  private lastSaid = '';
  private isReady = false;
  /** A sentence that waits for the work under way. */
  private owesResult = false;
  private saidWorking = false;
  private workTimer: ReturnType<typeof setTimeout> | undefined;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private soundTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: HTMLElement,
    private readonly lab: Lab,
    private readonly words: Words,
  ) {
    this.initial = reshape(lab, defaults(lab, words));
    const linked = this.linked(this.hash);
    const remembered = linked ? recallHere(lab, host.id) : recall(lab, host.id);
    this.raw = reshape(lab, { ...this.initial, ...(remembered?.raw ?? linked) });
    this.revealed = linked !== null || remembered?.revealed === true;
    rememberHere(host.id, { raw: this.raw, revealed: this.revealed });
    this.listen();
    this.markProblems();
    this.renderForm();
    this.part('waiting').textContent = ui(this.strings, 'lab.waiting');
    this.showOrHide();
    if (linked || this.hash === `#${host.id}`) this.goHere();
    window.addEventListener('hashchange', () => this.followLink());
    this.part('status').textContent = ui(this.strings, 'lab.loading');
    loadCoreWith(lab.module).then(
      (core) => this.ready(core),
      (error: unknown) => this.cannotRun(error),
    );
  }

  private goHere(): void {
    const heading = this.host.querySelector<HTMLElement>(`#${CSS.escape(`${this.host.id}-title`)}`)!;
    heading.focus();
    heading.scrollIntoView();
  }

  private linked(hash: string): Raw | null {
    return decodeState(this.lab, this.host.id, hash);
  }

  /** A link to this lab or to a state of it, followed on this page, and the way back. */
  private followLink(): void {
    const { id } = this.host;
    const cameFrom = this.linked(this.hash);
    this.hash = location.hash;
    const linked = this.linked(this.hash);
    const before = recallHere(this.lab, id);
    if (isRefused(id, this.hash)) {
      this.part('status').textContent = ui(this.strings, 'lab.link-refused');
      announce(ui(this.strings, 'lab.link-refused'));
    }
    if (!before) {
      if (linked || this.hash === `#${id}`) this.goHere();
      if (linked) this.replace({ ...this.initial, ...linked }, ui(this.strings, 'lab.linked'));
      else rememberHere(id, { raw: this.raw, revealed: this.revealed });
    } else if (linked || cameFrom) {
      const raw = reshape(this.lab, { ...this.initial, ...before.raw });
      if (!same(raw, this.raw)) this.replace(raw, ui(this.strings, 'lab.restored'));
    }
  }

  private part(name: string): HTMLElement {
    return this.host.querySelector<HTMLElement>(`[data-part="${name}"]`)!;
  }

  private title(): string {
    return word(this.words, 'title');
  }

  private ready(core: Core): void {
    this.core = core;
    this.compute();
    if (this.problems.length > 0) this.renderForm();
    if (!this.work.isBusy) this.becomeReady();
  }

  /** With its first result, which may have taken a while. */
  private becomeReady(): void {
    if (this.isReady) return;
    this.isReady = true;
    const refused = isRefused(this.host.id, this.hash) ? ui(this.strings, 'lab.link-refused') : '';
    const complaint = this.problems.length > 0 ? this.outcome()! : '';
    this.part('status').textContent = ui(this.strings, 'lab.ready') + refused;
    const text = (saidReady ? '' : ui(this.strings, 'lab.ready')) + refused + complaint;
    if (text !== '') announce(text);
    saidReady = true;
    if (this.guess !== null) this.showReconciliation();
    const { wish } = this;
    this.wish = null;
    wish?.();
  }

  /** Without the core the static table stays, and a sentence says so. */
  private cannotRun(error: unknown): void {
    if (error !== logged) console.error(error);
    logged = error;
    const known = error instanceof CoreError && error.code !== 'internal' ? error.code : 'unavailable';
    const text = ui(this.strings, `error.${didNotLoad(error) ? 'not-loaded' : known}`);
    this.dead = text;
    this.wish = null;
    this.lastSaid = text;
    this.revealed = true;
    this.showOrHide();
    this.markProblems();
    this.renderForm();
    this.part('status').textContent = text;
    if (!saidReady) announce(text);
    saidReady = true;
  }

  private listen(): void {
    this.host.addEventListener('input', (event) => this.onInput(event.target as HTMLElement));
    this.part('inputs').addEventListener('submit', (event) => {
      event.preventDefault();
      this.compute();
      this.renderForm();
      this.reveal();
      this.sayResult(true);
    });
    this.part('predict').addEventListener('submit', (event) => {
      event.preventDefault();
      this.onGuess();
    });
    this.part('inputs').addEventListener('change', (event) => {
      const { image } = (event.target as HTMLElement).dataset;
      const file = (event.target as HTMLInputElement).files?.[0];
      if (image !== undefined && file) void this.onImage(image, file);
      if (this.markProblems()) this.renderForm();
    });
    this.part('inputs').addEventListener('paste', (event) => {
      const { image } = (event.target as HTMLElement).dataset;
      if (image === undefined) return;
      event.preventDefault();
      void this.onImage(image, pastedImage(event.clipboardData));
    });
    new ResizeObserver(() => this.markScrollers()).observe(this.host);
  }

  /** A click listener on each button itself: one on a container makes its whole text "clickable". */
  private wire(): void {
    for (const button of this.host.querySelectorAll<HTMLButtonElement>('button[data-do]')) {
      if (this.wired.has(button)) continue;
      this.wired.add(button);
      button.addEventListener('click', () => this.onAction(button));
    }
  }

  private onInput(target: HTMLElement): void {
    const { part, field, row, window: tableId, axis } = target.dataset;
    const value = (target as HTMLInputElement).value;
    if (tableId !== undefined) {
      this.corners[tableId] = { ...(this.corners[tableId] ?? { row: 0, col: 0 }), [axis!]: Number(value) };
      this.renderNumbers();
    } else if (target.dataset.tables !== undefined) this.chosenTable = value;
    else if (target.dataset.volume !== undefined) {
      this.volume = Number(value);
      target.setAttribute('aria-valuetext', volumeText(this.volume, this.strings));
    } else if (field !== undefined) this.change(this.changed(part!, field, value, Number(row)));
  }

  private changed(part: string, field: string, value: string, row: number): Raw {
    if (part === 'range') {
      const input = inputNamed(this.lab, field, 'slider');
      return setSlider(this.lab, this.raw, input, plain(input.stops[Number(value)]!));
    }
    if (part === 'box') return setSlider(this.lab, this.raw, inputNamed(this.lab, field, 'slider'), value);
    return part === 'row' ? setRow(this.raw, field, row, value) : { ...this.raw, [field]: value };
  }

  /** A change by hand: the result follows at once, a complaint only when the hand rests. */
  private change(next: Raw): void {
    const shaped = reshape(this.lab, next);
    if (same(shaped, this.raw)) {
      this.atRest(() => this.sayResult(true));
      return;
    }
    this.history.record(this.raw, performance.now());
    this.raw = shaped;
    if ('values' in read(this.lab, this.raw)) this.compute();
    this.renderForm();
    this.reveal();
    this.atRest(() => {
      if (this.markProblems()) this.renderForm();
      this.sayResult(false);
    });
  }

  /** A change by a button: one step of undo, one sentence about what was done. */
  private replace(next: Raw, done: string, undoing = false): void {
    const shaped = reshape(this.lab, next);
    if (!undoing && !same(shaped, this.raw)) this.history.record(this.raw, performance.now(), true);
    this.raw = shaped;
    this.pasteProblem = undefined;
    this.compute();
    this.renderForm(false);
    this.reveal();
    this.atRest(() => {
      if (this.work.isBusy) {
        this.owesResult = true;
        announce(done);
        return;
      }
      const outcome = this.outcome();
      announce(outcome === null ? done : done + outcome);
      this.lastSaid = outcome ?? this.lastSaid;
    });
  }

  private atRest(then: () => void): void {
    clearTimeout(this.resting);
    this.resting = setTimeout(then, REST_MS);
  }

  /** Reads the fields again; true when what has to be said at them is different now. */
  private markProblems(): boolean {
    const reading = read(this.lab, this.raw);
    const problems = 'problems' in reading ? reading.problems : [];
    const before = JSON.stringify(this.problems);
    this.problems = problems;
    if (problems.length > 0) this.showStale(ui(this.strings, this.shown ? 'lab.stale' : 'lab.stale-default'));
    else if (this.failure === null) this.showStale(this.core ? null : this.withoutCore());
    return JSON.stringify(problems) !== before;
  }

  /** What is true of the built-in result while there is no other. */
  private withoutCore(): string | null {
    if (same(this.raw, this.initial)) return null;
    return ui(this.strings, this.dead === null ? 'lab.loading-default' : 'lab.default');
  }

  private showStale(text: string | null): void {
    const stale = this.part('stale');
    stale.hidden = text === null;
    stale.textContent = text ?? '';
  }

  /** From the fields to the page; the last good result stays when it cannot be done. */
  private compute(): void {
    this.failure = null;
    this.markProblems();
    const { core, lab } = this;
    if (!core) return;
    const reading = read(lab, this.raw);
    if ('values' in reading && lab.heavy?.isLong(reading.values)) {
      void this.computeLong(core, lab.heavy, reading.values);
      return;
    }
    if (this.work.cancel()) this.endWork(ui(this.strings, 'lab.work-idle'));
    if ('values' in reading) this.showResult(reading.values, () => lab.run(core, reading.values));
  }

  private showResult(values: Values, run: () => unknown): void {
    try {
      const result = run();
      this.noteEarlier(values);
      this.shown = { values, result, view: this.lab.view(values, result, this.words, this.earlier ?? undefined) };
      this.renderNumbers();
    } catch (error) {
      this.showFailure(error);
    }
  }

  /** Changes that follow each other quickly are one change, as for undo. */
  private noteEarlier(values: Values): void {
    if (!this.shown || JSON.stringify(values) === JSON.stringify(this.shown.values)) return;
    const now = performance.now();
    if (now - this.changedAt > STEP_MS) this.earlier = this.shown;
    this.changedAt = now;
  }

  private showFailure(error: unknown): void {
    console.error(error);
    const code = error instanceof CoreError ? error.code : 'internal';
    this.failure = ui(this.strings, `error.${code}`);
    this.showStale(this.failure + ui(this.strings, this.shown ? 'lab.earlier' : 'lab.default'));
  }

  /** The page stays free meanwhile; what is shown says that it is the result before. */
  private async computeLong(core: Core, heavy: Heavy<any, any>, values: Values): Promise<void> {
    const begun = performance.now();
    this.host.dataset.busy = 'true';
    this.showProgress(0);
    clearTimeout(this.workTimer);
    this.workTimer = setTimeout(() => this.sayWorking(), LONG_MS);
    try {
      const answers = await this.work.answers(core, heavy.calls(values), (done) => this.showProgress(done));
      if (answers === null) return;
      this.showResult(values, () => heavy.finish(core, values, answers));
    } catch (error) {
      this.showFailure(error);
    }
    const seconds = fixed((performance.now() - begun) / 1000, 1);
    const ownAccord = !this.isReady;
    const done = ownAccord || this.failure !== null ? ui(this.strings, 'lab.work-idle') : ui(this.strings, 'lab.worked', { seconds });
    const { saidWorking, owesResult } = this;
    this.endWork(done);
    if (saidWorking) {
      this.lastSaid = this.outcome() ?? this.lastSaid;
      announce((this.failure === null ? done : '') + (this.outcome() ?? ''));
    } else if (owesResult) this.sayResult(true);
  }

  private sayWorking(): void {
    if (!this.isReady || this.saidWorking) return;
    this.saidWorking = true;
    announce(ui(this.strings, 'lab.working-now'));
  }

  private showProgress(done: number): void {
    const key = this.shown ? 'lab.working-earlier' : 'lab.working';
    this.part('work-text').textContent = ui(this.strings, key, { done: percent(done) });
    this.part('work').style.setProperty('--done', String(done));
  }

  private endWork(text: string): void {
    clearTimeout(this.workTimer);
    this.saidWorking = false;
    this.owesResult = false;
    delete this.host.dataset.busy;
    this.part('work').style.setProperty('--done', '0');
    this.part('work-text').textContent = text;
    this.becomeReady();
  }

  private stopWork(): void {
    const stopped = this.work.cancel();
    const text = ui(this.strings, stopped ? 'lab.cancelled' : 'lab.nothing-to-cancel');
    if (stopped) {
      this.endWork(text);
      // Until the next run the fields and the result below do not belong together.
      this.failure = text;
      this.showStale(text);
    }
    announce(text);
  }

  private inputContext() {
    const { lab, words, strings: texts, raw, problems, pasteProblem } = this;
    return { lab, id: this.host.id, words, strings: texts, raw, problems, pasteProblem, disabled: false };
  }

  private renderForm(byHand = true): void {
    this.patchPart('inputs', renderInputs(this.inputContext()), byHand);
    this.wire();
  }

  private renderNumbers(): void {
    if (!this.shown || !this.core) return;
    const { values, result, view } = this.shown;
    const context = { id: this.host.id, words: this.words, strings: this.strings, corners: this.corners, level: Number(this.host.dataset.level), live: true };
    this.patchPart('view', renderView(context, view));
    this.patchPart('tables', renderTables(context, view));
    this.patchPart('trust', renderTrust(context, trustLines(this.lab, this.core, values, result), this.title()));
    this.patchPart('sound', renderSound(this.host.id, view, this.words, this.strings, this.volume));
    if (this.part('tools').childElementCount === 0) {
      this.chosenTable = view.tables[0]!.id;
      this.part('tools').innerHTML = renderTools(this.host.id, view, this.words, this.strings, this.chosenTable);
    }
    this.wire();
    this.markScrollers();
  }

  private patchPart(name: string, html: string, byHand = true): void {
    const old = this.part(name);
    const next = old.cloneNode(false) as HTMLElement;
    next.innerHTML = html;
    patch(old, next, byHand);
  }

  /** A table that is wider than its place can be scrolled by keyboard. */
  private markScrollers(): void {
    for (const box of this.host.querySelectorAll('.lab-scroll')) {
      const caption = box.querySelector('caption')!;
      const attributes = { tabindex: '0', role: 'group', 'aria-labelledby': caption.id };
      for (const [name, value] of Object.entries(attributes)) {
        if (box.scrollWidth > box.clientWidth) box.setAttribute(name, value);
        else box.removeAttribute(name);
      }
    }
  }

  private reveal(): void {
    const first = !this.revealed;
    this.revealed = true;
    this.showOrHide();
    this.save();
    if (first) this.markScrollers();
  }

  /** The question is about the default input, so it steps back when the input is another one. */
  private showOrHide(): void {
    const asked = same(this.raw, this.initial);
    this.part('predict').hidden = !asked || this.dead !== null;
    this.part('work').hidden = !this.lab.heavy || !this.revealed || this.dead !== null;
    if (!asked) this.part('reconcile').hidden = true;
    for (const name of ['view', 'sound', 'more']) this.part(name).hidden = !this.revealed;
    this.part('waiting').hidden = this.revealed;
  }

  private save(): void {
    remember(this.host.id, { raw: this.raw, revealed: this.revealed });
  }

  /** The first complaint, or else what the result has to say. */
  private outcome(): string | null {
    const problem = this.problems[0];
    if (problem) return problemText(problem, this.words, this.strings);
    if (this.failure !== null) return this.failure;
    if (!this.core) return this.dead ?? ui(this.strings, 'lab.loading');
    const say = this.shown?.view.say;
    return say ? phrase(this.words, say) : null;
  }

  private sayResult(always: boolean): void {
    clearTimeout(this.resting);
    if (!this.core && this.dead === null) this.wish ??= () => this.sayResult(true);
    if (this.work.isBusy && this.problems.length === 0) {
      this.owesResult = true;
      return;
    }
    const text = this.outcome();
    if (text === null || (!always && text === this.lastSaid)) return;
    this.lastSaid = text;
    announce(text);
  }

  private onGuess(): void {
    const form = this.part('predict') as HTMLFormElement;
    const answer = new FormData(form).get(`${this.host.id}-guess`);
    const read = readGuess(this.lab, typeof answer === 'string' ? answer : null);
    if (!read.ok) {
      this.showGuess(ui(this.strings, `error.${read.problem.code}`, read.problem.slots));
      return;
    }
    this.guess = read.guess;
    this.reveal();
    if (this.core) this.showReconciliation();
    else announce(ui(this.strings, 'lab.loading'));
  }

  private showReconciliation(): void {
    if (!this.shown || this.guess === null) return;
    this.showGuess(reconcile(this.lab, this.guess, this.shown.values, this.shown.result, this.words));
  }

  private showGuess(text: string): void {
    const answer = this.part('reconcile');
    answer.hidden = false;
    answer.textContent = text;
    announce(text);
  }

  private onAction(button: HTMLButtonElement): void {
    const { field = '', value = '' } = button.dataset;
    switch (button.dataset.do) {
      case 'skip':
        this.reveal();
        this.showGuess(ui(this.strings, 'lab.skipped'));
        break;
      case 'set':
        this.change(setSlider(this.lab, this.raw, inputNamed(this.lab, field, 'slider'), value));
        break;
      case 'preset': {
        const preset = this.lab.presets.find(({ id }) => id === value)!;
        if (!this.core) {
          if (this.dead === null) this.wish = () => this.onAction(button);
          announce(this.dead ?? ui(this.strings, 'lab.loading'));
          break;
        }
        const name = word(this.words, `presets.${value}`);
        this.replace({ ...this.initial, ...preset.raw(this.core, this.words) }, ui(this.strings, 'lab.preset-done', { name }));
        break;
      }
      case 'paste': this.onPaste(field); break;
      case 'step': {
        const next = stepped(this.lab, this.raw, field, Number(value));
        if (next) this.change(next);
        else announce(ui(this.strings, Number(value) > 0 ? 'lab.step-last' : 'lab.step-first'));
        break;
      }
      case 'move': {
        const next = moved(this.lab, this.raw, field, Number(value));
        const { of, pick } = inputNamed(this.lab, field, 'order');
        const token = tokensSoFar(this.lab, this.raw, of)[itemIndex(this.lab, this.raw, pick)]!;
        if (next) this.change(next);
        else announce(ui(this.strings, Number(value) > 0 ? 'lab.move-last' : 'lab.move-first', { token }));
        break;
      }
      case 'undo': {
        const before = this.history.undo();
        if (before) this.replace(before, ui(this.strings, 'lab.undone'), true);
        else announce(ui(this.strings, 'lab.nothing-to-undo'));
        break;
      }
      case 'reset':
        this.replace(this.initial, ui(this.strings, 'lab.reset-done'));
        break;
      case 'cancel': this.stopWork(); break;
      case 'sound': this.onSound(); break;
      case 'jump-largest': this.jump('largest'); break;
      case 'jump-smallest': this.jump('smallest'); break;
      case 'jump-masked': this.jumpMasked(); break;
      case 'copy-csv': void this.copy(this.csvOf(this.table())); break;
      case 'download-csv': this.onDownload(); break;
      case 'copy-sentence': void this.copy(this.part('state').textContent ?? ''); break;
      case 'copy-link': this.onCopyLink(); break;
    }
  }

  private onPaste(field: string): void {
    const area = this.host.querySelector<HTMLTextAreaElement>(`#${CSS.escape(`${this.host.id}-${field}-paste`)}`)!;
    const pasted = paste(this.lab, this.raw, field, area.value, this.words);
    if (!pasted.ok) {
      const problem: Problem = pasted.problem;
      const text = ui(this.strings, `error.${problem.code}`, problem.slots);
      this.pasteProblem = { field, text };
      this.renderForm();
      announce(text);
      return;
    }
    this.replace(pasted.raw, pasteText(pasted, this.strings));
  }

  /** A picture that was chosen or pasted; null when there was none to paste. */
  private async onImage(field: string, file: File | null): Promise<void> {
    const { side } = inputNamed(this.lab, field, 'image');
    const image = file && (await imageFromFile(file, side));
    if (image) {
      this.replace({ ...this.raw, [field]: imageText(image) }, imageNote(image, side, this.strings));
      return;
    }
    const text = ui(this.strings, file ? 'error.image-not' : 'error.image-no-paste');
    this.pasteProblem = { field, text };
    this.renderForm();
    announce(text);
  }

  private table(): Table {
    const tables = allTables(this.shown!.view);
    return tables.find(({ id }) => id === this.chosenTable) ?? tables[0]!;
  }

  private csvOf(table: Table): string {
    const text = (header: Table['rows'][number]) => headerText(header, this.words);
    return csv(phrase(this.words, table.corner), table.cols.map(text), table.rows.map(text), table.cells);
  }

  /** The one line under the tools, with nothing left of what was offered before. */
  private showTool(message: string): HTMLElement {
    const line = this.part('tools-text');
    line.textContent = message;
    line.nextElementSibling?.remove();
    return line;
  }

  private async copy(text: string): Promise<void> {
    const done = await copyText(text);
    const message = ui(this.strings, done ? 'lab.copied' : 'lab.copy-by-hand');
    const line = this.showTool(message);
    if (!done) offerText(line, ui(this.strings, 'lab.copy-field'), text);
    announce(message);
  }

  private onCopyLink(): void {
    const hash = encodeState(this.lab, this.host.id, this.raw, this.initial);
    if (!tooLong(hash)) {
      void this.copy(location.href.split('#')[0]! + hash);
      return;
    }
    const message = ui(this.strings, 'lab.link-too-long');
    this.showTool(message);
    announce(message);
  }

  private onDownload(): void {
    const name = `${this.lab.stem}-${this.table().id}.csv`;
    download(name, this.csvOf(this.table()));
    const message = ui(this.strings, 'lab.downloaded', { name });
    this.showTool(message);
    announce(message);
  }

  private jump(which: 'largest' | 'smallest'): void {
    const table = this.table();
    this.goToCell(table, extreme(table.cells, which));
  }

  /** From hidden cell to hidden cell; a table without one says so. */
  private jumpMasked(): void {
    const table = this.table();
    const next = nextMasked(table.masked ?? [], this.lastMasked[table.id] ?? null);
    if (next) {
      this.lastMasked[table.id] = next;
      this.goToCell(table, next);
      return;
    }
    const message = ui(this.strings, 'lab.nothing-masked', { table: tableName(table, this.words) });
    this.showTool(message);
    announce(message);
  }

  /** Moves to the cell itself, so that the reader hears it with its headers and can walk on from there. */
  private goToCell(table: Table, { row, col }: Corner): void {
    this.corners[table.id] = { row, col };
    this.renderNumbers();
    const element = this.host.querySelector<HTMLTableElement>(`#${CSS.escape(`${this.host.id}-${table.id}`)}`)!;
    element.closest('details')?.setAttribute('open', '');
    const rows = pageAt(table.rows.length, row);
    const cols = pageAt(table.cols.length, col);
    const cell = element.tBodies[0]!.rows[row - rows.start]!.cells[col - cols.start + 1]!;
    cell.tabIndex = -1;
    cell.focus();
    cell.addEventListener('blur', () => cell.removeAttribute('tabindex'), { once: true });
    const slots = { table: tableName(table, this.words), row: place(row), col: place(col), value: cellText(table, row, col) };
    this.showTool(ui(this.strings, 'lab.jumped', slots));
  }

  private readonly onEscape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.stopSound(true);
  };

  private get isSounding(): boolean {
    return sounding === this && (isPlaying() || this.soundTimer !== undefined);
  }

  private stopSound(say: boolean): void {
    const active = this.isSounding;
    clearTimeout(this.soundTimer);
    this.soundTimer = undefined;
    document.removeEventListener('keydown', this.onEscape);
    if (active) stop();
    if (active && say) announce(ui(this.strings, 'lab.sound-stopped'));
  }

  /** The message first, then the notes; a second press stops, and so does another lab that sounds. */
  private onSound(): void {
    if (this.isSounding) {
      this.stopSound(true);
      return;
    }
    sounding?.stopSound(false);
    sounding = this;
    const sound = this.shown!.view.sound!;
    const intro = phrase(this.words, sound.intro);
    this.part('sound-text').textContent = intro;
    announce(intro);
    document.addEventListener('keydown', this.onEscape);
    this.soundTimer = setTimeout(() => {
      this.soundTimer = undefined;
      if (play(tones(sound.values, sound.range), this.volume / 10)) return;
      const text = ui(this.strings, 'error.no-sound');
      this.part('sound-text').textContent = text;
      announce(text);
    }, LEAD_MS);
  }
}

class LabElement extends HTMLElement {
  private started = false;

  connectedCallback(): void {
    const lab = labNamed(this.getAttribute('name') ?? '');
    const words = this.querySelector('script.lab-words')?.textContent;
    if (this.started || !lab || !words) return;
    this.started = true;
    new LabController(this, lab, JSON.parse(words) as Words);
  }
}

export function defineLabs(): void {
  if (!customElements.get('attn-lab')) customElements.define('attn-lab', LabElement);
}
