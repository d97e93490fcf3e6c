/** What the fold of the multi-round mode reads of a contribution: a digest of its value. */
import type { Codec } from '../../envelope/codec.js';
import type { JsonObject } from '../../log/json.js';

const SEPARATOR = new Uint8Array(1);

/** Facts cannot be erased, so the value is not among them; the session's id makes its digest useless elsewhere. */
export function contributionFacts(sessionId: string, value: string, codec: Codec): JsonObject {
  return { value_sha256: codec.sha256(codec.utf8(sessionId), SEPARATOR, codec.utf8(value)) };
}
