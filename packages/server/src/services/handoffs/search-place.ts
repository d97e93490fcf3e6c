/** Where a search ended, and the order in which it goes through the sessions of the caller. */
import { pageToken, readPageToken } from '../page-token.js';
import type { FoundWorklog } from './worklogs.js';

/**
 * Before this entry of a session that had its last activity then. Attachments come after the entries of their session, those
 * of its newest handoff first.
 */
export interface SearchPlace extends Order {
  readonly before: number;
  /** The entries are done: from this attachment of this handoff on, counted from the oldest. */
  readonly sent?: SentPlace;
}

export interface SentPlace {
  readonly transfer: number;
  readonly attachment: number;
}

export interface Order {
  readonly activity: number;
  readonly key: string;
}

export const orderOf = ({ state }: FoundWorklog): Order => ({
  activity: state.lastActivityAt,
  key: state.key,
});

export const isNewer = (a: Order, b: Order): boolean =>
  a.activity > b.activity || (a.activity === b.activity && a.key < b.key);

/** The session of the place is not done, whatever was written in it since. */
export const comesAfter = (session: FoundWorklog, place: SearchPlace): boolean =>
  session.state.key === place.key || isNewer(place, orderOf(session));

export function cursorOf({ activity, before, key, sent }: SearchPlace): string {
  const place = [activity, before, key, ...(sent ? [sent.transfer, sent.attachment] : [])];
  return pageToken('search', JSON.stringify(place));
}

export function readPlace(cursor: string): SearchPlace | undefined {
  const text = cursor === '' ? undefined : readPageToken('search', cursor);
  try {
    const [activity, before, key, ...sent] = JSON.parse(text ?? '[]') as readonly unknown[];
    const numbers = [activity, before, ...sent];
    if (!numbers.every(Number.isSafeInteger) || typeof key !== 'string') return undefined;
    const [transfer, attachment] = sent.map(Number);
    const isSent = transfer !== undefined && attachment !== undefined;
    return {
      ...{ activity: Number(activity), before: Number(before), key },
      ...(isSent && { sent: { transfer, attachment } }),
    };
  } catch {
    return undefined;
  }
}
