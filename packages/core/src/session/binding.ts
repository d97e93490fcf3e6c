/**
 * How a session and a working session move together. Only `requestHandoff` binds them; from then on every answer and
 * every ending of the session is also an entry of the working session, in the same append, so that no crash can come
 * between a Commitment and the change of owner.
 */
import type { DecideContext } from '../decider.js';
import { CoreMessageType } from '../envelope/envelope.js';
import { type EntryHead, StreamKind, type StreamRef } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { HandoffMessageType } from '../modes/handoff/messages.js';
import { type Rejection, RejectionCode, reject } from '../rejection.js';
import type { Reaction } from '../streams.js';
import type { WorklogCommand } from '../worklog/command.js';
import type { SessionBinding } from './command.js';
import { EXPIRED_TYPE } from './runtime-names.js';
import type { SessionState } from './state.js';

const NONE: readonly never[] = [];

export function bindingFacts({ worklog, requestType, upTo, autoCommit }: SessionBinding): JsonObject {
  return { worklog, request_type: requestType, up_to: upTo, auto_commit: autoCommit };
}

export function bindingFromFacts(facts: JsonObject): SessionBinding {
  return {
    worklog: String(facts.worklog),
    requestType: String(facts.request_type),
    upTo: Number(facts.up_to),
    autoCommit: facts.auto_commit === true,
  };
}

export function sessionCompanions(
  { binding }: SessionState,
  { tenant }: StreamRef,
): readonly StreamRef<'worklog'>[] {
  return binding ? [{ tenant, kind: StreamKind.Worklog, id: binding.worklog }] : NONE;
}

export function sessionReactions(
  { binding, id }: SessionState,
  entry: EntryHead,
): readonly Reaction<'worklog'>[] {
  if (!binding) return NONE;
  const command = reactionTo(entry, id);
  if (!command) return NONE;
  return [
    { stream: { tenant: entry.stream.tenant, kind: StreamKind.Worklog, id: binding.worklog }, command },
  ];
}

function reactionTo({ type, facts }: EntryHead, sessionId: string): WorklogCommand | undefined {
  switch (type) {
    case HandoffMessageType.Decline:
      return { kind: 'handoffEnded', sessionId, outcome: 'declined' };
    case CoreMessageType.Commitment:
      return {
        kind: 'handoffEnded',
        sessionId,
        outcome: facts.outcome_positive === true ? 'committed' : 'declined',
      };
    case CoreMessageType.SessionCancel:
      return { kind: 'handoffEnded', sessionId, outcome: 'cancelled' };
    case EXPIRED_TYPE:
      return { kind: 'handoffEnded', sessionId, outcome: 'expired' };
    default:
      return undefined;
  }
}

/** Whoever no longer owns the work cannot give it away. */
export function ownershipFlaw(
  session: SessionState,
  consulted: DecideContext['consulted'],
): Rejection | undefined {
  if (!session.binding) return undefined;
  if (consulted.worklog?.owner === session.initiator) return undefined;
  const reason = `${session.initiator} no longer owns the working session`;
  return reject(RejectionCode.POLICY_DENIED, 'the initiator no longer owns what is being handed over', [
    reason,
  ]);
}
