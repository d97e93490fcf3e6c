/**
 * A caller's handoffs: those offered to it, those it offered. Pages follow the order of session ids, because the list
 * tables have that order. Within a page the newest offer comes first, so an inbox that fits one page reads newest
 * first.
 */
import { type Offer, offersOf, SessionStatus, StreamKind } from '@handover/core';
import type { ListedStream } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { mapOutcome } from '../outcome.js';
import type { HandoffDependencies } from './dependencies.js';
import { phaseOf, statusOfPhase } from './handoff-phase.js';
import type { HandoffTextReader } from './handoff-texts.js';
import { viewNewest } from './handoff-view.js';
import { gatherPage, type Placed } from './pages.js';
import type { HandoffService, HandoffView } from './types.js';

type Args = Parameters<HandoffService['listHandoffs']>[1];
type Box = Args['box'];

/** The role of each agent is stored with the entries, so the store finds an inbox without reading a session. */
const ROLES: Readonly<Record<Box, { readonly role?: string }>> = {
  inbox: { role: 'target' },
  outbox: { role: 'initiator' },
  all: {},
};
const ENDED: ReadonlySet<string> = new Set([
  SessionStatus.Resolved,
  SessionStatus.Expired,
  SessionStatus.Cancelled,
]);

export async function listHandoffs(
  deps: HandoffDependencies,
  texts: HandoffTextReader,
  principal: Principal,
  { box, status, ...page }: Args,
): ReturnType<HandoffService['listHandoffs']> {
  const { tenant, agent } = principal;
  const query = { tenant, kind: StreamKind.Session, agent, ...ROLES[box] };
  const itemsOf = async ({ ref, row }: ListedStream<'session'>): Promise<readonly Placed<HandoffView>[]> => {
    // A session that has ended has no pending handoffs, so it need not be read.
    if (status === 'pending' && ENDED.has(row.state)) return [];
    const session = (await deps.engine.query(ref))?.state;
    if (!session) return [];
    const found = offersOf(session)
      .offers.map((offer, at) => ({ ref, session, offer, at }))
      .filter(({ offer }) => isIn(box, offer, agent))
      .filter((handoff) => status === undefined || statusOfPhase(phaseOf(handoff)) === status);
    const views = await viewNewest(texts, principal, found);
    const left = found.length - views.length;
    return views.map((item, index) => ({ item, at: found[left + index]?.at ?? 0 }));
  };
  return mapOutcome(
    await gatherPage(deps.engine, 'handoffs', query, page, itemsOf),
    ({ items, ...rest }) => ({
      handoffs: items.toSorted((a, b) => b.offeredAt - a.offeredAt),
      ...rest,
    }),
  );
}

function isIn(box: Box, { target, offeredBy }: Offer, agent: string): boolean {
  switch (box) {
    case 'inbox':
      return target === agent;
    case 'outbox':
      return offeredBy === agent;
    case 'all':
      return target === agent || offeredBy === agent;
  }
}
