// Settings that are allowed, but at the ends of what is allowed: every number can still be said, and every self-check still holds.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Core } from '../../web/core/core.ts';
import { labs } from '../../web/labs/index.ts';
import { defaults, read, reshape, setSlider } from '../../web/labs/kit/raw.ts';
import { problemText, renderInputs } from '../../web/labs/kit/render-inputs.ts';
import { renderTables, renderTrust, renderView } from '../../web/labs/kit/render-result.ts';
import { renderSound } from '../../web/labs/kit/render-tools.ts';
import { powerMark } from '../../web/labs/kit/amount.ts';
import { along } from '../../web/labs/kit/axis.ts';
import { trustLines } from '../../web/labs/kit/trust.ts';
import type { Input, Lab, Raw } from '../../web/labs/kit/types.ts';
import { loadCore, strings, wordsOf } from './kit.ts';

let core: Core;
before(async () => {
  core = await loadCore();
});

const start = (stem: string): Raw => reshape(labs[stem]!, defaults(labs[stem]!, wordsOf(stem)));

/** Self-checks that fail, and what of the page cannot be said or drawn. */
function faults(lab: Lab, raw: Raw): string[] {
  const reading = read(lab, raw);
  if ('problems' in reading) return [];
  const { values } = reading;
  const words = wordsOf(lab.stem);
  const result = lab.run(core, values);
  const view = lab.view(values, result, words);
  const lines = trustLines(lab, core, values, result);
  const context = { id: 'x', words, strings, corners: {}, level: 3, live: true };
  const html = [
    renderView(context, view),
    renderTables(context, view),
    renderTrust(context, lines, 't'),
    renderSound('x', view, words, strings, 5),
    // What was typed stays as it was typed.
    renderInputs({ lab, id: 'x', words, strings, raw, problems: [], disabled: false }).replace(/ value="[^"]*"/g, ''),
  ].join('\n');
  const unsayable = html.match(/.{0,30}(?:NaN|Infinity|undefined|\d(?:\.\d+)?e[-+]?\d).{0,20}/);
  return [
    ...lines.filter(({ passes }) => !passes).map(({ key, value }) => `${key} ${value}`),
    ...(unsayable ? [unsayable[0]] : []),
    ...((view.sound?.values ?? []).every(Number.isFinite) ? [] : ['sound']),
  ];
}

const ends = (input: Input): string[] => {
  if (input.kind === 'slider') return [String(input.min), String(input.max)];
  return input.kind === 'choice' ? input.options : [];
};

for (const [stem, lab] of Object.entries(labs)) {
  test(`${stem}: at both ends of every control, alone and all together`, () => {
    const set = (raw: Raw, input: Input, text: string): Raw => (input.kind === 'slider' ? setSlider(lab, raw, input, text) : { ...raw, [input.name]: text });
    const quick = (raw: Raw): boolean => {
      const reading = read(lab, raw);
      return 'values' in reading && !(lab.heavy?.isLong(reading.values) && stem !== 'performer');
    };
    const alone = lab.inputs.flatMap((input) => ends(input).map((text) => set(start(stem), input, text)));
    const together = [0, -1].map((end) => lab.inputs.reduce((raw, input) => (ends(input).length > 0 ? set(raw, input, ends(input).at(end)!) : raw), start(stem)));
    for (const raw of [...alone, ...together].filter(quick)) assert.deepEqual(faults(lab, raw), [], JSON.stringify(raw));
  });
}

const extreme: [string, Raw][] = [
  ['relay-decay', { factor: '1.2', steps: '3000', gate: '0.8' }],
  ['relay-decay', { factor: '0.8', steps: '3000', gate: '1' }],
  ['probe', { kind: 'mlp', rate: '2', steps: '100', x: Array(6).fill(0).map((_, i) => [10, -10, 9, -8, 7, 10].map((x, j) => ((i + j) % 3 === 0 ? -x : x)).slice(0, 4).join(', ')) }],
  ['performer', { draw: 'random', features: '6', scale: '2', kind: 'hyperbolic', orthogonal: 'yes', xy: ['1, 1, 1', '1, 1, 1'] }],
  ['performer', { draw: 'random', features: '6', scale: '1.75', orthogonal: 'yes', xy: ['1, 1', '1, 1'] }],
  ['performer', { draw: 'random', features: '5', scale: '2', seed: '600', kind: 'trigonometric', orthogonal: 'yes', xy: ['1', '1'] }],
  ['layer', { layer: '1', cross: 'on', network: 'relu', residual: 'on', norm: 'post', seed: '15', tokens: '甲、乙、丙、丁', x: Array(4).fill('0, 0') }],
  ['dot-product', { vectors: ['1e-300, 0', '-1e-12, 1'], factor: '0.06' }],
  ['party', { scores: ['1e-12', '1e-12', '0', '0', '0'] }],
  ['head-gates', { gates: ['1e-12', '1'] }],
  // Rows so even that LayerNorm puts ReLU within a hair of its corner.
  ['layer', { norm: 'pre', network: 'relu', layer: '1', x: Array(6).fill('9.9999999, 10, 10, 10') }],
];

for (const [stem, typed] of extreme) {
  test(`${stem}: ${JSON.stringify(typed).slice(0, 70)} is drawn, said and sound`, () => {
    const raw = reshape(labs[stem]!, { ...start(stem), ...typed });
    assert.ok('values' in read(labs[stem]!, raw), JSON.stringify(read(labs[stem]!, raw)));
    assert.deepEqual(faults(labs[stem]!, raw), []);
  });
}

test('A slider refuses what is too close to 0 to be said, in a sentence; 0 itself is welcome', () => {
  const lab = labs['exponential-shares']!;
  const at = (shift: string) => read(lab, { ...start(lab.stem), shift });
  for (const typed of ['1e-7', '-1e-300', '0.0000001']) {
    const reading = at(typed);
    assert.ok('problems' in reading, typed);
    assert.match(problemText(reading.problems[0]!, wordsOf(lab.stem), strings), /0\.000001/);
  }
  for (const typed of ['0', '-0', '0.000001', '1e-6']) assert.ok('values' in at(typed), typed);
});

test('A logarithmic axis holds several hundred powers of ten', () => {
  assert.equal(along(1, 1e-291, 1e291, true), 0.5);
  assert.equal(powerMark(1.14e107), '1.1×10¹⁰⁷');
});
