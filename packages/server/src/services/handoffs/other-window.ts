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

/** The other window of the caller that wrote last, before the caller's own write at this time. */
export function otherWindow(
  before: WorklogState | undefined,
  principal: Principal,
  connection: Pick<Connection, 'instance'> | undefined,
  now: number,
  { windows }: Pick<HandoffDependencies['directory'], 'windows'>,
): OtherWindow | undefined {
  const { lastInstance, lastInstanceBy, lastInstanceAt = 0 } = before ?? {};
  if (connection?.instance === undefined || lastInstance === undefined) return undefined;
  const isOther = lastInstanceBy === principal.agent && lastInstance !== connection.instance;
  return isOther && now - lastInstanceAt <= LATELY_MS && !windows.hasClosed(principal, lastInstance)
    ? { instance: lastInstance, at: lastInstanceAt }
    : undefined;
}
