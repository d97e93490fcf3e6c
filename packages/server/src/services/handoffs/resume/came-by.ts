/** By which handoff the caller may read work of another, or write to it: with that come its attachments. */
import { offersOf, StreamKind, type WorklogState } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import { sessionRef } from '../../stream-refs.js';
import type { HandoffDependencies } from '../dependencies.js';
import { phaseOf } from '../handoff-phase.js';
import { formatHandoffId } from '../ids.js';
import { isShared } from '../shared-work.js';

/** Of the newest sessions in which something was offered to the caller. */
const LOOKED_AT = 100;

export async function cameBy(
  deps: HandoffDependencies,
  principal: Principal,
  state: WorklogState,
): Promise<string | undefined> {
  return isShared(state, principal.agent)
    ? acceptedOf(deps, principal, state.key)
    : grantedIn(deps, principal, state);
}

/** Who was sent a copy, or gave the work away: the last time counts. */
async function grantedIn(
  { engine }: HandoffDependencies,
  { tenant, agent }: Principal,
  { grants }: WorklogState,
): Promise<string | undefined> {
  const granted = grants.findLast((grant) => grant.agent === agent);
  const session = granted && (await engine.query(sessionRef(tenant, granted.sessionId)))?.state;
  const offer = session && offersOf(session).offers.findLast((one) => one.answeredAt !== undefined);
  return offer && formatHandoffId(session.id, offer.handoffId);
}

async function acceptedOf(
  { engine }: HandoffDependencies,
  { tenant, agent }: Principal,
  sessionKey: string,
): Promise<string | undefined> {
  const rows = await engine.list({
    ...{ tenant, kind: StreamKind.Session, agent, role: 'target', limit: LOOKED_AT },
    newestFirst: { idPrefix: '' },
  });
  for (const { ref } of rows) {
    const session = (await engine.query(ref))?.state;
    if (session?.binding?.worklog !== sessionKey) continue;
    const offer = offersOf(session).offers.findLast(({ target }) => target === agent);
    if (offer && phaseOf({ session, offer }) === 'committed') return formatHandoffId(ref.id, offer.handoffId);
  }
  return undefined;
}
