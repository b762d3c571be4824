import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import type { WorkerLike } from './client.ts';
import { CoreError } from './errors.ts';
import type { FastModule } from './fast-load.ts';
import { fastBuild, type FastBuild } from './fast-support.ts';
import type { Fast } from './fast.ts';

export const fastPath = (build: FastBuild): string => fileURLToPath(new URL(`../../build/web/${build}.js`, import.meta.url));

/** The very script that pages load, evaluated in Node. */
export async function fastModuleInNode(path: string): Promise<FastModule> {
  runInThisContext(await readFile(path, 'utf8'), { filename: path });
  return globalThis.attnModules!.fast!();
}

export async function loadFastInNode(build = fastBuild()): Promise<Fast> {
  if (build === null) throw new CoreError('unavailable', 'unavailable: no WebAssembly SIMD');
  return (await fastModuleInNode(fastPath(build))).loadFast();
}

/** A thread of Node that runs the script as a browser's worker does. */
export async function startThread(build = fastBuild()): Promise<WorkerLike> {
  if (build === null) throw new CoreError('unavailable', 'unavailable: no WebAssembly SIMD');
  const scope = `const { parentPort } = require('node:worker_threads');
    globalThis.self = { onmessage: null, postMessage: (answer, transfer) => parentPort.postMessage(answer, transfer) };
    parentPort.on('message', (data) => self.onmessage({ data }));`;
  const thread = new Worker(`${scope}\n${await readFile(fastPath(build), 'utf8')}\nattnModules.fast().serve(self);`, { eval: true });
  const like: WorkerLike = {
    onmessage: null,
    onerror: null,
    postMessage: (request, transfer) => thread.postMessage(request, transfer),
    terminate: () => void thread.terminate(),
  };
  thread.on('message', (data) => like.onmessage?.({ data } as MessageEvent));
  thread.on('error', (error) => like.onerror?.({ message: String(error) } as ErrorEvent));
  return like;
}
