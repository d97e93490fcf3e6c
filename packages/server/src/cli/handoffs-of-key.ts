/**
 * The handoffs of a working session, for commands about one of them: people know the key of their work, and not the ids under
 * which it was handed over.
 */
import { type EntryHead, named, WorklogEntryType } from '@handover/core';
import { formatHandoffId } from '../services/handoffs/ids.js';
import { worklogRef } from '../services/handoffs/worklogs.js';
import type { LogView } from './log-view.js';

export interface KeyHandoff {
  readonly sessionId: string;
  readonly offerId: string;
  readonly handoffId: string;
  readonly to: string;
  readonly requestType: string;
  /** How it ended, and when; absent: it has not. */
  readonly outcome?: string;
  readonly endedAt?: number;
}

const PAGE = 500;

/** In the order in which they were requested; undefined: there is no such working session. */
export async function handoffsOfKey(
  view: LogView,
  tenant: string,
  key: string,
): Promise<readonly KeyHandoff[] | undefined> {
  const handoffs = new Map<string, KeyHandoff>();
  for (let after = 0; ; ) {
    const heads = await view.load(worklogRef(tenant, key), after, PAGE);
    for (const head of heads) note(handoffs, head);
    const last = heads.at(-1);
    if (!last) return after === 0 ? undefined : [...handoffs.values()];
    after = last.seq;
  }
}

function note(handoffs: Map<string, KeyHandoff>, { type, facts, at }: EntryHead): void {
  const sessionId = String(facts.session_id);
  if (type === WorklogEntryType.HandoffRequested) {
    const offerId = String(facts.handoff_id);
    const handoffId = formatHandoffId(sessionId, offerId);
    const requestType = String(facts.request_type);
    handoffs.set(sessionId, { sessionId, offerId, handoffId, to: String(facts.target), requestType });
  }
  const known = type === WorklogEntryType.HandoffEnded ? handoffs.get(sessionId) : undefined;
  if (known) handoffs.set(sessionId, { ...known, outcome: String(facts.outcome), endedAt: at });
}

export const isCommitted = ({ outcome }: KeyHandoff): boolean => outcome === 'committed';

/** More than people look through. */
const NAMED = 5;

/** `<id> (full_handoff to codex, committed)`, the newest first. */
export function handoffWords(handoffs: readonly KeyHandoff[]): string {
  const newest = handoffs.toReversed();
  const words = newest.slice(0, NAMED).map(({ handoffId, requestType, to, outcome = 'under way' }) => {
    return `${handoffId} (${requestType} to ${named(to)}, ${outcome})`;
  });
  return [...words, ...(newest.length > NAMED ? [`${newest.length - NAMED} older ones`] : [])].join(', ');
}
