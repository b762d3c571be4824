import { Converter } from 'opencc-js';
import type { Terms } from '../terms.ts';

const QUOTES: Record<string, string> = { '「': '“', '」': '”', '『': '‘', '』': '’' };
const MARKED = /[\ue000-\uf8ff]/g;
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * A converter from Taiwan text to mainland text. Terms of the course are
 * exchanged for private-use characters first (longest first) and put back
 * last, since a dictionary that OpenCC itself applies is converted once more
 * by its next stage.
 * @throws Error when a word of `never` comes out that no term asked for
 */
export function makeConverter({
  pairs,
  never,
}: Pick<Terms, 'pairs' | 'never'>): (text: string) => string {
  const base = Converter({ from: 'twp', to: 'cn' });
  const marked = pairs
    .filter(([tw, cn]) => tw.length > 1 || base(tw) !== cn)
    .sort(([a], [b]) => b.length - a.length);
  const marks = new Map(marked.map(([tw], i) => [tw, String.fromCodePoint(0xe000 + i)]));
  const targets = marked.map(([, cn]) => cn);
  const found = new RegExp(marked.map(([tw]) => escape(tw)).join('|'), 'g');
  const blocked = new RegExp(never.map(escape).join('|'));

  return (text) => {
    const held = marked.length > 0 ? text.replace(found, (tw) => marks.get(tw)!) : text;
    const converted = base(held).replace(/[「」『』]/g, (c) => QUOTES[c]!);
    const bad = never.length > 0 && blocked.exec(converted);
    if (bad)
      throw new Error(
        `"${text.trim().slice(0, 60)}" would become "${bad[0]}"; add a row to lessons/terms.yaml`,
      );
    return converted.replace(MARKED, (c) => targets[c.codePointAt(0)! - 0xe000] ?? c);
  };
}
