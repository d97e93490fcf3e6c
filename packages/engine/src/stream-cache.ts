/**
 * Keeps streams in memory: state, chain head and recent message ids. Their number is limited, and what they weigh; the
 * least recently used stream goes first.
 *
 * K1. The cache holds durable state only: a batch replaces it only after the batch was stored.
 * K2. A stream is loaded once at a time; other callers that need it meanwhile wait for the same load.
 * K3. A pinned stream (a command of a batch holds it) is never thrown out.
 * K4. Every entry that is read is checked against the hash chain. A flaw makes the load of this stream fail, and of no
 *     other.
 */
import {
  type ChainHead,
  chainFlaw,
  type EntryHead,
  FaultCode,
  GENESIS,
  HandoverError,
  headOf,
  type StreamRef,
  streamKey,
} from '@handover/core';
import type { Env } from './env.js';
import { RecentIds } from './recent-ids.js';
import type { AnyDecider, AnyState, Deciders } from './submission.js';

export interface CachedStream {
  readonly ref: StreamRef;
  readonly key: string;
  readonly decider: AnyDecider;
  state: AnyState | undefined;
  head: ChainHead;
  readonly recent: RecentIds;
  pins: number;
  /** Characters of its longest facts: what a state keeps of long lists comes from one entry. */
  weight: number;
  /** Of all streams that are kept; absent: this one is not. */
  meter?: { weight: number };
}

/** Folding so many takes less time than others may be kept waiting. */
const LOAD_PAGE = 500;
/** Characters; a state takes a few times as many bytes. */
const MAX_WEIGHT = 16 * 1024 * 1024;

export class StreamCache {
  readonly #streams = new Map<string, CachedStream>();
  readonly #loading = new Map<string, Promise<CachedStream>>();
  readonly #env: Env;
  readonly #deciders: Deciders;
  readonly #capacity: number;
  readonly #maxWeight: number;
  readonly #meter = { weight: 0 };

  constructor(env: Env, deciders: Deciders, capacity: number, maxWeight = MAX_WEIGHT) {
    this.#env = env;
    this.#deciders = deciders;
    this.#capacity = capacity;
    this.#maxWeight = maxWeight;
  }

  get size(): number {
    return this.#streams.size;
  }

  get weight(): number {
    return this.#meter.weight;
  }

  /** Returns the stream if it is in memory, and makes it the most recently used. */
  peek(key: string): CachedStream | undefined {
    const stream = this.#streams.get(key);
    if (stream) {
      this.#streams.delete(key);
      this.#streams.set(key, stream);
    }
    return stream;
  }

  /** Loads the stream, or joins the load under way. */
  load(ref: StreamRef): Promise<CachedStream> {
    const key = streamKey(ref);
    const known = this.peek(key);
    if (known) return Promise.resolve(known);
    let loading = this.#loading.get(key);
    if (!loading) {
      loading = this.#read(ref, key).finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
    }
    return loading;
  }

  /** Forgets a stream, so that the next use reads it anew. */
  drop(key: string): void {
    const stream = this.#streams.get(key);
    if (!stream) return;
    this.#streams.delete(key);
    this.#meter.weight -= stream.weight;
    delete stream.meter;
  }

  async #read(ref: StreamRef, key: string): Promise<CachedStream> {
    const decider: AnyDecider | undefined = this.#deciders[ref.kind];
    if (!decider) throw new HandoverError(FaultCode.INTERNAL, `no decider for streams of kind ${ref.kind}`);
    const stream: CachedStream = {
      ref,
      key,
      decider,
      state: undefined,
      head: GENESIS,
      recent: new RecentIds(),
      pins: 0,
      weight: 0,
    };
    for (;;) {
      const page = await this.#env.store.load(ref, stream.head.seq, LOAD_PAGE);
      for (const entry of page) this.#fold(stream, entry);
      if (page.length < LOAD_PAGE) break;
    }
    this.#streams.set(key, stream);
    stream.meter = this.#meter;
    this.#meter.weight += stream.weight;
    this.#evict(stream);
    return stream;
  }

  #fold(stream: CachedStream, entry: EntryHead): void {
    const flaw = chainFlaw(this.#env.codec, stream.head, entry);
    if (flaw) {
      const details = { kind: stream.ref.kind, id: stream.ref.id, seq: entry.seq };
      throw new HandoverError(FaultCode.DATA_LOSS, `stored history is damaged: ${flaw}`, { details });
    }
    applyEntry(stream, entry);
  }

  #evict(newest: CachedStream): void {
    for (const [key, stream] of this.#streams) {
      if (this.#fits()) return;
      if (stream.pins === 0 && stream !== newest) this.drop(key);
    }
  }

  #fits(): boolean {
    return this.#streams.size <= this.#capacity && this.#meter.weight <= this.#maxWeight;
  }
}

/** Applies one more durable entry to a stream. */
export function applyEntry(stream: CachedStream, entry: EntryHead): void {
  stream.state = stream.decider.evolve(stream.state, entry);
  stream.head = headOf(entry);
  stream.recent.add(entry.messageId, entry.seq);
  const more = entry.factsText.length - stream.weight;
  if (more <= 0) return;
  stream.weight += more;
  if (stream.meter) stream.meter.weight += more;
}
