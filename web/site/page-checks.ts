import { parse } from 'parse5';
import { BuildError } from './build-error.ts';
import { attribute, closest, elements, textOf } from './transforms/html.ts';

const NAMED = new Set([
  'button',
  'a',
  'label',
  'legend',
  'summary',
  'caption',
  'figcaption',
  'th',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'option',
  'output',
]);

/**
 * What must never leave the build, whoever wrote it: ids used twice, formulas
 * inside names, transposes that no voice can say, bold that stayed asterisks, a computed number or a
 * variant that stayed braces.
 * @throws BuildError
 */
export function checkPage(html: string, file: string): void {
  const fail = (message: string) => {
    throw new BuildError({ file }, message);
  };
  const ids = new Set<string>();
  for (const element of elements(parse(html))) {
    const id = attribute(element, 'id');
    if (id !== undefined) {
      if (ids.has(id)) fail(`the id ${id} stands on the page twice`);
      ids.add(id);
    }
    if (element.tagName === 'math') {
      const named = closest(
        element,
        (at) => NAMED.has(at.tagName) || attribute(at, 'aria-live') !== undefined,
      );
      if (named) fail(`a formula inside <${named.tagName}>: its name would lose it`);
      if (/[⊤ᵀ]/.test(textOf(element))) fail('a transpose is ^T, a letter');
    }
    const own = element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
    const isCode = closest(element, (at) => ['script', 'style', 'pre'].includes(at.tagName));
    const braces = isCode ? null : /\{\{.{0,30}/.exec(own);
    if (braces) fail(`braces stayed: ${braces[0]}`);
    if (element.tagName === 'p' && /\*\*/.test(textOf(element)))
      fail(`bold stayed asterisks in "${textOf(element).slice(0, 40)}"`);
  }
}
