import { parse, serialize } from 'parse5';
import { attribute, childrenOf, isElement, type Element, type Node } from './html.ts';
import { unprotect } from './protect.ts';

const SPOKEN_ATTRIBUTES = new Set([
  'title',
  'alt',
  'aria-label',
  'aria-valuetext',
  'placeholder',
  'content',
  'label',
]);
const UNTOUCHED = new Set(['code', 'pre', 'style']);

/** The strings of JSON, and nothing else of it. */
export function convertJson(text: string, convert: (text: string) => string): string {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return convert(part);
    if (Array.isArray(part)) return part.map(walk);
    if (part !== null && typeof part === 'object')
      return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]));
    return part;
  };
  return JSON.stringify(walk(JSON.parse(text))).replace(/</g, '\\u003c');
}

const isTextInput = (element: Element) =>
  element.tagName === 'input' && ['text', 'search', undefined].includes(attribute(element, 'type'));

function convertNode(node: Node, convert: (text: string) => string): void {
  if (isElement(node)) {
    for (const attr of node.attrs)
      if (SPOKEN_ATTRIBUTES.has(attr.name) || (attr.name === 'value' && isTextInput(node)))
        attr.value = convert(attr.value);
    if (UNTOUCHED.has(node.tagName) || attribute(node, 'data-raw') !== undefined) return;
    if (node.tagName === 'script') {
      const [content] = node.childNodes;
      if (attribute(node, 'type') === 'application/json' && content && 'value' in content)
        content.value = convertJson(content.value, convert);
      return;
    }
  } else if (node.nodeName === '#text' && 'value' in node) {
    node.value = convert(node.value);
    return;
  }
  for (const child of childrenOf(node)) convertNode(child, convert);
}

/**
 * A whole page in the other script: text, spoken attributes and the strings of
 * embedded JSON. Code and `[data-raw]` stay as they are. Without a converter
 * the page is only parsed and written anew, so that both editions have the
 * same shape.
 */
export function convertPage(html: string, convert: ((text: string) => string) | undefined): string {
  const document = parse(html);
  if (convert) convertNode(document, convert);
  return unprotect(serialize(document)).replace(/^<!DOCTYPE html>/, '<!doctype html>\n');
}
