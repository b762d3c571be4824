import type MarkdownIt from 'markdown-it';
import { fault, type Env } from './env.ts';

const ID = /^[ab]\d{2}[a-z]?$/;

/** A claim is a paragraph or item `{#a19 .claim}`; each is made once on a page. */
export function claims(md: MarkdownIt): void {
  md.core.ruler.push('claims', (state) => {
    const env = state.env as Env;
    for (const token of state.tokens) {
      if (!(token.attrGet('class') ?? '').split(' ').includes('claim')) continue;
      const id = token.attrGet('id');
      if (!id || !ID.test(id)) throw fault(env, token.map?.[0], 'a claim is marked {#a19 .claim}');
      if (env.claims.includes(id))
        throw fault(env, token.map?.[0], `the claim ${id} is made twice`);
      env.claims.push(id);
    }
  });
}
