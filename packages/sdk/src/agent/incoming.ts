import { findPayload } from '@handover/core';
import { codec } from '../codec.js';
import type { SequencedEnvelope } from '../stream/subscribe.js';
import type { IncomingMessage } from './handlers.js';

/** Decodes what is known of the payload; the envelope itself stays at hand. */
export function toIncoming({ sequence, envelope }: SequencedEnvelope): IncomingMessage {
  const { messageType, sender, mode } = envelope;
  const kind = findPayload(mode, messageType);
  const payload = kind && codec.decode(kind, envelope.payload);
  const handoffId = handoffIn(payload);
  return { messageType, sender, payload, handoffId, raw: envelope, seq: sequence };
}

function handoffIn(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null || !('handoffId' in payload)) return undefined;
  return typeof payload.handoffId === 'string' ? payload.handoffId : undefined;
}
