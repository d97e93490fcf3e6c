/** How much a conversation has done: whether it is work, and whether it is more work than before. */
import { isFields } from '@handover/core';
import type { Conversation } from './transcripts/conversation.js';

export interface DoneSoFar {
  /** How often the user has said something. */
  readonly asks: number;
  readonly writes: number;
}

export const isDoneSoFar = (value: unknown): value is DoneSoFar =>
  isFields(value) && Number.isSafeInteger(value.asks) && Number.isSafeInteger(value.writes);

/** The user asked again, or a file was written: for less it is small talk. */
const WORTH_ASKS = 2;

export const doneSoFar = ({ asks, writes = 0 }: Conversation): DoneSoFar => ({ asks, writes });

export const isWork = ({ asks, files }: Conversation): boolean => asks >= WORTH_ASKS || files.length > 0;

/** A transcript that is shorter than before is another one. */
export function isMoreWork(now: DoneSoFar, before: DoneSoFar): boolean {
  const since = now.asks < before.asks ? { asks: 0, writes: 0 } : before;
  return now.asks - since.asks >= WORTH_ASKS || now.writes > since.writes;
}
