import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Core } from '../../web/core/core.ts';
import { CoreError } from '../../web/core/errors.ts';
import { labs } from '../../web/labs/index.ts';
import { defaults, paste, read, reshape } from '../../web/labs/kit/raw.ts';
import { problemText, renderInputs } from '../../web/labs/kit/render-inputs.ts';
import { renderTables, renderTrust, renderView } from '../../web/labs/kit/render-result.ts';
import { renderSound, renderTools } from '../../web/labs/kit/render-tools.ts';
import { ui } from '../../web/labs/kit/template.ts';
import { trustLines } from '../../web/labs/kit/trust.ts';
import type { Lab, Raw } from '../../web/labs/kit/types.ts';
import { decodeState, encodeState } from '../../web/labs/kit/url-state.ts';
import { loadCore, strings, wordsOf } from './kit.ts';

let core: Core;
before(async () => {
  core = await loadCore();
});

/** mulberry32: the same garbage in every run. */
function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const SCRAPS = [
  '', ' ', '　', '0', '1', '-1', '－１', '１２', '0.5', '1e3', '1e-300', '1e308', '1e999', 'NaN', 'Infinity', '-∞', '95%', 'abc', '<b>x</b>', '"',
  "'", '&amp;', ',', '，', '、', ';', '\t', '\n', '\r\n', '\u0000', '\u2028', '[[', ']]', '[1,2],[3,4]', '1,2', '1 2 3', '1,,2', '1;2', '貓', '貓、坐',
  '一 二 三', '🐱', 'a'.repeat(40), '1,'.repeat(30), '1\n'.repeat(30), '{w}', '{{tw:a|cn:b}}', '$&', '__proto__', 'constructor', 'undefined', 'null',
  '9'.repeat(400), '-', '+', '.', '١٢', '½', '0x1F', '1_000', '1.2.3',
];

/** Everything the page would show for these fields, or the complaints in place of it. */
function pageFor(lab: Lab, raw: Raw): string {
  const words = wordsOf(lab.stem);
  const shaped = reshape(lab, raw);
  const reading = read(lab, shaped);
  const problems = 'problems' in reading ? reading.problems : [];
  const parts = [renderInputs({ lab, id: 'x', words, strings, raw: shaped, problems, disabled: false })];
  for (const problem of problems) {
    const text = problemText(problem, words, strings);
    assert.match(text, /。$/);
    parts.push(text);
  }
  if ('values' in reading) {
    const context = { id: 'x', words, strings, corners: {}, level: 3, live: true };
    try {
      const result = lab.run(core, reading.values);
      const view = lab.view(reading.values, result, words);
      parts.push(
        renderView(context, view),
        renderTables(context, view),
        renderTrust(context, trustLines(lab, core, reading.values, result), 't'),
        renderSound('x', view, words, strings, 5),
        renderTools('x', view, words, strings, ''),
      );
    } catch (error) {
      // What the core refuses reaches the learner as the sentence of its code.
      assert.ok(error instanceof CoreError, String(error));
      parts.push(ui(strings, `error.${error.code}`));
    }
  }
  return parts.join('\n');
}

/** Long work is made short, so that there is time for garbage. */
const SHORT: Record<string, Raw> = { scaling: { trials: '50', keys: '2' }, probe: { steps: '5', hidden: '2' } };

for (const [stem, lab] of Object.entries(labs)) {
  test(`${stem}: nothing that can be typed, pasted or linked throws or shows a broken number`, () => {
    const next = random(7);
    const scrap = () => SCRAPS[Math.floor(next() * SCRAPS.length)]!;
    const scraps = (most: number) => Array.from({ length: Math.floor(next() * most) }, scrap).join(next() < 0.5 ? '' : ' ');
    const words = wordsOf(stem);
    const start = reshape(lab, { ...defaults(lab, words), ...SHORT[stem] });
    let read = 0;
    for (let round = 0; round < 400; round++) {
      let raw: Raw = { ...start };
      for (const input of lab.inputs) {
        if (next() < 0.6) continue;
        raw[input.name] = input.kind === 'matrix' ? Array.from({ length: Math.floor(next() * 6) }, () => scraps(6)) : scraps(4);
        if (input.kind === 'matrix' && next() < 0.3) {
          const pasted = paste(lab, raw, input.name, scraps(8), words);
          if (pasted.ok) raw = pasted.raw;
          else assert.match(ui(strings, `error.${pasted.problem.code}`, pasted.problem.slots), /。$/);
        }
      }
      const hash = encodeState(lab, 'x', raw, start);
      for (const shown of [raw, { ...start, ...decodeState(lab, 'x', hash) }]) {
        // The learner's own words are quoted back; only what the page makes of them counts.
        const html = pageFor(lab, shown).replace(/value="[^"]*"/g, '').replace(/「[^」]*」/g, '');
        const text = html.replace(/<option[^>]*>[^<]*<\/option>|<th[^>]*>[^<]*<\/th>|<text[^>]*>[^<]*<\/text>/g, '');
        assert.doesNotMatch(text, /NaN|Infinity|undefined|null|\[object/, JSON.stringify(shown));
        assert.doesNotMatch(html, /<b>/, 'typed markup is text');
        if (html.includes('lab-facts')) read++;
      }
    }
    assert.ok(read > 10, `only ${read} inputs led to a result`);
  });
}
