/**
 * Live subscribers of streams. A subscriber holds a cursor and pulls entries, so nothing is queued for it.
 *
 * U1. A subscriber sees after+1, after+2, … without gap, repeat or change of order.
 * U2. A subscriber sees durable entries only.
 * U3. Recent entries come from the stream's tail in memory, which all its subscribers share. Older entries are read
 *     from the log; subscribers at the same sequence share one read.
 *     What another node wrote is not in the tail: it is read from the log.
 * U4. A subscriber that does not pull while its stream moves on by more than the budget is cut off with STREAM_LAGGED,
 *     which says after which sequence to resume.
 */
import {
  chainFlaw,
  type Entry,
  FaultCode,
  HandoverError,
  headOf,
  payloadFlaw,
  type StreamRef,
  streamKey,
} from '@handover/core';
import { type EngineLimits, type Env, entryBytes } from './env.js';
import type { News } from './news.js';
import type { MovedStream } from './shared-store.js';
import { StreamTail, StreamTails } from './stream-tails.js';

export interface Subscription {
  /** The next entries, at least one; undefined after close. Rejects with STREAM_LAGGED or a fault of the store. */
  next(): Promise<readonly Entry[] | undefined>;
  /** The sequence up to which `next` has delivered. */
  readonly cursor: number;
  /** More is stored than was delivered: the next pull may read from the log. */
  readonly behind: boolean;
  close(): void;
}

interface Subscriber {
  cursor: number;
  /** Bytes published since it last pulled. */
  unpulled: number;
  wake: (() => void) | undefined;
  closed: boolean;
  failure: HandoverError | undefined;
  onLagged: ((fault: HandoverError) => void) | undefined;
}

interface Hub {
  readonly ref: StreamRef;
  readonly key: string;
  readonly subscribers: Set<Subscriber>;
  /** Ends with lastSeq when it holds anything. */
  readonly tail: StreamTail;
  lastSeq: number;
  readonly reads: Map<number, Promise<readonly Entry[]>>;
}

const SLICE = 256;
const READ_ENTRIES = 256;
const READ_BYTES = 256 * 1024;
const DELIVERY_BYTES = 64 * 1024;

export class Subscriptions {
  readonly #env: Env;
  readonly #limits: EngineLimits;
  readonly #hubs = new Map<string, Hub>();
  readonly #tails: StreamTails;
  #count = 0;

  readonly #news: News;

  constructor(env: Env, limits: EngineLimits, news: News) {
    this.#env = env;
    this.#limits = limits;
    this.#news = news;
    this.#tails = new StreamTails(limits);
  }

  get count(): number {
    return this.#count;
  }

  /** `headSeq` is the stream's durable head at this very moment. */
  open(
    ref: StreamRef,
    headSeq: number,
    after: number,
    onLagged?: (fault: HandoverError) => void,
  ): Subscription {
    const key = streamKey(ref);
    let hub = this.#hubs.get(key);
    if (!hub) {
      hub = { ref, key, subscribers: new Set(), tail: new StreamTail(), lastSeq: headSeq, reads: new Map() };
      this.#hubs.set(key, hub);
    }
    const home = hub;
    const subscriber: Subscriber = {
      cursor: after,
      unpulled: 0,
      wake: undefined,
      closed: false,
      failure: undefined,
      onLagged,
    };
    home.subscribers.add(subscriber);
    this.#count++;
    this.#news.hold();
    return {
      next: () => this.#next(home, subscriber),
      get cursor() {
        return subscriber.cursor;
      },
      get behind() {
        return subscriber.cursor < home.lastSeq;
      },
      close: () => this.#leave(home, subscriber),
    };
  }

  /** Makes durable entries visible. Wakes subscribers in slices, so that many of them do not block the event loop. */
  async publish(entries: readonly Entry[]): Promise<void> {
    if (this.#hubs.size === 0) return;
    const moved = new Set<Hub>();
    for (const entry of entries) {
      const hub = this.#hubs.get(streamKey(entry.stream));
      if (!hub || entry.seq <= hub.lastSeq) continue;
      this.#extend(hub, entry);
      moved.add(hub);
    }
    await this.#wake(moved);
  }

  /** Another node, or this one, has stored entries up to these sequences: they are in the log. */
  async moved(streams: readonly MovedStream[]): Promise<void> {
    if (this.#hubs.size === 0) return;
    const hubs = new Set<Hub>();
    for (const { ref, seq } of streams) {
      const hub = this.#hubs.get(streamKey(ref));
      if (!hub || seq <= hub.lastSeq) continue;
      hub.lastSeq = seq;
      this.#tails.empty(hub.tail);
      hubs.add(hub);
    }
    await this.#wake(hubs);
  }

  closeAll(): void {
    for (const hub of [...this.#hubs.values()])
      for (const subscriber of [...hub.subscribers]) this.#leave(hub, subscriber);
  }

  async #wake(hubs: Iterable<Hub>): Promise<void> {
    let woken = 0;
    for (const hub of hubs)
      for (const subscriber of hub.subscribers) {
        if (!subscriber.wake) continue;
        subscriber.wake();
        if (++woken % SLICE === 0) await this.#env.sleep(0).done;
      }
  }

  #extend(hub: Hub, entry: Entry): void {
    const bytes = entryBytes(entry);
    // Another node wrote what lies between: a tail has no gaps.
    if (entry.seq !== hub.lastSeq + 1) this.#tails.empty(hub.tail);
    this.#tails.push(hub.tail, entry);
    hub.lastSeq = entry.seq;
    for (const subscriber of hub.subscribers) {
      if (subscriber.wake) continue;
      subscriber.unpulled += bytes;
      if (subscriber.unpulled > this.#limits.subscriberBudgetBytes) this.#cut(hub, subscriber);
    }
  }

  #cut(hub: Hub, subscriber: Subscriber): void {
    subscriber.failure = new HandoverError(
      FaultCode.STREAM_LAGGED,
      'the subscriber fell too far behind; resume after the sequence given',
      {
        next: 'retryable',
        details: { after_sequence: subscriber.cursor },
      },
    );
    this.#leave(hub, subscriber);
    subscriber.onLagged?.(subscriber.failure);
  }

  #leave(hub: Hub, subscriber: Subscriber): void {
    if (!hub.subscribers.delete(subscriber)) return;
    this.#count--;
    this.#news.release();
    subscriber.closed = true;
    subscriber.wake?.();
    if (hub.subscribers.size > 0) return;
    this.#hubs.delete(hub.key);
    this.#tails.empty(hub.tail);
  }

  async #next(hub: Hub, subscriber: Subscriber): Promise<readonly Entry[] | undefined> {
    subscriber.unpulled = 0;
    for (;;) {
      if (subscriber.failure) throw subscriber.failure;
      if (subscriber.closed) return undefined;
      if (subscriber.cursor < hub.lastSeq) {
        const { cursor } = subscriber;
        const entries = hub.tail.after(cursor, DELIVERY_BYTES) ?? (await this.#fromLog(hub, cursor));
        const last = entries.at(-1);
        if (last) {
          subscriber.cursor = last.seq;
          return entries;
        }
        // The log ends here: what was told of more is not there (any more). The next news wakes again.
        hub.lastSeq = Math.min(hub.lastSeq, cursor);
        continue;
      }
      await new Promise<void>((resolve) => {
        subscriber.wake = resolve;
      });
      subscriber.wake = undefined;
    }
  }

  #fromLog(hub: Hub, after: number): Promise<readonly Entry[]> {
    let read = hub.reads.get(after);
    if (!read) {
      read = readChecked(this.#env, hub.ref, after).finally(() => hub.reads.delete(after));
      hub.reads.set(after, read);
    }
    return read;
  }
}

/** Reads whole entries from the log and checks each payload against its hash, and the links of the chain. */
export async function readChecked(env: Env, ref: StreamRef, after: number): Promise<readonly Entry[]> {
  const entries = await env.store.read(ref, after, { entries: READ_ENTRIES, bytes: READ_BYTES });
  let previous: Entry | undefined;
  for (const entry of entries) {
    const head = previous ? headOf(previous) : { seq: after, hash: entry.prev, at: 0 };
    const flaw = chainFlaw(env.codec, head, entry) ?? payloadFlaw(env.codec, entry);
    if (flaw) {
      const details = { kind: ref.kind, id: ref.id, seq: entry.seq };
      throw new HandoverError(FaultCode.DATA_LOSS, `stored history is damaged: ${flaw}`, { details });
    }
    previous = entry;
  }
  return entries;
}
