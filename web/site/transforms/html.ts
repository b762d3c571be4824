import { type DefaultTreeAdapterTypes as Tree } from 'parse5';

export type Element = Tree.Element;
export type Node = Tree.ChildNode | Tree.ParentNode;

export const isElement = (node: Node): node is Element => 'tagName' in node;

export const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((attr) => attr.name === name)?.value;

export const childrenOf = (node: Node): Tree.ChildNode[] =>
  'childNodes' in node ? node.childNodes : [];

/** Every element below a node, in document order. */
export function* elements(node: Node): Generator<Element> {
  for (const child of childrenOf(node)) {
    if (isElement(child)) yield child;
    yield* elements(child);
  }
}

export function textOf(node: Node): string {
  return 'value' in node && node.nodeName === '#text'
    ? node.value
    : childrenOf(node).map(textOf).join('');
}

/** The nearest element, itself included, that satisfies the test. */
export function closest(
  element: Element,
  test: (candidate: Element) => boolean,
): Element | undefined {
  let at: Node | null = element;
  while (at && isElement(at)) {
    if (test(at)) return at;
    at = at.parentNode;
  }
  return undefined;
}
