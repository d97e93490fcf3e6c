/** Reading a working session back: its entries, and its brief, as far as the caller may read. */
import { writeBrief } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Outcome } from '../outcome.js';
import { readEntries } from './context-entries.js';
import type { HandoffDependencies } from './dependencies.js';
import { gatherSession } from './gather-session.js';
import type { HandoffService, WorklogView } from './types.js';
import { sessionNotFound, type Worklogs } from './worklogs.js';

export async function getSession(
  worklogs: Worklogs,
  principal: Principal,
  sessionKey: string,
): Promise<Outcome<WorklogView>> {
  const found = await worklogs.find(principal, sessionKey);
  if (!found) return { rejection: sessionNotFound(sessionKey) };
  return { value: await worklogs.view(principal, found.ref, found.state) };
}

export async function readContext(
  deps: HandoffDependencies,
  worklogs: Worklogs,
  principal: Principal,
  { sessionKey, afterSequence, limit }: Parameters<HandoffService['readContext']>[1],
): ReturnType<HandoffService['readContext']> {
  const found = await worklogs.find(principal, sessionKey);
  if (!found) return { rejection: sessionNotFound(sessionKey) };
  const range = { after: Math.max(0, afterSequence), upTo: found.upTo };
  return { value: await readEntries(deps, found.ref, range, limit) };
}

export async function summarizeSession(
  deps: HandoffDependencies,
  worklogs: Worklogs,
  principal: Principal,
  sessionKey: string,
): ReturnType<HandoffService['summarize']> {
  const found = await worklogs.find(principal, sessionKey);
  if (!found) return { rejection: sessionNotFound(sessionKey) };
  const budget = deps.settingsNow().packageTokenBudget;
  const { gathered } = await gatherSession(deps, found.ref, found.upTo, budget);
  const brief = writeBrief(gathered, { sessionKey, owner: found.state.owner }, budget, deps.codec);
  return { value: { ...brief, generatedAt: deps.now() } };
}
