/** What is said at the start of a conversation: the lines, or, after the client has compacted it, its own brief. */
import { writeBrief } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { HookRequest } from './capture-request.js';
import { captureSession } from './capture-session.js';
import type { HandoffDependencies } from './dependencies.js';
import { gatherSession } from './gather-session.js';
import { hookText } from './hook-text.js';
import { whatWaits } from './what-waits.js';
import { worklogRef } from './worklogs.js';

/** Below what both clients take: 10,000 characters, and 2,500 tokens. */
const BRIEF_TOKENS = 1_500;

export async function hookStart(
  deps: HandoffDependencies,
  principal: Principal,
  request: HookRequest,
): Promise<string | undefined> {
  if (request.event !== 'SessionStart') return undefined;
  if (request.source === 'compact') {
    const session = await captureSession(deps, principal, request);
    if (session.kind === 'known') return brief(deps, principal, session.sessionKey);
  }
  const { tenant, agent } = principal;
  const { project } = request;
  const viewer = { tenant, agent, openParking: true, ...(project && { project: project.id }) };
  const items = await whatWaits(deps, viewer);
  const text = hookText(items, { agent, now: deps.now(), ...(project && { project: project.name }) });
  const own = request.autoload === 'brief' ? items.own : undefined;
  const more = own && (await brief(deps, principal, own.sessionKey));
  return more === undefined ? text : `${text}\n\n${more}`;
}

async function brief(
  deps: HandoffDependencies,
  { tenant }: Principal,
  sessionKey: string,
): Promise<string | undefined> {
  const ref = worklogRef(tenant, sessionKey);
  const state = (await deps.engine.query(ref))?.state;
  if (!state || state.lastNumber === 0) return undefined;
  const { gathered } = await gatherSession(deps, ref, state.lastNumber, BRIEF_TOKENS);
  return writeBrief(gathered, { sessionKey, owner: state.owner }, BRIEF_TOKENS, deps.codec).text;
}
