import { announce } from '../site/announce.ts';
import { t } from '../site/strings.ts';
import { judgeNumber, judgeOrder, judgePicks, type Verdict } from './judge.ts';
import { meet, meetExpert, pageStore, type Saved, type Store } from './store.ts';
import { say, show, showReasons } from './shown.ts';
import type { CardData } from './types.ts';

/** How long typing rests before it is kept. */
const restMs = 400;

/** Brings every question under `root` to life. Call it once. */
export function hydrateQuestions(root: ParentNode, store: Store = pageStore()): void {
  const cards = [...root.querySelectorAll<HTMLElement>('.q-card')];
  if (cards.length === 0) return;
  for (const card of cards) {
    const data = JSON.parse(need(card, '.q-data').textContent ?? '') as CardData;
    if (data.kind === 'expert') hydrateExpert(card, data, store);
    else if (data.kind === 'order') hydrateOrder(card, data, store);
    else hydrateChecked(card, data, store);
    for (const hidden of card.querySelectorAll<HTMLElement>('.q-action, .q-rating, .q-move')) {
      hidden.hidden = false;
    }
  }
  hydrateAnswers(cards[0]!, [...root.querySelectorAll<HTMLDetailsElement>('.q-answer')]);
}

function hydrateChecked(card: HTMLElement, data: CardData, store: Store): void {
  const form = need<HTMLFormElement>(card, '.q-form');
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input')];
  const typed = data.kind === 'number' ? inputs[0] : undefined;
  const picks = () => inputs.flatMap((input, place) => (input.checked ? [place] : []));

  const before = store.read(data.id);
  if (typed) {
    // What stands in the field already was typed while the page loaded, or put back by the browser.
    if (typed.value === '') typed.value = before.text ?? '';
  } else if (picks().length === 0) {
    for (const place of before.picks ?? []) if (inputs[place]) inputs[place].checked = true;
  }
  form.addEventListener('input', () => {
    store.write(data.id, typed ? { text: typed.value } : { picks: picks() });
  });
  store.follow(data.id, (saved) => {
    if (typed === document.activeElement) return false;
    if (typed) typed.value = saved.text ?? '';
    else inputs.forEach((input, place) => (input.checked = saved.picks?.includes(place) ?? false));
    return true;
  });

  checkOnSubmit(card, data, store, () => (typed ? judgeNumber(data, typed.value, t) : judgePicks(data, picks(), t)));
}

function checkOnSubmit(card: HTMLElement, data: CardData, store: Store, judge: () => Verdict): void {
  let checks = 0;
  const note = meet(store, data.id);
  need<HTMLFormElement>(card, '.q-form').addEventListener('submit', (event) => {
    event.preventDefault();
    const verdict = judge();
    checks += 1;
    const again = checks > 1 ? t('quiz.again', { k: checks }) : '';
    say(byId(card, `q-${data.id}-said`), again + verdict.said, verdict.state);
    showReasons(need(card, '.q-reasons'), data.kind, verdict);
    if (verdict.state !== 'none') note(verdict.state === 'right');
  });
}

function hydrateOrder(card: HTMLElement, data: CardData, store: Store): void {
  const list = need(card, '.q-order');
  const inputs = () => [...list.querySelectorAll<HTMLInputElement>('input')];
  const order = () => inputs().map((input) => Number(input.value));
  const itemOf = (input: HTMLInputElement) => need(list, `li:has(> #${CSS.escape(input.id)})`);

  const known = inputs();
  const arrange = ({ picks: kept = [] }: Saved): boolean => {
    const isWhole = kept.length === known.length && known.every((_, place) => kept.includes(place));
    for (const place of isWhole ? kept : []) list.append(itemOf(known[place]!));
    return isWhole;
  };
  arrange(store.read(data.id));
  store.follow(data.id, (saved) => !list.contains(document.activeElement) && arrange(saved));

  for (const button of card.querySelectorAll<HTMLButtonElement>('.q-move button')) {
    button.addEventListener('click', () => {
      const all = inputs();
      const from = all.findIndex((input) => input.checked);
      const chosen = all[from];
      const to = from + (button.dataset.way === 'earlier' ? -1 : 1);
      const neighbour = all[to];
      const slots = { n: data.number, item: data.items[Number(chosen?.value)] ?? '', k: from + 1, count: all.length };
      const key = !chosen ? 'quiz.order.none' : neighbour ? 'quiz.order.moved' : 'quiz.order.end';
      if (chosen && neighbour) {
        if (to < from) itemOf(neighbour).before(itemOf(chosen));
        else itemOf(neighbour).after(itemOf(chosen));
        store.write(data.id, { picks: order() });
      }
      say(byId(card, `q-${data.id}-moved`), t(key, neighbour ? { ...slots, k: to + 1 } : slots), undefined);
    });
  }
  checkOnSubmit(card, data, store, () => judgeOrder(data, order(), t));
}

function hydrateExpert(card: HTMLElement, data: CardData, store: Store): void {
  const n = data.number;
  const own = need<HTMLTextAreaElement>(card, 'textarea');
  const said = byId(card, `q-${data.id}-said`);
  const rated = byId(card, `q-${data.id}-rated`);
  const ratingForm = need<HTMLFormElement>(card, '.q-rating');
  const ratings = [...ratingForm.querySelectorAll<HTMLInputElement>('input')];
  const rating = () => ratings.find((input) => input.checked);
  const count = () => [...own.value].length;

  const before = store.read(data.id);
  if (own.value === '' && before.text) {
    own.value = before.text;
    show(said, t('quiz.own.restored', { n, count: count() }), 'none');
  }
  if (!rating()) {
    for (const input of ratings) input.checked = input.value === before.rating;
  }
  store.follow(data.id, (saved) => {
    if (resting !== undefined || own === document.activeElement) return false;
    own.value = saved.text ?? '';
    for (const input of ratings) input.checked = input.value === saved.rating;
    return true;
  });
  if (!store.works) show(said, t('quiz.storage.refused'), 'none');

  let resting: ReturnType<typeof setTimeout> | undefined;
  const keep = (): boolean => {
    clearTimeout(resting);
    resting = undefined;
    const saved: Saved = { text: own.value };
    const chosen = rating();
    if (chosen) saved.rating = chosen.value;
    return store.write(data.id, saved);
  };
  const keepIfPending = () => {
    if (resting !== undefined) keep();
  };
  own.addEventListener('input', () => {
    clearTimeout(resting);
    resting = setTimeout(keep, restMs);
  });
  own.addEventListener('blur', keepIfPending);
  ratingForm.addEventListener('input', keep);
  // A page may be closed at any moment, on a phone without an unload.
  window.addEventListener('pagehide', keepIfPending);
  document.addEventListener('visibilitychange', keepIfPending);

  let saves = 0;
  need<HTMLFormElement>(card, '.q-form').addEventListener('submit', (event) => {
    event.preventDefault();
    saves += 1;
    const again = saves > 1 ? t('quiz.own.again', { k: saves }) : '';
    const key = own.value.trim() === '' ? 'quiz.own.empty' : keep() ? 'quiz.own.saved' : 'quiz.own.not-saved';
    say(said, again + t(key, { n, count: count() }), 'none');
  });
  let rates = 0;
  const note = meetExpert(store, data.id);
  ratingForm.addEventListener('submit', (event) => {
    event.preventDefault();
    rates += 1;
    const again = rates > 1 ? t('quiz.own.again', { k: rates }) : '';
    const chosen = rating();
    const key = !chosen ? 'quiz.rate.empty' : keep() ? 'quiz.rate.saved' : 'quiz.rate.not-saved';
    say(rated, again + t(key, { n, rating: chosen ? t(`quiz.rate.${chosen.value}`) : '' }), 'none');
    if (chosen) note(chosen.value);
  });
}

/**
 * Two buttons before the first question open and close all answers, for find-in-page and for reading on a braille
 * display; `?answers=open` opens them at once.
 */
function hydrateAnswers(first: HTMLElement, answers: HTMLDetailsElement[]): void {
  const setAll = (open: boolean) => {
    for (const answer of answers) answer.open = open;
  };
  if (answers.length >= 2) {
    const bar = document.createElement('p');
    bar.className = 'q-all';
    for (const [key, done, open] of [
      ['quiz.answers.open', 'quiz.answers.opened', true],
      ['quiz.answers.close', 'quiz.answers.closed', false],
    ] as const) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = t(key);
      button.addEventListener('click', () => {
        setAll(open);
        announce(t(done, { count: answers.length }));
      });
      bar.append(button);
    }
    first.before(bar);
  }
  if (new URLSearchParams(location.search).get('answers') === 'open') setAll(true);
}

function need<T extends HTMLElement = HTMLElement>(card: HTMLElement, selector: string): T {
  const found = card.querySelector<T>(selector);
  if (!found) throw new Error(`question card ${card.id} has no ${selector}`);
  return found;
}

/** The id is unique on the page, but the card may not be in the page's own tree. */
function byId(card: HTMLElement, id: string): HTMLElement {
  return need(card, `#${CSS.escape(id)}`);
}
