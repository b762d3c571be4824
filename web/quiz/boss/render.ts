import type { Core } from '../../core/core.ts';
import { fill } from '../../site/strings.ts';
import type { Words } from '../judge.ts';
import { solution } from '../render.ts';
import { escape, plain, rich } from '../text.ts';
import type { Question } from '../types.ts';
import { makeProblem } from './problems.ts';
import { ASKED, fresh, FULL, START, thickness } from './state.ts';

/** The strings with which a question of the wall is drawn: its own where it has them, else those of every question. */
export function bossStrings(strings: Record<string, string>): Record<string, string> {
  const own = Object.entries(strings).filter(([key]) => key.startsWith('boss.quiz.'));
  return { ...strings, ...Object.fromEntries(own.map(([key, text]) => [key.replace('boss.', ''), text])) };
}

export interface Link {
  key: string;
  href: string;
}

export interface BossContext {
  core: Core;
  /** All `quiz.*` and `boss.*` templates. */
  strings: Record<string, string>;
  /** Lessons to fall back to. */
  back: Link[];
  /** What lies behind the wall, for one who has won and one who has lost. */
  onward: { won: Link; lost: Link };
  /** Where the labs of the three questions stand. */
  labs: Record<string, string>;
}

/** The example of each question that the page shows; a game begins with a seed of its own. */
const EXAMPLE_SEED = 2017;

/**
 * The wall as HTML. Without a script it says how the game goes and shows one example of each question with its answer;
 * what only a script can do is `hidden` until web/quiz/boss/client.ts shows it.
 */
export function renderBoss({ core, strings, back, onward, labs }: BossContext): string {
  const words: Words = (key, slots) => {
    const template = strings[key];
    if (template === undefined) throw new Error(`no string ${key}`);
    return fill(template, slots);
  };
  const button = (move: string, key: string) =>
    `<button type="button" data-move="${move}">${escape(words(key))}</button>`;
  const link = ({ key, href }: Link) => `<a href="${escape(href)}">${escape(words(key))}</a>`;
  const panel = (phase: string, texts: string[], links: Link[], move: string, key: string) => [
    `<div class="boss-panel" data-show="${phase}" hidden>`,
    `<h4 tabindex="-1">${escape(words(`boss.${phase}.title`))}</h4>`,
    ...texts,
    '<ul>',
    ...links.map((one) => `<li>${link(one)}</li>`),
    '</ul>',
    `<p class="q-action">${button(move, key)}</p>`,
    '</div>',
  ];
  const text = (key: string) => `<p>${escape(words(key))}</p>`;
  const k = thickness(fresh());
  const examples = ASKED.map((asked) => {
    const question = makeProblem(asked, { core, seed: EXAMPLE_SEED, place: 0, words, id: `wall-${asked}` });
    return example(question, words(`boss.which.${asked}`), words, strings);
  });
  return [
    '<section class="boss" id="boss" aria-labelledby="boss-title">',
    `<h3 id="boss-title">${escape(words('boss.title'))}</h3>`,
    text('boss.rules'),
    text('boss.rules.free'),
    `<p class="boss-static">${escape(words('boss.no-script'))}</p>`,
    drawnWall(k),
    `<p class="boss-state">${escape(words('boss.state.start', { k }))}</p>`,
    `<p class="boss-abyss">${escape(words('boss.abyss', { line: words('boss.abyss.ready') }))}</p>`,
    '<div class="boss-live" hidden>',
    `<p class="q-action" data-show="ready">${button('start', 'boss.start')}</p>`,
    '<p class="boss-note" hidden></p>',
    '<div class="boss-question" data-show="asking answered won lost" hidden></div>',
    `<p class="q-action boss-moves" data-show="asking answered" hidden>${button('next', 'boss.next')} ${button('retreat', 'boss.retreat')}</p>`,
    ...panel(
      'retreated',
      ['<p class="boss-retreated"></p>', '<p class="boss-kept"></p>'],
      back,
      'return',
      'boss.return',
    ),
    ...panel('won', [text('boss.won.text')], [onward.won], 'again', 'boss.again'),
    ...panel('lost', [text('boss.lost.text'), text('boss.lost.way')], [...back, onward.lost], 'again', 'boss.again'),
    `<details class="boss-log" hidden><summary>${escape(words('boss.log'))}</summary><ol></ol></details>`,
    `<p class="q-action boss-sound">${button('sound', 'boss.sound.on')}</p>`,
    '<p class="boss-sound-said" hidden></p>',
    '<form class="boss-seed">',
    '<fieldset>',
    `<legend>${escape(words('boss.seed.legend'))}</legend>`,
    '<p class="boss-seed-now"></p>',
    `<div class="q-number"><label for="boss-seed">${escape(words('boss.seed.label'))}</label>`,
    '<input type="text" inputmode="numeric" id="boss-seed" autocomplete="off" spellcheck="false"></div>',
    `<p class="q-action"><button type="submit">${escape(words('boss.seed.use'))}</button></p>`,
    '</fieldset>',
    '</form>',
    '<p class="boss-seed-said" hidden></p>',
    '</div>',
    '<div class="boss-examples">',
    text('boss.examples.how'),
    ...examples,
    '</div>',
    `<script type="application/json" class="boss-data">${JSON.stringify({ labs }).replace(/</g, '\\u003c')}</script>`,
    '</section>',
  ].join('\n');
}

/** A question to read: nothing in it can be filled in. */
function example(question: Question, which: string, words: Words, strings: Record<string, string>): string {
  const shown = ({ text, numbers }: Question['options'][number]) =>
    numbers === undefined ? plain(text) : words('quiz.diagnose.step', { step: plain(text), numbers });
  const list = question.kind === 'diagnose' ? 'ol' : 'ul';
  const options = question.kind === 'number' ? [] : question.options.map((option) => `<li>${escape(shown(option))}</li>`);
  return [
    '<div class="boss-example">',
    `<h4>${escape(words('boss.example.title', { which, topic: question.topic }))}</h4>`,
    ...question.prompt.map((line) => `<p>${rich(line)}</p>`),
    `<p><strong>${escape(question.legend)}</strong></p>`,
    ...(options.length > 0 ? [`<${list}>`, ...options, `</${list}>`] : []),
    ...solution(question, words('boss.example.answer', { which }), words, { number: 0, strings }),
    '</div>',
  ].join('\n');
}

const COURSE = 52;
const BRICK = 24;
const HIGH = 6;

/**
 * The wall seen from its side: one course of bricks for each unit of its thickness, nine places in all, from the
 * traveller's lamp to the light behind. Only drawn: the sentence after it says as much.
 */
function drawnWall(k: number): string {
  const courses = Array.from({ length: FULL }, (_, i) => {
    const x = 84 + i * COURSE;
    // Every other course begins with half a brick, so that the joints do not run through.
    const joints = Array.from({ length: HIGH - 1 + (i % 2) }, (__, row) => (row + (i % 2 ? 0.5 : 1)) * BRICK);
    const cuts = [0, ...joints, HIGH * BRICK];
    const bricks = cuts.slice(1).map((end, row) => {
      const y = cuts[row]!;
      return `<rect x="${x + 1.5}" y="${20 + y + 1.5}" width="${COURSE - 3}" height="${end - y - 3}" rx="2"></rect>`;
    });
    return `<g class="boss-course${i < k ? ' is-there' : ''}">${bricks.join('')}</g>`;
  });
  const rays = [-150, -120, -90, -60, -30, 0, 30, 60, 90, 120, 150, 180].map(
    (angle) => `<path d="M618 92h12" transform="rotate(${angle} 596 92)"></path>`,
  );
  return [
    `<svg class="boss-wall" data-thickness="${k}" viewBox="0 0 640 184" aria-hidden="true" focusable="false">`,
    '<path class="boss-ground" d="M0 164.75h640"></path>',
    '<g class="boss-lamp"><circle cx="42" cy="112" r="7"></circle><path d="M42 119v45M30 164l12-26 12 26"></path></g>',
    `<g class="boss-light"><circle cx="596" cy="92" r="14"></circle>${rays.join('')}</g>`,
    ...courses,
    '</svg>',
  ].join('');
}
