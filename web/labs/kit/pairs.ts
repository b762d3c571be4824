import { drawing, escape, tag } from './html.ts';
import { labels } from './labels.ts';
import { phrase } from './template.ts';
import type { PairPicture, Words } from './types.ts';

const WIDTH = 440;
const TOP = 34;
const FEW = 8;
const LEFT = 130;
const RIGHT = 310;

const LINES = {
  strong: { class: 'lab-chord lab-chord-strong', 'stroke-width': 4 },
  plain: { class: 'lab-chord lab-chord-plain', 'stroke-width': 2.5 },
  dashed: { class: 'lab-chord lab-chord-plain', 'stroke-width': 2.5, 'stroke-dasharray': '1 8' },
};

/** Two columns of names, the shorter one spread over the height of the longer. */
export function pairs({ left, right, leftTitle, rightTitle, lines }: PairPicture, words: Words): string {
  const longest = Math.max(left.length, right.length);
  const height = longest * (longest > FEW ? 30 : 42);
  const at = (place: number, count: number) => TOP + (height * (place + 0.5)) / count;
  const isStrong = (side: 'from' | 'to', place: number) => lines.some((line) => line.kind === 'strong' && line[side] === place);
  const column = (names: string[], side: 'from' | 'to', x: number, textX: number, anchor: string) =>
    labels(names, 6).map((name, i) => {
      const y = at(i, names.length);
      const strong = isStrong(side, i);
      return (
        tag('circle', { class: strong ? 'lab-dot lab-dot-strong' : 'lab-dot', cx: x, cy: y.toFixed(1), r: 6 }) +
        tag('text', { class: strong ? 'lab-name lab-name-strong' : 'lab-name', x: textX, y: (y + 6).toFixed(1), 'text-anchor': anchor }, escape(name))
      );
    });
  const title = (x: number, message: PairPicture['leftTitle'], anchor: string) =>
    tag('text', { class: 'lab-axis', x, y: 18, 'text-anchor': anchor }, escape(phrase(words, message)));
  const bend = (LEFT + RIGHT) / 2;
  const drawn = [...lines]
    .sort((a, b) => Number(a.kind === 'strong') - Number(b.kind === 'strong'))
    .map(({ from, to, kind }) => {
      const [y0, y1] = [at(from, left.length).toFixed(1), at(to, right.length).toFixed(1)];
      return tag('path', { ...LINES[kind], d: `M${LEFT} ${y0}C${bend} ${y0} ${bend} ${y1} ${RIGHT} ${y1}` });
    });
  return drawing(
    WIDTH,
    TOP + height + 8,
    [
      title(LEFT - 16, leftTitle, 'end'),
      title(RIGHT + 16, rightTitle, 'start'),
      ...drawn,
      ...column(left, 'from', LEFT, LEFT - 16, 'end'),
      ...column(right, 'to', RIGHT, RIGHT + 16, 'start'),
    ].join(''),
  );
}
