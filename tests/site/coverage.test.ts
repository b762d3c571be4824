// Every claim of the two texts stands somewhere; one that is not right stands beside what shows it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { coverageOf, readClaims, readReasons, type Claim } from '../../web/site/claims.ts';
import { readCoverage } from '../../web/site/coverage.ts';

test('every claim stands on a page beside what shows it, or in STYLE.md with a reason', () => {
  const { rows, faults } = readCoverage(process.cwd());
  assert.equal(rows.length, 140);
  assert.deepEqual(faults, []);
});

const wrong: Claim = {
  id: 'a05',
  kind: ['number'],
  verdict: 'wrong',
  says: 'x',
  is: 'y',
  shown: ['relay-decay', 'pascanu2013'],
};
const right: Claim = { id: 'a09', kind: ['claim'], verdict: 'right', says: 'x', shown: [] };
const place = (id: string) => `<p id="${id}" class="claim">甲。</p>`;
const LAB = '<attn-lab name="relay-decay"></attn-lab>';
const PAPER = '<a href="../../sources/index.html#source-pascanu2013">乙</a>';
const page = (html: string, path = 'lecture/relay/index.html') => ({ path, html });
const faultsOf = (html: string | string[], claims = [wrong], reasons: [string, string][] = []) =>
  coverageOf(
    claims,
    [html].flat().map((body, index) => page(body, `lesson-${index}`)),
    new Map(reasons),
  ).faults;

test('a claim with its lab and its paper is covered, and so is one whose lab is linked', () => {
  assert.deepEqual(faultsOf(place('a05') + LAB + PAPER), []);
  const link = '<a href="../../labs/relay-decay/index.html#lab">丙</a>';
  assert.deepEqual(faultsOf(place('a05') + link + PAPER), []);
  const { rows } = coverageOf([right], [page(place('a09'))], new Map());
  assert.deepEqual(rows, [
    { claim: right, retold: { path: 'lecture/relay/index.html', text: '甲。' } },
  ]);
});

for (const [what, faults, want] of [
  ['without a place', faultsOf(LAB + PAPER), /a05: it stands on no page/],
  ['with a paragraph that is not marked', faultsOf(`<p id="a05">${LAB}${PAPER}</p>`), /no page/],
  ['that is wrong, without the lab', faultsOf(place('a05') + PAPER), /not name relay-decay/],
  ['that is wrong, without the paper', faultsOf(place('a05') + LAB), /not name pascanu2013/],
  [
    'that is wrong, with its lab in another lesson',
    faultsOf([place('a05') + PAPER, LAB]),
    /lesson-0 does not name relay-decay/,
  ],
  ['retold twice', faultsOf([place('a09'), place('a09')], [right]), /lesson-1 too/],
  ['that nobody knows', faultsOf(place('a09') + place('a99'), [right]), /a99: .* not know/],
  [
    'that is retold and has a reason for not being',
    faultsOf(place('a09'), [right], [['a09', 'x']]),
    /but it does/,
  ],
] as const)
  test(`a claim ${what} is a fault`, () => {
    assert.match(faults.join('\n'), want);
    assert.equal(faults.length, 1);
  });

test('a reason in STYLE.md stands for a place', () => {
  const reasons = readReasons('| Claim | Why |\n| --- | --- |\n| a75 | a slip |\n');
  assert.deepEqual([...reasons], [['a75', 'a slip']]);
  assert.deepEqual(faultsOf('', [{ ...right, id: 'a75' }], [...reasons]), []);
});

const LIST = readFileSync('lessons/claims.yaml', 'utf8');
const known = () => true;
const changed = (id: string, change: object) => {
  const rows = Object.fromEntries(readClaims(LIST, known).map(({ id: name, ...claim }) => [name, claim]));
  return stringify({ ...rows, [id]: { ...rows[id], ...change } });
};

for (const [what, yaml, want] of [
  ['an id missing', LIST.replace(/^a05:.*\n/m, ''), /no claim a05/],
  ['an id beyond the last', `${LIST}b63: { kind: [claim], verdict: right, says: x }\n`, /b63 is no id/],
  ['another verdict', changed('a09', { verdict: 'maybe' }), /no verdict "maybe"/],
  ['another kind', changed('a09', { kind: ['poem'] }), /its kind/],
  ['no statement', changed('a09', { says: '' }), /says nothing/],
  ['a comma too many', changed('a09', { 'and more': null }), /what is "and more"/],
  ['a wrong claim without what is so', changed('a05', { is: undefined }), /"is" says/],
  ['a wrong claim that nothing shows', changed('a05', { shown: [] }), /"shown" names/],
  ['a right claim with a correction', changed('a09', { is: 'x' }), /"is" says/],
] as const)
  test(`the list of claims with ${what} is refused`, () => {
    assert.throws(() => readClaims(yaml, known), want);
  });

test('the list of claims names only labs and papers that exist', () => {
  assert.throws(() => readClaims(LIST, (name) => name !== 'relay-decay'), /"relay-decay"/);
});
