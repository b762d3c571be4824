// ONNX Runtime's native CPU kernels, one thread, for the contenders of `npm run bench`: they run in Node, between two calls of the page.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { graph, type Graph } from './onnx.ts';
import { feedsOf, type Job, type TensorOf } from './page.ts';

interface Runtime {
  InferenceSession: { create(model: Uint8Array, options: object): Promise<{ run(feeds: object): Promise<unknown> }> };
  Tensor: TensorOf;
}

/** Does a job once, in milliseconds, with the session that it made for the first; nothing when the folder has no onnxruntime-node. */
export function nativeRuntime(folder: string): ((kind: Graph, job: Job) => Promise<number>) | undefined {
  if (!existsSync(join(folder, 'node_modules/onnxruntime-node'))) return undefined;
  const { InferenceSession, Tensor } = createRequire(join(folder, 'package.json'))('onnxruntime-node') as Runtime;
  const made = new Map<string, Promise<() => Promise<unknown>>>();
  const make = async (kind: Graph, job: Job): Promise<() => Promise<unknown>> => {
    const session = await InferenceSession.create(graph(kind, job.heads, job.d, job.causal), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      graphOptimizationLevel: 'all',
    });
    const feeds = feedsOf(kind, job, Tensor);
    return () => session.run(feeds);
  };
  return async (kind, job) => {
    const key = `${kind} ${JSON.stringify(job)}`;
    if (!made.has(key)) {
      made.clear();
      made.set(key, make(kind, job));
    }
    const run = await made.get(key)!;
    const start = performance.now();
    await run();
    return performance.now() - start;
  };
}
