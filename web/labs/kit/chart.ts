import { along, decades } from './axis.ts';
import { drawing, escape, tag } from './html.ts';
import { phrase } from './template.ts';
import type { CurvePicture, Header, MagnitudePicture, Words } from './types.ts';

const WIDTH = 440;
/** The field inside the axes of a curve. */
const FIELD = { left: 52, right: 306, top: 44, bottom: 236 };
/** Names beside the ends of lines keep this distance. */
const NAME_STEP = 26;
const CURVE_HEIGHT = 304;
const BAR = { step: 62, height: 18, top: 8 };
/** A bar that is too short to be drawn still leaves a mark. */
const SHORTEST = 1.5;

const n1 = (x: number) => x.toFixed(1);
const textOf = (header: Header, words: Words) => (typeof header === 'string' ? header : phrase(words, header));

function text(x: number, y: number, kind: string, value: string, anchor: 'start' | 'middle' | 'end' = 'start'): string {
  return tag('text', { class: kind, x: n1(x), y: n1(y), 'text-anchor': anchor }, escape(value));
}

/** Heights for names that stand beside the ends of lines, moved apart until they can be read. */
function apart(levels: number[]): number[] {
  const order = levels.map((_, i) => i).sort((a, b) => levels[a]! - levels[b]!);
  const placed = [...levels];
  for (const [k, i] of order.entries()) {
    if (k > 0) placed[i] = Math.max(placed[i]!, placed[order[k - 1]!]! + NAME_STEP);
  }
  return placed;
}

/** A bar with a short stroke across each end. */
function errorBar(x: number, low: number, high: number, kind: string): string {
  const ends = [low, high].map((y) => `M${n1(x - 4)} ${n1(y)}h8`).join('');
  return tag('path', { class: `lab-range${kind}`, d: `M${n1(x)} ${n1(low)}V${n1(high)}${ends}` });
}

export function curve({ x, y, lines, at }: CurvePicture, words: Words): string {
  const placeX = (value: number) => FIELD.left + along(value, x.min, x.max, x.log) * (FIELD.right - FIELD.left);
  const placeY = (value: number) => FIELD.bottom - along(value, y.min, y.max, y.log) * (FIELD.bottom - FIELD.top);
  const grid = y.ticks
    .map((tick) => {
      const level = placeY(tick.at);
      return (
        tag('path', { class: 'lab-grid', d: `M${FIELD.left} ${n1(level)}H${FIELD.right}` }) +
        text(FIELD.left - 8, level + 5, 'lab-figure', tick.text, 'end')
      );
    })
    .join('');
  const below = x.ticks.map((tick) => text(placeX(tick.at), FIELD.bottom + 24, 'lab-figure', tick.text, 'middle')).join('');
  const chosen = at === undefined ? '' : tag('path', { class: 'lab-chosen', d: `M${n1(placeX(at))} ${FIELD.top}V${FIELD.bottom}` });
  const drawn = [...lines]
    .sort((a, b) => Number(a.strong ?? false) - Number(b.strong ?? false))
    .map(({ points, bars, strong }) => {
      const kind = strong ? ' lab-line-strong' : '';
      const places = points.map(([px, py]) => `${n1(placeX(px))} ${n1(placeY(py))}`);
      return (
        tag('path', { class: `lab-line${kind}`, d: `M${places.join('L')}` }) +
        (bars ?? []).map(([low, high], i) => errorBar(placeX(points[i]![0]), placeY(low), placeY(high), kind)).join('') +
        points.map(([px, py]) => tag('circle', { class: `lab-point${kind}`, cx: n1(placeX(px)), cy: n1(placeY(py)), r: px === at ? 7 : 4 })).join('')
      );
    })
    .join('');
  const levels = apart(lines.map(({ points }) => placeY(points[points.length - 1]![1])));
  const names = lines
    .map(({ name, strong }, i) => text(FIELD.right + 12, levels[i]! + 6, strong ? 'lab-name lab-name-strong' : 'lab-name', phrase(words, name)))
    .join('');
  const titles =
    text(4, 20, 'lab-axis', phrase(words, y.title)) + text(FIELD.right, FIELD.bottom + 54, 'lab-axis', phrase(words, x.title), 'end');
  const axis = tag('path', { class: 'lab-zero', fill: 'none', d: `M${FIELD.left} ${FIELD.bottom}H${FIELD.right}` });
  return drawing(WIDTH, CURVE_HEIGHT, grid + axis + below + chosen + drawn + names + titles);
}

/** The name and the number of a bar stand above it, so that both have room at every width. */
export function magnitudes({ bars, scale }: MagnitudePicture, words: Words): string {
  const log = scale === 'log';
  const most = Math.max(...bars.map(({ value }) => value));
  const longest = most > 0 ? most : 1;
  const length = (value: number) => (value <= (log ? 1 : 0) ? 0 : along(value, log ? 1 : 0, longest, log) * WIDTH);
  const height = BAR.top + bars.length * BAR.step;
  const lines = log
    ? decades(longest)
        .map((at) => tag('path', { class: 'lab-grid', d: `M${n1(length(at))} ${BAR.top}V${height - 4}` }))
        .join('')
    : '';
  const drawn = bars
    .map(({ name, value, text: shown, strong }, i) => {
      const y = BAR.top + i * BAR.step;
      const top = y + 30;
      return (
        text(0, y + 20, strong ? 'lab-name lab-name-strong' : 'lab-name', textOf(name, words)) +
        text(WIDTH, y + 20, 'lab-figure', shown, 'end') +
        tag('rect', { class: 'lab-bar-room', x: 0, y: top, width: WIDTH, height: BAR.height }) +
        tag('rect', {
          class: strong ? 'lab-bar-weight' : 'lab-bar-score',
          x: 0,
          y: top,
          width: n1(value > 0 ? Math.max(SHORTEST, length(value)) : 0),
          height: BAR.height,
        })
      );
    })
    .join('');
  return drawing(WIDTH, height, lines + drawn);
}
