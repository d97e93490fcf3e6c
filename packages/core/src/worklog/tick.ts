/** What time does to a working session: dormant, expired, archived, purged, each counted from the stage before. */

import { FaultCode, HandoverError } from '../fault.js';
import type { Draft } from '../log/entry.js';
import { runtimeDraft } from '../log/runtime-draft.js';
import { WorklogEntryType } from './entry-type.js';
import { type WorklogState, WorklogStatus } from './state.js';

export function worklogDue(state: WorklogState): number | undefined {
  return nextStage(state)?.at;
}

export function worklogTick(state: WorklogState): Draft {
  const stage = nextStage(state);
  if (!stage) throw new HandoverError(FaultCode.INTERNAL, 'a working session that is not due was ticked');
  return runtimeDraft(stage.type, state.seq + 1, stage.at);
}

function nextStage(
  state: WorklogState,
): { readonly type: WorklogEntryType; readonly at: number } | undefined {
  const { lifetimes, lastActivityAt, statusSince } = state;
  switch (state.status) {
    case WorklogStatus.Active: {
      // While a handoff is under way the working session waits for its answer.
      if (state.pending.length > 0) return undefined;
      const expired = { type: WorklogEntryType.Expired, at: lastActivityAt + lifetimes.expireAfterMs };
      const dormant = { type: WorklogEntryType.Dormant, at: lastActivityAt + lifetimes.dormantAfterMs };
      return state.dormant || dormant.at >= expired.at ? expired : dormant;
    }
    case WorklogStatus.Completed:
    case WorklogStatus.Expired:
      return { type: WorklogEntryType.Archived, at: statusSince + lifetimes.archiveAfterMs };
    case WorklogStatus.Archived:
      return { type: WorklogEntryType.Purged, at: statusSince + lifetimes.purgeAfterMs };
    case WorklogStatus.Purged:
      return undefined;
  }
}
