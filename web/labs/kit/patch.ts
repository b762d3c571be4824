/**
 * Makes `old` look like `next` while keeping every node that can stay, so that
 * a reader's cursor in a table cell, the focus and the caret survive an update.
 * A tree of another shape is rebuilt only where the shapes part.
 */
export function patch(old: Element, next: Element, byHand = true): void {
  patchAttributes(old, next);
  patchChildren(old, next, byHand);
  patchValue(old, next, byHand);
}

function patchAttributes(old: Element, next: Element): void {
  for (const { name } of [...old.attributes]) {
    if (!next.hasAttribute(name) && !KEPT.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of [...next.attributes]) {
    if (KEPT.has(name)) continue;
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

/** What the reader or the page sets later, not the renderer. */
const KEPT = new Set(['open', 'tabindex', 'role', 'aria-labelledby']);

/** What tells a node from its neighbours, so that a sentence put in or taken out between them moves none of them. */
function keyOf(node: ChildNode): string {
  if (!(node instanceof HTMLElement)) return node.nodeName;
  const { do: action, field, value } = node.dataset;
  return [node.localName, node.id, action, field, value].join(' ');
}

function patchNode(here: ChildNode, node: ChildNode, byHand: boolean): void {
  if (here instanceof Element && node instanceof Element) patch(here, node, byHand);
  else if (here instanceof Text && node instanceof Text && here.data !== node.data) here.data = node.data;
}

function patchChildren(old: Element, next: Element, byHand: boolean): void {
  const wanted = [...next.childNodes];
  const keys = wanted.map(keyOf);
  let here = old.firstChild;
  for (const [i, node] of wanted.entries()) {
    const isWanted = (child: ChildNode) => keys.includes(keyOf(child), i);
    const gone: ChildNode[] = [];
    let same = here;
    for (; same && keyOf(same) !== keys[i] && !isWanted(same); same = same.nextSibling as ChildNode | null) gone.push(same);
    if (same && keyOf(same) === keys[i]) {
      for (const child of gone) child.remove();
      here = same;
    } else if (here && isWanted(here)) {
      here.before(node);
      continue;
    }
    if (!here) old.append(node);
    else {
      const after = here.nextSibling;
      if (here.nodeName === node.nodeName) patchNode(here, node, byHand);
      else here.replaceWith(node);
      here = after;
    }
  }
  while (here) {
    const after: ChildNode | null = here.nextSibling;
    here.remove();
    here = after;
  }
}

/** The field that the learner is in is never written to, unless it was not the hand that changed it. */
function patchValue(old: Element, next: Element, byHand: boolean): void {
  if (old instanceof HTMLInputElement && next instanceof HTMLInputElement) {
    if (old.type === 'radio') old.checked = next.checked;
    else if (old.value !== next.value && !(byHand && old === document.activeElement)) old.value = next.value;
  } else if (old instanceof HTMLSelectElement && next instanceof HTMLSelectElement) {
    if (old.value !== next.value) old.value = next.value;
  }
}
