/**
 * Whether the end of a conversation says what the last entry of its session says word for word: its last turn was captured a
 * moment before. Whoever goes on would read the same twice. A capture by hand is asked for, so it is always stored.
 */
import { isFields, SESSION_END, type WorklogState } from '@handover/core';
import type { CaptureRequest } from './capture-request.js';
import { type EntrySource, readBriefEntry } from './context-entries.js';
import { worklogRef } from './worklogs.js';

/** What an entry says beside its words. Which event it was made for, and how far the transcript was read, is no news. */
const SAID = ['client', 'clientSession', 'git'];

export async function isCapturedAlready(
  source: EntrySource,
  tenant: string,
  before: WorklogState | undefined,
  { event, content, metadata, patch }: CaptureRequest,
): Promise<boolean> {
  if (event !== SESSION_END || patch !== undefined || !before || before.lastNumber === 0) return false;
  const last = await readBriefEntry(source, worklogRef(tenant, before.key), before.lastNumber);
  if (!last || last.author !== before.owner || last.content !== content) return false;
  const [one, other] = [last.metadata.capture, metadata.capture];
  return isFields(one) && isFields(other) && SAID.every((field) => one[field] === other[field]);
}
