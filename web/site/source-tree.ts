import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { labs } from '../labs/index.ts';
import type { SourceTree } from './transforms/excerpt.ts';

const COMMANDS = 'build/wasm/compile_commands.json';

const INCLUDE = /^#include (?:"([^"]+)"|<(attn\/[^>]+)>)/gm;

/** Adds a compiled file and the project's headers that it includes. */
function addWithHeaders(root: string, file: string, compiled: Set<string>): void {
  if (compiled.has(file) || !existsSync(file)) return;
  compiled.add(file);
  for (const [, near, ours] of readFileSync(file, 'utf8').matchAll(INCLUDE))
    addWithHeaders(
      root,
      near ? join(dirname(file), near) : join(root, 'cpp/include', ours!),
      compiled,
    );
}

/** The repository's files, and which of them the wasm build compiles. */
export function compiledTree(root: string): SourceTree {
  const compiled = new Set<string>();
  const commands = join(root, COMMANDS);
  if (existsSync(commands))
    for (const { directory, file } of JSON.parse(readFileSync(commands, 'utf8')) as {
      directory: string;
      file: string;
    }[])
      addWithHeaders(root, resolve(directory, file), compiled);
  return {
    read(file) {
      const path = resolve(root, file);
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    },
    isCompiled: (file) => compiled.has(resolve(root, file)),
  };
}

/** The source files that a lesson or a lab shows a part of. */
export function shownSources(root: string): string[] {
  const files = new Set(Object.values(labs).flatMap(({ code }) => code.map(({ file }) => file)));
  for (const folder of readdirSync(join(root, 'lessons'), { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    for (const name of readdirSync(join(root, 'lessons', folder.name))) {
      if (!name.endsWith('.md')) continue;
      const text = readFileSync(join(root, 'lessons', folder.name, name), 'utf8');
      for (const [, file] of text.matchAll(/^```cpp\s.*?\bfile=(\S+)/gm)) files.add(file!);
    }
  }
  return [...files].filter((file) => existsSync(join(root, file))).sort();
}
