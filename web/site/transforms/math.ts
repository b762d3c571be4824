import type MarkdownIt from 'markdown-it';
import temml from 'temml';
import { eachInline, fault, type Env } from './env.ts';

const MOST_SYMBOLS = 3;
const BLOCK = /^\$\$(.+?)\$\$\s*(?:\{讀法：(.+)\})?\s*$/;
const INVISIBLE = /^[\u2061-\u2064]?$/;

/** TeX as MathML. A transpose is a letter T, which every reader can say. */
export function toMathml(tex: string, displayMode: boolean): string {
  return temml
    .renderToString(tex, {
      displayMode,
      throwOnError: true,
      macros: { '\\top': 'T', '\\intercal': 'T' },
    })
    .replace(/ style="display:block math;"/, '');
}

/** Letters, numbers and operators, without the invisible ones. */
export const countSymbols = (mathml: string): number =>
  [...mathml.matchAll(/<m[ino][^>]*>([^<]*)</g)].filter(([, content]) => !INVISIBLE.test(content!))
    .length;

/** `$…$` in a sentence, and `$$…$$ {讀法：…}` on a line of its own. */
export function math(md: MarkdownIt): void {
  md.inline.ruler.before('escape', 'math', (state, silent) => {
    if (state.src[state.pos] !== '$') return false;
    const end = state.src.indexOf('$', state.pos + 1);
    if (end < 0 || end === state.pos + 1) return false;
    if (!silent) {
      const token = state.push('math_inline', 'math', 0);
      token.content = state.src.slice(state.pos + 1, end).trim();
    }
    state.pos = end + 1;
    return true;
  });

  md.block.ruler.before(
    'fence',
    'math',
    (state, line, _end, silent) => {
      const text = state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);
      if (!text.startsWith('$$')) return false;
      const found = BLOCK.exec(text);
      if (!found)
        throw fault(state.env as Env, line, 'a block formula is one line: $$…$$ {讀法：…}');
      if (silent) return true;
      const [, tex = '', reading] = found;
      if (!reading) throw fault(state.env as Env, line, 'a block formula needs its {讀法：…}');
      const token = state.push('math_block', 'div', 0);
      token.content = tex.trim();
      token.meta = { reading };
      token.map = [line, line + 1];
      state.line = line + 1;
      return true;
    },
    { alt: ['paragraph', 'list'] },
  );

  md.core.ruler.push('math', (state) => {
    const env = state.env as Env;
    const draw = (tex: string, display: boolean, line: number | undefined) => {
      try {
        return toMathml(tex, display);
      } catch (error) {
        throw fault(env, line, `the formula ${tex}: ${(error as Error).message.split('\n')[0]}`);
      }
    };
    for (const token of state.tokens)
      if (token.type === 'math_block')
        token.meta.mathml = draw(token.content, true, token.map?.[0]);
    eachInline(state, (token, line, opener) => {
      if (token.type !== 'math_inline') return;
      if (opener && ['heading_open', 'th_open'].includes(opener.type))
        throw fault(env, line, 'no formula in a heading: its name would lose it');
      const mathml = draw(token.content, false, line);
      if (countSymbols(mathml) > MOST_SYMBOLS)
        throw fault(
          env,
          line,
          `$${token.content}$ has more than ${MOST_SYMBOLS} symbols: make it a block formula`,
        );
      token.meta = { mathml };
    });
  });

  md.renderer.rules['math_inline'] = (tokens, index) => tokens[index]!.meta.mathml;
  md.renderer.rules['math_block'] = (tokens, index) => {
    const { mathml, reading } = tokens[index]!.meta;
    return `<div class="formula">${mathml}</div>\n<p class="reading">讀法：${md.utils.escapeHtml(reading)}</p>\n`;
  };
}
