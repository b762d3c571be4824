/** The wall stands this thick at first, and these are the ends of a game. */
export const START = 3;
export const GONE = 0;
export const FULL = 9;

/** The three questions, in the order in which they are asked. */
export const ASKED = ['compute', 'diagnose', 'choose'] as const;
export type Asked = (typeof ASKED)[number];

/**
 * `ready` before the first question, `asking` while one waits for its answer, `answered` when its verdict stands there,
 * `retreated` when the learner has stepped back, `won` and `lost` at the ends.
 */
export type Phase = 'ready' | 'asking' | 'answered' | 'retreated' | 'won' | 'lost';

export interface Game {
  phase: Phase;
  /** Where a retreat returns to. */
  resume: 'asking' | 'answered';
  /** Every answer so far: whether it was right. */
  answers: boolean[];
  /** Place in `ASKED`. */
  question: number;
}

export type Move =
  | { type: 'start' }
  | { type: 'answer'; right: boolean }
  | { type: 'next' }
  | { type: 'retreat' }
  | { type: 'return' }
  | { type: 'again' };

export const fresh = (): Game => ({ phase: 'ready', resume: 'asking', answers: [], question: 0 });

export const rightOf = ({ answers }: Pick<Game, 'answers'>): number => answers.filter(Boolean).length;
export const wrongOf = ({ answers }: Pick<Game, 'answers'>): number => answers.length - rightOf({ answers });

/** 3 + wrong − right, from 0 to 9. */
export function thickness(game: Pick<Game, 'answers'>): number {
  return Math.min(FULL, Math.max(GONE, START + wrongOf(game) - rightOf(game)));
}

/** How many questions stand before the one that is asked: each has numbers of its own. */
export const asked = ({ phase, resume, answers }: Game): number =>
  (phase === 'retreated' ? resume : phase) === 'asking' ? answers.length : Math.max(0, answers.length - 1);

/** The game after a move; a move that has no meaning now changes nothing. */
export function after(game: Game, move: Move): Game {
  switch (move.type) {
    case 'start':
      return game.phase === 'ready' ? { ...game, phase: 'asking' } : game;
    case 'answer': {
      if (game.phase !== 'asking') return game;
      const answers = [...game.answers, move.right];
      const left = thickness({ answers });
      return { ...game, answers, phase: left === GONE ? 'won' : left === FULL ? 'lost' : 'answered' };
    }
    case 'next': {
      if (game.phase !== 'answered') return game;
      // A wrong answer is asked again, with other numbers.
      const step = game.answers.at(-1) ? 1 : 0;
      return { ...game, phase: 'asking', question: (game.question + step) % ASKED.length };
    }
    case 'retreat':
      return game.phase === 'asking' || game.phase === 'answered'
        ? { ...game, phase: 'retreated', resume: game.phase }
        : game;
    case 'return':
      return game.phase === 'retreated' ? { ...game, phase: game.resume } : game;
    case 'again':
      return game.phase === 'won' || game.phase === 'lost' ? { ...fresh(), phase: 'asking' } : game;
  }
}

/** The whole number that a text names, if it can be a seed. */
export function readSeed(text: string): number | undefined {
  const digits = text.normalize('NFKC').trim();
  const seed = /^\d{1,10}$/.test(digits) ? Number(digits) : NaN;
  return seed < 2 ** 32 ? seed : undefined;
}

/** `#seed=7`: the text after the sign, also one that is no number; nothing when the address names no seed. */
export function seedInHash(hash: string): string | undefined {
  const found = /^#seed=(.*)$/.exec(hash)?.[1];
  if (found === undefined) return undefined;
  try {
    return decodeURIComponent(found);
  } catch {
    return found;
  }
}

const version = 1;

export interface Saved {
  seed: number;
  game: Game;
}

export const save = ({ seed, game }: Saved): string => JSON.stringify({ version, seed, ...game });

/**
 * A game that was put away. Its answers are played again, so that nothing can come back that could not have happened;
 * anything else counts as none.
 */
export function restore(text: string | null): Saved | undefined {
  let raw: Record<string, unknown>;
  try {
    raw = JSON.parse(text ?? 'null') as Record<string, unknown>;
  } catch {
    return undefined;
  }
  if (typeof raw !== 'object' || raw === null || raw.version !== version) return undefined;
  const { seed, phase, resume, answers } = raw;
  if (typeof seed !== 'number' || readSeed(String(seed)) !== seed) return undefined;
  if (!Array.isArray(answers) || !answers.every((right) => typeof right === 'boolean')) return undefined;
  let game = after(fresh(), { type: 'start' });
  for (const right of answers) game = after(after(game, { type: 'next' }), { type: 'answer', right });
  if (game.answers.length !== answers.length) return undefined;
  if (phase === 'ready' && answers.length === 0) return { seed, game: fresh() };
  if ((phase === 'retreated' ? resume : phase) === 'asking') game = after(game, { type: 'next' });
  if (phase === 'retreated') game = after(game, { type: 'retreat' });
  return game.phase === phase ? { seed, game } : undefined;
}
