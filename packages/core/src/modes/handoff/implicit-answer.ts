/**
 * Answers by time-out. A policy may say that a silent target has accepted, or has declined, after so long. The answer
 * is an ordinary entry, written by the runtime in the target's name, visible to everyone.
 *
 * T1. Only recorded times count: acceptance of the offer, and suspension since.
 * T2. Due at the earliest T with (T - offered - suspended since) >= time-out. An explicit answer before T wins.
 * T3. Nothing falls due while the session is suspended or after it has ended.
 */
import type { Codec } from '../../envelope/codec.js';
import type { Draft } from '../../log/entry.js';
import type { SessionView } from '../mode.js';
import {
  HandoffMessageType,
  IMPLICIT_ACCEPT_PREFIX,
  IMPLICIT_ACCEPT_REASON,
  IMPLICIT_DECLINE_PREFIX,
  IMPLICIT_DECLINE_REASON,
} from './messages.js';
import { handoffPayloads } from './payloads.js';
import type { HandoffRules } from './policy-rules.js';
import { type HandoffState, openOffer } from './state.js';

export function implicitAnswerDue(
  state: HandoffState,
  session: SessionView<HandoffRules>,
): number | undefined {
  const { implicitAcceptTimeoutMs, implicitDeclineTimeoutMs } = session.rules;
  const timeout = implicitAcceptTimeoutMs || implicitDeclineTimeoutMs;
  if (timeout === 0) return undefined;
  const offer = openOffer(state);
  if (!offer) return undefined;
  return offer.offeredAt + timeout + (session.suspendedTotalMs - offer.suspendedBefore);
}

export function implicitAnswer(
  state: HandoffState,
  session: SessionView<HandoffRules>,
  codec: Codec,
): Draft | undefined {
  const offer = openOffer(state);
  const due = implicitAnswerDue(state, session);
  if (!offer || due === undefined) return undefined;
  const { handoffId, target } = offer;
  const common = { v: 1, actor: target, at: due, facts: { handoff_id: handoffId, implicit: true } };
  if (session.rules.implicitAcceptTimeoutMs > 0) {
    const payload = { handoffId, acceptedBy: target, reason: IMPLICIT_ACCEPT_REASON, implicit: true };
    return {
      ...common,
      type: HandoffMessageType.Accept,
      messageId: IMPLICIT_ACCEPT_PREFIX + handoffId,
      payload: codec.encode(handoffPayloads.HandoffAccept, payload),
    };
  }
  const payload = { handoffId, declinedBy: target, reason: IMPLICIT_DECLINE_REASON };
  return {
    ...common,
    type: HandoffMessageType.Decline,
    messageId: IMPLICIT_DECLINE_PREFIX + handoffId,
    payload: codec.encode(handoffPayloads.HandoffDecline, payload),
  };
}
