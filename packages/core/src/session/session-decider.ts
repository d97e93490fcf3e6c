/** The session decider: MACP's coordination plane as one pure pair of functions. */

import { type DecideContext, type Decision, rejected, type Stamp } from '../decider.js';
import { CoreMessageType, type Envelope } from '../envelope/envelope.js';
import { type EntryHead, StreamKind } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { knowsRules } from '../log/rev.js';
import { RejectionCode, reject } from '../rejection.js';
import type { DeciderOf } from '../streams.js';
import type { SessionBinding } from './binding.js';
import type { BoundWork } from './bound-work.js';
import type { SessionCommand } from './command.js';
import { decideControl } from './control.js';
import { evolveSession } from './evolve.js';
import { decideMessage } from './message.js';
import { sessionSummary } from './metadata.js';
import { NEWEST_SESSION_REV } from './rev.js';
import { decideStart } from './start.js';
import type { SessionState } from './state.js';
import { sessionDue, sessionTick } from './tick.js';

/** Sessions that may be bound to this kind of work. */
export function createSessionDecider(work: BoundWork): DeciderOf<'session'> {
  const due = (session: SessionState) => work.due(session) ?? sessionDue(session);
  return {
    kind: StreamKind.Session,
    decide: (state, command, stamp, context) => decideSession(work, state, command, stamp, context),
    evolve: knowsRules(NEWEST_SESSION_REV, evolveSession),
    due,
    tick: (session, context) => work.tick(session, context) ?? sessionTick(session, context.codec),
    listingChanged: (before, after) =>
      before?.status !== after.status || before.deadline !== after.deadline || due(before) !== due(after),
    listing: (session) => ({
      state: session.status,
      createdAt: session.startedAt,
      summary: sessionSummary(session),
    }),
    involved: sessionInvolved,
    companions: (session, stream) => work.companions(session, stream),
    react: (session, entry) => work.react(session, entry),
  };
}

function decideSession(
  work: BoundWork,
  state: SessionState | undefined,
  command: SessionCommand,
  stamp: Stamp,
  context: DecideContext,
): Decision {
  const isStart =
    command.kind === 'envelope' && command.envelope.messageType === CoreMessageType.SessionStart;
  if (isStart)
    return decideStart(state, { ...command, ...ownFacts(work, command.binding, command) }, stamp, context);
  if (!state) return rejected(reject(RejectionCode.SESSION_NOT_FOUND, 'session_id names no session'));
  if (command.kind === 'control') {
    const { control, reason, by = stamp.agent } = command;
    return decideControl(state, control, reason, { ...stamp, agent: by }, context.codec);
  }
  const own = ownFacts(work, state.binding, command);
  const decision = decideMessage(state, { ...command, ...own }, stamp, context);
  const commits = decision.kind === 'accepted' && command.envelope.messageType === CoreMessageType.Commitment;
  const flaw = commits ? work.commitmentFlaw(state, context.consulted) : undefined;
  return flaw ? rejected(flaw) : decision;
}

function ownFacts(
  work: BoundWork,
  binding: SessionBinding | undefined,
  { envelope }: { readonly envelope: Envelope },
): { readonly own?: JsonObject } {
  const own = binding && work.ownMessage(binding, envelope);
  return own ? { own } : {};
}

function sessionInvolved(
  session: SessionState,
  entry: EntryHead,
): readonly { agent: string; role: string }[] {
  if (entry.type !== CoreMessageType.SessionStart) return session.mode.involved?.(entry) ?? [];
  const named = (role: string) => (agent: string) => ({ agent, role });
  return [
    { agent: session.initiator, role: 'initiator' },
    ...session.participants.map(named('participant')),
    ...session.run.authority.designatedRoles.map(named('designated')),
  ];
}
