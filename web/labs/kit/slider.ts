import { isTooFine, plain } from './format.ts';
import { phrase, ui, word } from './template.ts';
import type { SliderInput, Strings, Words } from './types.ts';

/** The stop whose value is nearest; the slider's position is its index. */
export function nearestStop(stops: number[], value: number): number {
  let best = 0;
  for (const [i, stop] of stops.entries()) {
    if (Math.abs(stop - value) < Math.abs(stops[best]! - value)) best = i;
  }
  return best;
}

/** "1.1，正常": the exact value, also when it lies between two stops. */
export function valueText(input: SliderInput, value: number, words: Words, strings: Strings): string {
  // A row of a matrix takes numbers that a slider of its own would refuse.
  const shown = isTooFine(value) ? ui(strings, 'lab.near-zero') : plain(value);
  if (!input.judge) return shown;
  const judgement = word(words, `inputs.${input.name}.judge.${input.judge(value)}`);
  return ui(strings, 'lab.value-text', { value: shown, judgement });
}

export function sliderLabel(input: SliderInput, words: Words): string {
  return phrase(words, { key: `inputs.${input.name}.label`, slots: { min: plain(input.min), max: plain(input.max) } });
}
