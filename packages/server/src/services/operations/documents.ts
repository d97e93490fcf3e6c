/**
 * What the log holds of records beyond their state: what was asked for, what came of it, and the events that readers
 * see.
 *
 * D1. It reads only what is asked for: one entry for a document, and for events the entries that it does not know yet.
 * D2. It keeps what it has read, bounded in count and bytes. An entry never changes, so a document is kept by stream
 *     and sequence.
 * D3. Kept events have no gap, from the first entry on. Entries that a submission has just stored are added to them.
 *     Where one is missing in between, the rest is read from the store.
 * D4. The payload of every entry that is read is checked against its hash.
 */
import {
  type Codec,
  type Entry,
  FaultCode,
  HandoverError,
  type JsonObject,
  payloadFlaw,
  type StreamRef,
  streamKey,
} from '@handover/core';
import type { Store } from '@handover/engine';
import { BoundedCache } from './bounded-cache.js';
import { documentOf } from './document.js';
import { createdEvent, eventOf } from './events.js';
import { FAMILY_SERVICES } from './families/families.js';
import type { OperationRecord } from './record.js';

const PAGE = { entries: 1_000, bytes: 32 * 1024 * 1024 };
const ONE = { entries: 1, bytes: 0 };
const DOCUMENT_LIMITS = { items: 1_000, weight: 8 * 1024 * 1024 };
const EVENT_LIMITS = { items: 1_000, weight: 8 * 1024 * 1024 };
/** What an event weighs beside its text. */
const EVENT_BYTES = 100;

interface History {
  /** The event of entry n is at index n - 1. */
  readonly events: JsonObject[];
  weight: number;
}

export class RecordDocuments {
  readonly #store: Pick<Store, 'read'>;
  readonly #codec: Codec;
  readonly #documents = new BoundedCache<JsonObject>(DOCUMENT_LIMITS);
  readonly #histories = new BoundedCache<History>(EVENT_LIMITS);

  constructor(store: Pick<Store, 'read'>, codec: Codec) {
    this.#store = store;
    this.#codec = codec;
  }

  /** What was asked for. */
  created({ ref }: OperationRecord): Promise<JsonObject> {
    return this.#document(ref, 1);
  }

  /** The present result. */
  async result({ ref, state }: OperationRecord): Promise<JsonObject | undefined> {
    return state.result && this.#document(ref, state.result.seq);
  }

  /** One per entry, up to the head of the record. */
  async events(record: OperationRecord): Promise<readonly JsonObject[]> {
    const { ref, state, head } = record;
    const key = streamKey(ref);
    // The first event follows from the state, so the first entry, which may be large, need not be read.
    const history = this.#histories.get(key) ?? { events: [createdEvent(state.createdAt)], weight: 0 };
    while (history.events.length < head.seq) {
      const after = history.events.length;
      const limit = { ...PAGE, entries: Math.min(PAGE.entries, head.seq - after) };
      for (const entry of await this.#read(ref, after, limit)) this.#add(history, record, entry);
    }
    this.#histories.set(key, history, history.weight);
    return history.events.slice(0, head.seq);
  }

  /** Adds entries that were stored just now, as the engine returned them. */
  stored(record: OperationRecord, entries: readonly Entry[]): void {
    const key = streamKey(record.ref);
    const history = this.#histories.get(key);
    if (!history) return;
    for (const entry of entries) this.#add(history, record, entry);
    this.#histories.set(key, history, history.weight);
  }

  /** Skips an entry that is already there, and one that would leave a gap: it is read later, after those before it. */
  #add(history: History, { state }: OperationRecord, entry: Entry): void {
    if (entry.seq !== history.events.length + 1) return;
    const event = eventOf(FAMILY_SERVICES[state.family], entry, this.#codec);
    history.events.push(event);
    history.weight += EVENT_BYTES + JSON.stringify(event).length;
  }

  async #document(ref: StreamRef, seq: number): Promise<JsonObject> {
    const key = `${streamKey(ref)}\n${seq}`;
    const kept = this.#documents.get(key);
    if (kept) return kept;
    const [entry] = await this.#read(ref, seq - 1, ONE);
    const document = entry ? documentOf(entry, this.#codec) : {};
    this.#documents.set(key, document, entry?.payload.length ?? 0);
    return document;
  }

  async #read(ref: StreamRef, after: number, limit: typeof PAGE): Promise<readonly Entry[]> {
    const entries = await this.#store.read(ref, after, limit);
    const flaw =
      entries[0]?.seq !== after + 1
        ? `entry ${after + 1} is missing`
        : entries.map((entry) => payloadFlaw(this.#codec, entry)).find((found) => found !== undefined);
    if (flaw === undefined) return entries;
    throw new HandoverError(FaultCode.DATA_LOSS, `stored history is damaged: ${flaw}`);
  }
}
