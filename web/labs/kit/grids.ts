import { drawing, escape, tag } from './html.ts';
import { phrase } from './template.ts';
import type { GridPicture, Words } from './types.ts';

const WIDTH = 440;
const GAP = 16;
const TITLE = 22;

const n1 = (x: number) => x.toFixed(1);

/** Small tables of shades side by side; the darker a cell, the nearer its number is to 1. */
export function grids({ grids: all, row }: GridPicture, words: Words): string {
  const across = all.length === 1 ? 1 : all.length <= 4 ? 2 : 4;
  const size = across === 1 ? 240 : (WIDTH - GAP * (across - 1)) / across;
  const left = (WIDTH - across * size - GAP * (across - 1)) / 2;
  const body = all.map((grid, k) => {
    const x0 = left + (k % across) * (size + GAP);
    const y0 = TITLE + Math.floor(k / across) * (size + GAP + TITLE);
    const high = size / grid.cells.length;
    const cells = grid.cells.flatMap((line, i) =>
      line.map((value, j) =>
        tag('rect', {
          class: 'lab-cell',
          x: n1(x0 + (j * size) / line.length),
          y: n1(y0 + i * high),
          width: n1(size / line.length),
          height: n1(high),
          'fill-opacity': Math.min(1, Math.abs(value)).toFixed(3),
        }),
      ),
    );
    return [
      tag('rect', { class: 'lab-band', x: n1(x0), y: n1(y0), width: n1(size), height: n1(size) }),
      ...cells,
      tag('rect', { class: 'lab-cell-row', x: n1(x0), y: n1(y0 + row * high), width: n1(size), height: n1(high) }),
      tag(
        'text',
        { class: grid.strong ? 'lab-name lab-name-strong' : 'lab-axis', x: n1(x0 + size / 2), y: n1(y0 - 6), 'text-anchor': 'middle' },
        escape(phrase(words, grid.name)),
      ),
    ].join('');
  });
  const rows = Math.ceil(all.length / across);
  return drawing(WIDTH, rows * (size + GAP + TITLE), body.join(''));
}
