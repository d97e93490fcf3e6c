/**
 * Work that may come in bursts, begun in slices: so much in one turn of the event loop, the rest in the turns after it.
 *
 * S1. What comes alone begins at once, and costs a number.
 * S2. No turn begins more than its limit. The last one may pass it.
 * S3. What has to wait keeps its order, and owners take turns.
 */
import { Turns } from './turns.js';

interface Work {
  readonly weight: number;
  readonly run: () => void;
}

export class Slices {
  readonly #limit: number;
  readonly #waiting = new Turns<Work>();
  /** Since the last turn that began with nothing spent: perhaps less in this turn, never more. */
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Who it belongs to is asked only if it has to wait. */
  begin(owner: () => string, weight: number, run: () => void): void {
    if (this.#spent < this.#limit) this.#run({ weight, run });
    else this.#waiting.add(owner(), { weight, run });
  }

  #run({ weight, run }: Work): void {
    this.#spent += weight;
    if (this.#spent >= this.#limit && this.#spent - weight < this.#limit) setImmediate(() => this.#turn());
    run();
  }

  #turn(): void {
    this.#spent = 0;
    while (this.#spent < this.#limit) {
      const next = this.#waiting.take();
      if (!next) return;
      this.#run(next);
    }
  }
}
