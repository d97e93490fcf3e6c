/** What is said at the start of a conversation: the lines, or, after the client has compacted it, its own brief. */
import { authorsUpTo, tokensOf, writeBrief } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Connection } from '../connection.js';
import type { HookRequest } from './capture-request.js';
import { captureSession } from './capture-session.js';
import type { CurrentSessions } from './current-session.js';
import type { HandoffDependencies } from './dependencies.js';
import { gatherSession } from './gather-session.js';
import { BRIEF_TOKENS } from './hook-caps.js';
import { type HookItems, type HookTold, hookSaid } from './hook-text.js';
import { mayClaim } from './open-parking.js';
import { isWrittenLately } from './other-window.js';
import { withoutHidden } from './shown/without-hidden.js';
import { writtenBy } from './shown/written-by.js';
import { whatIsShown } from './waiting/what-is-shown.js';
import { worklogRef } from './worklogs.js';

/** The brief itself could be anybody's. */
const OWN = 'Your own session, as far as it is recorded. Go on, and record with updateContext.';
const OWN_TOKENS = 25;

export async function hookStart(
  deps: HandoffDependencies,
  current: Pick<CurrentSessions, 'find'>,
  principal: Principal,
  request: HookRequest,
  connection: Pick<Connection, 'transport'>,
): Promise<HookTold | undefined> {
  if (request.event !== 'SessionStart') return undefined;
  if (request.source === 'compact') {
    const session = await captureSession(deps, current, principal, request, connection);
    const text =
      session.kind === 'known' || session.kind === 'guessed'
        ? await brief(deps, principal, session.sessionKey, BRIEF_TOKENS - OWN_TOKENS)
        : undefined;
    if (text !== undefined) return { text: `${OWN}\n${text}` };
  }
  const { tenant, agent } = principal;
  const { project } = request;
  const now = deps.now();
  const { transport } = connection;
  const items = await whatIsShown(deps, {
    tenant,
    agent,
    transport,
    personal: !mayClaim(principal),
    ...(project && { project: project.id }),
  });
  const utc = transport === 'http';
  const said = hookSaid(await withOtherWindow(deps, principal, request, items), {
    agent,
    now,
    utc,
    ...(project && { project: project.name }),
  });
  if (!said) return undefined;
  const own = request.autoload === 'brief' ? items.own : undefined;
  const more = own && (await brief(deps, principal, own.sessionKey));
  const text = more === undefined ? said.text : `${said.text}\n\n${more}`;
  return { text, ...(said.toldAll && { upTo: now }) };
}

/** Work that another window goes on with is not for a new conversation to go on with unasked. */
async function withOtherWindow(
  { engine, now, directory: { windows } }: HandoffDependencies,
  principal: Principal,
  { clientSession: conversation, source, project }: HookRequest,
  items: HookItems,
): Promise<HookItems> {
  const { own } = items;
  const state = own && (await engine.query(worklogRef(principal.tenant, own.sessionKey)))?.state;
  if (!state || !isWrittenLately(state, principal, now())) return items;
  const { lastInstance: instance = '' } = state;
  const happened = { conversation, at: now(), isEnd: false, ...(project && { project }) };
  // A program that was just started is no window that wrote before.
  const isOther = source === 'startup' || windows.whose(principal, instance, happened) === 'other';
  if (!isOther || !windows.isConnected(principal, instance)) return items;
  return { ...items, own: { ...own, otherWindow: true } };
}

/** With who wrote it, if that was not the agent alone. */
async function brief(
  deps: HandoffDependencies,
  { tenant, agent }: Principal,
  sessionKey: string,
  tokens = BRIEF_TOKENS,
): Promise<string | undefined> {
  const ref = worklogRef(tenant, sessionKey);
  const state = (await deps.engine.query(ref))?.state;
  if (!state || state.lastNumber === 0) return undefined;
  const by = writtenBy(authorsUpTo(state, state.lastNumber), agent);
  const line = by === undefined ? '' : `${by}\n`;
  const budget = tokens - tokensOf(line);
  const { gathered } = await gatherSession(deps, ref, state.lastNumber, budget);
  const { text } = writeBrief(gathered, { sessionKey, owner: state.owner }, budget, deps.codec);
  return line + withoutHidden(text);
}
