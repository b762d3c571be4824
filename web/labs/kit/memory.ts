import type { Raw } from './types.ts';

export interface Remembered {
  raw: Raw;
  revealed: boolean;
}

const keyOf = (id: string) => `attn-lab:${location.pathname}#${id}`;

/** What this tab typed into the lab before a reload; storage may be refused, and then nothing is remembered. */
export function recall(id: string): Remembered | null {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(keyOf(id)) ?? 'null');
    if (typeof saved !== 'object' || saved === null) return null;
    const { raw, revealed } = saved as Partial<Remembered>;
    return typeof raw === 'object' && raw !== null ? { raw, revealed: revealed === true } : null;
  } catch {
    return null;
  }
}

export function remember(id: string, state: Remembered): void {
  try {
    sessionStorage.setItem(keyOf(id), JSON.stringify(state));
  } catch {
    // A browser that refuses storage loses only the memory across reloads.
  }
}
