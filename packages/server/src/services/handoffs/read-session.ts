/** Reading a working session back: its entries, and its summary, as far as the caller may read. */
import { digestOf, summarize } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { foldNotes, readEntries } from './context-entries.js';
import type { DeskParts } from './dependencies.js';
import type { HandoffDesk, Outcome, WorklogView } from './types.js';
import { sessionNotFound, type Worklogs } from './worklogs.js';

export async function getSession(
  worklogs: Worklogs,
  who: Principal,
  sessionKey: string,
): Promise<Outcome<WorklogView>> {
  const found = await worklogs.find(who, sessionKey);
  if (!found) return { rejection: sessionNotFound(sessionKey) };
  return { value: await worklogs.view(who, found.ref, found.state) };
}

export async function readContext(
  parts: DeskParts,
  worklogs: Worklogs,
  who: Principal,
  { sessionKey, afterSequence, limit }: Parameters<HandoffDesk['readContext']>[1],
): ReturnType<HandoffDesk['readContext']> {
  const found = await worklogs.find(who, sessionKey);
  if (!found) return { rejection: sessionNotFound(sessionKey) };
  const range = { after: Math.max(0, afterSequence), upTo: found.upTo };
  return { value: await readEntries(parts, found.ref, range, limit) };
}

export async function summarizeSession(
  parts: DeskParts,
  worklogs: Worklogs,
  who: Principal,
  sessionKey: string,
): ReturnType<HandoffDesk['summarize']> {
  const found = await worklogs.find(who, sessionKey);
  if (!found) return { rejection: sessionNotFound(sessionKey) };
  const { fold } = await foldNotes(parts, found.ref, found.upTo);
  const { owner } = found.state;
  const summary = summarize(fold.result(), { sessionKey, owner }, parts.settingsNow().packageTokenBudget);
  return { value: { ...summary, digest: digestOf(summary, parts.codec), generatedAt: parts.now() } };
}
