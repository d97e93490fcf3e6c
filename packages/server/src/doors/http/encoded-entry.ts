import { type Codec, type Entry, envelopeOfEntry, envelopeToJson } from '@handover/core';
import { encodeEvent } from './sse.js';

/** All subscribers of a session share its entries, so each entry is encoded once. */
const encodedEntries = new WeakMap<Entry, Buffer>();

export function encodedEntry(entry: Entry, codec: Codec): Buffer {
  let bytes = encodedEntries.get(entry);
  if (!bytes) {
    const envelope = envelopeOfEntry(entry);
    bytes = envelope
      ? encodeEvent({ event: 'envelope', id: entry.seq, data: envelopeToJson(envelope, codec) })
      : Buffer.alloc(0);
    encodedEntries.set(entry, bytes);
  }
  return bytes;
}
