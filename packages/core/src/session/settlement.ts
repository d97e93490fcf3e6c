/** What a Commitment says when its author leaves the words to the history, and who holds the responsibility after it. */
import { HANDOFF_MODE } from '../modes/handoff/messages.js';
import {
  acceptedOffer,
  Disposition,
  type HandoffState,
  NO_OFFERS,
  type Offer,
} from '../modes/handoff/state.js';
import { RequestType } from '../worklog/state.js';
import type { SessionBinding } from './command.js';
import type { SessionState } from './state.js';

export interface Settlement {
  readonly action: string;
  readonly authorityScope: string;
  readonly reason: string;
  readonly outcomePositive: boolean;
}

type Parties = Pick<SessionState, 'initiator' | 'binding'>;

/** Only Handoff Mode has offers. */
export function offersOf(session: SessionState | undefined): HandoffState {
  return session?.mode.descriptor.mode === HANDOFF_MODE ? (session.modeState as HandoffState) : NO_OFFERS;
}

/** The scope of an offer that hands a working session over. */
export function bindingScope({
  worklog,
  requestType,
}: Pick<SessionBinding, 'worklog' | 'requestType'>): string {
  return `${requestType} of ${worklog}`;
}

export function settlementOf(session: Parties, offer: Offer, scope: string): Settlement {
  const { target, disposition } = offer;
  const outcomePositive = disposition === Disposition.Accepted;
  const word = outcomePositive ? 'accepted' : 'declined';
  const holder = outcomePositive ? holderAfter(session, offer) : session.initiator;
  return {
    action: `handoff.${word}`,
    authorityScope: scope,
    reason: `${target} ${word} ${scope}; ${holder} ${holder === target ? 'holds it now' : 'keeps it'}`,
    outcomePositive,
  };
}

/** Who is responsible as the session stands. */
export function holderOf(session: SessionState): string {
  const offer = session.outcomePositive === true ? acceptedOffer(offersOf(session)) : undefined;
  return offer ? holderAfter(session, offer) : session.initiator;
}

/** Sharing context, and working together, leave the work with its owner. */
function holderAfter({ initiator, binding }: Parties, { target }: Offer): string {
  return binding && binding.requestType !== RequestType.FullHandoff ? initiator : target;
}
