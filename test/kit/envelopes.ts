/** Builds envelopes for tests; every field has a default that can be overridden. */
import { randomUUID } from 'node:crypto';
import {
  type CommitmentPayload,
  type Envelope,
  HANDOFF_MODE,
  MACP_VERSION,
  type PayloadsIn,
  payloadKind,
  type SessionStartPayload,
} from '@handover/core';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';

type Payloads = PayloadsIn<typeof HANDOFF_MODE>;

/** Takes the payload as bytes, for tests that send what no codec would write. */
export function envelopeOf(
  sessionId: string,
  sender: string,
  messageType: string,
  payload: Uint8Array,
  overrides: Partial<Envelope> = {},
): Envelope {
  return {
    macpVersion: MACP_VERSION,
    mode: HANDOFF_MODE,
    messageType,
    messageId: randomUUID(),
    sessionId,
    sender,
    timestampUnixMs: 0,
    payload,
    ...overrides,
  };
}

export function envelope<T extends keyof Payloads>(
  sessionId: string,
  sender: string,
  type: T,
  payload: Payloads[T],
  overrides: Partial<Envelope> = {},
): Envelope {
  return envelopeOf(
    sessionId,
    sender,
    type,
    nodeCodec.encode(payloadKind(HANDOFF_MODE, type), payload),
    overrides,
  );
}

export const startPayload = (overrides: Partial<SessionStartPayload> = {}): SessionStartPayload => ({
  intent: 'hand over',
  participants: ['owner', 'a', 'b'],
  modeVersion: '1.0.0',
  configurationVersion: 'config.default',
  policyVersion: '',
  ttlMs: 60_000,
  roots: [],
  contextId: '',
  extensions: {},
  maxSuspendMs: 0,
  ...overrides,
});

export const commitmentPayload = (overrides: Partial<CommitmentPayload> = {}): CommitmentPayload => ({
  commitmentId: 'c1',
  action: 'handoff.accepted',
  authorityScope: 'service',
  reason: 'a took it',
  modeVersion: '1.0.0',
  policyVersion: '',
  configurationVersion: 'config.default',
  outcomePositive: true,
  ...overrides,
});

export const start = (sessionId: string, owner = 'owner', overrides: Partial<SessionStartPayload> = {}) =>
  envelope(sessionId, owner, 'SessionStart', startPayload(overrides));
export const offer = (sessionId: string, handoffId: string, targetParticipant: string, sender = 'owner') =>
  envelope(sessionId, sender, 'HandoffOffer', { handoffId, targetParticipant, scope: 's', reason: 'r' });
export const context = (sessionId: string, handoffId: string, text = 'ctx', sender = 'owner') =>
  envelope(sessionId, sender, 'HandoffContext', {
    handoffId,
    contentType: 'text/plain',
    context: nodeCodec.utf8(text),
  });
export const accept = (sessionId: string, handoffId: string, sender: string) =>
  envelope(sessionId, sender, 'HandoffAccept', { handoffId, acceptedBy: '', reason: '', implicit: false });
export const decline = (sessionId: string, handoffId: string, sender: string) =>
  envelope(sessionId, sender, 'HandoffDecline', { handoffId, declinedBy: '', reason: '' });
export const commit = (sessionId: string, sender = 'owner', overrides: Partial<CommitmentPayload> = {}) =>
  envelope(sessionId, sender, 'Commitment', commitmentPayload(overrides));
