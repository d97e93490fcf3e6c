/** Work of others that was left for the caller, or for whoever comes next. What is offered to the caller is no part of it. */
import { ANYONE } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Connection } from '../connection.js';
import type { HandoffDependencies } from './dependencies.js';
import { isOpenTo, mayClaim } from './open-parking.js';
import { titleOf } from './shown/title.js';
import type { HandoffService, LeftSession } from './types.js';
import { type Found, newestFirst } from './waiting/look.js';
import { openSessions } from './waiting/open-sessions.js';

/** As many as a list shows. */
const MOST_TITLED = 20;
/** More than a list shows. */
const MOST = fixedLimits.boardReads.value;

type Args = Parameters<HandoffService['leftSessions']>[1];

export async function leftSessions(
  deps: HandoffDependencies,
  principal: Principal,
  { project }: Args,
  connection: Pick<Connection, 'transport' | 'project'>,
): Promise<readonly LeftSession[]> {
  const { tenant, agent } = principal;
  const viewer = { tenant, agent, openParking: true, most: MOST, ...(project !== undefined && { project }) };
  const { parked, left } = await openSessions(deps, viewer, new Set());
  const isOffered = ({ state }: Found) => state?.pending.some(({ target }) => target === agent) ?? false;
  const isFor = ({ state, item }: Found) =>
    item.to !== ANYONE || (mayClaim(principal) && isOpenTo(connection, deps.taking, state?.project));
  const found = newestFirst([
    ...parked.map((found) => ({ ...found, unasked: false })),
    ...left.map((found) => ({ ...found, unasked: true })),
  ]).filter((one) => isFor(one) && !isOffered(one));
  return Promise.all(
    found.map(async ({ item: { sessionKey, by, at, until = at, to = agent }, state, unasked }, index) => {
      const isTitled = state && index < MOST_TITLED;
      const title = isTitled ? await titleOf(deps, tenant, state, state.lastNumber) : undefined;
      return {
        ...{ sessionKey, from: by, to, leftAt: at, until, unasked },
        ...(title && { title: title.text }),
      };
    }),
  );
}
