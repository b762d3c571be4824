import { announce } from './announce.ts';
import { t } from './strings.ts';

/** One row of the table: a question, how it was last judged, and what to read when it was wrong. */
export interface Checked {
  right: boolean | undefined;
  scene: string;
}

/** From this many scenes on, reading the whole page is quicker than picking. */
const MANY = 3;

export interface Advice {
  key: string;
  slots: Record<string, string | number>;
  done: boolean;
}

/** What the answers so far say about where to begin. */
export function advise(rows: readonly Checked[], words: typeof t): Advice {
  const judged = rows.filter(({ right }) => right !== undefined).length;
  if (judged < rows.length)
    return { key: 'site.say.self-check.open', slots: { judged, all: rows.length }, done: false };
  const scenes = [...new Set(rows.filter(({ right }) => !right).map(({ scene }) => scene))];
  if (scenes.length === 0) return { key: 'site.say.self-check.ready', slots: { all: rows.length }, done: true };
  if (scenes.length >= MANY) return { key: 'site.say.self-check.all', slots: {}, done: true };
  const named = scenes.map((scene) => words('site.say.self-check.scene', { scene })).join(words('site.say.self-check.and'));
  return { key: 'site.say.self-check.again', slots: { scenes: named }, done: true };
}

/** The table of a self-check says which question belongs to which scene; its links are the data. */
export function setUpSelfCheck(root: ParentNode): void {
  const check = root.querySelector<HTMLElement>('[data-self-check]');
  const table = check?.querySelector<HTMLTableElement>('table');
  if (!check || !table) return;
  const said = (link: HTMLAnchorElement) => document.getElementById(`${link.hash.slice(1)}-said`);
  const rows = [...table.tBodies[0]!.rows].map((row) => [...row.querySelectorAll('a')] as [HTMLAnchorElement, HTMLAnchorElement]);
  const verdict = (question: HTMLAnchorElement): boolean | undefined => {
    const state = said(question)?.dataset.verdict;
    return state === 'right' || state === 'wrong' ? state === 'right' : undefined;
  };
  const place = document.createElement('p');
  place.className = 'advice';
  const advice = () => advise(rows.map(([question, scene]) => ({ right: verdict(question), scene: scene.textContent ?? '' })), t);
  const show = () => {
    const { key, slots, done } = advice();
    place.textContent = t(key, slots);
    return done;
  };
  show();
  (table.closest('.table-scroll') ?? table).before(place);
  // The card has judged by the time its form's event comes up here.
  check.addEventListener('submit', (event) => {
    const checked = rows.find(([question]) => document.querySelector(question.hash)?.contains(event.target as Node));
    if (checked && show() && verdict(checked[0]) !== undefined)
      announce(`${said(checked[0])?.textContent ?? ''}${place.textContent ?? ''}`);
  });
}
