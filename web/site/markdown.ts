import MarkdownIt from 'markdown-it';
import attrs from 'markdown-it-attrs';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { claims } from './transforms/claims.ts';
import { containers, type Drawing } from './transforms/containers.ts';
import type { Env } from './transforms/env.ts';
import { excerpt, type SourceTree } from './transforms/excerpt.ts';
import { headings } from './transforms/headings.ts';
import { joinLines } from './transforms/join-lines.ts';
import { math } from './transforms/math.ts';
import { numbers, type CallCore } from './transforms/numbers.ts';
import { SCENE, speakers } from './transforms/scene.ts';
import { SELF_CHECK } from './transforms/self-check.ts';
import { tables } from './transforms/tables.ts';

export interface MarkdownParts {
  callCore: CallCore;
  tree: SourceTree;
  lab: Drawing;
  question: Drawing;
  boss: Drawing;
}

export interface Markdown {
  render(source: string, env: Env): string;
  renderInline(source: string, env: Env): string;
}

/** The lessons' Markdown: each line below is one concern, in its own file. */
export function makeMarkdown({ callCore, tree, lab, question, boss }: MarkdownParts): Markdown {
  const md = new MarkdownIt({ html: false, typographer: false, linkify: false });
  md.use(cjkFriendly);
  md.use(attrs, { allowedAttributes: ['id', 'class', 'lang', 'caption'] });
  md.use(containers, { scene: SCENE, 'self-check': SELF_CHECK, lab, question, boss });
  md.use(math);
  md.use(numbers, callCore);
  md.use(excerpt, tree);
  md.use(tables);
  md.use(headings);
  md.use(claims);
  md.use(speakers);
  md.use(joinLines);
  return md;
}
