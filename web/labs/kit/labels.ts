import { place } from './format.ts';

/**
 * Names as short as a picture has room for. A name that is cut has its place in
 * front, so that no two look alike; the full names stand in the table.
 */
export function labels(names: string[], chars: number): string[] {
  return names.map((name, i) => {
    const letters = [...name];
    const gap = chars > 2 ? ' ' : '';
    return letters.length > chars ? `${place(i)}${gap}${letters.slice(0, Math.max(1, chars - 2)).join('')}` : name;
  });
}
