/** A handoff by its id: an offer of a MACP session, whichever door it came through. */
import {
  findOffer,
  isMember,
  type Offer,
  offersOf,
  type Rejection,
  RejectionCode,
  rejectWith,
  type SessionState,
  type StreamRef,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { sessionRef } from '../stream-refs.js';
import type { HandoffDependencies } from './dependencies.js';
import { parseHandoffId } from './ids.js';

export interface FoundHandoff {
  readonly ref: StreamRef<'session'>;
  readonly session: SessionState;
  readonly offer: Offer;
}

/** The same answer for a handoff that does not exist and for one that the caller may not see. */
export function handoffNotFound(handoffId: string): Rejection {
  return rejectWith(RejectionCode.HANDOFF_NOT_FOUND, 'Handoff not found', { handoffId });
}

export async function findHandoff(
  { engine }: HandoffDependencies,
  principal: Principal,
  handoffId: string,
): Promise<FoundHandoff | undefined> {
  const named = parseHandoffId(handoffId);
  if (!named) return undefined;
  const ref = sessionRef(principal.tenant, named.sessionId);
  const session = (await engine.query(ref))?.state;
  if (!session || !(principal.isObserver || isMember(session, principal.agent))) return undefined;
  const offer = findOffer(offersOf(session), named.offerId);
  return offer && { ref, session, offer };
}

/** The same handoff in a later state of its session, if there is one. */
export function handoffIn(found: FoundHandoff, session: SessionState | undefined): FoundHandoff {
  if (!session) return found;
  const { ref, offer } = found;
  return { ref, session, offer: findOffer(offersOf(session), offer.handoffId) ?? offer };
}

export function isParty({ offer }: FoundHandoff, agent: string): boolean {
  return agent === offer.offeredBy || agent === offer.target;
}
