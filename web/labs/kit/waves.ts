import { plain } from './format.ts';
import { drawing, escape, tag } from './html.ts';
import { phrase } from './template.ts';
import type { WavePicture, Words } from './types.ts';

const WIDTH = 440;
const LEFT = 96;
const RIGHT = 12;
const TOP = 10;
const BAND = 66;
const GAP = 14;
const FOOT = 44;

const n1 = (x: number) => x.toFixed(1);

/** Curves over one axis, each in a band of its own, so that none hides another. */
export function waves({ x, bands, range, xTitle }: WavePicture, words: Words): string {
  const [low, high] = range;
  const [first, last] = [x[0]!, x[x.length - 1]!];
  const across = (value: number) => LEFT + ((WIDTH - LEFT - RIGHT) * (value - first)) / (last - first || 1);
  const text = (px: number, py: number, kind: string, value: string, anchor: string) =>
    tag('text', { class: kind, x: n1(px), y: n1(py), 'text-anchor': anchor }, escape(value));
  const drawn = bands.map((band, i) => {
    const top = TOP + i * (BAND + GAP);
    const down = (value: number) => top + BAND * (1 - (Math.min(high, Math.max(low, value)) - low) / (high - low));
    const path = band.y.map((value, k) => `${k === 0 ? 'M' : 'L'}${n1(across(x[k]!))} ${n1(down(value))}`).join('');
    return [
      tag('rect', { class: 'lab-band', x: LEFT, y: top, width: WIDTH - LEFT - RIGHT, height: BAND }),
      tag('path', { class: 'lab-zero', d: `M${LEFT} ${n1(down((low + high) / 2))}H${WIDTH - RIGHT}` }),
      tag('path', { class: band.strong ? 'lab-curve lab-curve-strong' : 'lab-curve', d: path }),
      text(4, top + BAND / 2 + 6, band.strong ? 'lab-name lab-name-strong' : 'lab-name', phrase(words, band.name), 'start'),
      text(LEFT - 4, top + 11, 'lab-axis', plain(high), 'end'),
      text(LEFT - 4, top + BAND, 'lab-axis', plain(low), 'end'),
    ].join('');
  });
  const bottom = TOP + bands.length * (BAND + GAP) - GAP;
  const whole = x.filter(Number.isInteger);
  const middle = whole[Math.floor(whole.length / 2)] ?? first;
  const ticks = [first, middle, last].map(
    (value, i) =>
      tag('path', { class: 'lab-zero', d: `M${n1(across(value))} ${bottom}v5` }) +
      text(across(value), bottom + 19, 'lab-axis', plain(value), i === 0 ? 'start' : i === 1 ? 'middle' : 'end'),
  );
  const title = text((LEFT + WIDTH - RIGHT) / 2, bottom + 38, 'lab-axis', phrase(words, xTitle), 'middle');
  return drawing(WIDTH, bottom + FOOT, drawn.join('') + ticks.join('') + title);
}
