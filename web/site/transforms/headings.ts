import type MarkdownIt from 'markdown-it';
import { fault, type Env } from './env.ts';

const ID = /^[a-z][a-z0-9-]*$/;
const MARKS = /[→×÷<>≠±⋅＝＋=+~()_/]/;

/** Headings start at level 2 without gaps and carry an id of their own. */
export function headings(md: MarkdownIt): void {
  md.core.ruler.push('headings', (state) => {
    const env = state.env as Env;
    let before = 1;
    state.tokens.forEach((token, index) => {
      if (token.type !== 'heading_open') return;
      const line = token.map?.[0];
      const level = Number(token.tag.slice(1));
      const id = token.attrGet('id');
      const inline = state.tokens[index + 1];
      const text = (inline?.children ?? []).map((child) => child.content).join('');
      if (level === 1) throw fault(env, line, 'the h1 is the title; headings start at ##');
      if (level > before + 1) throw fault(env, line, `an h${level} cannot follow an h${before}`);
      if (!id || !ID.test(id))
        throw fault(env, line, `the heading "${inline?.content}" needs an ASCII id: {#like-this}`);
      if (env.headings.some((heading) => heading.id === id))
        throw fault(env, line, `the id ${id} is taken`);
      if (MARKS.test(text))
        throw fault(env, line, `a heading is plain words, without "${MARKS.exec(text)![0]}"`);
      before = level;
      env.headings.push({ level, id, text });
    });
  });
}
