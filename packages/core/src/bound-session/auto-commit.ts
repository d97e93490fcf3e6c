/**
 * Automatic Commitment: an owner may say with its request that the answer settles the matter. The runtime then commits
 * in the owner's name at the moment of the answer, whether the target or a time-out gave it.
 *
 * K1. It is a tick that falls due at the recorded time of the answer, so it is in the same append as the answer, and
 *     replay repeats it.
 * K2. The rules for a Commitment apply unchanged. If they refuse it (the owner no longer owns the work), the runtime
 *     cancels the session instead: an accepted offer that can never be committed must not stay open.
 */
import type { DecideContext } from '../decider.js';
import { CoreMessageType, type Envelope, MACP_VERSION } from '../envelope/envelope.js';
import type { Draft } from '../log/entry.js';
import { RUNTIME_ACTOR, runtimeMessageId } from '../log/runtime-draft.js';
import { AUTO_COMMIT_PREFIX, TAKEOVER_PREFIXES } from '../modes/handoff/messages.js';
import { offersOf } from '../modes/handoff/offers-of.js';
import { type Offer, openOffer } from '../modes/handoff/state.js';
import type { Rejection } from '../rejection.js';
import { decideCommitment } from '../session/commitment.js';
import { envelopeFacts } from '../session/facts.js';
import { type SessionState, SessionStatus } from '../session/state.js';
import { ownershipFlaw } from './ownership.js';
import { bindingScope, settlementOf } from './settlement.js';

export function autoCommitDue(session: SessionState): number | undefined {
  return session.binding?.autoCommit ? answered(session)?.answeredAt : undefined;
}

export function autoCommit(session: SessionState, context: DecideContext): Draft | undefined {
  const at = autoCommitDue(session);
  const offer = answered(session);
  if (at === undefined || !offer || !session.binding) return undefined;
  const { takeOver } = session.binding;
  const messageId = takeOver ? TAKEOVER_PREFIXES.commit + session.id : AUTO_COMMIT_PREFIX + offer.handoffId;
  const payload = context.codec.encode('Commitment', {
    commitmentId: messageId,
    ...settlementOf(session, offer, bindingScope(session.binding)),
    modeVersion: session.modeVersion,
    configurationVersion: session.configurationVersion,
    policyVersion: session.policy.policyId,
  });
  const { initiator: actor } = session;
  const envelope = { ...envelopeOf(session, at), messageId, sender: actor, payload };
  const decision = decideCommitment(session, envelope, context.codec);
  if ('rejection' in decision) return cancelled(session, at, decision.rejection, context);
  const flaw = ownershipFlaw(session, context.consulted);
  if (flaw) return cancelled(session, at, flaw, context);
  // Implicit, like an answer by time-out: the owner did not send it. The operator is the runtime's own name.
  const facts = { ...envelopeFacts(envelope), ...decision.facts, ...(!takeOver && { implicit: true }) };
  return { type: CoreMessageType.Commitment, v: 1, actor, messageId, facts, payload, at };
}

function answered(session: SessionState): Offer | undefined {
  if (session.status !== SessionStatus.Open) return undefined;
  const handoff = offersOf(session);
  return openOffer(handoff) ? undefined : handoff.offers.at(-1);
}

function cancelled(session: SessionState, at: number, why: Rejection, { codec }: DecideContext): Draft {
  const type = CoreMessageType.SessionCancel;
  const reason = `not committed: ${why.message}`;
  return {
    type,
    v: 1,
    actor: RUNTIME_ACTOR,
    messageId: runtimeMessageId(type, session.seq + 1),
    facts: envelopeFacts(envelopeOf(session, at)),
    payload: codec.encode('SessionCancel', { reason, cancelledBy: RUNTIME_ACTOR }),
    at,
  };
}

function envelopeOf(session: SessionState, at: number): Omit<Envelope, 'messageId' | 'sender' | 'payload'> {
  return {
    macpVersion: MACP_VERSION,
    mode: session.mode.descriptor.mode,
    messageType: CoreMessageType.Commitment,
    sessionId: session.id,
    timestampUnixMs: at,
  };
}
