/**
 * The goal of work that stands handed over, when the same window hands over something else without naming a session. It goes
 * into the session that the window is at: most often it is the same work in other words, and two sessions of one work would
 * part what was said of it. Where it is not, the caller must learn what it has replaced
 * (docs/decisions/2026-11-18-a-second-handoff-replaces-the-first.md).
 */
import { isBlank, liveInstruction, ParkedBy, type WorklogState } from '@handover/core';
import type { EntrySource } from './context-entries.js';
import type { HandOffArgs } from './hand-off-types.js';
import { newestGoal } from './newest-goal.js';
import type { FoundWorklog } from './worklogs.js';

export async function replacedGoal(
  source: EntrySource,
  before: FoundWorklog | undefined,
  { sessionKey, goal = '' }: HandOffArgs,
  now: number,
): Promise<string | undefined> {
  if (!before || sessionKey !== undefined || isBlank(goal)) return undefined;
  const { ref, state } = before;
  if (!isHandedOver(state, now)) return undefined;
  const was = await newestGoal(source, ref, state, state.lastNumber);
  return was === undefined || was.trim() === goal.trim() ? undefined : was;
}

const isHandedOver = (state: WorklogState, now: number): boolean =>
  state.pending.length > 0 || liveInstruction(state, now)?.by === ParkedBy.Owner;
