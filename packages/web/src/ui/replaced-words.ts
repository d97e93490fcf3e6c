/** What a person must know of the request that this one replaces. */
import { Effect } from '@handover/core';
import { formatTime } from '../format/time.js';
import type { HandoffRecord } from '../model/record.js';

export interface ReplacedWords {
  readonly text: string;
  readonly isWarning: boolean;
}

/** Undefined: it replaces none. */
export function replacedWords({ replaces, twin }: HandoffRecord): ReplacedWords | undefined {
  if (!replaces) return undefined;
  const what = `Replaces the request of ${formatTime(replaces.createdAt)}.`;
  // How that one stands now is said of the other request, and wins over what was so when this one was made.
  const now = twin?.id === replaces.id ? twin.effect : undefined;
  if (now === Effect.Done || now === Effect.Exceeded) return { text: what, isWarning: false };
  if (replaces.openPrompt) return { text: `${what} ${OPEN_PROMPT}`, isWarning: true };
  return { text: now === undefined ? `${what} ${NOTHING_YET}` : what, isWarning: false };
}

const OPEN_PROMPT =
  'A prompt of the earlier request may still be open in your wallet: refuse it there, or both are paid.';
const NOTHING_YET = 'Nothing of that one had been sent when this one was made.';
