const START = /^\s*\/\/\s*#region\s+(\w+)\s*$/;
const END = /^\s*\/\/\s*#endregion(?:\s+(\w+))?\s*$/;
export const MOST_LINES = 25;
export const MOST_COLUMNS = 80;

export interface Region {
  lines: string[];
  /** One-based line of the file on which `lines` starts. */
  first: number;
}

/** A whole function at the left margin, by its name, for files without marks. */
function functionNamed(all: string[], name: string): { start: number; end: number } | undefined {
  const named = new RegExp(`^\\w[\\w:<>,&* ]* \\*?${name}\\(`);
  const starts = all.flatMap((line, i) => {
    if (!named.test(line)) return [];
    const stop = all.findIndex((at, k) => k >= i && /[;{]$/.test(at));
    return stop >= 0 && all[stop]!.endsWith('{') ? [i] : [];
  });
  if (starts.length !== 1) return undefined;
  const end = all.findIndex((line, i) => i > starts[0]! && line === '}');
  return end < 0 ? undefined : { start: starts[0]! - 1, end: end + 1 };
}

/**
 * The lines between `// #region NAME` and `// #endregion NAME`, dedented,
 * without the marks of regions inside it; or else the function of that name.
 * @throws Error when it is missing, there twice, empty, too long or too wide
 */
export function readRegion(source: string, name: string): Region {
  const all = source.split('\n');
  const starts = all.flatMap((line, i) => (START.exec(line)?.[1] === name ? [i] : []));
  const ends = all.flatMap((line, i) => (END.exec(line)?.[1] === name ? [i] : []));
  const whole = starts.length === 0 ? functionNamed(all, name) : undefined;
  if (starts.length === 0 && !whole) throw new Error(`there is no region ${name}`);
  if (starts.length > 1) throw new Error(`the region ${name} stands there twice`);
  const start = whole?.start ?? starts[0];
  const end = whole?.end ?? ends.find((line) => line > start!);
  if (end === undefined || ends.length > 1)
    throw new Error(`the region ${name} needs one // #endregion ${name}`);
  const inside = all.slice(start! + 1, end).filter((line) => !START.test(line) && !END.test(line));
  while (inside.length > 0 && inside.at(-1)!.trim() === '') inside.pop();
  if (inside.length === 0) throw new Error(`the region ${name} is empty`);
  if (inside.length > MOST_LINES)
    throw new Error(
      `the region ${name} has ${inside.length} lines; at most ${MOST_LINES} are shown`,
    );
  const indent = Math.min(
    ...inside.filter((line) => line.trim()).map((line) => /^ */.exec(line)![0].length),
  );
  const lines = inside.map((line) => line.slice(indent).trimEnd());
  const wide = lines.findIndex((line) => line.length > MOST_COLUMNS);
  if (wide >= 0)
    throw new Error(`line ${wide + 1} of the region ${name} is over ${MOST_COLUMNS} columns`);
  return { lines, first: start! + 2 };
}
