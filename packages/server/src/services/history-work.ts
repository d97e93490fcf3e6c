/**
 * Work over whole histories, done beside everything else.
 *
 * W1. One piece of work at a time in each of two lines, for long histories and for short ones: nobody waits for a receipt
 *     behind what-if replays of tens of thousands of entries. In each, callers take turns; so many may wait, in all and of one caller.
 * W2. It holds the event loop for one slice, then everything else has its turn.
 */
import { FaultCode, HandoverError } from '@handover/core';
import { fixedLimits } from '../config/fixed-limits.js';
import { Turns } from '../platform/turns.js';

/** What the work asks after each step: undefined while there is time left, else what it has to wait for. */
export type Rest = () => Promise<void> | undefined;

export class HistoryWork {
  readonly #short = new Line();
  readonly #long = new Line();

  /** `entries` is how long the history is. */
  run<T>(caller: string, entries: number, work: (rest: Rest) => Promise<T>): Promise<T> {
    const line = entries <= fixedLimits.shortHistoryEntries.value ? this.#short : this.#long;
    return line.run(caller, work);
  }
}

class Line {
  readonly #waiting = new Turns<() => void>();
  #busy = false;

  async run<T>(caller: string, work: (rest: Rest) => Promise<T>): Promise<T> {
    await this.#turn(caller);
    try {
      return await work(restAfter(fixedLimits.historySliceMs.value));
    } finally {
      this.#busy = false;
      this.#waiting.take()?.();
    }
  }

  async #turn(caller: string): Promise<void> {
    if (this.#busy || this.#waiting.size > 0) {
      if (
        this.#waiting.size >= fixedLimits.historiesWaiting.value ||
        this.#waiting.of(caller) >= fixedLimits.historiesWaitingOfCaller.value
      )
        throw new HandoverError(FaultCode.OVERLOADED, 'too many whole histories are being read', {
          next: 'retryable',
        });
      await new Promise<void>((begin) => this.#waiting.add(caller, begin));
    }
    this.#busy = true;
  }
}

function restAfter(sliceMs: number): Rest {
  let end = performance.now() + sliceMs;
  return () => {
    if (performance.now() < end) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        end = performance.now() + sliceMs;
        resolve();
      }),
    );
  };
}
