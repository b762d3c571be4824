import { curve, magnitudes } from './chart.ts';
import { dials } from './dials.ts';
import { fixed } from './format.ts';
import { grids } from './grids.ts';
import { drawing, escape, tag } from './html.ts';
import { labels } from './labels.ts';
import { links } from './links.ts';
import { pairs } from './pairs.ts';
import { product } from './product.ts';
import { phrase } from './template.ts';
import { tiles } from './tiles.ts';
import type { BarPicture, ChordPicture, Picture, Words } from './types.ts';
import { waves } from './waves.ts';

const WIDTH = 360;
/** Room for names on both sides of the circle. */
const CHORDS_WIDTH = 440;
const CHORDS_HEIGHT = 360;
const CENTRE_X = CHORDS_WIDTH / 2;
const CENTRE_Y = CHORDS_HEIGHT / 2;
/** A line thinner than this share of attention is not drawn. */
const FAINTEST = 0.005;
/** Among many marks the background keeps only lines that can be told apart. */
const FAINTEST_OF_MANY = 0.1;
const THICKEST = 14;

const n1 = (x: number) => x.toFixed(1);


/** The mark `i` of `n` on a circle of radius `r`, the first at the top, clockwise. */
function mark(i: number, n: number, r: number): [number, number] {
  const turn = (2 * Math.PI * i) / n;
  return [CENTRE_X + r * Math.sin(turn), CENTRE_Y - r * Math.cos(turn)];
}

/** From one mark to another, bent to one side so that both directions can be seen. */
function chord(from: [number, number], to: [number, number]): string {
  const bend = 0.16;
  const cx = (from[0] + to[0]) / 2 + (to[1] - from[1]) * bend;
  const cy = (from[1] + to[1]) / 2 - (to[0] - from[0]) * bend;
  return `M${n1(from[0])} ${n1(from[1])}Q${n1(cx)} ${n1(cy)} ${n1(to[0])} ${n1(to[1])}`;
}

/** A mark that looks at itself: a loop outside the rim. */
function loop(i: number, n: number, r: number): string {
  const [x, y] = mark(i, n, r);
  const [ax, ay] = mark(i - 0.9 * (n / 24), n, r + 40);
  const [bx, by] = mark(i + 0.9 * (n / 24), n, r + 40);
  return `M${n1(x)} ${n1(y)}C${n1(ax)} ${n1(ay)} ${n1(bx)} ${n1(by)} ${n1(x)} ${n1(y)}`;
}

function chords({ marks, weights, from }: ChordPicture): string {
  const n = marks.length;
  const rim = 112;
  const at = marks.map((_, i) => mark(i, n, rim));
  const lines = (strong: boolean) =>
    weights
      .flatMap((row, i) =>
        from.includes(i) !== strong
          ? []
          : row.map((w, j) =>
              w < (n > 12 && !strong ? FAINTEST_OF_MANY : FAINTEST)
                ? ''
                : tag('path', {
                    class: strong ? 'lab-chord lab-chord-strong' : 'lab-chord',
                    d: i === j ? loop(i, n, rim) : chord(at[i]!, at[j]!),
                    'stroke-width': n1(Math.max(0.6, (strong ? THICKEST : THICKEST / 2.5) * w)),
                  }),
            ),
      )
      .join('');
  const dots = at
    .map(([x, y], i) =>
      tag('circle', { class: from.includes(i) ? 'lab-dot lab-dot-strong' : 'lab-dot', cx: n1(x), cy: n1(y), r: n > 12 ? 5 : 7 }),
    )
    .join('');
  const names = labels(marks, n > 12 ? 2 : 4)
    .map((name, i) => {
      const [x, y] = mark(i, n, rim + (n > 12 ? 40 : 46));
      const side = Math.abs(x - CENTRE_X) < 20 ? 'middle' : x > CENTRE_X ? 'start' : 'end';
      return tag(
        'text',
        { class: from.includes(i) ? 'lab-name lab-name-strong' : 'lab-name', x: n1(x), y: n1(y + 6), 'text-anchor': side },
        escape(name),
      );
    })
    .join('');
  const circle = tag('circle', { class: 'lab-rim', cx: CENTRE_X, cy: CENTRE_Y, r: rim });
  return drawing(CHORDS_WIDTH, CHORDS_HEIGHT, circle + lines(false) + lines(true) + dots + names);
}

/** Two bars a name: the score on an axis through 0, the weight on a bar that is 1 when full. */
function bars({ bars: rows, scoreTitle, weightTitle, full: whole = 1 }: BarPicture, words: Words): string {
  const line = rows.length > 8 ? 28 : 40;
  const top = 34;
  const [left, axis, half, start, full] = [74, 134, 52, 206, 108];
  const names = labels(rows.map((row) => row.name), rows.length > 8 ? 3 : 4);
  const largest = Math.max(...rows.map((row) => Math.abs(row.score)), 1e-12);
  const body = rows
    .map((row, i) => {
      const y = top + i * line;
      const h = Math.min(20, line - 8);
      const length = (Math.abs(row.score) / largest) * half;
      const text = (x: number, kind: string, value: string, anchor: string) =>
        tag('text', { class: kind, x: n1(x), y: n1(y + h - 4), 'text-anchor': anchor }, escape(value));
      return [
        text(left - 6, 'lab-name', names[i]!, 'end'),
        tag('rect', { class: 'lab-bar-score', x: n1(row.score < 0 ? axis - length : axis), y, width: n1(length), height: h }),
        tag('rect', { class: 'lab-bar-room', x: start, y, width: full, height: h }),
        tag('rect', { class: 'lab-bar-weight', x: start, y, width: n1(full * (row.weight / whole)), height: h }),
        text(WIDTH, 'lab-figure', fixed(row.weight), 'end'),
      ].join('');
    })
    .join('');
  const height = top + rows.length * line;
  const titles =
    tag('text', { class: 'lab-axis', x: axis, y: 18, 'text-anchor': 'middle' }, escape(phrase(words, scoreTitle))) +
    tag('text', { class: 'lab-axis', x: start, y: 18 }, escape(phrase(words, weightTitle)));
  const zero = tag('path', { class: 'lab-zero', d: `M${axis} ${top - 6}V${height - 4}` });
  return drawing(WIDTH, height, titles + body + zero);
}

function body(picture: Picture, words: Words): string {
  switch (picture.kind) {
    case 'chords': return chords(picture);
    case 'bars': return bars(picture, words);
    case 'lines': return curve(picture, words);
    case 'magnitudes': return magnitudes(picture, words);
    case 'waves': return waves(picture, words);
    case 'grids': return grids(picture, words);
    case 'links': return links(picture, words);
    case 'dials': return dials(picture, words);
    case 'tiles': return tiles(picture, words);
    case 'pairs': return pairs(picture, words);
    case 'product': return product(picture);
  }
}

/** One image with a short name; its innards are hidden from readers, who have the table and the sentences. */
export function renderPicture(picture: Picture, words: Words): string {
  const label = escape(phrase(words, picture.label));
  return `<svg class="lab-picture lab-${picture.kind}" role="img" aria-label="${label}" ${body(picture, words)}`;
}
