/**
 * Whether a handoff that names no session is about other work than the one that its window is at: that one is offered to the
 * same agent and still waits, the window has done nothing with it since, and the goals differ. One goal is one piece of work
 * (docs/decisions/2026-11-19-two-goals-two-sessions.md).
 */
import { acceptedOffer, isBlank, offersOf, RequestType } from '@handover/core';
import { sessionRef } from '../stream-refs.js';
import type { HandoffDependencies } from './dependencies.js';
import { formatHandoffId } from './ids.js';
import { newestGoal } from './newest-goal.js';
import type { FoundWorklog } from './worklogs.js';

/** What it is not about. */
export interface WaitingWork {
  readonly sessionKey: string;
  readonly handoffId: string;
  readonly goal: string;
}

export async function waitingWork(
  deps: HandoffDependencies,
  { ref, state }: FoundWorklog,
  { to, goal = '' }: { readonly to?: string; readonly goal?: string },
): Promise<WaitingWork | undefined> {
  const pending = state.pending.find(
    ({ target, requestType }) => target === to && requestType === RequestType.FullHandoff,
  );
  if (!pending || isBlank(goal)) return undefined;
  const { sessionId, handoffId, upTo } = pending;
  const session = (await deps.engine.query(sessionRef(ref.tenant, sessionId)))?.state;
  const offer = session && offersOf(session).offers.find((one) => one.handoffId === handoffId);
  if (!offer || acceptedOffer(offersOf(session))) return undefined;
  // Whoever wrote to it since goes on with it.
  if (state.ownerActiveAt > offer.offeredAt) return undefined;
  const was = await newestGoal(deps, ref, state, upTo);
  if (was === undefined || isSameGoal(was, goal)) return undefined;
  return { sessionKey: ref.id, handoffId: formatHandoffId(sessionId, handoffId), goal: was };
}

/** But for case, blanks and the point at its end. */
export const isSameGoal = (one: string, other: string): boolean => plain(one) === plain(other);

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[ .!…]+$/, '');
