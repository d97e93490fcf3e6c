/**
 * What a handoff replaces of work that stands handed over, or that another window is at, when a window says another goal without
 * naming a session. It
 * goes into the session that the window is at: most often it is the same work in other words, and two sessions of one work would
 * part what was said of it. Where it is not, the caller must learn all that it has replaced
 * (docs/decisions/2026-11-18-a-second-handoff-replaces-the-first.md).
 */
import { isBlank, liveInstruction, type NoteKind, ParkedBy, type WorklogState } from '@handover/core';
import type { EntrySource } from './context-entries.js';
import { gatherSession } from './gather-session.js';
import type { HandOffArgs } from './hand-off-types.js';
import { newestGoal } from './newest-goal.js';
import { isSameGoal } from './other-work.js';
import type { FoundWorklog } from './worklogs.js';

export interface ReplacedWork {
  readonly goal: string;
  /** Another window of the caller was at it. */
  readonly isAnothers?: true;
  /** What else was said before and does not hold any more. */
  readonly others: readonly { readonly kind: NoteKind; readonly was: string }[];
}

/** Beside the goal. */
const REPLACING = ['next', 'open', 'brief'] as const;
/** More than is shown of each. */
const TOKENS = 4_000;

export async function replacedWork(
  source: EntrySource,
  before: FoundWorklog | undefined,
  args: HandOffArgs,
  now: number,
  isAnothers: boolean,
): Promise<ReplacedWork | undefined> {
  const { sessionKey, goal = '' } = args;
  if (!before || sessionKey !== undefined || isBlank(goal)) return undefined;
  const { ref, state } = before;
  if (!isAnothers && !isHandedOver(state, now)) return undefined;
  const whose = isAnothers ? { isAnothers: true as const } : {};
  const was = await newestGoal(source, ref, state, state.lastNumber);
  if (was === undefined || isSameGoal(was, goal)) return undefined;
  const said = REPLACING.filter((kind) => [args[kind] ?? []].flat().some((text) => !isBlank(text)));
  if (said.length === 0) return { goal: was, ...whose, others: [] };
  const { kinds } = (await gatherSession(source, ref, state.lastNumber, TOKENS)).gathered;
  const others = said.flatMap((kind) => {
    const texts = kinds.get(kind)?.kept.map(({ text }) => text) ?? [];
    return texts.length > 0 ? [{ kind, was: texts.toReversed().join('\n') }] : [];
  });
  return { goal: was, ...whose, others };
}

const isHandedOver = (state: WorklogState, now: number): boolean =>
  state.pending.length > 0 || liveInstruction(state, now)?.by === ParkedBy.Owner;
