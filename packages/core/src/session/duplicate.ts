import type { SeenMessage } from '../decider.js';
import type { Codec } from '../envelope/codec.js';
import type { Envelope } from '../envelope/envelope.js';

/** A retry is the same mode, type, sender and payload under the same id; the client's clock may differ. */
export function sameMessage(envelope: Envelope, seen: SeenMessage, codec: Codec): boolean {
  return (
    seen.facts.mode === envelope.mode &&
    seen.type === envelope.messageType &&
    seen.actor === envelope.sender &&
    seen.payloadHash === codec.sha256(seen.salt, envelope.payload)
  );
}
