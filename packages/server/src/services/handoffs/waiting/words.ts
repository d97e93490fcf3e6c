/** The words that are shown of what waits. They were written by others: they are cut here, and quoted where they are shown. */
import { type BriefEntry, type NoteKind, notedIn } from '@handover/core';
import { readBriefEntry } from '../context-entries.js';
import type { FoundHandoff } from '../find-handoff.js';
import { HandoffTextReader } from '../handoff-texts.js';
import type { HookItem } from '../hook-text.js';
import { worklogRef } from '../worklogs.js';
import type { Found, Viewer, WaitingSource } from './look.js';

/** More than any place shows. */
const MOST = 400;

/**
 * The newest goal and the newest next step, each from the entry that says it; without a goal, what a capture says was asked
 * first. Words of somebody else than the one who sent it are named as such.
 */
export async function withWords(
  look: WaitingSource,
  { tenant }: Viewer,
  { item, state }: Found,
): Promise<HookItem> {
  if (!state || state.lastNumber === 0) return item;
  const ref = worklogRef(tenant, state.key);
  const { goalSequence = state.lastNumber, nextSequence } = state;
  const first = await readBriefEntry(look, ref, goalSequence);
  const second =
    nextSequence === undefined || nextSequence === goalSequence
      ? first
      : await readBriefEntry(look, ref, nextSequence);
  const goal = first && (noteOf(first, 'goal') ?? askedFirst(first.content));
  const next = nextSequence === undefined ? undefined : second && noteOf(second, 'next');
  const of = (entry: BriefEntry | undefined) => (entry?.author === item.by ? undefined : entry?.author);
  const [goalBy, nextBy] = [of(first), of(second)];
  return {
    ...item,
    ...(goal !== undefined && { goal: goal.slice(0, MOST), ...(goalBy !== undefined && { goalBy }) }),
    ...(next !== undefined && { next: next.slice(0, MOST), ...(nextBy !== undefined && { nextBy }) }),
  };
}

const noteOf = (entry: BriefEntry, wanted: NoteKind): string | undefined => notedIn(entry, wanted, 'first');

const askedFirst = (content: string): string | undefined =>
  /(?:^|\n)## First asked\n- (.*(?:\n {2}.*)*)/.exec(content)?.[1]?.replace(/\n {2}/g, '\n');

/** Why it was declined. */
export async function withReason(
  look: WaitingSource,
  { item, handoff }: Found & { readonly handoff: FoundHandoff },
): Promise<HookItem> {
  const { answerReason } = await new HandoffTextReader(look).read(handoff);
  return answerReason === undefined ? item : { ...item, reason: answerReason.slice(0, MOST) };
}
