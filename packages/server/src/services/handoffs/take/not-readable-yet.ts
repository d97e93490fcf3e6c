/**
 * Why a caller cannot read work of another that lists name to it: whose it is, and what makes it readable. Asked in the way in
 * which lists ask, so that whoever is not shown it there learns nothing here: to that one it does not exist.
 */
import { named, type Rejection, RejectionCode, readableUpTo, rejectWith } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import { iso } from '../../../platform/iso.js';
import type { Connection } from '../../connection.js';
import { mayClaim } from '../open-parking.js';
import { shownWords } from '../shown/words.js';
import { type SilentSource, takeableSessions } from './silent-sessions.js';

export async function notReadableYet(
  source: SilentSource,
  principal: Principal,
  { transport, project }: Pick<Connection, 'transport' | 'project'>,
  sessionKey: string,
): Promise<Rejection | undefined> {
  if (!mayClaim(principal)) return undefined;
  const { tenant, agent } = principal;
  const listed = await takeableSessions(source, { tenant, agent, transport }, project?.id);
  const found = listed.find(({ state }) => state.key === sessionKey);
  if (!found) return undefined;
  const { state, lastSignAt, possibleAt } = found;
  const from =
    possibleAt > source.now() ? ` from ${iso(possibleAt)} on, if ${named(state.owner)} stays silent` : '';
  const upTo = readableUpTo(state, agent);
  const reading =
    upTo === undefined ? 'and not yours to read' : `and yours to read up to entry ${upTo}, with readContext`;
  const message = `it is the work of ${named(state.owner)}, ${reading}; ${callOf(sessionKey)} takes it over${from}`;
  return rejectWith(RejectionCode.FORBIDDEN, message, {
    ...{ sessionKey, owner: state.owner },
    ...{ silentSince: iso(lastSignAt), possibleAt: iso(possibleAt) },
  });
}

/** As it stands; a key that cannot be shown as it is stands in no call. */
function callOf(sessionKey: string): string {
  return shownWords(sessionKey) === JSON.stringify(sessionKey)
    ? `resume ${JSON.stringify({ sessionKey, take: true })}`
    : 'resume with its sessionKey and take: true';
}
