/**
 * The working session that a conversation is captured in: the one that it was captured in before, else its own, else the one
 * that its window wrote to, else the only one that its agent has open in the project, else a new one of its own.
 *
 * A session to which another window of the agent wrote last is never meant, because that window goes on with it.
 */
import { StreamKind, type WorklogState, WorklogStatus } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Whose } from '../agents/open-windows.js';
import { listedRows } from '../listed-rows.js';
import { isInProject } from '../project.js';
import type { CaptureRequest } from './capture-request.js';
import type { HandoffDependencies } from './dependencies.js';
import { worklogRef } from './worklogs.js';

export type CaptureSession =
  | { readonly kind: 'known'; readonly sessionKey: string }
  /** The only one there is: nothing says that the conversation has to do with it. */
  | { readonly kind: 'guessed'; readonly sessionKey: string }
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
  if (asked.sessionKey !== undefined) {
    const state = await stateOf(asked.sessionKey);
    if (state && isOpen(state, principal) && whoseIs(deps, principal, state, asked) !== 'other')
      return { kind: 'known', sessionKey: asked.sessionKey };
  }
  let free: string | undefined;
  for (let nth = 1; nth <= MAX_OWN && free === undefined; nth++) {
    const sessionKey = ownKey(asked, nth);
    const state = await stateOf(sessionKey);
    if (!state) free = sessionKey;
    else if (isOpen(state, principal) && isOf(state, asked)) return { kind: 'known', sessionKey };
  }
  const open = await openOnes(deps, principal, asked);
  const written = open.filter(({ whose }) => whose === 'same').sort(newestFirst)[0];
  if (written) return { kind: 'known', sessionKey: written.state.key };
  const [only, ...more] = open;
  if (only && more.length === 0 && only.whose === 'unknown')
    return { kind: 'guessed', sessionKey: only.state.key };
  return free === undefined ? { kind: 'none' } : { kind: 'free', sessionKey: free };
}

interface OpenOne {
  readonly state: WorklogState;
  readonly whose: Whose;
}

/** Those that no hook opened for another conversation. */
async function openOnes(
  deps: HandoffDependencies,
  principal: Principal,
  asked: Asked,
): Promise<readonly OpenOne[]> {
  const { engine, now } = deps;
  const { tenant, agent } = principal;
  const found: OpenOne[] = [];
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
      found.push({ state, whose: whoseIs(deps, principal, state, asked) });
    if (++seen >= fixedLimits.countedSessions.value) return [];
  }
  return found;
}

/** Whose window wrote to it last. */
function whoseIs(
  { directory }: HandoffDependencies,
  principal: Principal,
  { lastInstance, lastInstanceBy }: WorklogState,
  { clientSession }: Asked,
): Whose {
  if (lastInstance === undefined || lastInstanceBy !== principal.agent) return 'unknown';
  return directory.windows.whose(principal, lastInstance, clientSession);
}

const newestFirst = ({ state: one }: OpenOne, { state: other }: OpenOne): number =>
  (other.lastInstanceAt ?? 0) - (one.lastInstanceAt ?? 0);

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
