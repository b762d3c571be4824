import { announce } from '../site/announce.ts';
import { t } from '../site/strings.ts';
import type { Verdict } from './judge.ts';
import { pieces, plain } from './text.ts';
import type { Kind } from './types.ts';

/** Visible text first: the announcement is only its echo. */
export function say(place: HTMLElement, text: string, state?: Verdict['state']): void {
  show(place, text, state);
  announce(plain(text));
}

export function show(place: HTMLElement, text: string, state?: Verdict['state']): void {
  place.replaceChildren(...richNodes(text));
  if (state !== undefined) place.dataset.verdict = state;
  place.hidden = false;
}

/** Why the right answer holds, then the rest. */
export function showReasons(place: HTMLElement, kind: Kind, verdict: Verdict): void {
  const parts: Node[] = [];
  const titles = kind === 'diagnose' ? 'quiz.diagnose.reasons' : 'quiz.reasons';
  for (const [key, lines] of [
    ['right', verdict.right],
    ['rest', verdict.rest],
  ] as const) {
    if (lines.length === 0) continue;
    const title = document.createElement('strong');
    title.textContent = t(`${titles}.${key}`);
    const heading = document.createElement('p');
    heading.className = 'q-part';
    heading.append(title);
    const list = document.createElement('ul');
    for (const line of lines) {
      const item = document.createElement('li');
      item.append(...richNodes(line));
      list.append(item);
    }
    parts.push(heading, list);
  }
  place.replaceChildren(...parts);
  place.hidden = parts.length === 0;
}

function richNodes(text: string): Node[] {
  return pieces(text).map((piece) => {
    if (piece.index === undefined) return document.createTextNode(piece.text);
    const letter = document.createElement('var');
    const index = document.createElement('sub');
    index.textContent = piece.index;
    letter.append(piece.text, index);
    return letter;
  });
}
