// The published tables of tests/vectors are quoted with their papers in lessons/sources.yaml, figure for figure.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

interface Case {
  readonly id: string;
  readonly input: unknown;
  readonly expected: unknown;
}
interface Source {
  readonly url: string;
  readonly figures: readonly { readonly value: string }[];
}

const sources = parse(read('lessons/sources.yaml')) as Readonly<Record<string, Source>>;

/** Which papers carry a case, and which of its fields are figures that were published, not ratios of them. */
const tables: readonly { file: string; id: string; papers: readonly string[]; fields: readonly string[] }[] = [
  { file: '18_probing', id: 'hewitt_liang_table1_reference', papers: ['hewittliang2019'], fields: ['linear', 'mlp1', 'selectivity_linear', 'selectivity_mlp'] },
  { file: '20_costs', id: 'flash_fig2_reference', papers: ['dao2022'], fields: ['hbm_GB', 'runtime_ms', 'gflops_row'] },
  { file: '20_costs', id: 'flash_table20_reference', papers: ['dao2022'], fields: ['pytorch', 'flash'] },
  { file: '20_costs', id: 'flash_table21_memory_MB', papers: ['dao2022'], fields: ['pytorch', 'flash'] },
  { file: '23_extrapolation', id: 'alibi_table2_L512', papers: ['press2022'], fields: ['sinusoidal', 'rotary', 't5_bias', 'alibi'] },
  {
    file: '23_extrapolation',
    id: 'position_interpolation_table1_and_3',
    papers: ['chen2023'],
    fields: ['no_extension_2048_4096', 'PI_8192_at_8192', 'PI_to_8192_without_finetuning', 'after_200_steps'],
  },
  {
    file: '24_head_gates_and_work',
    id: 'published_pruning',
    papers: ['voita2019', 'michel2019', 'clark2019'],
    fields: [
      'voita_wmt_heads_kept_of_48',
      'voita_bleu_drop',
      'michel_significant_heads_of_96',
      'michel_worst_single_layer_drop_bleu',
      'clark_coref_head_5_4_percent',
      'clark_dobj_head_8_10_percent',
    ],
  },
];

const numbersIn = (value: unknown): number[] =>
  typeof value === 'number' ? [value] : Array.isArray(value) ? value.flatMap(numbersIn) : typeof value === 'string' ? [...value.matchAll(/[\d.]+/g)].map(Number) : [];

for (const { file, id, papers, fields } of tables)
  test(`${id} is quoted with its paper`, () => {
    const { cases } = JSON.parse(read(`tests/vectors/${file}.json`)) as { cases: readonly Case[] };
    const found = cases.find((c) => c.id === id);
    assert.ok(found, `${file} has no ${id}`);
    const quoted = new Set(
      papers.flatMap((paper) => {
        assert.match(sources[paper]?.url ?? '', /^https:/, `${paper} has no citation`);
        return sources[paper]!.figures.flatMap(({ value }) => numbersIn(value));
      }),
    );
    const all = { ...(found.input as object), ...(found.expected as object) } as Readonly<Record<string, unknown>>;
    for (const field of fields) {
      const numbers = numbersIn(all[field]);
      assert.ok(numbers.length > 0, `${id} has no ${field}`);
      for (const number of numbers) assert.ok(quoted.has(number), `${field}: ${number} is quoted nowhere`);
    }
  });

test('the tables here are those that vectors.cpp leaves out', () => {
  const excepted = [...read('tests/cpp/vectors.cpp').matchAll(/"(\d\d_\w+\/\w+)"/g)].map(([, name]) => name!);
  assert.deepEqual(excepted.sort(), tables.map(({ file, id }) => `${file}/${id}`).sort());
});
