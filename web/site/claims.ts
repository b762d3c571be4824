import { parse as parseHtml } from 'parse5';
import { parse as parseYaml } from 'yaml';
import { BuildError } from './build-error.ts';
import { attribute, elements, textOf } from './transforms/html.ts';

export const VERDICTS = ['right', 'imprecise', 'wrong', 'unsupported', 'none'] as const;
export const KINDS = [
  'scene',
  'claim',
  'number',
  'formula',
  'name',
  'device',
  'question',
  'navigation',
  'defect',
] as const;

/** What one of the texts says which the course answers. */
export interface Claim {
  id: string;
  kind: (typeof KINDS)[number][];
  verdict: (typeof VERDICTS)[number];
  says: string;
  /** What is so instead, and the labs and papers that show it; there unless the claim is right or claims nothing. */
  is?: string;
  shown: string[];
}

/** A built lesson, by its path inside its edition. */
export interface LessonPage {
  path: string;
  html: string;
}

/** Where a claim is retold, and in which words. */
export interface Retold {
  path: string;
  text: string;
}

export interface Coverage {
  rows: { claim: Claim; retold?: Retold; reason?: string }[];
  /** What is missing, one line each. */
  faults: string[];
}

const isDoubtful = ({ verdict }: Pick<Claim, 'verdict'>): boolean =>
  !['right', 'none'].includes(verdict);

/** Ids of claims run from 01 without a gap, in each of the two texts. */
const LAST = { a: 78, b: 62 };
const EVERY_ID = Object.entries(LAST).flatMap(([text, last]) =>
  Array.from({ length: last }, (_, index) => text + String(index + 1).padStart(2, '0')),
);

/** Reads lessons/claims.yaml; `known` tells labs and papers that exist. */
export function readClaims(
  yaml: string,
  known: (name: string) => boolean,
  file = 'lessons/claims.yaml',
): Claim[] {
  const raw = parseYaml(yaml) as Record<string, Omit<Claim, 'id'>>;
  const fail = (message: string) => new BuildError({ file }, message);
  for (const id of EVERY_ID) if (!raw[id]) throw fail(`there is no claim ${id}`);
  return Object.entries(raw).map(([id, claim]) => {
    if (!EVERY_ID.includes(id)) throw fail(`${id} is no id of a claim`);
    for (const key of Object.keys(claim))
      if (!['kind', 'verdict', 'says', 'is', 'shown'].includes(key))
        throw fail(`${id}: what is "${key}"?`);
    if (!claim.says) throw fail(`${id} says nothing`);
    if (!VERDICTS.includes(claim.verdict)) throw fail(`${id}: no verdict "${claim.verdict}"`);
    const kinds = claim.kind ?? [];
    if (kinds.length === 0 || kinds.some((kind) => !KINDS.includes(kind)))
      throw fail(`${id}: its kind is one or more of ${KINDS.join(', ')}`);
    const shown = claim.shown ?? [];
    if (isDoubtful(claim) !== Boolean(claim.is))
      throw fail(`${id}: "is" says what is so, of a claim that is not right and of no other`);
    if (isDoubtful(claim) !== shown.length > 0)
      throw fail(`${id}: "shown" names labs and papers, of a claim that is not right and of no other`);
    for (const name of shown) if (!known(name)) throw fail(`${id}: no lab or paper "${name}"`);
    return { ...claim, id, kind: kinds, shown };
  });
}

/** The rows `| a75 | reason |` of STYLE.md: claims that stand on no page. */
export function readReasons(style: string): Map<string, string> {
  const rows = [...style.matchAll(/^\| ([ab]\d\d) \| (.+?) \|$/gm)];
  return new Map(rows.map(([, id = '', reason = '']) => [id, reason]));
}

/** Labs that stand on a page or are linked from it, and papers that it cites. */
function namedOn(page: LessonPage): Set<string> {
  const found = new Set<string>();
  for (const element of elements(parseHtml(page.html))) {
    const name = attribute(element, 'name');
    if (element.tagName === 'attn-lab' && name) found.add(name);
    const href = attribute(element, 'href') ?? '';
    const linked = /\blabs\/([\w-]+)\/index\.html|#source-([\w-]+)$/.exec(href);
    if (linked) found.add((linked[1] ?? linked[2])!);
  }
  return found;
}

/** Where each claim stands, and what is missing: a claim without a place, or without what shows it. */
export function coverageOf(
  claims: Claim[],
  pages: LessonPage[],
  reasons: Map<string, string>,
): Coverage {
  const faults: string[] = [];
  const places = new Map<string, Retold[]>();
  const named = new Map(pages.map((page) => [page.path, namedOn(page)]));
  for (const { path, html } of pages)
    for (const element of elements(parseHtml(html))) {
      if (!(attribute(element, 'class') ?? '').split(' ').includes('claim')) continue;
      const id = attribute(element, 'id') ?? '';
      const text = textOf(element).trim().replace(/\s+/g, ' ');
      places.set(id, [...(places.get(id) ?? []), { path, text }]);
    }
  for (const id of [...places.keys(), ...reasons.keys()])
    if (!claims.some((claim) => claim.id === id)) faults.push(`${id}: claims.yaml does not know it`);

  const rows = claims.map((claim) => {
    const { id } = claim;
    const [retold, ...again] = places.get(id) ?? [];
    const reason = reasons.get(id);
    if (!retold && !reason) faults.push(`${id}: it stands on no page, and STYLE.md gives no reason`);
    if (retold && reason) faults.push(`${id}: STYLE.md says why it stands nowhere, but it does`);
    for (const { path } of again) faults.push(`${id}: ${retold!.path} retells it, and ${path} too`);
    if (retold)
      for (const name of claim.shown)
        if (!named.get(retold.path)!.has(name))
          faults.push(`${id}: ${claim.verdict}, but ${retold.path} does not name ${name}`);
    return { claim, ...(retold && { retold }), ...(reason && { reason }) };
  });
  return { rows, faults };
}
