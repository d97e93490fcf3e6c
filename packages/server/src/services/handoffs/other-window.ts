/** Two windows of one assistant are the same owner, and nothing is locked. Each is told when the other wrote just before. */
import type { WorklogState } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Connection } from '../connection.js';

const LATELY_MS = 10 * 60_000;

export interface OtherWindow {
  readonly instance: string;
  readonly at: number;
}

/** The other window of the caller that wrote last, before the caller's own write at this time. */
export function otherWindow(
  before: WorklogState | undefined,
  { agent }: Principal,
  connection: Pick<Connection, 'instance'> | undefined,
  now: number,
): OtherWindow | undefined {
  const { lastInstance, lastInstanceBy, lastInstanceAt = 0 } = before ?? {};
  if (connection?.instance === undefined || lastInstance === undefined) return undefined;
  const isOther = lastInstanceBy === agent && lastInstance !== connection.instance;
  return isOther && now - lastInstanceAt <= LATELY_MS
    ? { instance: lastInstance, at: lastInstanceAt }
    : undefined;
}
