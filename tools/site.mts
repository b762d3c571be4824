// node --import tsx tools/site.mts writes dist/ from lessons/, web/ and build/web/{core,museum,fast,fast-relaxed}.js.
// Eleventy keeps what it compiled for the life of its process, so each edition
// has a process of its own, which ATTN_SCRIPT names.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fastPath } from '../web/core/fast-node.ts';
import { FAST_BUILDS } from '../web/core/fast-support.ts';
import { corePath, loadAllInNode, museumPath } from '../web/core/node.ts';
import { writeDoor, writeEdition } from '../web/site/build.ts';
import { writeWorker } from '../web/site/offline/build.ts';
import { SCRIPTS, type Script } from '../web/site/scripts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

async function inProcess(script: string): Promise<boolean> {
  const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(import.meta.url)], {
    env: { ...process.env, ATTN_SCRIPT: script },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

try {
  const script = process.env['ATTN_SCRIPT'] as Script | undefined;
  if (script) {
    await writeEdition(root, script, await loadAllInNode(), { modules: [corePath, museumPath, ...FAST_BUILDS.map(fastPath)], dist });
  } else {
    writeDoor(root, dist);
    const done = await Promise.all(Object.keys(SCRIPTS).map(inProcess));
    if (done.includes(false)) process.exitCode = 1;
    else await writeWorker(root, dist);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
