import { rowsInUse } from './raw.ts';
import type { Lab, Raw } from './types.ts';

const MAX_HASH = 20_000;

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
 * The fields that a link carries for this lab, or null when the link is not
 * for it. What a link says is text that the learner could have typed, no more.
 */
export function decodeState(lab: Lab, id: string, hash: string): Raw | null {
  if (hash.length > MAX_HASH || (hash !== `#${id}` && !hash.startsWith(`#${id}?`))) return null;
  const params = new URLSearchParams(hash.slice(id.length + 2));
  const raw: Raw = {};
  for (const input of lab.inputs) {
    const text = params.get(input.name);
    if (text === null || (input.kind === 'slider' && input.edits)) continue;
    raw[input.name] = input.kind === 'matrix' ? text.split(';') : text;
  }
  return raw;
}
