import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { ROOT, at } from './root.mjs';
import { run } from './run.mjs';
import { cmake, inParallel } from './site.mjs';
import { filesUnder } from './tree.mjs';

const PUBLIC = at('cpp/include/attn');

/** How build/NAME compiles the files of each folder of cpp/: program and flags, without the file itself. */
function commandsOf(name) {
  const byFolder = new Map();
  for (const { file, command } of JSON.parse(readFileSync(at('build', name, 'compile_commands.json'), 'utf8'))) {
    const [program, ...flags] = command.replace(/ -o \S+ -c \S+$/, '').split(/\s+/);
    byFolder.set(dirname(file), { program, flags: flags.filter((flag) => !/^-O/.test(flag)) });
  }
  return byFolder;
}

/** Includes one header and nothing else; gives "" or what the compiler says. */
export async function alone(header, { program, flags }) {
  const { code, output } = await run(program, [...flags, '-fsyntax-only', '-include', header, '-x', 'c++', '/dev/null']);
  return code === 0 ? '' : output;
}

/**
 * Every header of cpp/ by itself: one that leans on what its includers happen to include before it does not compile. Public
 * headers are compiled as the sources are that define them, the others as the sources beside them.
 */
export async function headers() {
  await cmake('native', []);
  await cmake('wasm', [], { wasm: true });
  const commands = new Map([...commandsOf('wasm'), ...commandsOf('native')]);
  const found = filesUnder(at('cpp')).filter((file) => file.endsWith('.hpp'));
  return inParallel(found, async (header) => {
    const folder = header.startsWith(PUBLIC) ? at('cpp', relative(PUBLIC, dirname(header)) || 'src') : dirname(header);
    const command = commands.get(folder);
    const complaint = command ? await alone(header, command) : `nothing compiles a file of ${folder}`;
    console.log(`${complaint ? 'FAIL' : 'ok  '} ${relative(ROOT, header)} by itself`);
    if (complaint) console.log(complaint);
    return complaint === '';
  });
}
