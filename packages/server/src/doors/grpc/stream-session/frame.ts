/** What a client's frame asks for. A frame that asks for nothing, or for two things, ends the stream. */
import type { Envelope } from '@handover/core';
import { decodeStreamRequest } from '@handover/wire';
import { invalidEnvelope, MALFORMED_ENVELOPE, type Status } from '../errors.js';

export type Frame =
  | { readonly kind: 'envelope'; readonly sessionId: string; readonly envelope: Envelope }
  | { readonly kind: 'subscribe'; readonly sessionId: string; readonly after: number }
  | { readonly kind: 'unreadable'; readonly status: Status };

const BOTH = invalidEnvelope('a frame holds an envelope or subscribe_session_id, not both');
const NEITHER = invalidEnvelope('a frame must hold an envelope or subscribe_session_id');

export function readFrame(bytes: Uint8Array): Frame {
  const request = decodeStreamRequest(bytes);
  if (!request) return unreadable(MALFORMED_ENVELOPE);
  const { envelope, subscribeSessionId: sessionId, afterSequence: after } = request;
  if (envelope) {
    return sessionId === ''
      ? { kind: 'envelope', sessionId: envelope.sessionId, envelope }
      : unreadable(BOTH);
  }
  return sessionId === '' ? unreadable(NEITHER) : { kind: 'subscribe', sessionId, after };
}

function unreadable(status: Status): Frame {
  return { kind: 'unreadable', status };
}
