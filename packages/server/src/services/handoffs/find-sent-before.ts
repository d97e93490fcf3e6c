/** A handoff by its id, for those that have its working session later. */
import { mayReadSent, transferAt } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { HandoffDependencies } from './dependencies.js';
import { type FoundHandoff, lookUp } from './find-handoff.js';
import { parseHandoffId } from './ids.js';
import { worklogRef } from './worklogs.js';

/** A full handoff that was committed, whose attachments the caller may read; undefined for all others. */
export async function findSentBefore(
  deps: HandoffDependencies,
  { tenant, agent }: Principal,
  handoffId: string,
): Promise<FoundHandoff | undefined> {
  const named = parseHandoffId(handoffId);
  const found = named && (await lookUp(deps, tenant, named));
  const key = found?.session.binding?.worklog;
  const state = key === undefined ? undefined : (await deps.engine.query(worklogRef(tenant, key)))?.state;
  if (!found || !state) return undefined;
  const index = transferAt(state, found.session.id, found.offer.handoffId);
  return index !== undefined && mayReadSent(state, index, agent) ? found : undefined;
}
