// What `npm run bench` runs inside Chromium. Contenders take turns, call by call, so that what the machine does meanwhile strikes all alike.
import { blobWorker } from '../../web/core/blob-worker.ts';
import type { FastModule } from '../../web/core/fast-load.ts';
import { makePool } from '../../web/core/fast-pool.ts';
import { fastSteps } from '../../web/core/fast-steps.ts';
import type { Fast, Tensor } from '../../web/core/fast.ts';
import { fastBuild, type FastBuild } from '../../web/core/fast-support.ts';
import { columnsOf, headsOf } from '../../web/core/tensor.ts';
import { random } from '../fast/random.ts';
import { graph, type Graph } from './onnx.ts';

export interface Job {
  n: number;
  heads: number;
  d: number;
  causal: boolean;
}

export interface Row {
  name: string;
  n?: number;
  /** Milliseconds; empty when `failed` says why. */
  times: number[];
  failed?: string;
}

interface Contender {
  name: string;
  prepare(job: Job, q: Tensor, k: Tensor, v: Tensor): Promise<() => unknown>;
}

type Factory = () => FastModule;

export type TensorOf = new (type: string, data: Float32Array, dims: number[]) => unknown;

interface OrtSession {
  run(feeds: Record<string, unknown>): Promise<{ o: { data: Float32Array } }>;
}
interface Ort {
  env: { wasm: { wasmPaths: string; numThreads: number } };
  InferenceSession: { create(model: Uint8Array, options: object): Promise<OrtSession> };
  Tensor: TensorOf;
}

const factories = new Map<string, Factory>();

function script(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = document.createElement('script');
    element.src = url;
    element.onload = () => resolve();
    element.onerror = () => reject(new Error(`${url} did not load`));
    document.head.append(element);
  });
}

/** Both builds leave themselves under one name, so each is taken away before the next. */
async function factory(build: string): Promise<Factory> {
  const known = factories.get(build);
  if (known) return known;
  const scope = globalThis as unknown as { attnModules?: { fast?: Factory } };
  delete scope.attnModules?.fast;
  await script(`/assets/${build}.js`);
  const made = scope.attnModules!.fast!;
  factories.set(build, made);
  return made;
}

/** Heads stacked, as most of the peers' graphs take them; or side by side, as `mha` does. */
const ours = (build: string, layout: 'stacked' | 'sideBySide' = 'stacked'): Contender => ({
  name: layout === 'stacked' ? build : `${build}, side by side`,
  async prepare({ heads, causal }, q, k, v) {
    const fast = await (await factory(build))().loadFast();
    const [a, b, c] = [q, k, v].map((m) => (layout === 'stacked' ? headsOf(m, heads, 0, heads) : m)) as [Tensor, Tensor, Tensor];
    return () => fast.attention(a, b, c, { heads, causal, layout });
  },
});

/** Additions and multiplications of a job, without the softmax. */
const operations = ({ n, heads, d, causal }: Job): number => 4 * heads * d * (causal ? (n * (n + 1)) / 2 : n * n);

/**
 * The time in which a job's products could be done at the speed of the best micro-kernel on operands in the first-level cache.
 * @param wasm  tests/bench/limit.cpp
 */
async function limit(name: string, wasm: number[]): Promise<(job: Job) => number> {
  const nothing = new Proxy({}, { get: () => () => 0 });
  const imports = new Proxy({}, { get: () => nothing }) as WebAssembly.Imports;
  const { instance } = await WebAssembly.instantiate(new Uint8Array(wasm), imports);
  const shapes = Object.entries(instance.exports).filter(([key]) => key.startsWith('limit_')) as [string, (times: number) => number][];
  if (shapes.length === 0) throw new Error(`${name} has no kernel`);
  // Some milliseconds each, since a page's clock has steps of a tenth.
  const burst = 60_000;
  for (const [, run] of shapes) run(burst);
  return (job) => {
    const speeds = shapes.map(([, run]) => {
      const start = performance.now();
      const done = run(burst);
      return done / (performance.now() - start);
    });
    return operations(job) / Math.max(...speeds);
  };
}

/** The same module, with the whole matrix of one head after the other. */
const wholeMatrix: Contender = {
  name: 'whole-matrix',
  async prepare({ heads, d, causal }, q, k, v) {
    const fast = await (await factory('fast'))().loadFast();
    const step = fastSteps['wholeMatrix'] as unknown as (fast: Fast, ...args: unknown[]) => Generator<number, Tensor, void>;
    const parts = Array.from({ length: heads }, (_, h) => [q, k, v].map((m) => columnsOf(m, h * d, d)));
    return () => parts.forEach((part) => Array.from(step(fast, ...part, { causal })));
  },
};

let loaded: Promise<Ort> | undefined;
function ort(): Promise<Ort> {
  loaded ??= import(/* @vite-ignore */ `${location.origin}/peers/onnxruntime-web/dist/ort.wasm.min.mjs`).then((module: Ort) => {
    module.env.wasm.wasmPaths = `${location.origin}/peers/onnxruntime-web/dist/`;
    module.env.wasm.numThreads = 1;
    return module;
  });
  return loaded;
}

/** A job's operands as a graph takes them. */
export function feedsOf(kind: Graph, job: Job, Tensor: TensorOf): Record<string, unknown> {
  const { n, heads, d, causal } = job;
  const feeds: Record<string, unknown> = {};
  operands(job).forEach((operand, i) => {
    const dims = kind === 'mha' ? [1, n, heads * d] : [1, heads, n, d];
    feeds['qkv'[i]!] = new Tensor('float32', kind === 'mha' ? operand.data : headsOf(operand, heads, 0, heads).data, dims);
  });
  if (kind === 'unfused' && causal) {
    const mask = new Float32Array(n * n);
    for (let i = 0; i < n; i++) mask.fill(-1e9, i * n + i + 1, i * n + n);
    feeds['mask'] = new Tensor('float32', mask, [n, n]);
  }
  return feeds;
}

const peer = (kind: Graph): Contender => ({
  name: `ort-web-${kind}`,
  async prepare(job) {
    const { InferenceSession, Tensor } = await ort();
    const session = await InferenceSession.create(graph(kind, job.heads, job.d, job.causal), { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
    const feeds = feedsOf(kind, job, Tensor);
    return async () => (await session.run(feeds)).o.data;
  },
});

/** Runs outside the page, which gets its time; see native.mts. */
const native = (kind: Graph): Contender => ({
  name: `ort-native-${kind}`,
  async prepare(job) {
    const { runNative } = globalThis as unknown as { runNative: (kind: Graph, job: Job) => Promise<number> };
    return () => runNative(kind, job);
  },
});

/** What runs elsewhere returns its own time. Rounds until there are `rounds`, or until the budget is used up and there are 3. */
async function inTurn(live: { run: () => unknown; times: number[] }[], rounds: number, budget: number, also = (): void => {}): Promise<void> {
  const began = performance.now();
  for (let round = 0; round < rounds && (round < 3 || performance.now() - began < budget); round++) {
    also();
    for (const { run, times } of live) {
      const start = performance.now();
      const own = await run();
      times.push(typeof own === 'number' ? own : performance.now() - start);
    }
  }
}

/** The same numbers for every contender. */
const operands = ({ n, heads, d }: Job): [Tensor, Tensor, Tensor] => [random(1, n, heads * d), random(2, n, heads * d), random(3, n, heads * d)];

export interface Wanted {
  builds: string[];
  peers: Graph[];
  /** ONNX Runtime outside the browser is there, too. */
  hasNative: boolean;
  /** The bytes of limit.cpp, by the name of the build whose instructions they use. */
  limits: Record<string, number[]>;
  rounds: number;
  budget: number;
}

export async function kernels(job: Job, { builds, peers, hasNative, limits, rounds, budget }: Wanted): Promise<Row[]> {
  const beside = job.heads > 1 ? builds.map((build) => ours(build, 'sideBySide')) : [];
  const contenders = [...builds.map((build) => ours(build)), ...beside, ...(job.n ** 2 <= 2 ** 24 ? [wholeMatrix] : []), ...peers.map(peer), ...(hasNative ? peers.map(native) : [])];
  const [q, k, v] = operands(job);
  const rows: Row[] = [];
  const live: { run: () => unknown; times: number[] }[] = [];
  for (const contender of contenders) {
    const row: Row = { name: contender.name, n: job.n, times: [] };
    rows.push(row);
    try {
      const run = await contender.prepare(job, q, k, v);
      await run();
      await run();
      live.push({ run, times: row.times });
    } catch (error) {
      row.failed = String(error).slice(0, 160);
    }
  }
  const bounds = await Promise.all(Object.entries(limits).map(async ([build, wasm]) => ({ name: `limit of ${build}`, of: await limit(build, wasm) })));
  const bounded = bounds.map(({ name }): Row => ({ name, n: job.n, times: [] }));
  await inTurn(live, rounds, budget, () => bounds.forEach(({ of }, i) => bounded[i]!.times.push(of(job))));
  return [...rows, ...bounded];
}

/** One worker and two, at eight heads. */
export async function workers(job: Job, { build, rounds, budget }: { build: string; rounds: number; budget: number }): Promise<Row[]> {
  const made = await factory(build);
  const pool = makePool(async () => blobWorker(made), 2);
  const [q, k, v] = operands(job);
  const rows = [1, 2].map((count): Row => ({ name: `${count} worker${count > 1 ? 's' : ''}`, n: job.n, times: [] }));
  const live = rows.map(({ times }, i) => ({ times, run: () => pool.attention(q, k, v, { heads: job.heads, causal: job.causal, workers: i + 1 }) }));
  for (const { run } of live) await run();
  await inTurn(live, rounds, budget);
  pool.close();
  return rows;
}

/** The parts of a layer of width heads·d beside its attention. */
export async function layers(job: Job, { build, rounds, budget }: { build: string; rounds: number; budget: number }): Promise<Row[]> {
  const fast = await (await factory(build))().loadFast();
  const width = job.heads * job.d;
  const [x, wide] = [random(1, job.n, width), random(2, job.n, 4 * width)];
  const [square, up] = [random(3, width, width), random(4, width, 4 * width)];
  const ways: [string, () => unknown][] = [
    ['attention', () => fast.attention(x, x, x, { heads: job.heads, causal: job.causal })],
    ['linear, d to d', () => fast.linear(x, square)],
    ['linear, d to 4d', () => fast.linear(x, up)],
    ['LayerNorm', () => fast.layerNorm(x)],
    ['GELU, 4d', () => fast.gelu(wide)],
  ];
  const rows = ways.map(([name]): Row => ({ name, n: job.n, times: [] }));
  for (const [, run] of ways) run();
  await inTurn(ways.map(([, run], i) => ({ run, times: rows[i]!.times })), rounds, budget);
  return rows;
}

/** From nothing loaded to the first result of 128 tokens; once a page. */
export async function start(what: string): Promise<number> {
  const job: Job = { n: 128, heads: 8, d: 64, causal: false };
  const [q, k, v] = operands(job);
  const began = performance.now();
  const contender = what.startsWith('ort-web-') ? peer(what.slice('ort-web-'.length) as Graph) : ours(what);
  await (await contender.prepare(job, q, k, v))();
  return performance.now() - began;
}

/** The build that this engine takes: it must have SIMD to be measured. */
export const best = async (): Promise<FastBuild> => fastBuild()!;

export const bench = { best, kernels, workers, layers, start };
