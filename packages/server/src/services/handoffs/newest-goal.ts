import { notedIn, type StreamRef, type WorklogState } from '@handover/core';
import { type EntrySource, readBriefEntry } from './context-entries.js';

/** The newest goal of a working session, among the entries up to a number. */
export async function newestGoal(
  source: EntrySource,
  ref: StreamRef,
  { goalSequence = 0 }: WorklogState,
  upTo: number,
): Promise<string | undefined> {
  if (goalSequence < 1 || goalSequence > upTo) return undefined;
  const entry = await readBriefEntry(source, ref, goalSequence);
  return entry && notedIn(entry, 'goal', 'last');
}
