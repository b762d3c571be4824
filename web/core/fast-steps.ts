import type { Fast, FastAttention, FastAttentionOptions, Tensor } from './fast.ts';
import { stacked } from './steps.ts';
import { apart, rowsOf, sideBySide, transposed } from './tensor.ts';
import type { Stepped } from './worker.ts';

/** What a worker of the fast module answers. */
export interface FastWork extends Fast {
  /**
   * The formula as it is written, with the whole n × m matrix in memory: what the tiled kernel is measured against.
   * @throws CoreError too-large when the matrix would hold more than 2^24 numbers
   */
  wholeMatrix(q: Tensor, k: Tensor, v: Tensor, options?: { causal?: boolean }): Tensor;
}

/** Some tens of milliseconds: the copies of k and v, which each step makes, must not matter. */
const multiplyAddsPerStep = 2 ** 28;
/** Queries that the kernel takes at a time: with fewer, keys and values would be read more often than they must. */
const group = 64;

/** Stacked heads one after the other: what is then in use stays in the caches. */
function* attention(fast: Fast, q: Tensor, k: Tensor, v: Tensor, options: FastAttentionOptions = {}): Generator<number, FastAttention, void> {
  const { heads = 1, layout, alibiSlopes, ...each } = options;
  const divisible = [q, k, v].every((operand) => operand?.rows > 0 && operand.rows % heads === 0);
  // What no head can be cut from is for the function to refuse.
  if (layout !== 'stacked' || !(heads > 1) || !divisible || (alibiSlopes && alibiSlopes.length !== heads)) return yield* byQueries(fast, q, k, v, options);
  const [queries, keys, values] = [q, k, v].map((operand) => apart(operand, heads)) as [Tensor[], Tensor[], Tensor[]];
  const parts: FastAttention[] = [];
  for (let t = 0; t < heads; t++) {
    const steps = byQueries(fast, queries[t]!, keys[t]!, values[t]!, { ...each, ...(alibiSlopes ? { alibiSlopes: alibiSlopes.slice(t, t + 1) } : {}) });
    for (;;) {
      const { done, value } = steps.next();
      if (done) {
        parts.push(value);
        break;
      }
      if (value < 1) yield (t + value) / heads;
    }
    yield (t + 1) / heads;
  }
  return {
    output: stacked(parts.map((part) => part.output)),
    largest: sideBySide(parts.map((part) => part.largest)),
    sum: sideBySide(parts.map((part) => part.sum)),
    fullyMasked: parts[0]!.fullyMasked,
  };
}

/** By blocks of queries. Options that name a query or a key by itself are for the function at once. */
function* byQueries(fast: Fast, q: Tensor, k: Tensor, v: Tensor, options: FastAttentionOptions): Generator<number, FastAttention, void> {
  const perQuery = (k?.rows ?? 0) * ((k?.cols ?? 0) + (v?.cols ?? 0));
  const block = group * Math.max(1, Math.floor(multiplyAddsPerStep / perQuery / group));
  if (options.mask || options.realKeys || !(q?.rows > block)) return fast.attention(q, k, v, options);
  const start = options.queryOffset ?? 0;
  const parts: FastAttention[] = [];
  for (let first = 0; first < q.rows; first += block) {
    const count = Math.min(block, q.rows - first);
    // A causal block needs no key after its last query.
    const keys = options.causal ? Math.min(k.rows, start + first + count) : k.rows;
    const queries = rowsOf(q, first, count);
    parts.push(fast.attention(queries, rowsOf(k, 0, keys), rowsOf(v, 0, keys), { ...options, queryOffset: start + first }));
    yield (first + count) / q.rows;
  }
  const fullyMasked = new Uint8Array(q.rows);
  parts.reduce((at, part) => (fullyMasked.set(part.fullyMasked, at), at + part.fullyMasked.length), 0);
  return {
    output: stacked(parts.map((part) => part.output)),
    largest: stacked(parts.map((part) => part.largest)),
    sum: stacked(parts.map((part) => part.sum)),
    fullyMasked,
  };
}

function* wholeMatrix(fast: Fast, q: Tensor, k: Tensor, v: Tensor, { causal = false } = {}): Generator<number, Tensor, void> {
  const scores = fast.linear(q, transposed(k));
  yield 0.4;
  if (causal) for (let i = 0; i < scores.rows; i++) scores.data.fill(-Infinity, i * scores.cols + i + 1, (i + 1) * scores.cols);
  const weights = fast.softmaxRows(scores, { temperature: Math.sqrt(q.cols) });
  yield 0.6;
  return fast.linear(weights, v);
}

export const fastSteps: { readonly [name: string]: Stepped<Fast> | undefined } = { attention, wholeMatrix };
