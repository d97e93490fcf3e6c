/** Which entries of the outbox are about a step. */
import { type HandoffRecord, idOf, type Step } from '../model/record.js';
import type { OutboxEntry } from './outbox-store.js';

type Entries = readonly OutboxEntry[];

const ofStep = (entries: Entries, record: HandoffRecord, { id }: Step): Entries =>
  entries.filter((entry) => entry.id === idOf(record) && entry.stepIds.includes(id));

/** The entry of the ask that waits for an answer, if this browser made it. */
export function entryOf(entries: Entries, record: HandoffRecord, step: Step): OutboxEntry | undefined {
  const open = (record.asks ?? []).filter(({ standing }) => standing === 'open' || standing === 'unclear');
  return ofStep(entries, record, step).find(({ askId }) => open.some(({ id }) => id === askId));
}

/** The same of any step of the record: what the page has read of it may be old. */
export const isUntold = (entries: Entries, record: HandoffRecord): boolean =>
  entries.some((entry) => entry.id === idOf(record) && entry.report !== undefined);

/** This browser knows something of the step that the server does not. */
export const isUntoldStep = (entries: Entries, record: HandoffRecord, step: Step): boolean =>
  ofStep(entries, record, step).some(({ report }) => report !== undefined);
