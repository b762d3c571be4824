import type { Core, CoreName } from './core.ts';
import { CoreError, type ErrorCode } from './errors.ts';
import { steps } from './steps.ts';

type Stepped = (core: Core, ...args: readonly unknown[]) => Generator<number, unknown, void>;

export type Request =
  | { readonly kind: 'call'; readonly id: number; readonly name: CoreName; readonly args: readonly unknown[] }
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

/** A task of its own, so that a cancel message that waits is delivered first. */
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** The worker's message loop: one call at a time, in the order of arrival. */
export function serve(scope: WorkerScope, load: () => Promise<Core>): void {
  const core = load();
  core.catch(() => {});
  const cancelled = new Set<number>();
  let queue: Promise<void> = Promise.resolve();

  const fail = (id: number, error: unknown): void => {
    const known = error instanceof CoreError ? error : new CoreError('internal', String(error));
    scope.postMessage({ kind: 'failure', id, code: known.code, message: known.message }, []);
  };

  async function run(id: number, name: CoreName, args: readonly unknown[]): Promise<unknown> {
    const loaded = await core;
    const stepped = steps[name] as Stepped | undefined;
    if (!stepped) return (loaded[name] as (...given: readonly unknown[]) => unknown)(...args);
    const work = stepped(loaded, ...args);
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      scope.postMessage({ kind: 'progress', id, done: step.value }, []);
      await nextTask();
      if (cancelled.has(id)) throw new CoreError('cancelled', 'cancelled: stopped between two steps');
    }
  }

  async function answer(id: number, name: CoreName, args: readonly unknown[]): Promise<void> {
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
