import type { Queued } from './queue.js';

/** Passes through the store's `commit` which command's decision threw, and what it threw. */
export class Poison {
  readonly item: Queued;
  readonly thrown: unknown;

  constructor(item: Queued, thrown: unknown) {
    this.item = item;
    this.thrown = thrown;
  }
}
