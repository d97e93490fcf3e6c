/** Picks up what an owner left for the caller, or for anyone (assistants 2.2). */
import type { Principal } from '../../auth/principal.js';
import type { Outcome } from '../outcome.js';
import { HANDOFF_QUOTAS } from '../quotas.js';
import { rateFlaw } from '../rate-flaw.js';
import { sessionRef } from '../stream-refs.js';
import { modeFlaw } from './admit.js';
import type { HandoffDependencies } from './dependencies.js';
import type { HandoffTextReader } from './handoff-texts.js';
import { formatHandoffId, OFFER_ID, requestId } from './ids.js';
import { noteSteps } from './notes.js';
import { isLeftFor } from './open-parking.js';
import { takenHandoff } from './taken-handoff.js';
import { submitTaking } from './taking.js';
import type { HandoffService, HandoffView } from './types.js';
import { aboutSession } from './update-context.js';
import { sessionNotFound, worklogRef } from './worklogs.js';

type Args = Parameters<HandoffService['pickUp']>[1];

export async function pickUp(
  deps: HandoffDependencies,
  texts: HandoffTextReader,
  principal: Principal,
  { sessionKey, reason = '', anyone, idempotencyKey }: Args,
): Promise<Outcome<HandoffView>> {
  const flaw = modeFlaw(principal) ?? rateFlaw(deps, principal, HANDOFF_QUOTAS.pickUp);
  if (flaw) return { rejection: flaw };
  const id = requestId(principal, ['pickUp', sessionKey], idempotencyKey, deps.codec);
  const session = sessionRef(principal.tenant, id);
  const before = await takenHandoff(deps, texts, principal, session);
  if (before) return { value: before, replayed: true };
  const ref = worklogRef(principal.tenant, sessionKey);
  const state = (await deps.engine.query(ref))?.state;
  const left = state?.parked;
  // One that is over is refused by the rules, which say so; of one that is not for the caller it hears nothing.
  if (!left || !isLeftFor(left, principal.agent, anyone)) return { rejection: sessionNotFound(sessionKey) };
  const { requestType, seq: standing } = left;
  const handoffId = formatHandoffId(id, OFFER_ID);
  const besides = await noteSteps(deps, principal, state, { handoffId, attachments: 0 });
  const taker = principal.agent;
  const taking = { session, worklog: { ref, state }, requestType, taker, reason, standing, besides };
  const rejection = await submitTaking(deps, principal, 'pickUp', taking);
  if (rejection) return { rejection: aboutSession(rejection, sessionKey) };
  const value = await takenHandoff(deps, texts, principal, session);
  if (!value) throw new Error('what was picked up is not in the log');
  return { value };
}
