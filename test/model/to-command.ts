import {
  Control,
  HANDOFF_MODE,
  handoffPayloads,
  type PolicyDescriptor,
  type SessionCommand,
} from '@handover/core';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { envelopeOf, startPayload } from '../kit/envelopes.js';
import type { Control as ModelControl, PolicyRules, Said } from './handoff-model.js';

export const POLICY_ID = 'policy.model';
/** Far below the session's ttl, so that silence is always noticed before the deadline. */
const SILENCE_MS = 1000;

/** The model's rules as a registered policy. */
export function toPolicy(rules: PolicyRules, silenceMs = SILENCE_MS): PolicyDescriptor {
  const acceptance = rules.silence === 'accept' ? { implicit_accept_timeout_ms: silenceMs } : {};
  const own = {
    allow_no_target: rules.allowNoTarget,
    ...(rules.silence === 'decline' && { implicit_decline_timeout_ms: silenceMs }),
  };
  const commitment = { authority: rules.authority, designated_roles: [...rules.designated] };
  return {
    policyId: POLICY_ID,
    mode: HANDOFF_MODE,
    description: '',
    schemaVersion: 1,
    registeredAtUnixMs: 0,
    rules: { acceptance, commitment, 'x-handover.rules': own },
  };
}

/** The search has no duplicates in it: every message is a new one. */
function command(sessionId: string, sender: string, type: string, payload: Uint8Array): SessionCommand {
  return { kind: 'envelope', envelope: envelopeOf(sessionId, sender, type, payload, { messageId: 'm' }) };
}

export function startCommand(
  sessionId: string,
  sender: string,
  participants: readonly string[],
): SessionCommand {
  const versions = { configurationVersion: 'config', policyVersion: POLICY_ID };
  const payload = startPayload({ participants, ttlMs: 86_400_000, ...versions });
  return command(sessionId, sender, 'SessionStart', codec.encode('SessionStart', payload));
}

export function toCommand(sessionId: string, message: Said | ModelControl): SessionCommand {
  const say = (type: string, payload: Uint8Array) => command(sessionId, message.sender, type, payload);
  const reason = '';
  switch (message.type) {
    case 'offer': {
      const { handoffId, target } = message;
      return say(
        'HandoffOffer',
        codec.encode(handoffPayloads.HandoffOffer, {
          handoffId,
          targetParticipant: target,
          scope: '',
          reason,
        }),
      );
    }
    case 'context': {
      const { handoffId } = message;
      return say(
        'HandoffContext',
        codec.encode(handoffPayloads.HandoffContext, {
          handoffId,
          contentType: '',
          context: new Uint8Array(),
        }),
      );
    }
    case 'accept': {
      const { handoffId, acceptedBy, implicit } = message;
      return say(
        'HandoffAccept',
        codec.encode(handoffPayloads.HandoffAccept, { handoffId, acceptedBy, implicit, reason }),
      );
    }
    case 'decline': {
      const { handoffId, declinedBy } = message;
      return say(
        'HandoffDecline',
        codec.encode(handoffPayloads.HandoffDecline, { handoffId, declinedBy, reason }),
      );
    }
    case 'commit':
      return say('Commitment', commitment(message));
    case 'unknown':
      return say('HandoffWithdraw', new Uint8Array());
    case 'cancel':
      return { kind: 'control', control: Control.Cancel, reason };
    case 'suspend':
      return { kind: 'control', control: Control.Suspend, reason };
    case 'resume':
      return { kind: 'control', control: Control.Resume, reason };
  }
}

function commitment(message: Extract<Said, { type: 'commit' }>): Uint8Array {
  return codec.encode('Commitment', {
    commitmentId: 'c',
    action: message.action,
    authorityScope: 'scope',
    reason: 'reason',
    modeVersion: '1.0.0',
    policyVersion: '',
    configurationVersion: message.versionsMatch ? 'config' : 'another',
    outcomePositive: message.positive,
  });
}
