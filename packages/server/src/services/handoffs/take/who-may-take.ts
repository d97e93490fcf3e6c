/** Whose word lets a caller take work over, and where the caller must be. */
import {
  type Rejection,
  RejectionCode,
  readableUpTo,
  reject,
  rejectWith,
  type TakeOverPolicy,
  type WorklogState,
} from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import { Scope } from '../../../auth/scopes.js';
import type { TakingSettings } from '../../../config/read-taking.js';
import type { Connection } from '../../connection.js';
import { isInProject, type ProjectTag } from '../../project.js';
import { shownName } from '../shown/words.js';
import { sessionNotFound } from '../worklogs.js';

/** The same for every key, so that it says nothing about whether there is such a session. */
export function policyFor(
  { takeOver, afterSecs }: TakingSettings,
  principal: Principal,
  connection: Connection,
): TakeOverPolicy | Rejection {
  if (takeOver === 'off') return nobodyMay();
  if (isAdministrator(principal, connection)) return { by: 'admin', afterSecs: 0 };
  if (takeOver === 'silent') return { by: 'silent', afterSecs };
  return reject(
    RejectionCode.FORBIDDEN,
    'on this server no agent takes work over by itself; ask its owner to hand it over, or a person to run: handover take KEY --to AGENT',
  );
}

export const nobodyMay = (): Rejection =>
  reject(
    RejectionCode.FORBIDDEN,
    'on this server nobody takes work over (HANDOVER_TAKEOVER=off); its owner can hand it over',
  );

/** Everybody has every right in dev mode, and most of them on one's own machine. Only a credential makes an administrator. */
const isAdministrator = ({ scopes, nameFrom }: Principal, { transport }: Connection): boolean =>
  transport === 'http' && nameFrom === undefined && scopes.has(Scope.HANDOFF_ADMIN);

/** Where work can be taken: in its own project. Over HTTP the caller must name that, because strangers may share a server. */
export function isWithinReach(
  project: ProjectTag | undefined,
  { transport, project: here }: Pick<Connection, 'transport' | 'project'>,
): boolean {
  if (transport === 'http' && (project === undefined || here === undefined)) return false;
  return isInProject(project, here?.id);
}

/** To who may read it, what to do; to others it does not exist. */
export function outOfReach(state: WorklogState, { agent }: Principal): Rejection {
  const { key, project } = state;
  if (readableUpTo(state, agent) === undefined) return sessionNotFound(key);
  const message = project
    ? `it can be taken over only from its project, ${shownName(project.name)}; over HTTP the header Handover-Project names it`
    : 'it has no project, so it cannot be taken over by HTTP; ask its owner to hand it over';
  return rejectWith(RejectionCode.FORBIDDEN, message, { sessionKey: key });
}
