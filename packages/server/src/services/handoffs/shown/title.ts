/**
 * What a working session is about, in one text: its newest goal; where nobody said one, what the user asked first in the
 * conversation that was captured in it. Others wrote it: it is cut and quoted where it is shown.
 */
import { type BriefEntry, type NoteKind, notedIn, type WorklogState } from '@handover/core';
import { type EntrySource, readBriefEntry } from '../context-entries.js';
import { worklogRef } from '../worklogs.js';

export interface Title {
  readonly text: string;
  readonly author: string;
}

/** In entries up to a number: whoever may read no more learns no more. */
export async function titleOf(
  source: EntrySource,
  tenant: string,
  state: Pick<WorklogState, 'key' | 'goalSequence' | 'capturedSequence'>,
  upTo: number,
): Promise<Title | undefined> {
  const { key, goalSequence, capturedSequence } = state;
  const said = async (
    sequence: number | undefined,
    read: (entry: BriefEntry) => string | undefined,
  ): Promise<Title | undefined> => {
    if (sequence === undefined || sequence > upTo) return undefined;
    const entry = await readBriefEntry(source, worklogRef(tenant, key), sequence);
    const text = entry && read(entry);
    return text === undefined ? undefined : { text, author: entry?.author ?? '' };
  };
  return (
    (await said(goalSequence, (entry) => noteOf(entry, 'goal'))) ??
    (await said(capturedSequence, ({ content }) => askedFirst(content)))
  );
}

/** The first of its kind. */
export const noteOf = (entry: BriefEntry, wanted: NoteKind): string | undefined =>
  notedIn(entry, wanted, 'first');

/** As captures write it: further lines are indented. */
const askedFirst = (content: string): string | undefined =>
  /(?:^|\n)## First asked\n- (.*(?:\n {2}.*)*)/.exec(content)?.[1]?.replace(/\n {2}/g, '\n');
