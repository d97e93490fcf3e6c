/**
 * One sentence on what the caller can do next, by phase and by who asks. It names tools that every connection lists, where
 * there is one for it.
 */
import { isTerminal, named, type Offer, RequestType, type SessionState, SessionStatus } from '@handover/core';
import type { FoundHandoff } from './find-handoff.js';
import type { HandoffPhase } from './types.js';

type Role = 'from' | 'to' | 'other';

interface Asked {
  readonly viewer: string;
  /** Who has the working session now, where it is known. */
  readonly owner?: string | undefined;
}

export function instructionFor(
  { session, offer }: Pick<FoundHandoff, 'session' | 'offer'>,
  phase: HandoffPhase,
  { viewer, owner }: Asked,
): string {
  const from = session.binding?.takeOver?.from ?? offer.offeredBy;
  const role = viewer === offer.target ? 'to' : viewer === from ? 'from' : 'other';
  if (session.status === SessionStatus.Suspended)
    return 'The handoff is suspended; nothing can be answered until it is resumed.';
  switch (phase) {
    case 'offered':
      return offered(role, session, offer);
    case 'accepted':
      return accepted(role, session, offer.target);
    case 'declined':
      return declined(role, session, offer.target, owner);
    case 'committed':
      return committed(role, session, offer.target, { viewer, owner });
    case 'expired':
      if (role === 'from' && owner !== undefined && owner !== viewer)
        return `The offer ran out of time; ${whereItIs(viewer, owner)}.`;
      return role === 'from'
        ? 'The offer ran out of time; request a new handoff if it is still wanted.'
        : 'The offer ran out of time; there is nothing to answer any more.';
    case 'cancelled':
      return role === 'from'
        ? `The handoff was cancelled; ${whereItIs(viewer, owner)}.`
        : 'The handoff was cancelled; there is nothing to answer any more.';
  }
}

const isCopy = ({ binding }: SessionState): boolean => binding?.requestType === RequestType.ContextTransfer;

const MORE = 'handOff to the same agent replaces the offer, cancelHandoff withdraws it.';

function offered(role: Role, session: SessionState, { target }: Offer): string {
  const final = session.binding?.autoCommit === true;
  const copy = isCopy(session)
    ? ` You get the context to read; the work stays with ${named(session.initiator)}.`
    : '';
  if (role === 'to')
    return `resume with its handoffId shows it; with accept: true as well you accept it${
      final ? ', which is final' : ''
    }. declineHandoff refuses it.${copy}`;
  if (role === 'from' && final)
    return `It is final when ${named(target)} accepts; you need not wait. ${MORE}`;
  if (role === 'from') return `When ${named(target)} has accepted, commitHandoff makes it final. ${MORE}`;
  return `${named(target)} has not answered yet.`;
}

function accepted(role: Role, session: SessionState, target: string): string {
  const { initiator } = session;
  if (role === 'from') return `${named(target)} accepted; call commitHandoff to make it final.`;
  if (role === 'to' && isCopy(session))
    return `Wait until ${named(initiator)} commits; the context is yours to read, and the work stays with ${named(initiator)}.`;
  if (role === 'to') return `Wait until ${named(initiator)} commits; the work is not yours before that.`;
  return `${named(target)} accepted; ${named(initiator)} has yet to commit.`;
}

function declined(
  role: Role,
  session: SessionState,
  target: string,
  owner: string = session.initiator,
): string {
  if (role === 'to') return 'You declined; nothing more is expected of you.';
  const kept = `${named(target)} declined; the work ${owner === session.initiator ? 'stays' : 'is now'} with ${named(owner)}.`;
  return role === 'from' && !isTerminal(session.status)
    ? `${kept} Call requestHandoff for somebody else, or commitHandoff to close this one.`
    : kept;
}

/** The work may have been taken over since. */
const whereItIs = (viewer: string, owner: string = viewer): string =>
  owner === viewer ? 'the work stays with you' : `the work is with ${named(owner)} now`;

function committed(role: Role, { binding, initiator }: SessionState, target: string, asked: Asked): string {
  switch (binding?.requestType) {
    case RequestType.ContextTransfer:
      return role === 'to'
        ? `The context is yours to read; the work stays with ${named(initiator)}.`
        : `${named(target)} has the context; the work stays with ${named(initiator)}.`;
    case RequestType.Collaboration:
      return role === 'to'
        ? 'You may now write to the session as well; continue with updateContext.'
        : `${named(target)} may now write to the session as well.`;
    case RequestType.FullHandoff:
      return moved(target, asked);
    default:
      return role === 'to'
        ? 'The responsibility is yours now.'
        : `${named(target)} holds the responsibility now.`;
  }
}

/** Work that has changed hands may have changed them again. */
function moved(target: string, { viewer, owner = target }: Asked): string {
  if (owner === viewer)
    return `The session is yours ${owner === target ? 'now' : 'again'}; continue with updateContext.`;
  const before = owner === target ? '' : `${viewer === target ? 'You' : named(target)} had it; `;
  return `${before}${before === '' ? 'The' : 'the'} session belongs to ${named(owner)} now.`;
}
