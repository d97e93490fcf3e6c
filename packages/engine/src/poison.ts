import type { Queued } from './queue.js';

/** Carries out of the store's commit that deciding one command threw. */
export class Poison {
  readonly item: Queued;
  readonly thrown: unknown;

  constructor(item: Queued, thrown: unknown) {
    this.item = item;
    this.thrown = thrown;
  }
}
