/**
 * Makes `old` look like `next` while keeping every node that can stay, so that
 * a reader's cursor in a table cell, the focus and the caret survive an update.
 * A tree of another shape is rebuilt only where the shapes part.
 */
export function patch(old: Element, next: Element): void {
  patchAttributes(old, next);
  patchChildren(old, next);
  patchValue(old, next);
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

function patchChildren(old: Element, next: Element): void {
  const wanted = [...next.childNodes];
  for (const [i, node] of wanted.entries()) {
    const here = old.childNodes[i];
    if (!here) old.append(node);
    else if (here instanceof Element && node instanceof Element && here.localName === node.localName) patch(here, node);
    else if (here instanceof Text && node instanceof Text) {
      if (here.data !== node.data) here.data = node.data;
    } else here.replaceWith(node);
  }
  while (old.childNodes.length > wanted.length) old.lastChild!.remove();
}

/** The field that the learner is in is never written to, unless it was not the hand that changed it. */
function patchValue(old: Element, next: Element): void {
  if (old instanceof HTMLInputElement && next instanceof HTMLInputElement) {
    if (old.type === 'radio') old.checked = next.checked;
    else if (old.value !== next.value && old !== document.activeElement) old.value = next.value;
  } else if (old instanceof HTMLSelectElement && next instanceof HTMLSelectElement) {
    if (old.value !== next.value) old.value = next.value;
  }
}
