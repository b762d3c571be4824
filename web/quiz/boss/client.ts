import type { Core } from '../../core/core.ts';
import { loadCore } from '../../core/load.ts';
import { LEAD_MS, play, stop, tones } from '../../labs/kit/sound.ts';
import { fill } from '../../site/strings.ts';
import { judgeNumber, judgePicks, type Words } from '../judge.ts';
import { renderQuestion } from '../render.ts';
import { say, show, showReasons } from '../shown.ts';
import type { CardData } from '../types.ts';
import { makeProblem } from './problems.ts';
import { bossStrings } from './render.ts';
import {
  after,
  ASKED,
  asked,
  fresh,
  FULL,
  GONE,
  readSeed,
  restore,
  rightOf,
  save,
  seedInHash,
  thickness,
  wrongOf,
  type Game,
  type Move,
} from './state.ts';

const STORED = 'attn.boss';
/** Seeds that nobody chose are short, so that they can be told to somebody. */
const SEEDS = 10_000;
const VOLUME = 0.5;

const anySeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0]! % SEEDS;

/** Brings the wall to life. Call it once. */
export function hydrateBoss(root: HTMLElement): void {
  const need = <T extends HTMLElement = HTMLElement>(selector: string): T => {
    const found = root.querySelector<T>(selector);
    if (!found) throw new Error(`the wall has no ${selector}`);
    return found;
  };
  const strings = bossStrings(JSON.parse(document.getElementById('strings')?.textContent ?? '{}'));
  const words: Words = (key, slots) => {
    const template = strings[key];
    if (template === undefined) throw new Error(`no string ${key}`);
    return fill(template, slots);
  };
  const { labs } = JSON.parse(need('.boss-data').textContent ?? '{}') as { labs: Record<string, string> };

  const stage = need('.boss-question');
  const note = need('.boss-note');
  const seedField = need<HTMLInputElement>('#boss-seed');
  const seedSaid = need('.boss-seed-said');
  const soundSaid = need('.boss-sound-said');
  const soundButton = need<HTMLButtonElement>('[data-move="sound"]');
  const nextButton = need<HTMLButtonElement>('[data-move="next"]');
  const courses = [...root.querySelectorAll('.boss-course')];

  let core: Core | undefined;
  let game: Game = fresh();
  let seed = anySeed();
  let abyss = 'ready';
  let sounds = false;
  let soundTimer: ReturnType<typeof setTimeout> | undefined;

  /** False when this browser keeps nothing. */
  const keep = (): boolean => {
    try {
      sessionStorage.setItem(STORED, save({ seed, game }));
      return true;
    } catch {
      return false;
    }
  };
  const kept = () => {
    try {
      return restore(sessionStorage.getItem(STORED));
    } catch {
      return undefined;
    }
  };

  const draw = (): void => {
    const k = thickness(game);
    const slots = { k, right: rightOf(game), wrong: wrongOf(game) };
    need('.boss-state').textContent = words(game.phase === 'ready' ? 'boss.state.start' : 'boss.state', slots);
    need('.boss-abyss').textContent = words('boss.abyss', { line: words(`boss.abyss.${abyss}`) });
    need('.boss-wall').dataset.thickness = String(k);
    courses.forEach((course, i) => course.classList.toggle('is-there', i < k));
    for (const part of root.querySelectorAll<HTMLElement>('[data-show]'))
      part.hidden = !part.dataset.show!.split(' ').includes(game.phase);
    nextButton.hidden = game.phase !== 'answered';
    nextButton.textContent = words(game.answers.at(-1) ? 'boss.next' : 'boss.next.other');
    need('.boss-retreated').textContent = words('boss.retreated.text', { k });
    need('.boss-kept').textContent = words(keep() ? 'boss.kept' : 'boss.not-kept');
    need('.boss-seed-now').textContent = words('boss.seed.now', { seed });
    const log = need('.boss-log');
    log.hidden = game.answers.length === 0;
    log.querySelector('ol')!.replaceChildren(
      ...game.answers.map((right, i) => {
        const item = document.createElement('li');
        const left = thickness({ answers: game.answers.slice(0, i + 1) });
        item.textContent = words(right ? 'boss.log.right' : 'boss.log.wrong', { n: i + 1, k: left });
        return item;
      }),
    );
  };

  /** One knock a brick: the thicker the wall, the lower; light steps up where it is gone. */
  const knock = (k: number): boolean =>
    play(k === GONE ? tones([0.4, 0.7, 1]) : tones(Array<number>(k).fill(1 - k / FULL)), VOLUME);
  const hush = (): void => {
    clearTimeout(soundTimer);
    stop();
  };
  const sound = (): void => {
    hush();
    if (sounds) soundTimer = setTimeout(() => knock(thickness(game)), LEAD_MS);
  };

  /** Puts the question of this place on the stage, and the focus on its heading. */
  const ask = (): void => {
    const asks = ASKED[game.question]!;
    const problem = makeProblem(asks, { core: core!, seed, place: asked(game), words });
    const number = game.answers.length + 1;
    stage.innerHTML = renderQuestion(problem, {
      number,
      strings,
      level: 4,
      labHref: (lab, state) => labs[lab] && `${labs[lab]}?${state ?? ''}`,
    });
    const part = <T extends HTMLElement = HTMLElement>(selector: string): T => stage.querySelector<T>(selector)!;
    part('.q-action').hidden = false;
    // What would give the answer away comes with the verdict.
    part('.q-answer').hidden = true;
    part('.q-run').hidden = true;
    const data = JSON.parse(part('.q-data').textContent!) as CardData;
    const inputs = [...stage.querySelectorAll<HTMLInputElement>('.q-form input')];
    const said = part('.q-verdict');
    let tries = 0;
    part('.q-form').addEventListener('submit', (event) => {
      event.preventDefault();
      tries += 1;
      const again = tries > 1 ? words('quiz.again', { k: tries }) : '';
      if (game.phase !== 'asking') {
        say(said, again + words('boss.done', { n: number }));
        return;
      }
      const picks = inputs.flatMap((input, place) => (input.checked ? [place] : []));
      const verdict =
        data.kind === 'number' ? judgeNumber(data, inputs[0]!.value, words) : judgePicks(data, picks, words);
      if (verdict.state === 'none') {
        say(said, again + verdict.said, verdict.state);
        return;
      }
      const right = verdict.state === 'right';
      game = after(game, { type: 'answer', right });
      const end = game.phase === 'won' ? 'gone' : game.phase === 'lost' ? 'full' : right ? 'thinner' : 'thicker';
      abyss = game.phase === 'won' || game.phase === 'lost' ? game.phase : `${verdict.state}.${asks}`;
      part('.q-answer').hidden = false;
      part('.q-run').hidden = false;
      showReasons(part('.q-reasons'), data.kind, verdict);
      draw();
      const voice = words('boss.abyss', { line: words(`boss.abyss.${abyss}`) });
      say(said, again + verdict.said + words(`boss.${end}`, { k: thickness(game) }) + voice, verdict.state);
      sound();
    });
    const title = part('.q-title');
    title.tabIndex = -1;
    title.focus();
  };

  const move = (made: Move): void => {
    const before = game;
    game = after(game, made);
    if (game !== before) draw();
  };

  /** A move that leads to a question first needs the core. */
  const toQuestion = async (made: Move): Promise<void> => {
    try {
      if (!core) show(note, words('boss.loading'));
      core ??= await loadCore();
      note.hidden = true;
    } catch (error) {
      console.warn(error);
      say(note, words('boss.load-failed'));
      return;
    }
    move(made);
    // A verdict that was not seen on this page is not there to return to.
    if (game.phase === 'answered' && stage.childElementCount === 0) move({ type: 'next' });
    if (made.type === 'return' && stage.childElementCount > 0) {
      stage.querySelector<HTMLElement>('.q-title')!.focus();
      return;
    }
    ask();
  };

  /** Another game, which nobody has to be told of yet. */
  const begin = (chosen: number, state: Game = fresh()): void => {
    hush();
    seed = chosen;
    game = state.phase === 'asking' || state.phase === 'answered' ? after(state, { type: 'retreat' }) : state;
    abyss = game.phase;
    stage.replaceChildren();
    draw();
  };

  const press: Record<string, () => void> = {
    start: () => void toQuestion({ type: 'start' }),
    next: () => void toQuestion({ type: 'next' }),
    return: () => void toQuestion({ type: 'return' }),
    again() {
      seed = anySeed();
      abyss = 'ready';
      if (seedInHash(location.hash) !== undefined) history.replaceState(null, '', `#seed=${seed}`);
      void toQuestion({ type: 'again' });
    },
    retreat() {
      hush();
      abyss = 'retreated';
      move({ type: 'retreat' });
      need('[data-show="retreated"] h4').focus();
    },
    sound() {
      sounds = !sounds;
      soundButton.textContent = words(sounds ? 'boss.sound.off' : 'boss.sound.on');
      if (sounds && typeof AudioContext === 'undefined') say(soundSaid, words('boss.sound.none'));
      else say(soundSaid, words(sounds ? 'boss.sound.opened' : 'boss.sound.closed'));
      sound();
    },
  };
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-move]'))
    button.addEventListener('click', press[button.dataset.move!]!);
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hush();
  });

  const refuse = (text: string, tell: typeof say): void =>
    tell(seedSaid, words(text.trim() === '' ? 'boss.seed.empty' : 'boss.seed.bad', { text: text.slice(0, 20) }));
  need<HTMLFormElement>('.boss-seed').addEventListener('submit', (event) => {
    event.preventDefault();
    const chosen = readSeed(seedField.value);
    if (chosen === undefined) {
      refuse(seedField.value, say);
      return;
    }
    history.replaceState(null, '', `#seed=${chosen}`);
    begin(chosen);
    say(seedSaid, words('boss.seed.set', { seed: chosen }));
  });
  const fromAddress = (tell: typeof say): void => {
    const text = seedInHash(location.hash);
    const chosen = text === undefined ? undefined : readSeed(text);
    if (text !== undefined && chosen === undefined) refuse(text, tell);
    const put = kept();
    if (chosen !== undefined && chosen !== put?.seed) {
      begin(chosen);
      if (tell === say) say(seedSaid, words('boss.seed.set', { seed: chosen }));
    } else if (put) begin(put.seed, put.game);
    else begin(chosen ?? seed);
  };
  window.addEventListener('hashchange', () => {
    if (seedInHash(location.hash) !== undefined) fromAddress(say);
  });

  // At load nothing is announced.
  fromAddress(show);
  need('.boss-static').hidden = true;
  need('.boss-live').hidden = false;
}
