import { drawing, escape, tag } from './html.ts';
import { phrase } from './template.ts';
import type { TilePicture, Words } from './types.ts';

const WIDTH = 440;
const TITLE = 24;
const GAP = 24;

const n1 = (x: number) => x.toFixed(1);

/** One path a colour; a run of equal pixels without a seam is a single step of it. */
function pixels(side: number, rgb: ArrayLike<number>, x0: number, y0: number, size: number, place: (i: number) => number): string {
  const runs = new Map<string, string>();
  const colour = (r: number, c: number) => [0, 1, 2].map((k) => Math.round(rgb[(r * side + c) * 3 + k]!)).join(',');
  for (let r = 0; r < side; r++) {
    for (let c = 0; c < side; c++) {
      const here = colour(r, c);
      let end = c;
      while (end + 1 < side && colour(r, end + 1) === here && place(end + 1) - place(end) < size * 1.001) end++;
      const d = `M${n1(x0 + place(c))} ${n1(y0 + place(r))}h${n1(place(end) - place(c) + size)}v${n1(size)}H${n1(x0 + place(c))}z`;
      runs.set(here, (runs.get(here) ?? '') + d);
      c = end;
    }
  }
  return [...runs].map(([rgbText, d]) => tag('path', { class: 'lab-pixel', fill: `rgb(${rgbText})`, d })).join('');
}

/** A square picture whole, and beside it the same picture cut apart; one tile is framed in both. */
export function tiles({ side, rgb, patch, strong, wholeTitle, cutTitle }: TilePicture, words: Words): string {
  const whole = (WIDTH - GAP) / 2;
  const across = side / patch;
  const seam = across === 1 ? 0 : Math.min(8, 40 / (across - 1));
  const small = (whole - seam * (across - 1)) / side;
  const apart = (i: number) => i * small + Math.floor(i / patch) * seam;
  const pixel = whole / side;
  const right = whole + GAP;
  const [row, col] = [Math.floor(strong / across), strong % across];
  const title = (x: number, message: TilePicture['wholeTitle']) =>
    tag('text', { class: 'lab-axis', x: n1(x), y: 16, 'text-anchor': 'middle' }, escape(phrase(words, message)));
  // A light line under the dark one, so that the frame shows on every colour.
  const frame = (x: number, y: number, length: number) =>
    ['lab-frame lab-frame-under', 'lab-frame']
      .map((kind) => tag('rect', { class: kind, x: n1(x + 1.5), y: n1(y + 1.5), width: n1(length - 3), height: n1(length - 3) }))
      .join('');
  return drawing(
    WIDTH,
    TITLE + whole + 6,
    [
      title(whole / 2, wholeTitle),
      title(right + whole / 2, cutTitle),
      pixels(side, rgb, 0, TITLE, pixel, (i) => i * pixel),
      pixels(side, rgb, right, TITLE, small, apart),
      frame(col * patch * pixel, TITLE + row * patch * pixel, patch * pixel),
      frame(right + apart(col * patch), TITLE + apart(row * patch), patch * small),
    ].join(''),
  );
}
