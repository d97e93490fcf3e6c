/**
 * Who has the better right to a session (review:C6). A node does not say what a session is about, and anybody can have a
 * page ask for somebody's next number, so several requests may fit one session.
 *
 * R1. One whose page told of it goes before one of which nobody told.
 * R2. Of those that were told, one that names the owner as its signer goes first, then the one that was told first.
 * R3. One that names nobody also waits while the wallet is asked for that very session in a request that names the owner.
 * R4. A number that was told before the node knew of the session is a guess, as good as not told: whoever else tells goes
 *     before it, and it waits while another wallet is asked. Of guesses the last one goes first: it may be that of a page
 *     which is ahead of the node, while anybody can guess earlier.
 * R5. A wallet is waited for as long as a permit is good: who only says that it was asked holds nobody up for longer.
 */
import {
  type AskState,
  type ClaimState,
  isBefore,
  isWaiting,
  type NamedSession,
  type OperationState,
  sessionStanding,
  streamKey,
} from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
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
  for await (const { other, made } of asksOfOthers(parts, record, session.owner, [session.sessionId])) {
    const right = rightOf(other, session);
    if (isBetter(right, mine)) return true;
    const isNamed = right.named && !mine.named && made.session !== undefined;
    const isGuess = mine.guessedAt !== undefined && mine.toldAt === undefined;
    if ((isNamed || isGuess) && isAskedNow(other.state, made, session, parts.deps.now())) return true;
  }
  return false;
}

interface Right {
  readonly key: string;
  /** The owner is the signer that the request expects. */
  readonly named: boolean;
  /** When its page told. */
  readonly toldAt?: number;
  /** When its page told what the node did not know yet. */
  readonly guessedAt?: number;
}

function rightOf({ ref, state }: OperationRecord, session: NamedSession): Right {
  const isOf = (claim: ClaimState) => isTold(claim, session.sessionId) && claim.owner === session.owner;
  const told = state.steps
    .filter((step) => sessionStanding(state, step, session).is === 'new')
    .flatMap(({ claims }) => claims.filter(isOf));
  const times = (early: boolean) => told.filter((one) => (one.early ?? false) === early).map(({ at }) => at);
  const [known, guessed] = [times(false), times(true)];
  return {
    key: streamKey(ref),
    named: state.signer === session.owner,
    ...(known.length > 0 && { toldAt: Math.min(...known) }),
    ...(guessed.length > 0 && { guessedAt: Math.max(...guessed) }),
  };
}

function isBetter(a: Right, b: Right): boolean {
  if (a.toldAt === undefined) return b.toldAt === undefined && isBetterGuess(a, b);
  if (b.toldAt === undefined) return true;
  if (a.named !== b.named) return a.named;
  return a.toldAt < b.toldAt || (a.toldAt === b.toldAt && a.key < b.key);
}

function isBetterGuess(a: Right, b: Right): boolean {
  if (a.guessedAt === undefined || b.guessedAt === undefined) return false;
  return a.guessedAt > b.guessedAt || (a.guessedAt === b.guessedAt && a.key < b.key);
}

/** Its number was free when the wallet was asked, so no ask that comes after the session makes anybody wait anew. */
const isFor = (ask: AskState, { sessionId }: NamedSession): boolean =>
  ask.session
    ? ask.session.sessionId === sessionId
    : ask.nextSession !== undefined && !isBefore(sessionId, ask.nextSession);

const isAskedNow = (state: OperationState, ask: AskState, session: NamedSession, now: number): boolean =>
  isWaiting(ask) &&
  now <= ask.at + fixedLimits.permitMs.value + fixedLimits.permitGraceMs.value &&
  isFor(ask, session) &&
  ask.steps.some((id) => sessionStanding(state, { id }, session).is === 'new');
