import { BuildError, type Place } from '../build-error.ts';
import { SCRIPTS, type Script } from '../scripts.ts';
import { protect } from './protect.ts';

const INLINE = /\{\{tw:((?:(?!\}\}).)*?)\|cn:((?:(?!\}\}).)*?)\}\}/gs;
const FENCE = /^\s*(:{3,})\s*(\S*)/;

/** `{{tw:…|cn:…}}` in one string. The mainland side is final text. */
export function chooseInline(text: string, script: Script): string {
  return text.replace(INLINE, (_, tw: string, cn: string) =>
    script === 'zh-Hant' ? tw : protect(cn),
  );
}

/**
 * Both forms in Markdown source: the inline one, and blocks between
 * `::: tw` or `::: cn` and `:::`. Lines keep their numbers, so that later
 * faults still name the right one.
 */
export function chooseVariants(source: string, script: Script, place: Place): string {
  const wanted = SCRIPTS[script].side;
  const open: { side: string; colons: number; line: number }[] = [];
  const first = place.line ?? 1;
  const lines = source.split('\n').map((text, index) => {
    const fence = FENCE.exec(text);
    if (fence) {
      const [, colons = '', name = ''] = fence;
      if (name) {
        open.push({ side: name, colons: colons.length, line: index });
        if (name === 'tw' || name === 'cn') return '';
      } else {
        const closed = open.pop();
        if (closed?.side === 'tw' || closed?.side === 'cn') return '';
      }
    }
    const sides = open.map(({ side }) => side).filter((side) => side === 'tw' || side === 'cn');
    if (sides.some((side) => side !== wanted)) return '';
    return sides.length > 0 && script === 'zh-Hans' ? protect(text) : text;
  });
  const left = open.find(({ side }) => side === 'tw' || side === 'cn');
  if (left)
    throw new BuildError(
      { file: place.file, line: first + left.line },
      `the ::: ${left.side} block is not closed`,
    );
  const chosen = chooseInline(lines.join('\n'), script);
  const broken = chosen.split('\n').findIndex((text) => /\{\{(tw|cn):/.test(text));
  if (broken >= 0)
    throw new BuildError(
      { file: place.file, line: first + broken },
      'a variant is written {{tw:…|cn:…}}, with both sides',
    );
  return chosen;
}

/** Resolves variants in every string of a YAML value. */
export function chooseDeep<T>(value: T, script: Script): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return chooseInline(part, script);
    if (Array.isArray(part)) return part.map(walk);
    if (part !== null && typeof part === 'object')
      return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]));
    return part;
  };
  return walk(value) as T;
}
