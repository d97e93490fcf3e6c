/** Names of handoffs: their ids as assistants write them, and ids derived from idempotency keys. */
import { randomUUID } from 'node:crypto';
import { type Codec, canonicalJson, encodeId } from '@handover/core';
import type { Principal } from '../../auth/principal.js';

/** The only offer of a session that `requestHandoff` opens. */
export const OFFER_ID = 'h1';

export function formatHandoffId(sessionId: string, offerId: string): string {
  return `${sessionId}:${encodeId(offerId)}`;
}

/** `<session>:<percent-encoded offer>`, or all of that percent-encoded once more (as it stands in a URI). */
export function parseHandoffId(
  written: string,
): { readonly sessionId: string; readonly offerId: string } | undefined {
  const raw = written.includes(':') ? written : decoded(written);
  const colon = raw.indexOf(':');
  if (colon < 1) return undefined;
  return { sessionId: raw.slice(0, colon), offerId: decoded(raw.slice(colon + 1)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The id of what a request makes. With a key it is the same for every attempt of the same principal with the same tool
 * (and the same session, for tools that write to one), so that a retry finds what the first attempt made.
 */
export function requestId(
  { tenant, agent }: Principal,
  tool: string | readonly [tool: string, sessionKey: string],
  idempotencyKey: string | undefined,
  codec: Codec,
): string {
  if (idempotencyKey === undefined) return randomUUID();
  return derivedId([tenant, agent, ...[tool].flat(), idempotencyKey], codec);
}

/** Who accepts with `resume` is shown what it accepts. The id of the message says so, for as long as the log is kept. */
const SHOWN = 'resume:';

export const shownId = (id: string): string => SHOWN + id;

export const isShownId = (messageId: string): boolean => messageId.startsWith(SHOWN);

export function derivedId(of: readonly string[], codec: Codec): string {
  const digest = codec.sha256(codec.utf8(canonicalJson(['handover/request', ...of])));
  const id = Buffer.from(digest, 'hex').subarray(0, 24).toString('base64url');
  // People give ids to commands, which would take a dash for a flag.
  return id.replace(/^-/, '0');
}
