/** Commands that wait for their batch, bounded in count and bytes from submission to answer. */
import { FaultCode, HandoverError } from '@handover/core';
import type { EngineLimits } from './env.js';
import { release } from './held-streams.js';
import type { CachedStream } from './stream-cache.js';
import type { Answer, Submission } from './submission.js';

/** When a command came: what is late is judged by this, however long it then waits for its turn. */
export interface Arrival {
  /** Commands in the order in which they came; clocks may jump. */
  readonly order: number;
  readonly at: number;
}

export class Queued {
  readonly submission: Submission;
  readonly arrival: Arrival;
  streams: CachedStream[];
  /** How often it was postponed because a stream was busy. */
  skips = 0;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (fault: HandoverError) => void;

  constructor(
    submission: Submission,
    arrival: Arrival,
    streams: CachedStream[],
    resolve: (answer: Answer) => void,
    reject: (fault: HandoverError) => void,
  ) {
    this.submission = submission;
    this.arrival = arrival;
    this.streams = streams;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  answer(answer: Answer): void {
    this.release();
    this.#resolve(answer);
  }

  fail(fault: HandoverError): void {
    this.release();
    this.#reject(fault);
  }

  /** Lets go of its streams, once: released again, they could be thrown out while another command holds them. */
  release(): void {
    release(this.streams);
    this.streams = [];
  }
}

export class Queue {
  readonly #limits: EngineLimits;
  #waiting: Queued[] = [];
  #commands = 0;
  #bytes = 0;

  constructor(limits: EngineLimits) {
    this.#limits = limits;
  }

  /** Commands admitted and not yet answered. */
  get depth(): number {
    return this.#commands;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Counts a command in, or returns the refusal. A refused command has not been decided. */
  admit({ bytes }: Submission): HandoverError | undefined {
    if (this.#commands >= this.#limits.queueCommands || this.#bytes + bytes > this.#limits.queueBytes)
      return new HandoverError(FaultCode.OVERLOADED, 'the server is busy; retry with the same message_id', {
        next: 'retryable',
      });
    this.#commands++;
    this.#bytes += bytes;
    return undefined;
  }

  leave({ bytes }: Submission): void {
    this.#commands--;
    this.#bytes -= bytes;
  }

  /** Before those that came later: it had to wait until its streams were loaded, and they had not. */
  push(item: Queued): void {
    const { order } = item.arrival;
    let at = this.#waiting.length;
    while (at > 0 && (this.#waiting[at - 1]?.arrival.order ?? order) > order) at--;
    if (at === this.#waiting.length) this.#waiting.push(item);
    else this.#waiting.splice(at, 0, item);
  }

  /** Puts a postponed command back at the front, because it has already waited. */
  unshift(item: Queued): void {
    this.#waiting.unshift(item);
  }

  takeBatch(): readonly Queued[] {
    let bytes = 0;
    let count = 0;
    for (const { submission } of this.#waiting) {
      if (count === this.#limits.batchCommands) break;
      if (count > 0 && bytes + submission.bytes > this.#limits.batchBytes) break;
      bytes += submission.bytes;
      count++;
    }
    if (count < this.#waiting.length) return this.#waiting.splice(0, count);
    return this.takeAll();
  }

  takeAll(): readonly Queued[] {
    const all = this.#waiting;
    this.#waiting = [];
    return all;
  }
}
