import type { Pasted } from './raw.ts';
import { ui } from './template.ts';
import type { Strings } from './types.ts';

/** What a paste did, with all that it left out or took away. */
export function pasteText({ rows, titles, names, dropped }: Pasted, strings: Strings): string {
  const quoted = dropped.map((name) => `「${name}」`).join('、');
  return [
    ui(strings, 'lab.paste-done', { rows: String(rows) }),
    titles ? ui(strings, 'lab.paste-titles') : '',
    names === 'taken' ? ui(strings, 'lab.paste-names') : '',
    names === 'skipped' ? ui(strings, 'lab.paste-no-names') : '',
    dropped.length > 0 ? ui(strings, 'lab.paste-dropped', { names: quoted }) : '',
  ].join('');
}
