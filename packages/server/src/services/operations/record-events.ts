/**
 * The history of records as their readers see it: one event per entry, the newest of them.
 *
 * E1. Only entries that are not known yet are read, in pages. What was read is kept, bounded in count and bytes.
 * E2. Kept events have no gap, up to the last of them. Entries that a submission has just stored are added; where one is
 *     missing in between, the rest is read from the store.
 * E3. However long a history is, only its newest events are shown, and the first.
 */
import { type Entry, type JsonObject, streamKey } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { BoundedCache } from '../bounded-cache.js';
import type { EntryReader } from './entry-reader.js';
import { createdEvent, eventOf } from './events.js';
import { FAMILY_SERVICES } from './families/families.js';
import type { OperationRecord } from './record.js';

const PAGE = { entries: 100, bytes: 256 * 1024 };
const CACHE_LIMITS = { items: 1_000, weight: 8 * 1024 * 1024 };
/** What an event weighs beside its text. */
const EVENT_BYTES = 100;

interface Kept {
  readonly seq: number;
  readonly event: JsonObject;
  readonly weight: number;
}

interface History {
  /** The entry of the last event. */
  seq: number;
  /** The newest, without the first. */
  readonly events: Kept[];
  weight: number;
}

export class RecordEvents {
  readonly #entries: EntryReader;
  readonly #histories = new BoundedCache<History>(CACHE_LIMITS);

  constructor(entries: EntryReader) {
    this.#entries = entries;
  }

  /** Up to the head of the record. */
  async read(record: OperationRecord): Promise<readonly JsonObject[]> {
    const { ref, state, head } = record;
    const key = streamKey(ref);
    const oldest = Math.max(1, head.seq - fixedLimits.shownEvents.value);
    const kept = this.#histories.get(key);
    const history = kept && kept.seq >= oldest ? kept : { seq: oldest, events: [], weight: 0 };
    while (history.seq < head.seq) {
      const entries = Math.min(PAGE.entries, head.seq - history.seq);
      for (const entry of await this.#entries.read(ref, history.seq, { ...PAGE, entries }))
        add(history, record, entry);
    }
    this.#histories.set(key, history, history.weight);
    // The first event follows from the state, so the first entry, which may be large, is never read.
    const shown = history.events.filter(({ seq }) => seq <= head.seq).map(({ event }) => event);
    return [createdEvent(state.createdAt), ...shown];
  }

  /** Adds entries that were stored just now, as the engine returned them. */
  stored(record: OperationRecord, entries: readonly Entry[]): void {
    const key = streamKey(record.ref);
    const history = this.#histories.get(key);
    if (!history) return;
    for (const entry of entries) add(history, record, entry);
    this.#histories.set(key, history, history.weight);
  }
}

/** Skips an entry that is already there, and one that would leave a gap: it is read later, after those before it. */
function add(history: History, { state }: OperationRecord, entry: Entry): void {
  if (entry.seq !== history.seq + 1) return;
  const event = eventOf(FAMILY_SERVICES[state.family], entry);
  const weight = EVENT_BYTES + JSON.stringify(event).length;
  history.seq = entry.seq;
  history.events.push({ seq: entry.seq, event, weight });
  history.weight += weight;
  while (history.events.length > fixedLimits.shownEvents.value || isHeavy(history))
    history.weight -= history.events.shift()?.weight ?? 0;
}

const isHeavy = ({ events, weight }: History): boolean =>
  events.length > 1 && weight > fixedLimits.shownEventBytes.value;
