/**
 * The working session that a conversation is captured in: the one that it was captured in before, else the only one that
 * its agent has open in the project, else one of its own.
 */
import { StreamKind, type WorklogState, WorklogStatus } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { listedRows } from '../listed-rows.js';
import { isInProject } from '../project.js';
import type { CaptureRequest } from './capture-request.js';
import type { HandoffDependencies } from './dependencies.js';
import { worklogRef } from './worklogs.js';

export type CaptureSession =
  | { readonly kind: 'known'; readonly sessionKey: string }
  /** No session has the key yet. */
  | { readonly kind: 'free'; readonly sessionKey: string }
  | { readonly kind: 'none' };

const RECENT_MS = 86_400_000;
const MAX_KEY = 60;
/** A conversation that went on after its work was given away has another session, and so on. */
const MAX_OWN = 20;

type Asked = Pick<CaptureRequest, 'client' | 'clientSession' | 'project' | 'sessionKey'>;

export async function captureSession(
  deps: HandoffDependencies,
  principal: Principal,
  asked: Asked,
): Promise<CaptureSession> {
  const stateOf = async (sessionKey: string): Promise<WorklogState | undefined> =>
    (await deps.engine.query(worklogRef(principal.tenant, sessionKey)))?.state;
  if (asked.sessionKey !== undefined && isOpen(await stateOf(asked.sessionKey), principal))
    return { kind: 'known', sessionKey: asked.sessionKey };
  let free: string | undefined;
  for (let nth = 1; nth <= MAX_OWN && free === undefined; nth++) {
    const sessionKey = ownKey(asked, nth);
    const state = await stateOf(sessionKey);
    if (!state) free = sessionKey;
    else if (isOpen(state, principal) && isOf(state, asked)) return { kind: 'known', sessionKey };
  }
  const only = await onlyOpen(deps, principal, asked);
  if (only !== undefined) return { kind: 'known', sessionKey: only };
  return free === undefined ? { kind: 'none' } : { kind: 'free', sessionKey: free };
}

/** Another conversation's session is never taken for this one's. */
async function onlyOpen(
  { engine, now }: HandoffDependencies,
  principal: Principal,
  asked: Asked,
): Promise<string | undefined> {
  const { tenant, agent } = principal;
  const found: string[] = [];
  let seen = 0;
  for await (const { ref } of listedRows(engine, { tenant, kind: StreamKind.Worklog, agent })) {
    const state = (await engine.query(ref))?.state;
    if (
      state &&
      isOpen(state, principal) &&
      now() - state.lastActivityAt <= RECENT_MS &&
      isInProject(state.project, asked.project?.id) &&
      (state.clientSession === undefined || isOf(state, asked))
    )
      found.push(state.key);
    if (found.length > 1 || ++seen >= fixedLimits.countedSessions.value) return undefined;
  }
  return found[0];
}

const isOpen = (state: WorklogState | undefined, { agent }: Principal): boolean =>
  state?.owner === agent && state.status === WorklogStatus.Active;

const isOf = ({ client, clientSession }: WorklogState, asked: Asked): boolean =>
  client === asked.client && clientSession === asked.clientSession;

function ownKey({ client, clientSession, project }: Asked, nth: number): string {
  const rest = `-${client}-${clientSession.slice(0, 8)}${nth === 1 ? '' : `-${nth}`}`;
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '');
  const name =
    plain(project?.name ?? '')
      .slice(0, MAX_KEY - rest.length)
      .replace(/-+$/, '') || 'work';
  return `${name}-${plain(rest)}`;
}
