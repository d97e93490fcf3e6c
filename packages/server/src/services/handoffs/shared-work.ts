/** Work of others that an agent writes to with its owner. A bounded number is read, the newest first. */
import { mayWrite, StreamKind, type WorklogState, WorklogStatus } from '@handover/core';
import type { Engine } from '@handover/engine';
import { worklogRef } from './worklogs.js';

const LOOKED_AT = 100;
/** As lists have it. */
const OPEN: readonly string[] = ['active', 'dormant'];

/** Whoever writes to it with its owner has it neither left nor silent: it can go on at once. */
export const isShared = (state: WorklogState, agent: string): boolean =>
  state.owner !== agent && mayWrite(state, agent);

export async function sharedWork(
  { engine }: { readonly engine: Pick<Engine, 'list' | 'query'> },
  { tenant, agent }: { readonly tenant: string; readonly agent: string },
): Promise<readonly WorklogState[]> {
  const rows = await engine.list({
    ...{ tenant, kind: StreamKind.Worklog, agent, role: 'collaborator', limit: LOOKED_AT },
    newestFirst: { idPrefix: '' },
  });
  const found: WorklogState[] = [];
  for (const { ref, row } of rows) {
    if (!OPEN.includes(row.state)) continue;
    const state = (await engine.query(worklogRef(tenant, ref.id)))?.state;
    if (state?.status === WorklogStatus.Active && isShared(state, agent)) found.push(state);
  }
  return found.toSorted((one, other) => other.lastActivityAt - one.lastActivityAt);
}
