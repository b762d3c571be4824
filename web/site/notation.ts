import { parse } from 'yaml';
import { BuildError } from './build-error.ts';

export interface Symbol {
  group: string;
  tex: string;
  spoken: string;
  is: string;
  /** Rows and columns; absent for what is no matrix. */
  shape?: [rows: string, cols: string];
  /** Slug of the first lesson that uses the letter itself. */
  first?: string;
}

export interface Notation {
  groups: { id: string; title: string; caption: string }[];
  symbols: Symbol[];
}

/** Reads lessons/notation.yaml. */
export function readNotation(yaml: string, lessons: Iterable<string>, file = 'lessons/notation.yaml'): Notation {
  const notation = parse(yaml) as Notation;
  const [known, groups] = [new Set(lessons), new Set(notation.groups.map(({ id }) => id))];
  const taken = new Set<string>();
  for (const symbol of notation.symbols) {
    const fail = (why: string) => new BuildError({ file }, `${symbol.spoken}: ${why}`);
    for (const key of ['tex', 'spoken', 'is'] as const) if (!symbol[key]) throw fail(`there is no ${key}`);
    if (!groups.has(symbol.group)) throw fail(`there is no group ${symbol.group}`);
    if (symbol.first !== undefined && !known.has(symbol.first)) throw fail(`there is no lesson ${symbol.first}`);
    if (taken.has(symbol.spoken)) throw fail('stands there twice');
    taken.add(symbol.spoken);
  }
  return notation;
}

/** The id of a symbol's row: `symbol-1` and so on, since letters differ by their case alone. */
export const symbolAnchor = ({ symbols }: Notation, symbol: Symbol): string => `symbol-${symbols.indexOf(symbol) + 1}`;

/** `h·d_v` as it is said: h 乘以 d v. */
export const spokenSize = (size: string, times: string): string => size.replace('·', ` ${times} `).replaceAll('_', ' ');
