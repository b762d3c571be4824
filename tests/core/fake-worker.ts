import type { WorkerLike } from '../../web/core/client.ts';
import type { Request, WorkerScope } from '../../web/core/worker.ts';

/** A worker whose messages are cloned and delivered as tasks, as a browser does. */
export class FakeWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  readonly requests: Request[] = [];
  readonly transferred: ArrayBuffer[] = [];
  ended = false;
  readonly scope: WorkerScope = {
    onmessage: null,
    postMessage: (answer, transfer) => {
      this.transferred.push(...transfer);
      const data = structuredClone(answer, { transfer });
      setImmediate(() => {
        if (!this.ended) this.onmessage?.({ data } as MessageEvent);
      });
    },
  };

  /** @param serve  the message loop; without it nothing ever answers */
  constructor(serve?: (scope: WorkerScope) => void) {
    serve?.(this.scope);
  }
  postMessage(request: Request, transfer: ArrayBuffer[]): void {
    this.requests.push(structuredClone(request));
    const data = structuredClone(request, { transfer });
    setImmediate(() => this.scope.onmessage?.({ data }));
  }
  terminate(): void {
    this.ended = true;
  }
}
