import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Core } from '../../web/core/core.ts';
import { corePath, loadAllInNode } from '../../web/core/node.ts';
import { defaults, read, reshape } from '../../web/labs/kit/raw.ts';
import { renderLab } from '../../web/labs/kit/render.ts';
import { lookup, phrase } from '../../web/labs/kit/template.ts';
import { readRegion } from '../../web/site/transforms/regions.ts';
import type { Lab, Raw, Strings, Values, View, Words } from '../../web/labs/kit/types.ts';

export const root = new URL('../../', import.meta.url).pathname;
const text = (path: string) => readFileSync(root + path, 'utf8');

/** The Taiwan side of a file. */
const taiwan = (path: string): unknown => parse(text(path).replace(/\{\{tw:(.*?)\|cn:.*?\}\}/g, '$1'));

export const strings = taiwan('web/labs/strings.yaml') as Strings;

export const wordsOf = (stem: string): Words => taiwan(`lessons/labs/${stem}.yaml`) as Words;

export const loadCore = (): Promise<Core> => loadAllInNode(process.env.ATTN_CORE ?? corePath);

export function valuesOf(lab: Lab, raw: Raw): Values {
  const reading = read(lab, raw);
  if ('problems' in reading) throw new Error(JSON.stringify(reading.problems));
  return reading.values;
}

/** What a lab shows for its defaults with some fields typed over. */
export function show(lab: Lab, core: Core, words: Words, typed: Raw = {}): { values: Values; result: any; view: View } {
  const values = valuesOf(lab, reshape(lab, { ...defaults(lab, words), ...typed }));
  const result = lab.run(core, values);
  return { values, result, view: lab.view(values, result, words) };
}

export const page = (stem: string, core: Core): string =>
  renderLab(stem, wordsOf(stem), core, {
    page: 'test',
    strings,
    excerpt(file, region) {
      const { lines, first } = readRegion(text(file), region);
      return { code: lines.join('\n'), line: first };
    },
  });

/** The keys of all sentences below `path`. */
export function leaves(words: Words, path: string): string[] {
  const below = (node: string | string[] | Words | undefined, at: string): string[] =>
    typeof node === 'object' && !Array.isArray(node)
      ? Object.entries(node).flatMap(([key, value]) => below(value, `${at}.${key}`))
      : [at];
  return below(lookup(words, path), path);
}

/** The keys of what a view tells, each sentence of which is whole and short enough. */
export function toldBy({ state, say, facts, lines, picture }: View, words: Words): string[] {
  const messages = [state, say!, ...facts, picture.label, ...(lines ? [lines.heading, ...lines.sentences] : [])];
  for (const message of messages) {
    const text = phrase(words, message);
    assert.doesNotMatch(text, /NaN|Infinity|undefined/);
    for (const sentence of text.split('。')) assert.ok([...sentence].length <= 60, `${[...sentence].length} ${sentence}`);
  }
  assert.match(phrase(words, state), /^現在：.*。$/);
  assert.ok([...phrase(words, say!)].length <= 40, phrase(words, say!));
  return messages.map(({ key }) => key);
}
