/** One sentence on what the caller can do next, by phase and by who asks. */
import { isTerminal, RequestType, type SessionState, SessionStatus } from '@handover/core';
import type { FoundHandoff } from './find-handoff.js';
import { named } from './named.js';
import type { HandoffPhase } from './types.js';

type Role = 'from' | 'to' | 'other';

export function instructionFor(
  { session, offer }: Pick<FoundHandoff, 'session' | 'offer'>,
  phase: HandoffPhase,
  viewer: string,
): string {
  const from = session.binding?.takeOver?.from ?? offer.offeredBy;
  const role = viewer === offer.target ? 'to' : viewer === from ? 'from' : 'other';
  if (session.status === SessionStatus.Suspended)
    return 'The handoff is suspended; nothing can be answered until it is resumed.';
  switch (phase) {
    case 'offered':
      return offered(role, session, offer.target);
    case 'accepted':
      return accepted(role, session, offer.target);
    case 'declined':
      return declined(role, session, offer.target);
    case 'committed':
      return committed(role, session, offer.target);
    case 'expired':
      return role === 'from'
        ? 'The offer ran out of time; request a new handoff if it is still wanted.'
        : 'The offer ran out of time; there is nothing to answer any more.';
    case 'cancelled':
      return role === 'from'
        ? 'The handoff was cancelled; the work stays with you.'
        : 'The handoff was cancelled; there is nothing to answer any more.';
  }
}

function offered(role: Role, { binding }: SessionState, target: string): string {
  const final = binding?.autoCommit === true;
  if (role === 'to')
    return final
      ? 'Read the package, then call acceptHandoff, which is final, or declineHandoff.'
      : 'Read the package, then call acceptHandoff or declineHandoff.';
  if (role === 'from' && final)
    return `It is final when ${named(target)} accepts; you need not wait. sendHandoffContext adds context, cancelHandoff withdraws the offer.`;
  if (role === 'from')
    return `Wait for ${named(target)} to answer with waitForHandoff; sendHandoffContext adds context, cancelHandoff withdraws the offer.`;
  return `${named(target)} has not answered yet.`;
}

function accepted(role: Role, { initiator }: SessionState, target: string): string {
  if (role === 'from') return `${named(target)} accepted; call commitHandoff to make it final.`;
  if (role === 'to') return `Wait until ${named(initiator)} commits; the work is not yours before that.`;
  return `${named(target)} accepted; ${named(initiator)} has yet to commit.`;
}

function declined(role: Role, session: SessionState, target: string): string {
  if (role === 'to') return 'You declined; nothing more is expected of you.';
  const kept = `${named(target)} declined; the work stays with ${named(session.initiator)}.`;
  return role === 'from' && !isTerminal(session.status)
    ? `${kept} Call requestHandoff for somebody else, or commitHandoff to close this one.`
    : kept;
}

function committed(role: Role, { binding, initiator }: SessionState, target: string): string {
  switch (binding?.requestType) {
    case RequestType.ContextTransfer:
      return role === 'to'
        ? 'The context is yours to read; the work stays with its owner.'
        : `${named(target)} has the context; the work stays with ${named(initiator)}.`;
    case RequestType.Collaboration:
      return role === 'to'
        ? 'You may now write to the session as well; continue with updateContext.'
        : `${named(target)} may now write to the session as well.`;
    case RequestType.FullHandoff:
      return role === 'to'
        ? 'The session is yours now; continue with updateContext.'
        : `The session belongs to ${named(target)} now.`;
    default:
      return role === 'to'
        ? 'The responsibility is yours now.'
        : `${named(target)} holds the responsibility now.`;
  }
}
