/** The session decider: MACP's coordination plane as one pure pair of functions. */
import { type DecideContext, type Decision, rejected, type Stamp } from '../decider.js';
import { CoreMessageType } from '../envelope/envelope.js';
import { type EntryHead, StreamKind } from '../log/entry.js';
import { RejectionCode, reject } from '../rejection.js';
import type { DeciderOf } from '../streams.js';
import { sessionCompanions, sessionReactions } from './binding.js';
import type { SessionCommand } from './command.js';
import { decideControl } from './control.js';
import { evolveSession } from './evolve.js';
import { decideMessage } from './message.js';
import { sessionSummary } from './metadata.js';
import { decideStart } from './start.js';
import type { SessionState } from './state.js';
import { sessionDue, sessionTick } from './tick.js';

export const sessionDecider: DeciderOf<'session'> = {
  kind: StreamKind.Session,
  decide: decideSession,
  evolve: evolveSession,
  due: sessionDue,
  tick: sessionTick,
  listingChanged: (before, after) =>
    before?.status !== after.status ||
    before.deadline !== after.deadline ||
    sessionDue(before) !== sessionDue(after),
  listing: (session) => ({
    state: session.status,
    createdAt: session.startedAt,
    summary: sessionSummary(session),
  }),
  involved: sessionInvolved,
  companions: sessionCompanions,
  react: sessionReactions,
};

function decideSession(
  state: SessionState | undefined,
  command: SessionCommand,
  stamp: Stamp,
  context: DecideContext,
): Decision {
  if (command.kind === 'envelope' && command.envelope.messageType === CoreMessageType.SessionStart)
    return decideStart(state, command, stamp, context);
  if (!state) return rejected(reject(RejectionCode.SESSION_NOT_FOUND, 'session_id names no session'));
  if (command.kind === 'envelope') return decideMessage(state, command.envelope, stamp, context);
  return decideControl(state, command.control, command.reason, stamp, context.codec);
}

function sessionInvolved(
  session: SessionState,
  entry: EntryHead,
): readonly { agent: string; role: string }[] {
  if (entry.type !== CoreMessageType.SessionStart) return session.mode.involved(entry);
  const named = (role: string) => (agent: string) => ({ agent, role });
  return [
    { agent: session.initiator, role: 'initiator' },
    ...session.participants.map(named('participant')),
    ...session.rules.designatedRoles.map(named('designated')),
  ];
}
