/**
 * One sentence on what the caller can do next, by phase and by who asks. It names tools that every connection lists, where
 * there is one for it.
 */
import { isTerminal, named, type Offer, RequestType, type SessionState, SessionStatus } from '@handover/core';
import type { FoundHandoff } from './find-handoff.js';
import type { HandoffPresent } from './handoff-texts.js';
import type { HandoffPhase } from './types.js';

type Role = 'from' | 'to' | 'other';

interface Asked extends HandoffPresent {
  readonly viewer: string;
}

export function instructionFor(
  { session, offer }: Pick<FoundHandoff, 'session' | 'offer'>,
  phase: HandoffPhase,
  asked: Asked,
): string {
  const { viewer } = asked;
  const from = session.binding?.takeOver?.from ?? offer.offeredBy;
  const role = viewer === offer.target ? 'to' : viewer === from ? 'from' : 'other';
  if (session.status === SessionStatus.Suspended) return 'Nothing can be answered while it is suspended.';
  switch (phase) {
    case 'offered':
      return offered(role, session, offer, asked.about);
    case 'accepted':
      return accepted(role, session, offer.target);
    case 'declined':
      return declined(role, session, offer.target, asked);
    case 'committed':
      return committed(role, session, offer.target, asked);
    case 'expired':
      return expired(role, offer, asked);
    case 'cancelled':
      if (role === 'to')
        return `It was withdrawn. listSessions shows what is offered to you now; ask ${named(from)} if you expected it.`;
      return role === 'from' ? `It was withdrawn; ${whereItIs(asked)}.` : 'It was withdrawn.';
  }
}

const isCopy = ({ binding }: SessionState): boolean => binding?.requestType === RequestType.ContextTransfer;

const MORE = 'handOff to the same agent replaces the offer, cancelHandoff withdraws it.';

function offered(role: Role, session: SessionState, { target }: Offer, about: string | undefined): string {
  const final = session.binding?.autoCommit === true;
  if (role === 'to' && about !== undefined)
    return `It is a note on ${named(about)}: resume with that sessionKey and accept: true puts it there. declineHandoff refuses it.`;
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

function declined(role: Role, session: SessionState, target: string, asked: Asked): string {
  const { initiator } = session;
  if (asked.about !== undefined)
    return role === 'to'
      ? 'You declined the note.'
      : `${named(target)} declined your note on ${named(asked.about)}.`;
  if (role === 'to')
    return `You declined; the work stays with ${named(initiator)}. If you want it after all, ask for a new offer.`;
  if (role !== 'from') return `${named(target)} declined; the work stays with ${named(initiator)}.`;
  const kept = `${named(target)} declined; ${whereItIs(asked)}.`;
  if (!isTerminal(session.status)) return `${kept} ${UNSETTLED}`;
  return isOwner(asked) ? `${kept} ${OFFER_AGAIN}` : kept;
}

/** Its owner wanted to settle it. */
const UNSETTLED =
  'cancelHandoff closes this offer, and so does commitHandoff; then handOff offers it to somebody else.';
const OFFER_AGAIN = 'handOff offers it again, to the same agent or another one.';

function expired(role: Role, { target, offeredBy }: Offer, asked: Asked): string {
  const { leftUntil, mayBeTaken } = asked;
  if (leftUntil !== undefined && role === 'to')
    return 'The offer itself is over, and the work is still left for you: resume with this handoffId and accept: true.';
  if (leftUntil !== undefined && role === 'from')
    return `The offer itself is over, and ${named(target)} can still pick the work up. ${MORE}`;
  const over = 'The offer ran out of time';
  if (role === 'from')
    return isOwner(asked) ? `${over}; ${whereItIs(asked)}. ${OFFER_AGAIN}` : `${over}; ${whereItIs(asked)}.`;
  if (role === 'other') return `${over}.`;
  const ask = `${over}; if the work is still to be done, ask ${named(offeredBy)} for a new one.`;
  return mayBeTaken
    ? `${ask} Once ${named(offeredBy)} is silent, resume with its sessionKey and take: true takes it over.`
    : ask;
}

const isOwner = ({ viewer, owner = viewer }: Asked): boolean => owner === viewer;

const whereItIs = (asked: Asked): string =>
  isOwner(asked) ? 'the work stays with you' : `the work is ${named(asked.owner ?? '')}'s now`;

function committed(role: Role, { binding, initiator }: SessionState, target: string, asked: Asked): string {
  if (asked.about !== undefined)
    return role === 'to' ? `It was a note on ${named(asked.about)}.` : `${named(target)} has read it.`;
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
