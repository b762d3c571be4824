import type MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import container from 'markdown-it-container';
import { fault, type Env } from './env.ts';

const MARK = /^\s*:{3,}\s*(.*?)\s*$/;

export interface Container {
  /** The word after the name: `party` of `::: lab party`. */
  argument: string;
  env: Env;
  fail(message: string): Error;
}

export interface Drawing {
  open(container: Container): string;
  close?: string;
  /** Blocks whose content comes from elsewhere hold no text of their own. */
  empty?: boolean;
}

/**
 * `::: NAME argument` … `:::` as HTML. Names that nobody draws and blocks that
 * are not closed are refused, so that a slip does not end up as text.
 */
export function containers(md: MarkdownIt, drawings: Record<string, Drawing>): void {
  const known = Object.keys(drawings).join(', ');
  md.core.ruler.after('normalize', 'containers', (state) => {
    const env = state.env as Env;
    const open: { name: string; line: number }[] = [];
    state.src.split('\n').forEach((text, line) => {
      const inside = open.at(-1);
      const mark = MARK.exec(text)?.[1];
      if (mark === undefined) {
        if (inside && drawings[inside.name]!.empty && text.trim() !== '')
          throw fault(env, line, `a ::: ${inside.name} block has no text of its own`);
      } else if (mark === '') {
        if (!open.pop()) throw fault(env, line, 'there is no ::: block to close');
      } else {
        const [name = ''] = mark.split(/\s+/);
        if (!drawings[name])
          throw fault(env, line, `there is no block ::: ${name}; known are ${known}`);
        open.push({ name, line });
      }
    });
    const [left] = open;
    if (left) throw fault(env, left.line, `the ::: ${left.name} block is not closed`);
  });
  for (const [name, { open, close = '' }] of Object.entries(drawings))
    md.use(container, name, {
      validate: (params: string) => params.trim().split(/\s+/)[0] === name,
      render(tokens: Token[], index: number, _options: unknown, rawEnv: unknown) {
        const token = tokens[index]!;
        if (token.nesting === -1) return close;
        const env = rawEnv as Env;
        const [, argument = '', ...more] = token.info.trim().split(/\s+/);
        const fail = (message: string) => fault(env, token.map?.[0], message);
        if (more.length > 0) throw fail(`too many words after ::: ${name}`);
        return open({ argument, env, fail });
      },
    });
}
