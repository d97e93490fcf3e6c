import { type Codec, type Entry, FaultCode, HandoverError, payloadFlaw } from '@handover/core';

/** The payload as it was accepted. One that was erased is empty; one that was changed in the store is a fault, not an answer. */
export function storedPayload(entry: Entry, codec: Codec): Uint8Array {
  if (entry.payload.length === 0) return entry.payload;
  const flaw = payloadFlaw(codec, entry);
  if (flaw) throw new HandoverError(FaultCode.DATA_LOSS, flaw, { details: { stream: entry.stream.id } });
  return entry.payload;
}
