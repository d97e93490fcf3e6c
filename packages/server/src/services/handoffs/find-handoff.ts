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
  deps: HandoffDependencies,
  principal: Principal,
  handoffId: string,
): Promise<FoundHandoff | undefined> {
  const named = parseHandoffId(handoffId);
  const found = named && (await lookUp(deps, principal.tenant, named));
  return found && (principal.isObserver || isMember(found.session, principal.agent)) ? found : undefined;
}

/** Whoever asks: who may see it is for the caller to say. */
export async function lookUp(
  { engine }: HandoffDependencies,
  tenant: string,
  { sessionId, offerId }: NonNullable<ReturnType<typeof parseHandoffId>>,
): Promise<FoundHandoff | undefined> {
  const ref = sessionRef(tenant, sessionId);
  const session = (await engine.query(ref))?.state;
  const offer = session && findOffer(offersOf(session), offerId);
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
