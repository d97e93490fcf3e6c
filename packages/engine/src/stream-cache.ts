/**
 * Keeps streams in memory: state, chain head and recent message ids. Their number is limited, and what they weigh; the
 * least recently used stream goes first.
 *
 * K1. The cache holds durable state only: a batch replaces it only after the batch was stored.
 * K2. A stream is loaded once at a time; other callers that need it meanwhile wait for the same load.
 * K3. A pinned stream (a command of a batch holds it) is never thrown out.
 * K4. Every entry that is read is checked against the hash chain, whoever read it. A flaw makes the use of this stream
 *     fail, and of no other.
 * K5. A stream never moves back: what is older than its head is passed over.
 * K6. Where other nodes write, `fresh` asks the store how far a stream has come since; that it does not exist is believed
 *     of nobody but the store. Many that ask at once share one question.
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
import { HeadChecks } from './head-checks.js';
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
  /** Characters of all its facts and ids, and something for each entry: a state keeps no more of them than that. */
  weight: number;
  /** Of all streams that are kept; absent: this one is not. */
  meter?: { weight: number };
}

/** Folding so many takes less time than others may be kept waiting. */
const LOAD_PAGE = 500;
/** A state that keeps all it is told, such as every proposal of a session, takes one to two bytes for each. */
const MAX_WEIGHT = 128 * 1024 * 1024;
const ENTRY_WEIGHT = 64;

export class StreamCache {
  readonly #streams = new Map<string, CachedStream>();
  readonly #loading = new Map<string, Promise<CachedStream>>();
  readonly #catching = new Map<CachedStream, Promise<void>>();
  readonly #env: Env;
  readonly #deciders: Deciders;
  readonly #capacity: number;
  readonly #maxWeight: number;
  readonly #meter = { weight: 0 };
  /** Present where other nodes write. */
  readonly #checks: HeadChecks | undefined;

  constructor(env: Env, deciders: Deciders, capacity: number, maxWeight = MAX_WEIGHT) {
    this.#env = env;
    this.#checks = env.store.shared && new HeadChecks(env.store.shared);
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

  /**
   * The stream as it is stored now, or later; with `atLeast` as it is in memory, if it has come so far. Without other
   * nodes that is what `load` returns.
   */
  async fresh(ref: StreamRef, atLeast = Number.POSITIVE_INFINITY): Promise<CachedStream> {
    if (!this.#checks) return this.load(ref);
    const known = this.peek(streamKey(ref));
    if (known && known.head.seq >= atLeast) return known;
    // A load under way may have begun before the caller asked: what it brings is checked, too.
    const [stream, seq] = await Promise.all([known ?? this.load(ref), this.#checks.seqOf(ref)]);
    if (stream.head.seq < seq) await this.#catchUp(stream);
    // The reading that was joined may have begun before the head was asked for.
    if (stream.head.seq < seq) await this.#catchUp(stream);
    if (stream.head.seq >= seq) return stream;
    this.drop(stream.key);
    const details = { kind: ref.kind, id: ref.id, seq: stream.head.seq + 1 };
    throw new HandoverError(FaultCode.DATA_LOSS, 'stored history is damaged: it ends before its head', {
      details,
    });
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
    await this.#readOn(stream);
    this.#streams.set(key, stream);
    stream.meter = this.#meter;
    this.#meter.weight += stream.weight;
    this.#evict(stream);
    return stream;
  }

  /** Reads what was stored since; callers that need it meanwhile share the reading. */
  #catchUp(stream: CachedStream): Promise<void> {
    let reading = this.#catching.get(stream);
    if (!reading) {
      reading = this.#readOn(stream).finally(() => this.#catching.delete(stream));
      this.#catching.set(stream, reading);
    }
    return reading;
  }

  async #readOn(stream: CachedStream): Promise<void> {
    for (;;) {
      const page = await this.#env.store.load(stream.ref, stream.head.seq, LOAD_PAGE);
      this.advance(stream, page);
      if (page.length < LOAD_PAGE) return;
    }
  }

  /** Folds what was stored after the stream's head. The entries are in order, and may begin before it. */
  advance(stream: CachedStream, entries: readonly EntryHead[]): void {
    for (const entry of entries) {
      if (entry.seq <= stream.head.seq) continue;
      const flaw = chainFlaw(this.#env.codec, stream.head, entry);
      if (flaw) {
        const details = { kind: stream.ref.kind, id: stream.ref.id, seq: entry.seq };
        throw new HandoverError(FaultCode.DATA_LOSS, `stored history is damaged: ${flaw}`, { details });
      }
      applyEntry(stream, entry);
    }
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

/** Applies one more durable entry to a stream, unchecked. */
export function applyEntry(stream: CachedStream, entry: EntryHead): void {
  stream.state = stream.decider.evolve(stream.state, entry);
  stream.head = headOf(entry);
  stream.recent.add(entry.messageId, entry.seq);
  const more = entry.factsText.length + entry.messageId.length + ENTRY_WEIGHT;
  stream.weight += more;
  if (stream.meter) stream.meter.weight += more;
}
