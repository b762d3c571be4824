import { drawing, escape, tag } from './html.ts';
import { labels } from './labels.ts';
import { phrase } from './template.ts';
import type { LinkPicture, Words } from './types.ts';

const WIDTH = 440;
const TOP = 34;
const LINE = 42;
const LEFT = 130;
const RIGHT = 310;

/** Two lists of names and a line from each name to its other place. */
export function links({ before, order, beforeTitle, afterTitle, strong }: LinkPicture, words: Words): string {
  const at = (place: number) => TOP + place * LINE + LINE / 2;
  const names = labels(before, 6);
  const name = (i: number, x: number, place: number, anchor: string) =>
    tag(
      'text',
      { class: i === strong ? 'lab-name lab-name-strong' : 'lab-name', x, y: at(place) + 6, 'text-anchor': anchor },
      escape(names[i]!),
    );
  const title = (x: number, message: LinkPicture['beforeTitle'], anchor: string) =>
    tag('text', { class: 'lab-axis', x, y: 18, 'text-anchor': anchor }, escape(phrase(words, message)));
  const lines = order.map((i, place) => {
    const kind = i === strong ? 'lab-chord lab-chord-strong' : 'lab-chord lab-chord-plain';
    const bend = (LEFT + RIGHT) / 2;
    return (
      tag('path', { class: kind, d: `M${LEFT} ${at(i)}C${bend} ${at(i)} ${bend} ${at(place)} ${RIGHT} ${at(place)}`, 'stroke-width': i === strong ? 4 : 2.5 }) +
      tag('circle', { class: i === strong ? 'lab-dot lab-dot-strong' : 'lab-dot', cx: LEFT, cy: at(i), r: 6 }) +
      tag('circle', { class: i === strong ? 'lab-dot lab-dot-strong' : 'lab-dot', cx: RIGHT, cy: at(place), r: 6 }) +
      name(i, LEFT - 16, i, 'end') +
      name(i, RIGHT + 16, place, 'start')
    );
  });
  const titles = title(LEFT - 16, beforeTitle, 'end') + title(RIGHT + 16, afterTitle, 'start');
  return drawing(WIDTH, TOP + before.length * LINE + 8, titles + lines.join(''));
}
