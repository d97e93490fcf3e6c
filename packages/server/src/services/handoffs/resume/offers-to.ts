/** Offers to an agent that it can go on with: those that wait, those that wait for their owner, and what it received to read. */
import {
  HandoffMessageType,
  noteAbout,
  type Offer,
  offersOf,
  RequestType,
  type SessionState,
  SessionStatus,
  StreamKind,
  type StreamRef,
} from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { HandoffDependencies } from '../dependencies.js';
import { phaseOf } from '../handoff-phase.js';
import { formatHandoffId, isShownId } from '../ids.js';
import { worklogRef } from '../worklogs.js';
import type { Placed } from './types.js';

const ROWS = fixedLimits.hookSessions.value;
const ROWS_AT_ONCE = 250;
/** Of sessions that are over, only so many of the newest are looked at for what was received. */
const OVER = 50;
/** Of a session, as many as are looked at for the answer. */
const HEADS = 500;
const RECENT_MS = 7 * 86_400_000;
const OPEN: readonly string[] = [SessionStatus.Open, SessionStatus.Suspended];

/** The newest sessions first: of very many, the oldest are not looked at. */
export async function offersTo(
  deps: HandoffDependencies,
  { tenant, agent }: Principal,
  isSeen: (handoffId: string) => boolean,
): Promise<readonly Placed[]> {
  const found: Placed[] = [];
  let over = 0;
  for await (const { ref, state: status } of newestAsTarget(deps, tenant, agent)) {
    if (!OPEN.includes(status) && (status !== SessionStatus.Resolved || ++over > OVER)) continue;
    const session = (await deps.engine.query(ref))?.state;
    if (!session) continue;
    for (const offer of offersOf(session).offers.filter(({ target }) => target === agent)) {
      const one = candidateOf(deps, session, offer);
      if (!one) continue;
      if (one.kind === 'received' && (isSeen(one.handoffId) || (await wasShown(deps, ref, offer)))) continue;
      const key = session.binding?.worklog;
      const worklog = key === undefined ? undefined : await deps.engine.query(worklogRef(tenant, key));
      const project = worklog?.state.project;
      const about = worklog && noteAbout(worklog.state);
      const candidate = { ...one, ...(about !== undefined && { about }) };
      found.push({ candidate, ...(project && { project }) });
    }
  }
  return found;
}

function candidateOf({ now }: HandoffDependencies, session: SessionState, offer: Offer) {
  const phase = phaseOf({ session, offer });
  const about = {
    sessionKey: session.binding?.worklog ?? session.id,
    handoffId: formatHandoffId(session.id, offer.handoffId),
    by: offer.offeredBy,
  };
  if ((phase === 'offered' || phase === 'accepted') && session.deadline > now())
    return { kind: 'offer' as const, ...about, at: offer.offeredAt };
  const at = offer.answeredAt ?? offer.offeredAt;
  const isReceived = phase === 'committed' && session.binding?.requestType === RequestType.ContextTransfer;
  return isReceived && now() - at <= RECENT_MS ? { kind: 'received' as const, ...about, at } : undefined;
}

/** Whether the agent saw it when it accepted. */
async function wasShown(
  { store }: HandoffDependencies,
  ref: StreamRef<'session'>,
  { handoffId }: Offer,
): Promise<boolean> {
  const heads = await store.load(ref, 0, HEADS);
  return heads.some(
    ({ type, messageId, facts }) =>
      type === HandoffMessageType.Accept && facts.handoff_id === handoffId && isShownId(messageId),
  );
}

async function* newestAsTarget(
  { engine }: HandoffDependencies,
  tenant: string,
  agent: string,
): AsyncGenerator<{ readonly ref: StreamRef<'session'>; readonly state: string }> {
  let afterId: string | undefined;
  for (let read = 0; read < ROWS; read += ROWS_AT_ONCE) {
    const rows = await engine.list({
      ...{ tenant, kind: StreamKind.Session, agent, role: 'target', limit: ROWS_AT_ONCE },
      newestFirst: { idPrefix: '' },
      ...(afterId !== undefined && { afterId }),
    });
    for (const { ref, row } of rows) yield { ref, state: row.state };
    if (rows.length < ROWS_AT_ONCE) return;
    afterId = rows.at(-1)?.ref.id;
  }
}
