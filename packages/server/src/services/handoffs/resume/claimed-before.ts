/**
 * A pipe that outlives its server says a request again when it does not know whether it was carried out. Said again,
 * "take the newest" must not take the next one: what this request claimed is found in the log by the id that it gave.
 */
import { HandoffMessageType, offersOf, type SessionState, StreamKind, type StreamRef } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import type { HandoffDependencies } from '../dependencies.js';
import { formatHandoffId, requestId, shownId } from '../ids.js';
import type { Candidate } from './types.js';

/** A request is said again within a minute or so. */
const RECENT_MS = 3_600_000;
const LOOKED_AT = 50;
const HEADS = 500;

/** Of the newest handoffs to the caller. */
export async function claimedBefore(
  deps: HandoffDependencies,
  principal: Principal,
  requestKey: string,
): Promise<Pick<Candidate, 'kind' | 'sessionKey' | 'handoffId'> | undefined> {
  const { tenant, agent } = principal;
  const rows = await deps.engine.list({
    ...{ tenant, kind: StreamKind.Session, agent, role: 'target', limit: LOOKED_AT },
    newestFirst: { idPrefix: '' },
  });
  for (const { ref } of rows) {
    const session = (await deps.engine.query(ref))?.state;
    const offer = session && offersOf(session).offers.findLast(({ target }) => target === agent);
    if (!offer || deps.now() - (offer.answeredAt ?? 0) > RECENT_MS) continue;
    const { binding } = session;
    const about = { sessionKey: binding?.worklog ?? '', handoffId: formatHandoffId(ref.id, offer.handoffId) };
    if (isMade(deps, principal, session, requestKey))
      return { kind: binding?.takeOver ? 'silent' : 'parked', ...about };
    if (await isAccepted(deps, principal, ref, requestKey)) return { kind: 'offer', ...about };
  }
  return undefined;
}

/** What is picked up or taken over is a session of its own, named after the request. */
function isMade(
  { codec }: HandoffDependencies,
  principal: Principal,
  { id, binding }: SessionState,
  requestKey: string,
): boolean {
  if (!binding) return false;
  const tool = binding.takeOver ? 'takeOver' : 'pickUp';
  return id === requestId(principal, [tool, binding.worklog], requestKey, codec);
}

async function isAccepted(
  { store, codec }: HandoffDependencies,
  principal: Principal,
  ref: StreamRef<'session'>,
  requestKey: string,
): Promise<boolean> {
  const messageId = shownId(requestId(principal, 'acceptHandoff', requestKey, codec));
  const heads = await store.load(ref, 0, HEADS);
  return heads.some((head) => head.type === HandoffMessageType.Accept && head.messageId === messageId);
}
