import type { Core } from './core.ts';
import { CoreError } from './errors.ts';
import type { Answer, Request } from './worker.ts';

/** How long a cancelled call may take to reach the end of its step. */
export const stepLimit = 1000;

export interface CallOptions {
  /** Called with the share that is done, from 0 to 1. */
  onProgress?: (done: number) => void;
  signal?: AbortSignal;
  /** Buffers that move to the worker instead of being copied: whoever holds them has nothing left. */
  transfer?: readonly ArrayBuffer[];
}

type Taken<F> = F extends (...args: infer Args) => unknown ? Args : never;
type Given<F> = F extends (...args: never[]) => infer Result ? Result : never;

/** The functions of a module, done elsewhere. */
export interface WorkerOf<Functions> {
  call<Name extends keyof Functions & string>(name: Name, args: Taken<Functions[Name]>, options?: CallOptions): Promise<Given<Functions[Name]>>;
  close(): void;
}

export type CoreWorker = WorkerOf<Core>;

/** What the client needs of a Worker. */
export interface WorkerLike {
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(request: Request, transfer: ArrayBuffer[]): void;
  terminate(): void;
}

interface Pending {
  readonly request: Extract<Request, { kind: 'call' }>;
  readonly options: CallOptions;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: CoreError) => void;
  readonly forget: () => void;
}

const stopped = (): CoreError => new CoreError('cancelled', 'cancelled: stopped on request');

/**
 * Calls to a worker that is started when first needed, and started anew after one of its steps would not end. It has one call at a time,
 * so that those that wait are not lost with it.
 */
export function connect<Functions = Core>(start: () => Promise<WorkerLike>, limit = stepLimit): WorkerOf<Functions> {
  const pending = new Map<number, Pending>();
  let worker: Promise<WorkerLike> | undefined;
  let closed = false;
  let lastId = 0;

  const settle = (id: number): Pending | undefined => {
    const call = pending.get(id);
    pending.delete(id);
    call?.forget();
    return call;
  };

  const failAll = (error: CoreError): void => {
    for (const id of [...pending.keys()]) settle(id)?.reject(error);
  };

  const advance = (): void => {
    const [next] = pending.values();
    if (next) send(next.request, next.options.transfer);
  };

  const receive = (answer: Answer): void => {
    if (answer.kind === 'progress') {
      pending.get(answer.id)?.options.onProgress?.(answer.done);
      return;
    }
    const call = settle(answer.id);
    // Of a call that was given up meanwhile, whose successor is already on its way.
    if (!call) return;
    if (answer.kind === 'result') call.resolve(answer.value);
    else call.reject(new CoreError(answer.code, answer.message));
    advance();
  };

  function live(): Promise<WorkerLike> {
    worker ??= start().then((made) => {
      made.onmessage = (event) => receive(event.data as Answer);
      made.onerror = (event) => {
        worker = undefined;
        made.terminate();
        failAll(new CoreError('internal', `internal: the worker stopped: ${event.message}`));
      };
      return made;
    });
    return worker;
  }

  function send(request: Request, transfer: readonly ArrayBuffer[] = []): void {
    live().then(
      (made) => made.postMessage(request, [...transfer]),
      (error: unknown) => {
        worker = undefined;
        const known = error instanceof CoreError ? error : new CoreError('unavailable', `unavailable: ${String(error)}`);
        settle(request.id)?.reject(known);
        advance();
      },
    );
  }

  function cancel(id: number): void {
    const [running] = pending.keys();
    if (id !== running) {
      settle(id)?.reject(stopped());
      return;
    }
    send({ kind: 'cancel', id });
    setTimeout(() => {
      const call = settle(id);
      if (!call) return;
      call.reject(stopped());
      // Its step is ended by force.
      const old = worker;
      worker = undefined;
      void old?.then((made) => made.terminate());
      advance();
    }, limit);
  }

  return {
    call: (name, args, options = {}) =>
      new Promise((resolve, reject) => {
        const { signal } = options;
        if (closed || signal?.aborted) {
          reject(stopped());
          return;
        }
        const id = ++lastId;
        const abort = (): void => cancel(id);
        signal?.addEventListener('abort', abort, { once: true });
        pending.set(id, {
          request: { kind: 'call', id, name, args: args as readonly unknown[] },
          options,
          resolve: resolve as (value: unknown) => void,
          reject,
          forget: () => signal?.removeEventListener('abort', abort),
        });
        if (pending.size === 1) advance();
      }),
    close() {
      closed = true;
      void worker?.then((made) => made.terminate());
      worker = undefined;
      failAll(stopped());
    },
  };
}
