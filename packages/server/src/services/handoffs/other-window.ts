/**
 * Two windows of one assistant are the same owner, and nothing is locked. Each is told when the other wrote just before, unless that
 * one has closed: then it is the conversation before.
 */
import type { WorklogState } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Connection } from '../connection.js';
import type { HandoffDependencies } from './dependencies.js';

const LATELY_MS = 10 * 60_000;

export interface OtherWindow {
  readonly instance: string;
  readonly at: number;
}

export const isWrittenLately = (
  { lastInstance, lastInstanceBy, lastInstanceAt = 0 }: WorklogState,
  { agent }: Pick<Principal, 'agent'>,
  now: number,
): boolean => lastInstance !== undefined && lastInstanceBy === agent && now - lastInstanceAt <= LATELY_MS;

/** The same before anything is written: on one machine it is known whether that window is still there. */
export function windowAtWork(
  state: WorklogState,
  principal: Principal,
  connection: Pick<Connection, 'instance' | 'transport'>,
  now: number,
  directory: Pick<HandoffDependencies['directory'], 'windows'>,
): OtherWindow | undefined {
  const other = otherWindow(state, principal, connection, now, directory);
  const isThere =
    connection.transport === 'http' || (other && directory.windows.isConnected(principal, other.instance));
  return isThere ? other : undefined;
}

/** The other window of the caller that wrote last, before the caller's own write at this time. */
export function otherWindow(
  before: WorklogState | undefined,
  principal: Principal,
  connection: Pick<Connection, 'instance'> | undefined,
  now: number,
  { windows }: Pick<HandoffDependencies['directory'], 'windows'>,
): OtherWindow | undefined {
  const { lastInstance, lastInstanceAt = 0 } = before ?? {};
  if (!before || connection?.instance === undefined || lastInstance === undefined) return undefined;
  const isOther = lastInstance !== connection.instance && isWrittenLately(before, principal, now);
  return isOther && !windows.hasClosed(principal, lastInstance)
    ? { instance: lastInstance, at: lastInstanceAt }
    : undefined;
}
