/**
 * How a session and a working session move together. Only the server binds them; from then on every answer and
 * every ending of the session is also an entry of the working session, in the same append, so that no crash can come
 * between a Commitment and the change of owner.
 */
import { CoreMessageType } from '../envelope/envelope.js';
import { type EntryHead, StreamKind, type StreamRef } from '../log/entry.js';
import { HandoffMessageType } from '../modes/handoff/messages.js';
import type { BoundWork } from '../session/bound-work.js';
import { EXPIRED_TYPE } from '../session/runtime-names.js';
import type { SessionState } from '../session/state.js';
import type { Reaction } from '../streams.js';
import type { WorklogCommand } from '../worklog/command.js';
import { autoCommit, autoCommitDue } from './auto-commit.js';
import { ownMessage } from './own-messages.js';
import { ownershipFlaw } from './ownership.js';

const NONE: readonly never[] = [];

export const workingSession: BoundWork = {
  companions,
  react,
  ownMessage,
  commitmentFlaw: ownershipFlaw,
  due: autoCommitDue,
  tick: autoCommit,
};

function companions({ binding }: SessionState, { tenant }: StreamRef): readonly StreamRef<'worklog'>[] {
  return binding ? [{ tenant, kind: StreamKind.Worklog, id: binding.worklog }] : NONE;
}

function react({ binding, id }: SessionState, entry: EntryHead): readonly Reaction<'worklog'>[] {
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
