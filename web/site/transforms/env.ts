import type { StateCore, Token } from 'markdown-it';
import { BuildError } from '../build-error.ts';

/** What the renderer knows about the text it is rendering. */
export interface Env {
  file: string;
  /** Line of the file on which the Markdown starts, one-based. */
  firstLine: number;
  /** Ids of pages and labs begin with it. */
  page: string;
  /** Level of the heading of a lab. */
  labLevel: number;
  /** From the page to the root of its edition: "", "../", "../../"… */
  toRoot: string;
  headings: { level: number; id: string; text: string }[];
  claims: string[];
  labs: string[];
  questions: string[];
  /** Whether the wall stands on the page. */
  boss: boolean;
  /** Source files that the page shows parts of. */
  sources: Set<string>;
}

export const newEnv = (
  file: string,
  { firstLine = 1, page = 'page', labLevel = 3, toRoot = '' }: Partial<Env> = {},
): Env => ({
  file,
  firstLine,
  page,
  labLevel,
  toRoot,
  headings: [],
  claims: [],
  labs: [],
  questions: [],
  boss: false,
  sources: new Set(),
});

/** A fault at a block of the source; `line` counts from 0, as markdown-it does. */
export function fault(env: Env, line: number | undefined, message: string): BuildError {
  const at = line === undefined ? undefined : env.firstLine + line;
  return new BuildError({ file: env.file, line: at }, message);
}

/** Visits every inline token, with the line of its block and the block before it. */
export function eachInline(
  state: StateCore,
  visit: (token: Token, line: number | undefined, opener: Token | undefined) => void,
): void {
  state.tokens.forEach((block, index) => {
    if (block.type !== 'inline') return;
    for (const child of block.children ?? []) visit(child, block.map?.[0], state.tokens[index - 1]);
  });
}
