/**
 * Since when an owner is silent: its last entry, which the log holds, or its last sign beside the log, whichever is later. Such a
 * sign is a heartbeat of its hooks, or a `resume`.
 */
import { silentSince, type WorklogState } from '@handover/core';
import type { AgentRecord, AgentStore } from '@handover/engine';
import type { TakingSettings } from '../../../config/read-taking.js';

/** What must be known to say whether an owner is silent. */
export interface SilenceSource {
  readonly store: { readonly agents: Pick<AgentStore, 'find'> };
  readonly taking: TakingSettings;
}

export interface Silence {
  /** The last sign of life of the owner. */
  readonly lastSignAt: number;
  /** From when on an agent may take the work over; absent: the policy lets none. */
  readonly possibleAt?: number;
}

export async function silenceOf(
  { store, taking }: SilenceSource,
  tenant: string,
  state: WorklogState,
): Promise<Silence> {
  const known = await store.agents.find(tenant, state.owner);
  const lastSignAt = silentSince(state, lastHeartbeat(known, state.project?.id));
  if (taking.takeOver !== 'silent') return { lastSignAt };
  return { lastSignAt, possibleAt: lastSignAt + taking.afterSecs * 1_000 };
}

/** A sign without a project counts everywhere, and for work without one every sign counts. 0: there was none. */
function lastHeartbeat(known: AgentRecord | undefined, project: string | undefined): number {
  const signs = Object.entries(known?.heartbeats ?? {});
  const counting = signs.filter(([where]) => project === undefined || where === '' || where === project);
  return Math.max(0, ...counting.map(([, at]) => at));
}
