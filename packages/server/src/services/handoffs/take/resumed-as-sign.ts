/** Whoever resumes is there: a sign of life in the project of what it goes on with, else in the one that it asks from. */
import type { Principal } from '../../../auth/principal.js';
import type { Connection } from '../../connection.js';
import type { Outcome } from '../../outcome.js';
import type { HandoffDependencies } from '../dependencies.js';
import type { Resumed } from '../resume/types.js';
import { worklogRef } from '../worklogs.js';

export async function resumedAsSign(
  { engine, directory }: Pick<HandoffDependencies, 'engine' | 'directory'>,
  principal: Principal,
  connection: Connection,
  resuming: Promise<Outcome<Resumed>>,
): Promise<Outcome<Resumed>> {
  const outcome = await resuming;
  const own = 'value' in outcome && outcome.value.yours ? outcome.value.sessionKey : undefined;
  const state =
    own === undefined ? undefined : (await engine.query(worklogRef(principal.tenant, own)))?.state;
  await directory.atWork(principal, state ? state.project?.id : connection.project?.id);
  return outcome;
}
