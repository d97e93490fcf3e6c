/**
 * What time does to a session: its mode's timers, and expiry. Each is an ordinary entry at the moment it fell due.
 *
 * A message is in time up to and including the deadline, so expiry falls due one millisecond after it; an implicit
 * answer that falls due no later than the deadline is recorded before the expiry.
 */
import type { Codec } from '../envelope/codec.js';
import { MACP_VERSION } from '../envelope/envelope.js';
import { FaultCode, HandoverError } from '../fault.js';
import type { Draft } from '../log/entry.js';
import { runtimeDraft } from '../log/runtime-draft.js';
import { envelopeFacts } from './facts.js';
import { countControls } from './ordinals.js';
import { SessionRev } from './rev.js';
import { EXPIRED_TYPE } from './runtime-names.js';
import { type SessionState, SessionStatus } from './state.js';

export function sessionDue(session: SessionState): number | undefined {
  const expiry = expiryDue(session);
  if (session.status !== SessionStatus.Open) return expiry;
  const modeDue = session.run.due(session);
  if (modeDue === undefined || expiry === undefined) return expiry ?? modeDue;
  return Math.min(expiry, modeDue);
}

export function sessionTick(session: SessionState, codec: Codec): Draft {
  const expiry = expiryDue(session);
  const modeDue = session.status === SessionStatus.Open ? session.run.due(session) : undefined;
  if (modeDue !== undefined && (expiry === undefined || modeDue < expiry)) {
    const draft = session.run.tick(session, codec);
    if (draft) return { ...draft, facts: { ...timerFacts(session, modeDue), ...draft.facts } };
  }
  if (expiry === undefined)
    throw new HandoverError(FaultCode.INTERNAL, 'a session that is not due was ticked');
  return runtimeDraft(EXPIRED_TYPE, session.seq + 1, expiry);
}

/** So often a session can be resumed. What cannot be resumed any more ends when it is suspended. */
export const MAX_SUSPENSIONS = 1024;

function expiryDue(session: SessionState): number | undefined {
  if (session.status === SessionStatus.Open) return session.deadline + 1;
  if (session.status !== SessionStatus.Suspended || session.suspendedAt === undefined) return undefined;
  // Nothing but a suspension and its resumption are controls of a session that goes on.
  const resumed = Math.floor(countControls(session.controls) / 2);
  if (session.rev >= SessionRev.Wire2026 && resumed >= MAX_SUSPENSIONS) return session.suspendedAt;
  const left = session.maxSuspendMs - session.suspendedTotalMs;
  // A session may be suspended for ever; a time beyond this could be written down and not be read again.
  return Math.min(session.suspendedAt + left + 1, Number.MAX_SAFE_INTEGER);
}

const timerFacts = (session: SessionState, at: number) =>
  envelopeFacts({ macpVersion: MACP_VERSION, mode: session.mode.descriptor.mode, timestampUnixMs: at });
