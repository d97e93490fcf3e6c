/**
 * The working session that a conversation is captured in: the one that its window is at, else the one that it was captured in
 * before, else its own, else the only one that its agent has open in the project, else a new one of its own.
 *
 * S1. A session to which another window of the agent wrote last is never meant while that window goes on with it.
 * S2. A session of exactly this project comes before one that belongs to none.
 * S3. Whose work was given away, taken over or closed goes on in no session that happens to be there.
 */
import { noteAbout, SESSION_END, StreamKind, type WorklogState, WorklogStatus } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Happened, Whose } from '../agents/open-windows.js';
import type { Connection } from '../connection.js';
import { listedRows } from '../listed-rows.js';
import { closestTo, isInProject } from '../project.js';
import { type CaptureRequest, happenedAt } from './capture-request.js';
import type { CurrentSessions } from './current-session.js';
import type { HandoffDependencies } from './dependencies.js';
import { worklogRef } from './worklogs.js';

export type CaptureSession =
  | { readonly kind: 'known'; readonly sessionKey: string }
  /** The only one there is: nothing says that the conversation has to do with it. */
  | {
      readonly kind: 'guessed';
      readonly sessionKey: string;
      /** The window that wrote to it is gone, so nobody goes on with it. */
      readonly isDeserted: boolean;
    }
  | {
      readonly kind: 'free';
      /** No session has it yet. */
      readonly sessionKey: string;
      /** What the conversation worked on before is over for it: closed, or another's now. */
      readonly isAfter: boolean;
    }
  | { readonly kind: 'none' };

const RECENT_MS = 86_400_000;
const MAX_KEY = 60;
/** A conversation that went on after its work was given away has another session, and so on. */
const MAX_OWN = 20;

type Asked = Pick<CaptureRequest, 'client' | 'clientSession' | 'event' | 'project' | 'sessionKey' | 'at'>;

/** One capture, and how it came. */
interface Asking {
  readonly principal: Principal;
  readonly asked: Asked;
  readonly happened: Happened;
  readonly transport: Connection['transport'];
}

export async function captureSession(
  deps: HandoffDependencies,
  current: Pick<CurrentSessions, 'find'>,
  principal: Principal,
  asked: Asked,
  { transport }: Pick<Connection, 'transport'>,
): Promise<CaptureSession> {
  const { clientSession: conversation, project } = asked;
  const at = happenedAt(asked, deps.now());
  const isEnd = asked.event === SESSION_END;
  const happened = { conversation, at, isEnd, ...(project && { project }) };
  const asking = { principal, asked, transport, happened };
  const stateOf = async (sessionKey: string): Promise<WorklogState | undefined> =>
    (await deps.engine.query(worklogRef(principal.tenant, sessionKey)))?.state;
  const present = await presentSession(deps, current, asking);
  if (present !== undefined) return { kind: 'known', sessionKey: present };
  let isAfter = false;
  if (asked.sessionKey !== undefined) {
    const state = await stateOf(asked.sessionKey);
    if (state && isOpen(state, principal) && whoseIs(deps, asking, state) !== 'other')
      return { kind: 'known', sessionKey: asked.sessionKey };
    isAfter = state !== undefined && !isOpen(state, principal);
  }
  let free: string | undefined;
  for (let nth = 1; nth <= MAX_OWN && free === undefined; nth++) {
    const sessionKey = ownKey(asked, nth);
    const state = await stateOf(sessionKey);
    if (!state) free = sessionKey;
    else if (isOpen(state, principal) && isOf(state, asked)) return { kind: 'known', sessionKey };
    else if (isOf(state, asked)) isAfter = true;
  }
  if (isAfter) return free === undefined ? { kind: 'none' } : { kind: 'free', sessionKey: free, isAfter };
  const [only, ...more] = closestTo(await openOnes(deps, asking), project);
  const whose = only && more.length === 0 ? whoseIs(deps, asking, only) : 'other';
  if (only && whose !== 'other')
    return { kind: 'guessed', sessionKey: only.key, isDeserted: whose === 'gone' };
  return free === undefined ? { kind: 'none' } : { kind: 'free', sessionKey: free, isAfter };
}

/** The one that the conversation's window is at, unless another window goes on with it. */
async function presentSession(
  deps: HandoffDependencies,
  current: Pick<CurrentSessions, 'find'>,
  asking: Asking,
): Promise<string | undefined> {
  const { principal, asked, happened } = asking;
  const { windows } = deps.directory;
  const own = windows.of(principal, happened);
  for (const instance of own) {
    const state = (await current.find(principal, { instance }))?.state;
    if (!state || !isOpen(state, principal) || !isInProject(state.project, asked.project?.id)) continue;
    const { lastInstance = instance, lastInstanceBy } = state;
    const isAnothers = lastInstanceBy === principal.agent && !own.includes(lastInstance);
    if (!isAnothers || !windows.isConnected(principal, lastInstance)) return state.key;
  }
  return undefined;
}

/** Those that no hook opened for another conversation. */
async function openOnes(
  { engine, now }: HandoffDependencies,
  { principal, asked }: Asking,
): Promise<readonly WorklogState[]> {
  const { tenant, agent } = principal;
  const found: WorklogState[] = [];
  let seen = 0;
  for await (const { ref } of listedRows(engine, { tenant, kind: StreamKind.Worklog, agent })) {
    const state = (await engine.query(ref))?.state;
    if (
      state &&
      isOpen(state, principal) &&
      noteAbout(state) === undefined &&
      now() - state.lastActivityAt <= RECENT_MS &&
      isInProject(state.project, asked.project?.id) &&
      (state.clientSession === undefined || isOf(state, asked))
    )
      found.push(state);
    if (++seen >= fixedLimits.countedSessions.value) return [];
  }
  return found;
}

/**
 * Whose window wrote to it last. One of which nothing was heard since the server started is gone: those of this machine come
 * back at once. Over HTTP nothing says so.
 */
function whoseIs(
  { directory }: HandoffDependencies,
  { principal, happened, transport }: Asking,
  { lastInstance, lastInstanceBy }: WorklogState,
): Whose {
  if (lastInstance === undefined || lastInstanceBy !== principal.agent) return 'unknown';
  const unheard = transport === 'stdio' ? 'gone' : 'unknown';
  return directory.windows.whose(principal, lastInstance, happened) ?? unheard;
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
