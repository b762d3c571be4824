import type { Message, Slots, Strings, Words } from './types.ts';

const SLOT = /\{([a-zA-Z][a-zA-Z0-9]*)\}/g;

/** Fills a whole-sentence template. A slot without a value is a bug, never a gap in speech. */
export function fill(template: string, slots: Slots = {}): string {
  return template.replace(SLOT, (_, name: string) => {
    const value = slots[name];
    if (value === undefined) throw new Error(`no value for {${name}} in "${template}"`);
    return value;
  });
}

export function slotsOf(template: string): string[] {
  return [...new Set([...template.matchAll(SLOT)].map((m) => m[1]!))];
}

/** The entry at a dotted path, e.g. `tables.weights.caption`. */
export function lookup(words: Words, key: string): string | string[] | Words | undefined {
  let here: string | string[] | Words | undefined = words;
  for (const part of key.split('.')) {
    if (typeof here !== 'object' || Array.isArray(here) || !Object.hasOwn(here, part)) return undefined;
    here = here[part];
  }
  return here;
}

export function word(words: Words, key: string): string {
  const found = lookup(words, key);
  if (typeof found !== 'string') throw new Error(`the lab's words have no sentence "${key}"`);
  return found;
}

export function list(words: Words, key: string): string[] {
  const found = lookup(words, key);
  if (!Array.isArray(found)) throw new Error(`the lab's words have no list "${key}"`);
  return found;
}

/** Spaces stand between Chinese and digits or letters; a slot that begins or ends in Chinese needs none. */
const GAP = /(?<=\p{Script=Han}) (?=\p{Script=Han})/gu;

export function phrase(words: Words, message: Message): string {
  return fill(word(words, message.key), message.slots).replace(GAP, '');
}

export function ui(strings: Strings, key: string, slots?: Slots): string {
  const template = strings[key];
  if (template === undefined) throw new Error(`no string "${key}"`);
  return fill(template, slots);
}

/** Every sentence of a lab with its key, for reading aloud and for lint. */
export function* sentences(words: Words, prefix = ''): Generator<[string, string]> {
  for (const [key, value] of Object.entries(words)) {
    const path = prefix + key;
    if (typeof value === 'string') yield [path, value];
    else if (Array.isArray(value)) for (const [i, item] of value.entries()) yield [`${path}.${i}`, item];
    else yield* sentences(value, `${path}.`);
  }
}
