import type { Codec } from '../envelope/codec.js';
import { projectionHash, projectionOf } from './macp-receipt/commitment-projection.js';

/**
 * The canonical hash of a Commitment (RFC-MACP-0013): its nine fields, strings always there, `supersedes` only when set.
 * Undefined when the payload holds anything beyond them: such a payload cannot be verified by them alone.
 */
export function commitmentHash(payload: Uint8Array, codec: Codec): string | undefined {
  const projection = projectionOf(payload, codec);
  return projection && projectionHash(projection, codec);
}
