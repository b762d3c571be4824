/** A learner's picture once it is small: its sides as they were, and side · side · 3 numbers from 0 to 255. */
export interface SmallImage {
  width: number;
  height: number;
  rgb: number[];
}

/** As one text, `WIDTHxHEIGHT:` and two hexadecimal digits a number, short enough for a link. */
export function imageText({ width, height, rgb }: SmallImage): string {
  return `${width}x${height}:${rgb.map((x) => x.toString(16).padStart(2, '0')).join('')}`;
}

/** Null for anything that `imageText` does not write for this side. */
export function readImage(text: string, side: number): SmallImage | null {
  const found = /^([1-9]\d{0,5})x([1-9]\d{0,5}):([\da-f]+)$/.exec(text);
  if (!found || found[3]!.length !== side * side * 3 * 2) return null;
  const rgb = found[3]!.match(/../g)!.map((pair) => parseInt(pair, 16));
  return { width: Number(found[1]), height: Number(found[2]), rgb };
}
