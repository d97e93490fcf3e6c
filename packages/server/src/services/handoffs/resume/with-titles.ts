/** What each of a few things is about: a user chooses by that, and not by keys. Of an offer it is what its package knows. */
import type { Principal } from '../../../auth/principal.js';
import type { HandoffDependencies } from '../dependencies.js';
import { formatHandoffId } from '../ids.js';
import { titleOf } from '../shown/title.js';
import { worklogRef } from '../worklogs.js';
import type { Candidate } from './types.js';

export const withTitles = (
  deps: HandoffDependencies,
  { tenant }: Principal,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> =>
  Promise.all(
    candidates.map(async (one) => {
      const state = (await deps.engine.query(worklogRef(tenant, one.sessionKey)))?.state;
      if (!state || one.about !== undefined) return one;
      const offer = state.pending.find(
        ({ sessionId, handoffId }) => formatHandoffId(sessionId, handoffId) === one.handoffId,
      );
      const upTo = one.handoffId === undefined ? state.lastNumber : offer?.upTo;
      const title = upTo === undefined ? undefined : await titleOf(deps, tenant, state, upTo);
      return title ? { ...one, title: title.text } : one;
    }),
  );
