import type { Lab, Raw } from './types.ts';

export interface Remembered {
  raw: Raw;
  revealed: boolean;
}

const keyOf = (id: string) => `attn-lab:${location.pathname}#${id}`;

const isObject = (x: unknown): x is Record<string, unknown> => typeof x === 'object' && x !== null && !Array.isArray(x);

/** What was stored, as far as it has the shape of what this lab stores; others may have written there, or an older page. */
export function readMemory(lab: Lab, saved: unknown): Remembered | null {
  if (!isObject(saved) || !isObject(saved.raw)) return null;
  const raw: Raw = {};
  for (const { name, kind } of lab.inputs) {
    if (!Object.hasOwn(saved.raw, name)) continue;
    const field = saved.raw[name];
    if (kind !== 'matrix' && typeof field === 'string') raw[name] = field;
    if (kind === 'matrix' && Array.isArray(field) && field.every((row) => typeof row === 'string')) raw[name] = field;
  }
  return { raw, revealed: saved.revealed === true };
}

/** What this tab typed into the lab before a reload; storage may be refused, and then nothing is remembered. */
export function recall(lab: Lab, id: string): Remembered | null {
  try {
    return readMemory(lab, JSON.parse(sessionStorage.getItem(keyOf(id)) ?? 'null'));
  } catch {
    return null;
  }
}

/** What was typed at this entry of the tab's history: newer than the link that led to it. */
export function recallHere(lab: Lab, id: string): Remembered | null {
  const state: unknown = history.state;
  return isObject(state) && isObject(state.labs) ? readMemory(lab, state.labs[id]) : null;
}

export function remember(id: string, state: Remembered): void {
  try {
    sessionStorage.setItem(keyOf(id), JSON.stringify(state));
  } catch {
    // A browser that refuses storage loses only the memory across reloads.
  }
  rememberHere(id, state);
}

export function rememberHere(id: string, state: Remembered): void {
  try {
    const here: unknown = history.state;
    const labs = isObject(here) && isObject(here.labs) ? here.labs : {};
    history.replaceState({ ...(isObject(here) ? here : {}), labs: { ...labs, [id]: state } }, '');
  } catch {
    // A browser that has had enough of these for the moment loses only the way back.
  }
}
