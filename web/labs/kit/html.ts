const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ENTITIES[c]!);
}

/** JSON that can stand inside a `<script>`. */
export function json(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

type Attributes = Record<string, string | number | boolean | undefined>;

const VOID = new Set(['input', 'br']);

/** An element as text. `true` is a bare attribute; `false` and `undefined` leave it out. */
export function tag(name: string, attributes: Attributes, ...children: string[]): string {
  const text = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([key, value]) => (value === true ? ` ${key}` : ` ${key}="${escape(String(value))}"`))
    .join('');
  return VOID.has(name) ? `<${name}${text}>` : `<${name}${text}>${children.join('')}</${name}>`;
}

/** The rest of an `<svg` tag and what is in it, hidden from readers: the image has a name. */
export function drawing(width: number, height: number, body: string): string {
  return `viewBox="0 0 ${width} ${height.toFixed(1)}"><g aria-hidden="true">${body}</g></svg>`;
}
