import type { Queued } from './queue.js';

/** Passes through the store's `commit` which commands cannot be decided, and what was thrown. */
export class Poison {
  readonly items: readonly Queued[];
  readonly thrown: unknown;

  constructor(items: readonly Queued[], thrown: unknown) {
    this.items = items;
    this.thrown = thrown;
  }
}
