/** Waits for work to come: follows the log, so nothing is polled, and looks again only when something came for the caller. */
import { ANYONE, HandoffMessageType, WorklogEntryType } from '@handover/core';
import type { Cursor } from '@handover/engine';
import type { Principal } from '../../../auth/principal.js';
import { type FollowBounds, followFor } from '../../follow-for.js';
import type { Outcome } from '../../outcome.js';
import type { HandoffDependencies } from '../dependencies.js';

/** What `look` finds, once it finds something; undefined: nothing came in time. */
export async function waitForWork<Found>(
  deps: HandoffDependencies,
  principal: Principal,
  /** Where the log ended before the caller looked itself. */
  from: Cursor,
  bounds: FollowBounds,
  look: () => Promise<Found | undefined>,
): Promise<Outcome<Found | undefined>> {
  // It holds nothing for which it would have to be cut off.
  const admitted = deps.listeners.admit(principal, () => {});
  if ('rejection' in admitted) return admitted;
  try {
    for await (const { entry } of followFor(deps.engine, from, bounds)) {
      if (entry.stream.tenant !== principal.tenant || !isFor(entry, principal.agent)) continue;
      const value = await look();
      if (value !== undefined) return { value };
    }
    return { value: undefined };
  } finally {
    admitted.value.leave();
  }
}

type Told = { readonly type: string; readonly facts: Readonly<Record<string, unknown>> };

function isFor({ type, facts }: Told, agent: string): boolean {
  if (type === HandoffMessageType.Offer) return facts.target === agent;
  const [taker] = type === WorklogEntryType.Parked && Array.isArray(facts.takers) ? facts.takers : [];
  return taker === agent || taker === ANYONE;
}
