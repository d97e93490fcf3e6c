import { type Entry, envelopeOfEntry } from '@handover/core';
import { encodeStreamFrame } from '@handover/wire';

/** All subscribers of a session share its entries, so each entry is encoded once. */
const encoded = new WeakMap<Entry, Uint8Array>();

/** Undefined for the expiry entry, which is no envelope. */
export function entryFrame(entry: Entry): Uint8Array | undefined {
  const known = encoded.get(entry);
  if (known) return known;
  const envelope = envelopeOfEntry(entry);
  if (!envelope) return undefined;
  const frame = encodeStreamFrame({ kind: 'envelope', envelope });
  encoded.set(entry, frame);
  return frame;
}
