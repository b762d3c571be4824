import type MarkdownIt from 'markdown-it';
import { fault, type Env } from './env.ts';
import { highlight } from './highlight.ts';
import { readRegion } from './regions.ts';

export interface SourceTree {
  /** The text of a file of the repository, or undefined. */
  read(file: string): string | undefined;
  /** Whether the file is part of the build whose numbers the pages show. */
  isCompiled(file: string): boolean;
}

/** Where the site publishes a whole source file, from the root of an edition. */
export const sourcePage = (file: string): string => `source/${file}/index.html`;

export interface Excerpt {
  file: string;
  region: string;
  first: number;
  last: number;
  code: string;
}

/** @throws Error when the file or the region may not be shown */
export function readExcerpt(tree: SourceTree, file: string, region: string): Excerpt {
  const source = tree.read(file);
  if (source === undefined) throw new Error(`there is no file ${file}`);
  if (!tree.isCompiled(file)) throw new Error(`${file} is not compiled, so it may not be shown`);
  const { lines, first } = readRegion(source, region);
  return { file, region, first, last: first + lines.length - 1, code: lines.join('\n') };
}

export function drawExcerpt(excerpt: Excerpt, toRoot: string): string {
  const { file, first, last, code } = excerpt;
  const where = first === last ? `第 ${first} 行` : `第 ${first} 到 ${last} 行`;
  return `<figure class="excerpt">
<figcaption><a href="${toRoot}${sourcePage(file)}#L${first}">原始碼 <span class="path" data-raw>${file}</span> 的${where}</a></figcaption>
<pre tabindex="0"><code>${highlight(code)}</code></pre>
</figure>
`;
}

/** A `cpp` fence shows compiled code, named by file and region, and nothing else. */
export function excerpt(md: MarkdownIt, tree: SourceTree): void {
  const plain = md.renderer.rules.fence!;
  md.renderer.rules.fence = (tokens, index, options, rawEnv, self) => {
    const token = tokens[index]!;
    const env = rawEnv as Env;
    const line = token.map?.[0];
    const [language, ...settings] = token.info.trim().split(/\s+/);
    if (language !== 'cpp') {
      if (language !== 'text')
        throw fault(env, line, 'a fence is cpp with file= and region=, or text');
      return plain(tokens, index, options, rawEnv, self).replace('<pre>', '<pre tabindex="0">');
    }
    const named = Object.fromEntries(settings.map((part) => part.split('=', 2)));
    if (!named['file'] || !named['region'])
      throw fault(env, line, 'a cpp fence needs file= and region=: no C++ is typed in a lesson');
    if (token.content.trim() !== '')
      throw fault(env, line, 'a cpp fence is empty: its body comes from the file');
    try {
      const shown = readExcerpt(tree, named['file'], named['region']);
      env.sources.add(shown.file);
      return drawExcerpt(shown, env.toRoot);
    } catch (error) {
      throw fault(env, line, (error as Error).message);
    }
  };
}
