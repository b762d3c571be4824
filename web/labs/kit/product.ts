import { plain } from './format.ts';
import { drawing, escape, tag } from './html.ts';
import type { ProductPicture } from './types.ts';

const WIDTH = 440;
const GAP = 14;
const CELL = { widest: 72, height: 40 };
/** Numbers are written where at most so many cells stand side by side. */
const MOST_ACROSS = 8;
const LONGEST = 6;

const n1 = (x: number) => x.toFixed(1);

/** A number in so few characters that it fits its cell; the table has the rest. */
function short(x: number): string {
  const text = plain(Number(x.toPrecision(3)));
  return text.length <= LONGEST ? text : x.toExponential(0).replace('+', '');
}

/** The second matrix stands above the product and the first before it: a row and a column cross in their cell. */
export function product({ first, second, product: result, row, col }: ProductPicture): string {
  const [inner, cols, rows] = [second.length, second[0]!.length, first.length];
  const across = inner + cols;
  const wide = Math.min(CELL.widest, (WIDTH - GAP - 4) / across);
  const left = (WIDTH - GAP - wide * across) / 2;
  const [x1, y1] = [left + inner * wide + GAP, 2 + inner * CELL.height + GAP];
  const block = (cells: number[][], x: number, y: number, isStrong: (i: number, j: number) => boolean) =>
    cells.flatMap((line, i) =>
      line.map((value, j) => {
        const [cx, cy] = [x + j * wide, y + i * CELL.height];
        const strong = isStrong(i, j);
        return (
          tag('rect', { class: strong ? 'lab-square lab-square-strong' : 'lab-square', x: n1(cx), y: n1(cy), width: n1(wide), height: CELL.height }) +
          (across > MOST_ACROSS
            ? ''
            : tag('text', { class: strong ? 'lab-figure lab-name-strong' : 'lab-figure', x: n1(cx + wide / 2), y: n1(cy + 25), 'text-anchor': 'middle' }, escape(short(value))))
        );
      }),
    );
  const frame = (x: number, y: number, width: number, height: number) =>
    tag('rect', { class: 'lab-cell-row', x: n1(x), y: n1(y), width: n1(width), height: n1(height) });
  const body = [
    ...block(first, left, y1, (i) => i === row),
    ...block(second, x1, 2, (_, j) => j === col),
    ...block(result, x1, y1, (i, j) => i === row && j === col),
    frame(left, y1 + row * CELL.height, inner * wide, CELL.height),
    frame(x1 + col * wide, 2, wide, inner * CELL.height),
    frame(x1 + col * wide, y1 + row * CELL.height, wide, CELL.height),
  ];
  return drawing(WIDTH, y1 + rows * CELL.height + 2, body.join(''));
}
