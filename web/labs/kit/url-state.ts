import { rowsInUse } from './raw.ts';
import type { Lab, Raw } from './types.ts';

const MAX_HASH = 20_000;

/** A link that no one could open. */
export const tooLong = (hash: string): boolean => hash.length > MAX_HASH;

/** A link into this lab with more in it than is read. */
export const isRefused = (id: string, hash: string): boolean => tooLong(hash) && hash.startsWith(`#${id}?`);

/** `#ID?field=…`: only fields that differ from the defaults; rows are joined by `;`. */
export function encodeState(lab: Lab, id: string, raw: Raw, initial: Raw): string {
  const params = new URLSearchParams();
  for (const input of lab.inputs) {
    if (!(input.name in raw)) continue;
    const text = (r: Raw) =>
      input.kind === 'matrix' ? rowsInUse(lab, r, input).map((row) => row.replaceAll(';', ',')).join(';') : String(r[input.name]);
    if (text(raw) !== text(initial)) params.set(input.name, text(raw));
  }
  const query = params.toString();
  return `#${id}${query === '' ? '' : `?${query}`}`;
}

/**
 * The fields that a link carries for this lab, or null when it carries none; a
 * bare `#ID` only leads there. What a link says is text that the learner could
 * have typed, no more.
 */
export function decodeState(lab: Lab, id: string, hash: string): Raw | null {
  if (tooLong(hash) || !hash.startsWith(`#${id}?`)) return null;
  const params = new URLSearchParams(hash.slice(id.length + 2));
  const raw: Raw = {};
  for (const input of lab.inputs) {
    const text = params.get(input.name);
    if (text === null || (input.kind === 'slider' && input.edits)) continue;
    raw[input.name] = input.kind === 'matrix' ? text.split(';') : text;
  }
  return raw;
}
