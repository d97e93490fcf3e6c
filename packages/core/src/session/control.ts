/**
 * Cancel, suspend, resume. They become envelopes of the accepted history, sent by whoever asked, so that subscribers
 * and auditors see them like everything else.
 */
import { accepted, type Decision, rejected, type Stamp } from '../decider.js';
import type { Codec } from '../envelope/codec.js';
import { CoreMessageType, MACP_VERSION } from '../envelope/envelope.js';
import { type Draft, MAX_ENTRIES_PER_STREAM } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { OPERATOR, runtimeMessageId } from '../log/runtime-draft.js';
import { mayControl } from '../policy/evaluate.js';
import { RejectionCode, reject } from '../rejection.js';
import { Control } from './command.js';
import { envelopeFacts } from './facts.js';
import { isTerminal, type SessionState, SessionStatus } from './state.js';

export function decideControl(
  session: SessionState,
  control: Control,
  reason: string,
  stamp: Stamp,
  codec: Codec,
): Decision {
  // The operator ends the offer of an owner that has left it behind.
  const byOperator = stamp.agent === OPERATOR && session.binding !== undefined && control === Control.Cancel;
  if (!byOperator && !mayControl(session.run.authority, session, stamp.agent))
    return rejected(
      reject(
        RejectionCode.FORBIDDEN,
        `only the initiator or a sender who may commit can ${control} this session`,
      ),
    );
  switch (control) {
    case Control.Cancel:
      // Cancelling an ended session succeeds and appends nothing.
      return isTerminal(session.status) ? accepted() : accepted(cancelDraft(session, reason, stamp, codec));
    case Control.Suspend:
      return (
        fitting(session, SessionStatus.Open, control) ?? accepted(suspendDraft(session, reason, stamp, codec))
      );
    case Control.Resume:
      return (
        fitting(session, SessionStatus.Suspended, control) ??
        accepted(resumeDraft(session, reason, stamp, codec))
      );
  }
}

function fitting(session: SessionState, needed: SessionStatus, control: Control): Decision | undefined {
  if (session.status !== needed)
    return rejected(
      reject(
        RejectionCode.SESSION_NOT_OPEN,
        `cannot ${control}: the session is ${session.status.toLowerCase()}`,
      ),
    );
  if (session.seq >= MAX_ENTRIES_PER_STREAM)
    return rejected(reject(RejectionCode.INVALID_ENVELOPE, 'the session is full; commit or cancel it'));
  return undefined;
}

function cancelDraft(session: SessionState, reason: string, stamp: Stamp, codec: Codec): Draft {
  const payload = codec.encode('SessionCancel', { reason, cancelledBy: stamp.agent });
  return controlDraft(session, CoreMessageType.SessionCancel, stamp, {}, payload);
}

function suspendDraft(session: SessionState, reason: string, stamp: Stamp, codec: Codec): Draft {
  const payload = codec.encode('SessionSuspend', { reason, suspendedBy: stamp.agent });
  return controlDraft(session, CoreMessageType.SessionSuspend, stamp, {}, payload);
}

/** The time that was left when the session was suspended runs on from now. */
function resumeDraft(session: SessionState, reason: string, stamp: Stamp, codec: Codec): Draft {
  const bankedMs = Math.max(session.deadline - (session.suspendedAt ?? stamp.at), 0);
  const payload = codec.encode('SessionResume', { reason, resumedBy: stamp.agent, bankedMs });
  return controlDraft(session, CoreMessageType.SessionResume, stamp, { banked_ms: bankedMs }, payload);
}

function controlDraft(
  session: SessionState,
  type: string,
  stamp: Stamp,
  facts: JsonObject,
  payload: Uint8Array,
): Draft {
  const envelope = {
    macpVersion: MACP_VERSION,
    mode: session.mode.descriptor.mode,
    timestampUnixMs: stamp.at,
  };
  return {
    type,
    v: 1,
    actor: stamp.agent,
    messageId: runtimeMessageId(type, stamp.seq),
    facts: { ...envelopeFacts(envelope), ...facts },
    payload,
  };
}
