/**
 * Asks the node whether the session of an ask has started (row 17). That it has not, and never will, is known only of a
 * number which the node itself had named as the next and has not given since, and only when the permit has run out (row
 * 29): what a page says of its permit cannot make nothing of it, nor can a session that was started and has been forgotten.
 */
import {
  type AskState,
  ClaimKind,
  ClaimSource,
  carrierRef,
  hasKnownSession,
  isBefore,
  NOT_STARTED,
  type OperationCommand,
  type SessionAsk,
  sessionCarrier,
} from '@handover/core';
import { checkSession, nextSession } from '../../../chain/check-session.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { asksOfOthers } from '../account-asks.js';
import { isAwaiting, isTold } from '../asks-and-claims.js';
import { servedWhom } from '../carriers.js';
import type { JudgeParts } from '../judge-parts.js';
import type { AskedAccount } from './asked-account.js';

export async function lookBySession(
  parts: JudgeParts,
  asked: AskedAccount,
  session: SessionAsk,
): Promise<OperationCommand | undefined> {
  const { client, deps } = parts;
  const { sessionId, owner, permitExpiry } = session;
  const { ask, step } = asked;
  const { verdict, reason } = await checkSession(client, { owner, sessionId });
  const isOther = verdict !== 'matched' && reason !== NOT_STARTED;
  const served = isOther ? 'nobody' : await servedWhom(parts, asked.record, sessionCarrier(owner, sessionId));
  if (verdict === 'matched') {
    // That it was started after all is recorded, whomever it served: the ask is not open any more.
    const isLate = served === 'others' && !isAwaiting(ask);
    if (!isLate && (await isDisputed(parts, asked, session))) return undefined;
    const kind = ClaimKind.Session;
    const claim = { step: step.id, ask: ask.id, kind, value: sessionId, owner, source: ClaimSource.Logs };
    return { kind: 'claim', claim };
  }
  const isPast = deps.now() > permitEnd(ask, permitExpiry);
  const mayEnd = isPast && reason === NOT_STARTED && isAwaiting(ask) && hasKnownSession(ask);
  if (!mayEnd || served === 'others') return undefined;
  const isFree = served === 'creator' || (await isNotGiven(parts, session));
  return isFree ? { kind: 'settleAsk', ask: ask.id } : undefined;
}

/** A number that was given is the number of a session, though the node may have forgotten it. */
async function isNotGiven({ client }: JudgeParts, { owner, sessionId }: SessionAsk): Promise<boolean> {
  const next = await nextSession(client, owner);
  return next !== undefined && !isBefore(sessionId, next);
}

/** It has served a request, another page told of it, or another wallet was asked for it: only its own page can tell. */
async function isDisputed(
  parts: JudgeParts,
  { record, account }: AskedAccount,
  { sessionId, owner }: SessionAsk,
): Promise<boolean> {
  const { deps, client } = parts;
  if (await deps.engine.query(carrierRef(client.chainId, sessionCarrier(owner, sessionId)))) return true;
  for await (const { other, made } of asksOfOthers(parts, record, account, [sessionId])) {
    if (made.session?.sessionId === sessionId) return true;
    if (
      other.state.steps.some(({ claims }) => claims.some((claim) => isTold(claim, sessionId) && !claim.early))
    )
      return true;
  }
  return false;
}

/** When a permit can no longer be used, whatever a page says of it. */
export const permitEnd = ({ at }: AskState, permitExpiry: number): number =>
  Math.max(permitExpiry * 1_000, at + fixedLimits.permitMs.value) + fixedLimits.permitGraceMs.value;
