/**
 * The brief of a working session, read from the data folder, beside a running server or without one. Whoever may read the
 * folder may read all of it, so no agent is asked for.
 */
import { StreamKind, type StreamRef, WorklogStatus, writeBrief } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { nodeCodec } from '../../platform/node-codec.js';
import { DEFAULT_TENANT } from '../../services/dependencies.js';
import { gatherSession } from '../../services/handoffs/gather-session.js';
import type { WaitingSource } from '../../services/handoffs/waiting/look.js';
import { worklogRef } from '../../services/handoffs/worklogs.js';
import { listedRows } from '../../services/listed-rows.js';
import { isInProject } from '../../services/project.js';
import { withFolder } from '../capture/look-at-folder.js';
import { notFound, refused } from '../conventions/failure.js';
import { requireData } from '../require-data.js';
import { onlyInLog } from './only-in-log.js';
import type { MdSource } from './write-md.js';

const BUDGET = 16_000;
const MAX_SESSIONS = fixedLimits.searchedSessions.value;

export interface WantedSession {
  readonly key?: string | undefined;
  /** Where the newest one is looked for, without a key. */
  readonly project?: string | undefined;
}

export async function readSource(folder: string, { key, project }: WantedSession): Promise<MdSource> {
  await requireData(folder);
  return withFolder(folder, Number.POSITIVE_INFINITY, async (look) => {
    const found = key ?? (await newestKey(look, project));
    if (found === undefined)
      throw notFound(
        'there is no open working session here',
        'Name its key, or go to the folder of its project',
      );
    const ref = worklogRef(DEFAULT_TENANT, found);
    const state = (await look.engine.query(ref))?.state;
    if (!state) throw notFound(`there is no working session ${JSON.stringify(found)} in ${folder}`);
    if (state.status === WorklogStatus.Purged) throw refused(`${JSON.stringify(found)} was purged`);
    const { gathered } = await gatherSession(look, ref, state.lastNumber, BUDGET);
    const about = { sessionKey: found, owner: state.owner };
    const brief = writeBrief(gathered, about, BUDGET, nodeCodec);
    return { session: found, upTo: state.lastNumber, brief, onlyInLog: await onlyInLog(look, state) };
  });
}

/** The open one with the newest activity. */
async function newestKey(look: WaitingSource, project: string | undefined): Promise<string | undefined> {
  let newest: { readonly key: string; readonly at: number } | undefined;
  let seen = 0;
  const all = { tenant: DEFAULT_TENANT, kind: StreamKind.Worklog } as const;
  for await (const { ref } of listedRows(look.engine, all)) {
    if (++seen > MAX_SESSIONS)
      throw refused(`there are more than ${MAX_SESSIONS} working sessions`, 'Name the key of one');
    const state = await openState(look, ref, project);
    if (state && state.lastActivityAt > (newest?.at ?? 0)) newest = { key: ref.id, at: state.lastActivityAt };
  }
  return newest?.key;
}

async function openState(look: WaitingSource, ref: StreamRef<'worklog'>, project: string | undefined) {
  const state = (await look.engine.query(ref))?.state;
  const isWanted = state?.status === WorklogStatus.Active && isInProject(state.project, project);
  return isWanted && state.lastNumber > 0 ? state : undefined;
}
