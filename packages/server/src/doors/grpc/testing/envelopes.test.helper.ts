/** The kit's envelopes with ids that a test of a stream can name, and with no sender: the server fills it in. */
import { randomUUID } from 'node:crypto';
import type { Envelope, SessionStartPayload } from '@handover/core';
import { commitmentPayload, envelope, startPayload } from '../../../../../../test/kit/envelopes.js';

export const newSession = () => randomUUID();

export function sessionStart(
  sessionId: string,
  participants: readonly string[] = ['alice', 'bob'],
  fields: Partial<Envelope> = {},
  payload: Partial<SessionStartPayload> = {},
): Envelope {
  const start = startPayload({ participants, ...payload });
  return envelope(sessionId, '', 'SessionStart', start, { messageId: 'start', ...fields });
}

export function offer(sessionId: string, handoffId = 'h1', fields: Partial<Envelope> = {}): Envelope {
  const payload = { handoffId, targetParticipant: 'bob', scope: 'all', reason: '' };
  return envelope(sessionId, '', 'HandoffOffer', payload, { messageId: `offer-${handoffId}`, ...fields });
}

export function context(sessionId: string, messageId: string, bytes = 16): Envelope {
  const payload = { handoffId: 'h1', contentType: 'text/plain', context: new Uint8Array(bytes) };
  return envelope(sessionId, '', 'HandoffContext', payload, { messageId });
}

export function signal(messageId: string): Envelope {
  const payload = {
    signalType: 'heartbeat',
    data: new Uint8Array(0),
    confidence: 0,
    correlationSessionId: '',
  };
  return envelope('', '', 'Signal', payload, { mode: '', messageId });
}

export function accept(sessionId: string, handoffId = 'h1'): Envelope {
  const payload = { handoffId, acceptedBy: 'bob', reason: '', implicit: false };
  return envelope(sessionId, '', 'HandoffAccept', payload, { messageId: `accept-${handoffId}` });
}

export function commitment(sessionId: string): Envelope {
  const payload = commitmentPayload({
    authorityScope: 'all',
    reason: 'done',
    policyVersion: 'policy.default',
  });
  return envelope(sessionId, '', 'Commitment', payload, { messageId: 'commit' });
}
