/**
 * Who has the better right to a session (review:C6). A node does not say what a session is about, and anybody can have a
 * page ask for somebody's next number, so several requests may fit one session.
 *
 * R1. One whose page told of it goes before one of which nobody told.
 * R2. Of those that were told, one that names the owner as its signer goes first, then the one that was told first.
 * R3. One that names nobody also waits while the wallet is asked for that very session in a request that names the owner.
 */
import {
  type AskState,
  type ClaimState,
  isWaiting,
  type NamedSession,
  type OperationState,
  sessionStanding,
  streamKey,
} from '@handover/core';
import type { OperationRecord } from '../../services/operations/record.js';
import { asksOfOthers } from './account-asks.js';
import { isTold } from './asks-and-claims.js';
import type { JudgeParts } from './judge-parts.js';

/** Whether another request has a better right to it, or may turn out to have. */
export async function isOthersFirst(
  parts: JudgeParts,
  record: OperationRecord,
  session: NamedSession,
): Promise<boolean> {
  const mine = rightOf(record, session);
  for await (const { other, made } of asksOfOthers(parts, record, session.owner)) {
    const right = rightOf(other, session);
    if (isBetter(right, mine)) return true;
    if (right.named && !mine.named && isAskedNow(other.state, made, session)) return true;
  }
  return false;
}

interface Right {
  readonly key: string;
  /** The owner is the signer that the request expects. */
  readonly named: boolean;
  /** When its page told. */
  readonly toldAt?: number;
}

function rightOf({ ref, state }: OperationRecord, session: NamedSession): Right {
  const isOf = (claim: ClaimState) => isTold(claim, session.sessionId) && claim.owner === session.owner;
  const told = state.steps
    .filter((step) => sessionStanding(state, step, session).is === 'new')
    .flatMap(({ claims }) => claims.filter(isOf).map(({ at }) => at));
  return {
    key: streamKey(ref),
    named: state.signer === session.owner,
    ...(told.length > 0 && { toldAt: Math.min(...told) }),
  };
}

function isBetter(a: Right, b: Right): boolean {
  if (a.toldAt === undefined) return false;
  if (b.toldAt === undefined) return true;
  if (a.named !== b.named) return a.named;
  return a.toldAt < b.toldAt || (a.toldAt === b.toldAt && a.key < b.key);
}

const isAskedNow = (state: OperationState, ask: AskState, session: NamedSession): boolean =>
  isWaiting(ask) &&
  ask.session?.owner === session.owner &&
  ask.session.sessionId === session.sessionId &&
  ask.steps.some((id) => sessionStanding(state, { id }, session).is === 'new');
