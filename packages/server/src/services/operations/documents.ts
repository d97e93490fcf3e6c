/**
 * What the log holds of records beyond their state: what was asked for, what came of it, and the events that readers
 * see.
 *
 * D1. Documents are not handed out. What follows from them is asked for by name (derivations.ts): on the spot where
 *     they are small, of the thread for large documents where they are not.
 * D2. Only what is needed is read. Small documents are kept, bounded in count and bytes: an entry never changes, so a
 *     document is kept by stream and sequence.
 */
import {
  type Codec,
  type Entry,
  FaultCode,
  HandoverError,
  type JsonObject,
  type StreamRef,
  streamKey,
} from '@handover/core';
import type { Store } from '@handover/engine';
import { callerKey } from '../../auth/caller-key.js';
import { BoundedCache } from '../bounded-cache.js';
import { type LargeWork, SERVER } from '../large/large-work.js';
import type { Outcome } from '../outcome.js';
import { type DerivationName, type DerivationParameters, type Derived, derive } from './derivations.js';
import { LARGE_DOCUMENT, smallDocument } from './document.js';
import { EntryReader } from './entry-reader.js';
import type { PostBody } from './post-body.js';
import type { OperationRecord } from './record.js';
import { RecordEvents } from './record-events.js';

const ONE = { entries: 1, bytes: 0 };
const CACHE_LIMITS = { items: 1_000, weight: 8 * 1024 * 1024 };

/** Parsed where it is small. */
type Stored = { readonly value: JsonObject } | { readonly large: Uint8Array };

export class RecordDocuments {
  readonly #entries: EntryReader;
  readonly #large: LargeWork;
  readonly #events: RecordEvents;
  readonly #small = new BoundedCache<JsonObject>(CACHE_LIMITS);

  constructor(store: Pick<Store, 'read'>, codec: Codec, large: LargeWork) {
    this.#entries = new EntryReader(store, codec);
    this.#events = new RecordEvents(this.#entries);
    this.#large = large;
  }

  /** For somebody who asks. Rejected: the thread could not do it. */
  derive<N extends DerivationName>(
    record: OperationRecord,
    name: N,
    parameters: DerivationParameters<N>,
    posted?: PostBody,
  ): Promise<Outcome<Derived<N>>> {
    const { tenant } = record.ref;
    return this.#derive(callerKey({ tenant, agent: record.state.creator }), record, name, parameters, posted);
  }

  /** For the server itself, when it proves what was claimed: it never finds the thread too busy. */
  async deriveForServer<N extends DerivationName>(
    record: OperationRecord,
    name: N,
    parameters: DerivationParameters<N>,
  ): Promise<Derived<N>> {
    const outcome = await this.#derive(SERVER, record, name, parameters);
    if ('value' in outcome) return outcome.value;
    throw new HandoverError(FaultCode.INTERNAL, outcome.rejection.message);
  }

  async #derive<N extends DerivationName>(
    caller: string,
    record: OperationRecord,
    name: N,
    parameters: DerivationParameters<N>,
    posted?: PostBody,
  ): Promise<Outcome<Derived<N>>> {
    const { created, result } = await this.#stored(record);
    if ('value' in created && !(result && 'large' in result) && !(posted && 'large' in posted)) {
      const documents = {
        created: created.value,
        ...(result && { result: result.value }),
        ...(posted && { posted: posted.value }),
      };
      return { value: derive(name, documents, parameters) };
    }
    return this.#large.derive(caller, {
      name,
      parameters,
      created: bytesOf(created),
      ...(result && { result: bytesOf(result) }),
      ...(posted && { posted: bytesOf(posted) }),
      limits: LARGE_DOCUMENT,
    });
  }

  /** Bytes of what is too large to be shown to a model; undefined: it is small. */
  async largeBytes(record: OperationRecord): Promise<number | undefined> {
    const { created, result } = await this.#stored(record);
    const sizes = [created, ...(result ? [result] : [])].flatMap((one) =>
      'large' in one ? [one.large.length] : [],
    );
    return sizes.length === 0 ? undefined : sizes.reduce((sum, size) => sum + size);
  }

  events(record: OperationRecord): Promise<readonly JsonObject[]> {
    return this.#events.read(record);
  }

  /** Entries that were stored just now, as the engine returned them. */
  stored(record: OperationRecord, entries: readonly Entry[]): void {
    this.#events.stored(record, entries);
  }

  async #stored({ ref, state }: OperationRecord) {
    const created = await this.#document(ref, 1);
    const result = state.result && (await this.#document(ref, state.result.seq));
    return { created, result };
  }

  async #document(ref: StreamRef, seq: number): Promise<Stored> {
    const key = `${streamKey(ref)}\n${seq}`;
    const kept = this.#small.get(key);
    if (kept) return { value: kept };
    const [entry] = await this.#entries.read(ref, seq - 1, ONE);
    if (!entry) return { value: {} };
    const value = smallDocument(entry);
    if (!value) return { large: entry.payload };
    this.#small.set(key, value, entry.payload.length);
    return { value };
  }
}

const bytesOf = (document: PostBody): Uint8Array =>
  'large' in document ? document.large : Buffer.from(JSON.stringify(document.value ?? null));
