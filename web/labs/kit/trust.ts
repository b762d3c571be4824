import type { Core } from '../../core/core.ts';
import { fixed, scientific } from './format.ts';
import { phrase, ui } from './template.ts';
import type { Lab, Strings, Values, Words } from './types.ts';

export interface TrustLine {
  key: string;
  value: number;
  passes: boolean;
}

/** The lab's self-checks on this very result. A residual that is not a number fails. */
export function trustLines(lab: Lab, core: Core, values: Values, result: unknown): TrustLine[] {
  return lab.checks.map(({ key, limit, residual: measure }) => {
    const value = measure(core, values, result);
    return { key, value, passes: value <= limit };
  });
}

/** A residual as it is spoken: exactly 0, a plain number, or a power of ten. */
function residualText(x: number, strings: Strings): string {
  if (!Number.isFinite(x)) return ui(strings, 'lab.no-number');
  if (x === 0) return '0';
  if (x >= 0.001 && x < 1e7) return fixed(x, 4);
  const { mantissa, exponent } = scientific(x);
  const key = exponent < 0 ? 'lab.power-small' : 'lab.power-large';
  return ui(strings, key, { mantissa, exponent: String(Math.abs(exponent)) });
}

export function trustSentence(line: TrustLine, words: Words, strings: Strings): string {
  return phrase(words, {
    key: `trust.${line.key}`,
    slots: { value: residualText(line.value, strings), verdict: ui(strings, line.passes ? 'lab.pass' : 'lab.fail') },
  });
}

export function trustSummary(lines: TrustLine[], strings: Strings): string {
  const failed = lines.filter((line) => !line.passes).length;
  const slots = { count: String(lines.length), failed: String(failed) };
  return ui(strings, failed === 0 ? 'lab.trust-all' : 'lab.trust-some', slots);
}
