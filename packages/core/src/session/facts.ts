import type { Envelope } from '../envelope/envelope.js';
import type { JsonObject } from '../log/json.js';

/** What every envelope entry records besides its mode's facts: enough to give the envelope back byte for byte. */
export function envelopeFacts(
  envelope: Pick<Envelope, 'macpVersion' | 'mode' | 'timestampUnixMs'>,
): JsonObject {
  return { macp_version: envelope.macpVersion, mode: envelope.mode, ts: envelope.timestampUnixMs };
}
