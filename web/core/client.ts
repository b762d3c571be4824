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

  const advance = (): void => {
    const [next] = pending.values();
    if (next) send(next);
  };

  /** Nothing happens for a call that was given up meanwhile: its successor is already on its way. */
  const conclude = (id: number, tell: (call: Pending) => void): void => {
    const call = settle(id);
    if (!call) return;
    tell(call);
    advance();
  };
  const fail = (id: number, error: CoreError): void => conclude(id, ({ reject }) => reject(error));

  const receive = (answer: Answer): void => {
    if (answer.kind === 'progress') pending.get(answer.id)?.options.onProgress?.(answer.done);
    else if (answer.kind === 'failure') fail(answer.id, new CoreError(answer.code, answer.message));
    else conclude(answer.id, ({ resolve }) => resolve(answer.value));
  };

  /** Ends the worker at hand, if there is one; a start that failed is for its call to report. */
  function end(): void {
    const old = worker;
    worker = undefined;
    old?.then(
      (made) => made.terminate(),
      () => {},
    );
  }

  function live(): Promise<WorkerLike> {
    if (worker) return worker;
    const starting = start().then(
      (made) => {
        made.onmessage = (event) => receive(event.data as Answer);
        made.onerror = (event) => {
          // One that was ended has another in its place.
          if (worker !== starting) return;
          end();
          const [running] = pending.keys();
          if (running !== undefined) fail(running, new CoreError('internal', `internal: the worker stopped: ${event.message}`));
        };
        return made;
      },
      (error: unknown) => {
        if (worker === starting) worker = undefined;
        throw error instanceof CoreError ? error : new CoreError('unavailable', `unavailable: ${String(error)}`);
      },
    );
    worker = starting;
    return starting;
  }

  function send({ request, options: { transfer = [] } }: Pending): void {
    live()
      .then((made) => made.postMessage(request, [...transfer]))
      .catch((error: unknown) => {
        // What cannot be cloned, or was moved before, never leaves.
        fail(request.id, error instanceof CoreError ? error : new CoreError('invalid-argument', `invalid-argument: ${String(error)}`));
      });
  }

  function cancel(id: number): void {
    const [running] = pending.keys();
    if (id !== running) {
      settle(id)?.reject(stopped());
      return;
    }
    worker?.then(
      (made) => made.postMessage({ kind: 'cancel', id }, []),
      () => {},
    );
    setTimeout(() => {
      if (!pending.has(id)) return;
      // Its step is ended by force.
      end();
      fail(id, stopped());
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
      end();
      for (const id of [...pending.keys()]) settle(id)?.reject(stopped());
    },
  };
}
