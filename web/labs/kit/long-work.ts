import type { CoreWorker } from '../../core/client.ts';
import type { Core } from '../../core/core.ts';
import { CoreError } from '../../core/errors.ts';
import type { Call, Heavy } from './types.ts';

/** Codes that say the worker is at fault, not the question. */
const WORKER_AT_FAULT = new Set(['unavailable', 'internal']);

export function callHere(core: Core, { name, args }: Call): unknown {
  return (core[name] as (...given: readonly unknown[]) => unknown)(...args);
}

/** The whole run at once, where nothing else has to go on meanwhile. */
export function runHere<V, R>(core: Core, heavy: Heavy<V, R>, values: V): R {
  return heavy.finish(core, values, heavy.calls(values).map((call) => callHere(core, call)));
}

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * The long work of one lab: at most one piece at a time. A new piece, or
 * `cancel`, takes the place of the one under way, whose answers are dropped.
 */
export class LongWork {
  private current: AbortController | null = null;
  private workerFailed = false;

  /** @param worker  the worker that the labs of a page share */
  constructor(private readonly worker: () => CoreWorker) {}

  get isBusy(): boolean {
    return this.current !== null;
  }

  /** False when there was nothing to stop. */
  cancel(): boolean {
    const wasBusy = this.isBusy;
    this.current?.abort();
    this.current = null;
    return wasBusy;
  }

  /**
   * The answers in the order of the calls, or null when they are no longer wanted.
   * @param onProgress  told the share that is done, from 0 to 1
   */
  async answers(core: Core, calls: Call[], onProgress: (done: number) => void): Promise<unknown[] | null> {
    this.cancel();
    const mine = new AbortController();
    this.current = mine;
    const answers: unknown[] = [];
    try {
      for (const [i, call] of calls.entries()) {
        const progress = (done: number): void => {
          if (!mine.signal.aborted) onProgress((i + done) / calls.length);
        };
        const answer = await this.answer(core, call, mine.signal, progress);
        if (mine.signal.aborted) return null;
        answers.push(answer);
        progress(1);
      }
      return answers;
    } catch (error) {
      if (mine.signal.aborted) return null;
      throw error;
    } finally {
      if (this.current === mine) this.current = null;
    }
  }

  private async answer(core: Core, call: Call, signal: AbortSignal, onProgress: (done: number) => void): Promise<unknown> {
    if (!this.workerFailed) {
      try {
        return await this.worker().call(call.name, call.args as never, { signal, onProgress });
      } catch (error) {
        if (signal.aborted || !(error instanceof CoreError && WORKER_AT_FAULT.has(error.code))) throw error;
        // A browser without workers: the page does it, one call at a time.
        this.workerFailed = true;
      }
    }
    await nextTask();
    return signal.aborted ? null : callHere(core, call);
  }
}
