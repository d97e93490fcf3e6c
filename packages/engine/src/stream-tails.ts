/**
 * The newest entries of streams that have subscribers, in memory, shared by all subscribers of a stream.
 *
 * T1. A tail is dense: its entries follow one another and end with the newest.
 * T2. A tail is bounded in bytes, but keeps the newest entry, however large: those who wait for it share it.
 * T3. All tails together are bounded. Beyond that, the tails that grew longest ago are emptied; their subscribers read
 *     from the log.
 */
import type { Entry } from '@handover/core';
import { type EngineLimits, entryBytes } from './env.js';

export class StreamTail {
  readonly entries: Entry[] = [];
  bytes = 0;

  /** Entries after a sequence, of about so many bytes; undefined when only the log has them. */
  after(seq: number, bytes: number): readonly Entry[] | undefined {
    const first = this.entries[0];
    if (!first || first.seq > seq + 1) return undefined;
    const start = seq + 1 - first.seq;
    let end = start;
    for (let taken = 0; end < this.entries.length && taken < bytes; end++) {
      const entry = this.entries[end];
      taken += entry ? entryBytes(entry) : 0;
    }
    return this.entries.slice(start, end);
  }
}

type TailLimits = Pick<EngineLimits, 'tailBytesPerStream' | 'tailBytesInAll'>;

export class StreamTails {
  readonly #limits: TailLimits;
  /** Those that hold entries; the one that grew last comes last. */
  readonly #filled = new Set<StreamTail>();
  #bytes = 0;

  constructor(limits: TailLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(tail: StreamTail, entry: Entry): void {
    const bytes = entryBytes(entry);
    tail.entries.push(entry);
    tail.bytes += bytes;
    this.#bytes += bytes;
    this.#filled.delete(tail);
    this.#filled.add(tail);
    while (tail.entries.length > 1 && tail.bytes > this.#limits.tailBytesPerStream) this.#shift(tail);
    for (const oldest of this.#filled) {
      if (oldest === tail || this.#bytes <= this.#limits.tailBytesInAll) break;
      this.empty(oldest);
    }
  }

  empty(tail: StreamTail): void {
    this.#bytes -= tail.bytes;
    tail.bytes = 0;
    tail.entries.length = 0;
    this.#filled.delete(tail);
  }

  #shift(tail: StreamTail): void {
    const dropped = tail.entries.shift();
    const bytes = dropped ? entryBytes(dropped) : 0;
    tail.bytes -= bytes;
    this.#bytes -= bytes;
  }
}
