import { isEmpty, readProgress, writeProgress, type Progress, type Store } from '../quiz/store.ts';

/*
 * A page that was opened as a file may have a storage of its own, as in Firefox. Then what was done travels from page to
 * page in the hash of our own links, behind whatever the hash says already.
 */

const mark = '~progress=';

/** An address longer than this is slow to open and is kept in no history. */
export const mostCarried = 32_000;

export interface Carried {
  hash: string;
  /** Whether the learner's own texts stayed behind, since they are too long for an address. */
  short: boolean;
}

/** The part of an address that goes behind `#…`, or nothing when there is nothing to carry. */
export function carriedBy(progress: Progress): Carried {
  if (isEmpty(progress) && progress.cleared === 0) return { hash: '', short: false };
  const whole = mark + encode(writeProgress(progress));
  if (whole.length <= mostCarried) return { hash: whole, short: false };
  const questions = new Map(
    [...progress.questions].map(([id, { text: _, ...record }]) => [id, { ...record, earlier: [] }]),
  );
  const rest = mark + encode(writeProgress({ ...progress, questions, unread: new Map() }));
  return { hash: rest.length <= mostCarried ? rest : '', short: true };
}

/** What an address says without the progress in it, and that progress. */
export function parted(hash: string): { hash: string; progress?: Progress } {
  const at = hash.indexOf(mark);
  if (at < 0) return { hash };
  const rest = hash.slice(0, at);
  try {
    const read = readProgress(decode(hash.slice(at + mark.length)));
    return read.state === 'ok' ? { hash: rest, progress: read.progress } : { hash: rest };
  } catch {
    return { hash: rest };
  }
}

/** Letters that no address changes. */
function encode(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function decode(letters: string): string {
  const bytes = Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

const pageKey = 'attn.page';
const shared = '*';

/** Whether this page has to reckon with a storage of its own: from a file, until another page's trace is found there. */
export function isAlone(storage: Storage | undefined): boolean {
  if (location.protocol !== 'file:' || !storage) return false;
  try {
    const first = storage.getItem(pageKey);
    if (first === null) storage.setItem(pageKey, location.pathname);
    else if (first !== location.pathname) storage.setItem(pageKey, shared);
    return first === null || first === location.pathname;
  } catch {
    return true;
  }
}

/** Takes in what the address brought, and leaves the address as it would have been. */
export function arrive(store: Store): void {
  const { hash, progress } = parted(location.hash);
  if (hash === location.hash) return;
  if (progress) store.receive(progress);
  history.replaceState(history.state, '', location.pathname + location.search);
  // Going there anew scrolls to the place, which the whole address did not name.
  if (hash.length > 1) location.replace(hash);
}

/** Our own links carry what is kept, from the moment of a click until the next page has opened. */
export function carryOn(store: Store): void {
  const aim = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || !/^file:.*\.html(?:[?#]|$)/.test(link.href) || link.hasAttribute('download')) return;
    if (link.pathname === location.pathname && link.search === location.search) return;
    const before = link.getAttribute('href');
    const { hash } = carriedBy(store.all());
    if (hash === '' || before === null) return;
    link.href = `${link.href.split('#')[0]}${link.hash || '#'}${hash}`;
    // A link that is copied later is for other people too.
    setTimeout(() => link.setAttribute('href', before));
  };
  document.addEventListener('click', aim);
  document.addEventListener('auxclick', aim);
}
