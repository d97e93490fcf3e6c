import type { Codec } from '../envelope/codec.js';
import { corePayloads } from '../envelope/core-payload-table.js';
import { payloadToJson } from '../envelope/json/payload-json.js';
import { canonicalJson } from '../log/json.js';
import { sameBytes } from './replay.js';

const DOMAIN = 'macp-commitment-hash/1:';

/**
 * The canonical hash of a Commitment (RFC-MACP-0013): its nine fields, strings always there, `supersedes` only when set.
 * Undefined when the payload holds anything beyond them: such a payload cannot be verified by them alone.
 */
export function commitmentHash(payload: Uint8Array, codec: Codec): string | undefined {
  const commitment = codec.decode('Commitment', payload);
  if (!commitment || !sameBytes(codec.encode('Commitment', commitment), payload)) return undefined;
  const projection = canonicalJson(payloadToJson(corePayloads.Commitment, commitment, codec));
  return `sha256:${codec.sha256(codec.utf8(DOMAIN + projection))}`;
}
