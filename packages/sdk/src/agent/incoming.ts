import { payloadTypeOf } from '@handover/core';
import { codec } from '../codec.js';
import type { SequencedEnvelope } from '../stream/subscribe.js';
import type { IncomingMessage } from './handlers.js';

/** Decodes what is known of the payload; the envelope itself stays at hand. */
export function toIncoming({ sequence, envelope }: SequencedEnvelope): IncomingMessage {
  const { messageType, sender, mode } = envelope;
  const type = payloadTypeOf(messageType, mode);
  const payload = type && codec.decode(type, envelope.payload);
  const handoffId = payload && 'handoffId' in payload ? payload.handoffId : undefined;
  return { messageType, sender, payload, handoffId, raw: envelope, seq: sequence };
}
