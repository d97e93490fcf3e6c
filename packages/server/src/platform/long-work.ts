/** Long work that shares the loop with everything else: after so much of it, what waits comes first. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Characters, or as many of whatever is about as dear: a few milliseconds. */
const WORK_OF_A_TURN = 65_536;

export class LongWork {
  #sinceTurn = 0;

  /** To be awaited after each piece of work. */
  async did(work: number): Promise<void> {
    if (this.#isTooMuch(work)) await nextTurn();
  }

  /** Runs what says after each piece how much it was. */
  async run<T>(pieces: Generator<number, T>): Promise<T> {
    for (;;) {
      const { done, value } = pieces.next();
      if (done) return value;
      if (this.#isTooMuch(value)) await nextTurn();
    }
  }

  #isTooMuch(work: number): boolean {
    this.#sinceTurn += work;
    if (this.#sinceTurn < WORK_OF_A_TURN) return false;
    this.#sinceTurn = 0;
    return true;
  }
}
