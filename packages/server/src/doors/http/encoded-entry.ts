import { type Codec, type Entry, envelopeOfEntry, envelopeToJson, hasOrdinal } from '@handover/core';
import { encodeEvent } from './sse.js';

/** All subscribers of a session share its entries, so each entry is encoded once. */
const encodedEntries = new WeakMap<Entry, Buffer>();

/** An entry has the same ordinal for everybody; suspend, resume and cancel have none, and their events no id. */
export function encodedEntry(entry: Entry, ordinal: number, codec: Codec): Buffer {
  let bytes = encodedEntries.get(entry);
  if (!bytes) {
    const envelope = envelopeOfEntry(entry);
    bytes = envelope
      ? encodeEvent({
          event: 'envelope',
          ...(hasOrdinal(entry.type) && { id: ordinal }),
          data: envelopeToJson(envelope, codec),
        })
      : Buffer.alloc(0);
    encodedEntries.set(entry, bytes);
  }
  return bytes;
}
