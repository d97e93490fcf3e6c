/**
 * The full handoffs by which a working session came to its owner, and who may read what was sent with them. It is part of the
 * session: its next owner needs it as much as the one that it was sent to.
 */
import { mayWrite, type WorklogState, WorklogStatus } from './state.js';

/** One that was committed. */
export interface Transfer {
  readonly sessionId: string;
  readonly handoffId: string;
  readonly from: string;
  readonly to: string;
  /** The number of the last entry that was handed over with it. */
  readonly upTo: number;
  /** The window of the giver that wrote last before it, and when. */
  readonly window?: { readonly instance: string; readonly at: number };
}

/** The place of a transfer among those of its session; undefined: there is no such one. */
export function transferAt(
  { transfers }: WorklogState,
  sessionId: string,
  handoffId: string,
): number | undefined {
  const index = transfers.findIndex((one) => one.sessionId === sessionId && one.handoffId === handoffId);
  return index < 0 ? undefined : index;
}

/** Its two sides, whoever has the session now or may write to it, and whoever has owned it since. */
export function mayReadSent(worklog: WorklogState, index: number, agent: string): boolean {
  const transfer = worklog.transfers[index];
  if (!transfer || worklog.status === WorklogStatus.Purged) return false;
  if (agent === transfer.from || mayWrite(worklog, agent)) return true;
  return worklog.transfers.slice(index).some(({ to }) => to === agent);
}
