/** The words of a Commitment that follow from the history, and who is responsible after it. */
import { formatTimestamp } from '../envelope/json/rfc3339.js';
import { offersOf } from '../modes/handoff/offers-of.js';
import { acceptedOffer, Disposition, type Offer } from '../modes/handoff/state.js';
import type { BoundTakeOver, SessionBinding } from '../session/binding.js';
import type { SessionState } from '../session/state.js';
import { RequestType } from '../worklog/state.js';
import { policyFromText } from '../worklog/take-over.js';
import { ownerIn } from './ownership.js';

export interface Settlement {
  readonly action: string;
  readonly authorityScope: string;
  readonly reason: string;
  readonly outcomePositive: boolean;
}

type Parties = Pick<SessionState, 'initiator' | 'binding'>;

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
  const holder = outcomePositive ? holderAfter(session, offer) : ownerIn(session);
  const takeOver = outcomePositive && session.binding?.takeOver;
  return {
    action: `handoff.${word}`,
    authorityScope: scope,
    reason: takeOver
      ? takeOverReason(takeOver, target)
      : `${target} ${word} ${scope}; ${holder} ${holder === target ? 'holds it now' : 'keeps it'}`,
    outcomePositive,
  };
}

/** Why the operator lets the work move. */
export function takeOverReason({ from, silentSince, policy }: BoundTakeOver, target: string): string {
  const since = formatTimestamp(silentSince) ?? String(silentSince);
  const byWhom = { silent: `policy ${policy}`, person: 'the person', admin: `admin ${target}` };
  const word = policyFromText(policy)?.by ?? 'silent';
  return `taken over from ${from}, silent since ${since}, by ${byWhom[word]}`;
}

/** Who is responsible now. */
export function holderOf(session: SessionState): string {
  const offer = session.outcomePositive === true ? acceptedOffer(offersOf(session)) : undefined;
  return offer ? holderAfter(session, offer) : ownerIn(session);
}

/** Sharing context, and working together, leave the work with its owner. */
function holderAfter({ initiator, binding }: Parties, { target }: Offer): string {
  return binding && binding.requestType !== RequestType.FullHandoff ? initiator : target;
}
