/** The decider of working sessions (docs/usage/sessions.md): ordered context, one owner, collaborators, lifetimes. */

import { type EntryHead, StreamKind } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { knowsRules } from '../log/rev.js';
import type { DeciderOf } from '../streams.js';
import { decideWorklog } from './decide.js';
import { WorklogEntryType } from './entry-type.js';
import { evolveWorklog } from './evolve.js';
import { ANYONE } from './parked.js';
import { statusOf, type WorklogState } from './state.js';
import { worklogDue, worklogTick } from './tick.js';

export const worklogDecider: DeciderOf<'worklog'> = {
  kind: StreamKind.Worklog,
  decide: decideWorklog,
  evolve: knowsRules(1, evolveWorklog),
  due: worklogDue,
  tick: worklogTick,
  // The due time moves with every write, but the row is written only when a listed value changes. A sweep that comes
  // too early finds nothing to do and notes the later time.
  listingChanged: (before, after) =>
    statusOf(after) !== (before && statusOf(before)) ||
    before?.owner !== after.owner ||
    before.pending.length !== after.pending.length ||
    before.collaborators.length !== after.collaborators.length ||
    before.parked?.seq !== after.parked?.seq,
  listing: (state) => ({ state: statusOf(state), createdAt: state.createdAt, summary: summaryOf(state) }),
  involved,
};

/** Enough to see for whom it may be of interest, without reading the working session. */
function summaryOf({ id, agentFrom, owner, createdAt, project, parked }: WorklogState): JsonObject {
  return {
    id,
    agentFrom,
    owner,
    createdAt,
    ...(project && { project: { id: project.id, name: project.name } }),
    ...(parked && { parked: { takers: parked.takers, until: parked.until } }),
  };
}

function involved(
  state: WorklogState,
  { type, facts, actor }: EntryHead,
): readonly { agent: string; role: string }[] {
  switch (type) {
    case WorklogEntryType.Registered:
      return [{ agent: actor, role: 'source' }];
    case WorklogEntryType.ContextAdded:
      // The owner is involved anyway; repeating a known pair would only cost a write.
      return actor === state.owner || actor === state.agentFrom ? [] : [{ agent: actor, role: 'author' }];
    case WorklogEntryType.Parked:
      // Whoever comes next has no name yet: a list of all working sessions shows those.
      return state.parked && state.parked.takers[0] !== ANYONE
        ? [{ agent: state.parked.takers[0], role: 'taker' }]
        : [];
    case WorklogEntryType.HandoffEnded:
      if (facts.outcome !== 'committed') return [];
      return [
        {
          agent: String(facts.target),
          role: facts.request_type === 'full_handoff' ? 'owner' : 'collaborator',
        },
      ];
    default:
      return [];
  }
}
