// What each lab's words promise, on the built page: in the file as it is read without scripts, and in a browser, at the
// defaults and at each preset, in both scripts.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parse as parseHtml, type DefaultTreeAdapterTypes } from 'parse5';
import type { Core } from '../../web/core/core.ts';
import { labs } from '../../web/labs/index.ts';
import { allTables, TABLE_DIGITS } from '../../web/labs/kit/render-result.ts';
import { lookup } from '../../web/labs/kit/template.ts';
import type { Lab, Raw, Table, Words } from '../../web/labs/kit/types.ts';
import { WINDOW } from '../../web/labs/kit/window.ts';
import { readLabWords } from '../../web/site/lab-pages.ts';
import { SCRIPTS, type Script } from '../../web/site/scripts.ts';
import { readTerms } from '../../web/site/terms.ts';
import { makeConverter } from '../../web/site/transforms/convert.ts';
import { unprotect } from '../../web/site/transforms/protect.ts';
import { loadCore, root, show, strings } from '../labs/kit.ts';
import { open, SIDE_BY_SIDE, visit } from './support/chromium.mts';
import { htmlOf, quarter, REST } from './support/dist.mts';
import { idle, reveal } from './support/lab.mts';
import { stage } from './support/stage.mts';

/** The tables that an input leads to, each by its first rows and columns. */
type Cells = Record<string, number[][]>;

interface Expected {
  default?: { state?: string; cells?: Cells };
  presets?: Record<string, Cells>;
}

/** What a page shows of a lab: its sentence, and the text of every cell of every table. */
interface Shown {
  state: string;
  tables: Record<string, string[][]>;
}

const stems = readdirSync(`${root}lessons/labs`)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace('.yaml', ''))
  .sort();

const converters: Record<Script, (text: string) => string> = {
  'zh-Hant': (text) => text,
  'zh-Hans': makeConverter(readTerms(readFileSync(`${root}lessons/terms.yaml`, 'utf8'))),
};

const wordsOf = (stem: string, script: Script): Words => readLabWords(root, stem, script);
const expectationsOf = (words: Words): Expected => (lookup(words, 'expect') ?? {}) as Expected;
const pageOf = (stem: string, script: Script): string => `${script}/labs/${stem}/index.html`;

const core: Core = await loadCore();
const { browser, http } = await stage();

type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((attr) => attr.name === name)?.value;

function elements(parent: Parent): Element[] {
  return parent.childNodes.flatMap((child) => ('tagName' in child ? [child, ...elements(child)] : []));
}

function textOf(parent: Parent): string {
  return parent.childNodes
    .map((child) => ('value' in child ? child.value : 'childNodes' in child ? textOf(child) : ''))
    .join('');
}

/** A lab as it lies in the file. */
function written(page: string, id: string): Shown {
  const lab = elements(parseHtml(htmlOf(page))).find((element) => attribute(element, 'id') === id);
  assert.ok(lab, `${page} has no ${id}`);
  const inside = elements(lab);
  const state = inside.find((element) => attribute(element, 'data-part') === 'state');
  const tables = inside.filter(({ tagName }) => tagName === 'table');
  return {
    state: state ? textOf(state) : '',
    tables: Object.fromEntries(
      tables.map((table) => [
        attribute(table, 'id')?.slice(id.length + 1) ?? '',
        elements(table)
          .filter(({ tagName }) => tagName === 'tr')
          .map((row) => elements(row).filter(({ tagName }) => tagName === 'td').map(textOf))
          .filter((cells) => cells.length > 0),
      ]),
    ),
  };
}

/** Runs in the page. */
function live(id: string): Shown {
  const lab = document.getElementById(id)!;
  const tables = [...lab.querySelectorAll('table')];
  return {
    state: lab.querySelector('[data-part="state"]')!.textContent ?? '',
    tables: Object.fromEntries(
      tables.map((table) => [
        table.id.slice(id.length + 1),
        [...table.tBodies[0]!.rows].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')),
      ]),
    ),
  };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A number as a cell shows it, perhaps with the remark that it is the largest. */
function numberIn(text: string, convert: (text: string) => string): number {
  const remark = (key: string): RegExp =>
    new RegExp(`^${escaped(convert(strings[key]!)).replace(escaped('{value}'), '(.*)')}$`);
  const bare = ['lab.largest-tied', 'lab.largest'].reduce((rest, key) => remark(key).exec(rest)?.[1] ?? rest, text);
  assert.match(bare, /^-?\d[\d,]*(\.\d+)?$/, `"${text}" is no number`);
  return Number(bare.replaceAll(',', ''));
}

/** Every cell that is expected, as far as the window of a large table reaches. */
function checkCells(shown: Shown, expected: Cells, models: Table[], convert: (text: string) => string): void {
  for (const [id, rows] of Object.entries(expected)) {
    const model = models.find((table) => table.id === id);
    const texts = shown.tables[id];
    assert.ok(model && texts, `there is no table ${id}`);
    rows.slice(0, WINDOW).forEach((row, i) =>
      row.slice(0, WINDOW).forEach((value, j) => {
        const text = texts[i]?.[j];
        const where = `${id}, row ${i}, column ${j}`;
        assert.ok(text !== undefined, `${where} is missing`);
        const own = model.texts?.[i]?.[j];
        if (own !== undefined) {
          assert.equal(text, convert(own), where);
          return;
        }
        const tolerance = 0.5 * 10 ** -TABLE_DIGITS + 0.5 * 10 ** -(model.digits?.[j] ?? TABLE_DIGITS);
        const gap = Math.abs(numberIn(text, convert) - value);
        assert.ok(gap <= tolerance * (1 + 1e-9), `${where}: ${text} is not ${value}`);
      }),
    );
  }
}

test('the words of every lab say what its page must show', () => {
  assert.deepEqual(stems, Object.keys(labs).sort());
  const lacking = stems.filter((stem) => {
    const { default: first } = expectationsOf(wordsOf(stem, 'zh-Hant'));
    return !first?.state || Object.values(first.cells ?? {}).flat(2).length === 0;
  });
  assert.deepEqual(lacking, []);
});

const mainland = new Set(quarter(Object.keys(labs)));

for (const script of Object.keys(SCRIPTS) as Script[])
  describe(`expectations, ${script}`, SIDE_BY_SIDE, () => {
    const convert = (text: string): string => unprotect(converters[script](text));
    for (const stem of Object.keys(labs)) {
      const lab = labs[stem] as Lab;
      const id = `lab-${stem}`;
      const page = pageOf(stem, script);
      const modelsAt = (raw: Raw): Table[] => allTables(show(lab, core, wordsOf(stem, 'zh-Hant'), raw).view);
      const checkDefault = (shown: Shown, expected: Expected): void => {
        assert.equal(shown.state, convert(expected.default!.state!));
        checkCells(shown, expected.default!.cells!, modelsAt({}), convert);
      };

      test(`${stem}: without scripts`, () => checkDefault(written(page, id), expectationsOf(wordsOf(stem, script))));

      // The mainland edition is its words; a quarter of it is tried in `npm test`.
      if (script === 'zh-Hant' ? REST : !mainland.has(stem)) continue;
      test(`${stem}: in Chromium`, async () => {
        const expected = expectationsOf(wordsOf(stem, script));
        const tab = await open(browser, http);
        try {
          await visit(tab, http.url(page));
          await reveal(tab.page, id);
          assert.ok(await tab.page.locator(`#${id} [data-part="state"]`).isVisible(), 'the sentence is hidden');
          checkDefault(await tab.page.evaluate(live, id), expected);
          for (const [preset, cells] of Object.entries(expected.presets ?? {})) {
            await tab.page.locator(`#${id} [data-do="preset"][data-value="${preset}"]`).click();
            await idle(tab.page);
            const raw = lab.presets.find((p) => p.id === preset)!.raw(core, wordsOf(stem, 'zh-Hant'));
            checkCells(await tab.page.evaluate(live, id), cells, modelsAt(raw), convert);
          }
          assert.deepEqual(tab.problems, []);
        } finally {
          await tab.close();
        }
      });
    }
  });
