import { CoreError, type ErrorCode } from './errors.ts';

/** Long work in pieces: yields the share that is done, from 0 to 1, and returns the answer. */
export type Stepped<Functions> = (functions: Functions, ...args: never[]) => Generator<number, unknown, void>;

export type Request =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'cancel'; readonly id: number };

export type Answer =
  | { readonly kind: 'progress'; readonly id: number; readonly done: number }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly code: ErrorCode; readonly message: string };

/** What `serve` needs of a worker's global scope. */
export interface WorkerScope {
  onmessage: ((event: { data: Request }) => void) | null;
  postMessage(answer: Answer, transfer: ArrayBuffer[]): void;
}

function buffers(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === 'object' && value !== null) for (const v of Object.values(value)) buffers(v, found);
  return found;
}

/** A task of its own, so that a cancel message that waits is delivered first: a message, since timers soon wait 4 ms at least. */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/**
 * The worker's message loop: one call at a time, in the order of arrival.
 * @param steps  what is done step by step, and can therefore be stopped, by name
 */
export function serve<Functions extends object>(
  scope: WorkerScope,
  load: () => Promise<Functions>,
  steps: { readonly [name: string]: Stepped<Functions> | undefined },
): void {
  const functions = load();
  functions.catch(() => {});
  const cancelled = new Set<number>();
  let queue: Promise<void> = Promise.resolve();

  const fail = (id: number, error: unknown): void => {
    const known = error instanceof CoreError ? error : new CoreError('internal', String(error));
    scope.postMessage({ kind: 'failure', id, code: known.code, message: known.message }, []);
  };

  async function run(id: number, name: string, args: readonly unknown[]): Promise<unknown> {
    const loaded = await functions;
    const stepped = steps[name];
    if (!stepped) return (loaded as Record<string, (...given: readonly unknown[]) => unknown>)[name]!(...args);
    const work = stepped(loaded, ...(args as never[]));
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      scope.postMessage({ kind: 'progress', id, done: step.value }, []);
      await nextTask();
      if (cancelled.has(id)) throw new CoreError('cancelled', 'cancelled: stopped between two steps');
    }
  }

  async function answer(id: number, name: string, args: readonly unknown[]): Promise<void> {
    try {
      if (cancelled.has(id)) throw new CoreError('cancelled', 'cancelled: before it began');
      const value = await run(id, name, args);
      scope.postMessage({ kind: 'result', id, value }, [...buffers(value)]);
    } catch (error) {
      fail(id, error);
    }
    cancelled.delete(id);
  }

  scope.onmessage = ({ data }) => {
    if (data.kind === 'cancel') cancelled.add(data.id);
    else queue = queue.then(() => answer(data.id, data.name, data.args));
  };
}
