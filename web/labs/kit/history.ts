import type { Raw } from './types.ts';

/** How long the hands must rest before the next change is a step of its own. */
export const STEP_MS = 800;
const MAX_STEPS = 100;

/** Undo: changes that follow each other quickly are one step. */
export class History {
  private steps: Raw[] = [];
  private last = -Infinity;

  /** Remembers `before` unless the change belongs to the step that is under way. */
  record(before: Raw, now: number, separate = false): void {
    if (separate || now - this.last > STEP_MS) {
      this.steps.push(before);
      if (this.steps.length > MAX_STEPS) this.steps.shift();
    }
    this.last = separate ? -Infinity : now;
  }

  undo(): Raw | null {
    this.last = -Infinity;
    return this.steps.pop() ?? null;
  }
}
