/**
 * The bank is plain text with one convention: `W_Q` is a letter with an index.
 * Screen readers say such an index as a second letter, so it is drawn with
 * <sub> in running text and written with a space where only text can stand.
 */
const indexed = /([A-Za-z])_([A-Za-z])(?![A-Za-z])/g;

export interface Piece {
  text: string;
  index?: string;
}

export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(indexed)) {
    if (match.index > from) found.push({ text: text.slice(from, match.index) });
    found.push({ text: match[1] ?? '', index: match[2] ?? '' });
    from = match.index + match[0].length;
  }
  if (from < text.length) found.push({ text: text.slice(from) });
  return found;
}

/** As it is spoken, and written into attributes. */
export function plain(text: string): string {
  return text.replace(indexed, '$1 $2');
}

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

export function rich(text: string): string {
  return pieces(text)
    .map((p) => (p.index === undefined ? escape(p.text) : `<var>${p.text}<sub>${p.index}</sub></var>`))
    .join('');
}
