/**
 * Reserved names in messages: nobody can be called so (auth/agent-name.ts), so nobody may be addressed so either. This is
 * asked of new messages only, before they are decided. The deciders do not ask it: histories from before the rule replay.
 */
import {
  type Codec,
  CoreMessageType,
  type Envelope,
  HANDOFF_MODE,
  HandoffMessageType,
  handoffPayloads,
  isId,
  MAX_PARTICIPANTS,
  type Rejection,
  RejectionCode,
  reject,
} from '@handover/core';
import { isRefusedName, REFUSED_NAMES_RULE } from '../../auth/agent-name.js';

export function reservedNameFlaw(envelope: Envelope, codec: Codec): Rejection | undefined {
  const { messageType, mode } = envelope;
  if (messageType === CoreMessageType.SessionStart) return startFlaw(envelope, codec);
  if (mode === HANDOFF_MODE && messageType === HandoffMessageType.Offer) return offerFlaw(envelope, codec);
  return undefined;
}

/** A payload that is no SessionStart, or one with too many names, is left to the decider, which says what is wrong. */
function startFlaw({ payload }: Envelope, codec: Codec): Rejection | undefined {
  const { participants = [] } = codec.decode('SessionStart', payload) ?? {};
  const index = participants.slice(0, MAX_PARTICIPANTS).findIndex(isRefusedId);
  return index === -1 ? undefined : flaw(`participants[${index}]`);
}

function offerFlaw({ payload }: Envelope, codec: Codec): Rejection | undefined {
  const offer = codec.decode(handoffPayloads.HandoffOffer, payload);
  return offer && isRefusedId(offer.targetParticipant) ? flaw('target_participant') : undefined;
}

/** What is no id at all is left to the decider, too: it may be long. */
const isRefusedId = (name: string): boolean => isId(name) && isRefusedName(name);

const flaw = (field: string): Rejection =>
  reject(RejectionCode.INVALID_ENVELOPE, `${field} cannot name an agent: ${REFUSED_NAMES_RULE}`);
