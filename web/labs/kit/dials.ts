import { drawing, escape, tag } from './html.ts';
import { phrase } from './template.ts';
import type { DialPicture, Words } from './types.ts';

const WIDTH = 440;
const GAP = 20;
const TITLE = 26;
const FOOT = 26;
const TICKS = 12;

const n1 = (x: number) => x.toFixed(1);

/** Clock faces: every hand starts at the top and turns clockwise; an arc leads from the first hand to the second. */
export function dials({ dials: all }: DialPicture, words: Words): string {
  const across = all.length === 1 ? 1 : all.length <= 4 ? 2 : 4;
  const size = Math.min(176, (WIDTH - GAP * (across - 1)) / across);
  const left = (WIDTH - across * size - GAP * (across - 1)) / 2;
  const step = TITLE + size + FOOT + 8;
  const r = size / 2 - 6;
  const body = all.map(({ name, hands, turn, text }, k) => {
    const cx = left + (k % across) * (size + GAP) + size / 2;
    const cy = TITLE + Math.floor(k / across) * step + size / 2;
    const at = (x: number, y: number, length: number) => `${n1(cx + length * y)} ${n1(cy - length * x)}`;
    const ticks = Array.from({ length: TICKS }, (_, i) =>
      tag('path', { class: 'lab-tick', d: `M${n1(cx)} ${n1(cy - r)}v${i === 0 ? 14 : 7}`, transform: `rotate(${i * (360 / TICKS)} ${n1(cx)} ${n1(cy)})` }),
    );
    const [from, to] = hands;
    const arc =
      Math.abs(turn) < 0.001
        ? ''
        : tag('path', {
            class: 'lab-turn',
            d: `M${at(from.x, from.y, r * 0.42)}A${n1(r * 0.42)} ${n1(r * 0.42)} 0 ${Math.abs(turn) > 0.5 ? 1 : 0} ${turn > 0 ? 1 : 0} ${at(to.x, to.y, r * 0.42)}`,
          });
    const hand = ({ x, y }: { x: number; y: number }, length: number, kind: string) =>
      tag('path', { class: kind, d: `M${n1(cx)} ${n1(cy)}L${at(x, y, length)}` });
    const middle = (y: number, kind: string, value: string) =>
      tag('text', { class: kind, x: n1(cx), y: n1(y), 'text-anchor': 'middle' }, escape(value));
    return [
      middle(cy - size / 2 - 8, 'lab-name', phrase(words, name)),
      tag('circle', { class: 'lab-rim', cx: n1(cx), cy: n1(cy), r: n1(r) }),
      ...ticks,
      arc,
      hand(to, r * 0.86, 'lab-hand lab-hand-thin'),
      hand(from, r * 0.6, 'lab-hand'),
      tag('circle', { class: 'lab-dot lab-dot-strong', cx: n1(cx), cy: n1(cy), r: 4 }),
      middle(cy + size / 2 + 18, 'lab-figure', text),
    ].join('');
  });
  return drawing(WIDTH, Math.ceil(all.length / across) * step, body.join(''));
}
