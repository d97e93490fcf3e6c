/** The words that are shown of what waits. They were written by others: they are cut here, and quoted where they are shown. */
import { type EntrySource, readBriefEntry } from '../context-entries.js';
import type { FoundHandoff } from '../find-handoff.js';
import { HandoffTextReader } from '../handoff-texts.js';
import type { HookItem } from '../hook-text.js';
import { noteText } from '../notes.js';
import { noteOf, titleOf } from '../shown/title.js';
import { worklogRef } from '../worklogs.js';
import type { Found, Viewer, WaitingSource } from './look.js';

/** More than any place shows. */
const MOST = 400;

/** What it is about, and the newest next step. Words of somebody else than the one who sent it are named as such. */
export async function withWords(
  look: EntrySource,
  { tenant }: Pick<Viewer, 'tenant'>,
  { item, state }: Found,
): Promise<HookItem> {
  if (!state) return item;
  if (item.isNote) return { ...item, goal: (await noteText(look, tenant, state)).slice(0, MOST) };
  const { key, nextSequence, lastNumber } = state;
  const title = await titleOf(look, tenant, state, lastNumber);
  const entry =
    nextSequence === undefined
      ? undefined
      : await readBriefEntry(look, worklogRef(tenant, key), nextSequence);
  const next = entry && noteOf(entry, 'next');
  const other = (author: string | undefined) => (author === item.by ? undefined : author);
  const [goalBy, nextBy] = [other(title?.author), other(entry?.author)];
  return {
    ...item,
    ...(title && { goal: title.text.slice(0, MOST), ...(goalBy !== undefined && { goalBy }) }),
    ...(next !== undefined && { next: next.slice(0, MOST), ...(nextBy !== undefined && { nextBy }) }),
  };
}

/** Why it was declined. */
export async function withReason(
  look: WaitingSource,
  { item, handoff }: Found & { readonly handoff: FoundHandoff },
): Promise<HookItem> {
  const { answerReason } = await new HandoffTextReader(look).read(handoff);
  return answerReason === undefined ? item : { ...item, reason: answerReason.slice(0, MOST) };
}
