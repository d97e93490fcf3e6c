/** Handoffs that an agent should know of: offers to it, answers to its own offers, and work that was taken from it. */
import {
  isTerminal,
  offersOf,
  ParkedBy,
  type SessionState,
  StreamKind,
  type StreamRef,
  WorklogEntryType,
  type WorklogState,
  WorklogStatus,
} from '@handover/core';
import type { ListedStream } from '@handover/engine';
import { isInProject } from '../../project.js';
import type { FoundHandoff } from '../find-handoff.js';
import { phaseOf } from '../handoff-phase.js';
import { formatHandoffId } from '../ids.js';
import { leftBeside } from '../left-beside.js';
import { isLeftAgain } from '../returned-offers.js';
import { worklogRef } from '../worklogs.js';
import { type Found, rowsOf, type Viewer, type WaitingSource } from './look.js';

type Answered = Found & { readonly handoff: FoundHandoff };

export interface BoundHandoffs {
  readonly offers: readonly Found[];
  /** Accepted, and waiting for the agent's commitment. */
  readonly acceptances: readonly Found[];
  /** The agent's offers that were declined, or ran out of time, since it last looked. */
  readonly declined: readonly Answered[];
  /** The agent's work that somebody took over since it last looked, or picked up after a hook had left it. */
  readonly taken: readonly Found[];
}

/** As long as a session of the protocol lives, if nobody suspends it. */
const LIFE_MS = 86_400_000;

export async function boundHandoffs(look: WaitingSource, viewer: Viewer): Promise<BoundHandoffs> {
  const { agent, since = Number.POSITIVE_INFINITY } = viewer;
  const offers: Found[] = [];
  const acceptances: Found[] = [];
  const declined: Answered[] = [];
  for (const found of await sessionsOf(look, viewer, 'target', Number.POSITIVE_INFINITY))
    for (const handoff of offersIn(found))
      if (isOpen(look, found) && phaseOf(handoff) === 'offered' && handoff.offer.target === agent)
        offers.push(offerTo(look, found, handoff));
  for (const found of await sessionsOf(look, viewer, 'initiator', since - LIFE_MS))
    for (const handoff of offersIn(found)) {
      const { offeredBy, target, answeredAt = 0, implicit } = handoff.offer;
      // What has moved on since is no news.
      if (offeredBy !== agent || (found.state && found.state.owner !== agent)) continue;
      const phase = phaseOf(handoff);
      if (phase === 'accepted' && isOpen(look, found))
        acceptances.push(
          foundOf(found, handoff, { by: target, at: answeredAt, until: found.session.deadline }),
        );
      if (phase === 'declined' && answeredAt > since && !isPast(look, found, handoff))
        declined.push({
          ...foundOf(found, handoff, { by: target, at: answeredAt, ...(implicit && { implicit }) }),
          handoff,
        });
      const { deadline } = found.session;
      const hasRunOut =
        phase === 'expired' && deadline > since && !leftBeside(found.state, handoff, look.now());
      if (hasRunOut && !isPast(look, found, handoff))
        declined.push({ ...foundOf(found, handoff, { by: target, at: deadline, implicit: true }), handoff });
    }
  return { offers, acceptances, declined, taken: await takenFrom(look, viewer, since) };
}

/** Its owner has done something about it: offered it again, left it to others, closed it. */
function isPast(look: WaitingSource, { state, session }: FoundSession, handoff: FoundHandoff): boolean {
  if (!state) return false;
  const again = state.pending.some(({ requestType }) => requestType === session.binding?.requestType);
  return again || state.status !== WorklogStatus.Active || isLeftAgain(state, handoff, look.now());
}

async function takenFrom(look: WaitingSource, viewer: Viewer, since: number): Promise<readonly Found[]> {
  if (since === Number.POSITIVE_INFINITY) return [];
  const { agent } = viewer;
  const taken: Found[] = [];
  for (const found of await sessionsOf(look, viewer, 'participant', since)) {
    const { session, state } = found;
    // Who took it back has nothing to be told.
    if (state?.owner === agent) continue;
    const isTaken = session.binding?.takeOver?.from === agent;
    if (!isTaken && session.initiator !== agent) continue;
    for (const handoff of offersIn(found)) {
      const { target, answeredAt = 0 } = handoff.offer;
      if (phaseOf(handoff) !== 'committed' || answeredAt <= since) continue;
      const about = { by: target, at: answeredAt };
      if (isTaken) taken.push(foundOf(found, handoff, about));
      else if (await wasLeftByHook(look, found))
        taken.push(foundOf(found, handoff, { ...about, pickedUp: true }));
    }
  }
  return taken;
}

/** Whoever leaves work itself knows that somebody goes on with it. What a hook left, its owner may not know to be left. */
async function wasLeftByHook(look: WaitingSource, { ref, session }: FoundSession): Promise<boolean> {
  const { standing, worklog } = session.binding ?? {};
  if (standing === undefined || worklog === undefined) return false;
  const [left] = await look.store.load(worklogRef(ref.tenant, worklog), standing - 1, 1);
  return left?.type === WorklogEntryType.Parked && left.facts.by === ParkedBy.Hook;
}

interface FoundSession {
  readonly ref: StreamRef<'session'>;
  readonly session: SessionState;
  readonly state?: WorklogState;
}

/** Sessions in the project that are open, and those that were opened after a time. Of the others only rows are read. */
async function sessionsOf(
  look: WaitingSource,
  { tenant, agent, project }: Viewer,
  role: 'target' | 'initiator' | 'participant',
  openedAfter: number,
): Promise<readonly FoundSession[]> {
  const found: FoundSession[] = [];
  const newest = { newestFirst: { idPrefix: '' } };
  for (const row of await rowsOf(look, { tenant, kind: StreamKind.Session, agent, role, ...newest })) {
    if (!isOpenRow(row) && row.row.createdAt <= openedAfter) continue;
    const session = (await look.engine.query(row.ref))?.state;
    if (!session) continue;
    const key = session.binding?.worklog;
    const state = key === undefined ? undefined : (await look.engine.query(worklogRef(tenant, key)))?.state;
    if (isInProject(state?.project, project)) found.push({ ref: row.ref, session, ...(state && { state }) });
  }
  return found;
}

const isOpenRow = ({ row }: ListedStream<'session'>): boolean =>
  !isTerminal(row.state as SessionState['status']);

/** Where nobody serves the folder, nothing is recorded when the time of a session is over. */
const isOpen = (look: WaitingSource, { session }: FoundSession): boolean => session.deadline > look.now();

const offersIn = ({ ref, session }: FoundSession): readonly FoundHandoff[] =>
  offersOf(session).offers.map((offer) => ({ ref, session, offer }));

function offerTo(look: WaitingSource, found: FoundSession, handoff: FoundHandoff): Found {
  const { offer } = handoff;
  const { session, state } = found;
  const left = leftBeside(state, handoff, look.now());
  // The package is the first of the contexts, where there is one.
  const attachments = offer.contexts + offer.lateContexts - (session.binding ? 1 : 0);
  return foundOf(found, handoff, {
    by: offer.offeredBy,
    at: offer.offeredAt,
    until: Math.max(left?.until ?? 0, session.deadline),
    ...(attachments > 0 && { attachments }),
  });
}

function foundOf(
  { ref, state }: FoundSession,
  { session, offer }: FoundHandoff,
  item: Omit<Found['item'], 'sessionKey' | 'handoffId'>,
): Found {
  const about = {
    sessionKey: session.binding?.worklog ?? ref.id,
    handoffId: formatHandoffId(ref.id, offer.handoffId),
  };
  return { item: { ...about, ...item }, ...(state && { state }) };
}
