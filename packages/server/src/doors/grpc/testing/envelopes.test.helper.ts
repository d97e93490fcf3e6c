/** Envelopes of a handoff, as a client would write them. */
import { randomUUID } from 'node:crypto';
import {
  type Envelope,
  HANDOFF_MODE,
  MACP_VERSION,
  type PayloadsIn,
  payloadKind,
  type SessionStartPayload,
} from '@handover/core';
import { nodeCodec } from '../../../platform/node-codec.js';

type Payloads = PayloadsIn<typeof HANDOFF_MODE>;

export const newSession = () => randomUUID();

export function envelope<T extends keyof Payloads>(
  messageType: T,
  sessionId: string,
  payload: Payloads[T],
  fields: Partial<Envelope> = {},
): Envelope {
  return {
    macpVersion: MACP_VERSION,
    mode: HANDOFF_MODE,
    messageType,
    messageId: randomUUID(),
    sessionId,
    sender: '',
    timestampUnixMs: 0,
    payload: nodeCodec.encode(payloadKind(HANDOFF_MODE, messageType), payload),
    ...fields,
  };
}

export function sessionStart(
  sessionId: string,
  participants: readonly string[] = ['alice', 'bob'],
  fields: Partial<Envelope> = {},
  payload: Partial<SessionStartPayload> = {},
): Envelope {
  return envelope(
    'SessionStart',
    sessionId,
    {
      intent: 'hand over',
      participants,
      modeVersion: '1.0.0',
      configurationVersion: 'config.default',
      policyVersion: '',
      ttlMs: 60_000,
      roots: [],
      contextId: '',
      extensions: {},
      maxSuspendMs: 0,
      ...payload,
    },
    { messageId: 'start', ...fields },
  );
}

export function offer(sessionId: string, handoffId = 'h1', fields: Partial<Envelope> = {}): Envelope {
  const payload = { handoffId, targetParticipant: 'bob', scope: 'all', reason: '' };
  return envelope('HandoffOffer', sessionId, payload, { messageId: `offer-${handoffId}`, ...fields });
}

export function context(sessionId: string, messageId: string, bytes = 16): Envelope {
  const payload = { handoffId: 'h1', contentType: 'text/plain', context: new Uint8Array(bytes) };
  return envelope('HandoffContext', sessionId, payload, { messageId });
}

export function signal(messageId: string): Envelope {
  const payload = {
    signalType: 'heartbeat',
    data: new Uint8Array(0),
    confidence: 0,
    correlationSessionId: '',
  };
  return envelope('Signal', '', payload, { mode: '', messageId });
}

export function accept(sessionId: string, handoffId = 'h1'): Envelope {
  const payload = { handoffId, acceptedBy: 'bob', reason: '', implicit: false };
  return envelope('HandoffAccept', sessionId, payload, { messageId: `accept-${handoffId}` });
}

export function commitment(sessionId: string): Envelope {
  return envelope(
    'Commitment',
    sessionId,
    {
      commitmentId: 'c1',
      action: 'handoff.accepted',
      authorityScope: 'all',
      reason: 'done',
      modeVersion: '1.0.0',
      policyVersion: 'policy.default',
      configurationVersion: 'config.default',
      outcomePositive: true,
    },
    { messageId: 'commit' },
  );
}
