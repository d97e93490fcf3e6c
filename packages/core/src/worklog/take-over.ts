/**
 * Taking work over from an owner that is silent. Nobody speaks in its name: the operator of the server lets it happen,
 * by a policy that is recorded with the time since which the owner was silent.
 */

import { formatTimestamp } from '../envelope/json/rfc3339.js';
import { type Rejection, RejectionCode, rejectWith } from '../rejection.js';
import { named } from '../text.js';
import type { WorklogState } from './state.js';

export interface TakeOver {
  /** The owner from whom it is taken. */
  readonly from: string;
  /** The last sign of life of that owner outside the log; 0: there was none. */
  readonly lastSignAt: number;
  readonly policy: TakeOverPolicy;
}

/** By whose word, and after how long a silence. */
export interface TakeOverPolicy {
  readonly by: 'silent' | 'person' | 'admin';
  readonly afterSecs: number;
}

const POLICY = /^(silent|person|admin)\/(0|[1-9]\d{0,8})$/;

export const policyText = ({ by, afterSecs }: TakeOverPolicy): string => `${by}/${afterSecs}`;

export function policyFromText(text: string): TakeOverPolicy | undefined {
  const [, by, secs] = POLICY.exec(text) ?? [];
  return by === 'silent' || by === 'person' || by === 'admin' ? { by, afterSecs: Number(secs) } : undefined;
}

export const silentSince = ({ ownerActiveAt }: WorklogState, lastSignAt: number): number =>
  Math.max(ownerActiveAt, lastSignAt);

export function graceFlaw(
  state: WorklogState,
  { lastSignAt, policy }: TakeOver,
  at: number,
): Rejection | undefined {
  const since = silentSince(state, lastSignAt);
  const possibleAt = since + policy.afterSecs * 1_000;
  if (at >= possibleAt) return undefined;
  const message = `${named(state.owner)} was active less than ${policy.afterSecs} seconds ago; wait, or ask it to hand the work over`;
  return rejectWith(RejectionCode.FORBIDDEN, message, {
    silentSince: formatTimestamp(since) ?? since,
    possibleAt: formatTimestamp(possibleAt) ?? possibleAt,
  });
}
