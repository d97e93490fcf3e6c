/**
 * Asks the node whether the session of an ask has started (row 17). That it has not, and never will, is known only of a
 * number which the node itself had named as the next, and only when the permit has run out (row 29): what a page says of
 * its permit cannot make nothing of it.
 */
import {
  type AskState,
  ClaimKind,
  ClaimSource,
  carrierRef,
  hasKnownSession,
  type OperationCommand,
  type SessionAsk,
  sessionCarrier,
} from '@handover/core';
import { checkSession } from '../../../chain/check-session.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { asksOfOthers } from '../account-asks.js';
import { isTold } from '../asks-and-claims.js';
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
  if (verdict === 'matched') {
    if (await isDisputed(parts, asked, session)) return undefined;
    const kind = ClaimKind.Session;
    const claim = { step: step.id, ask: ask.id, kind, value: sessionId, owner, source: ClaimSource.Logs };
    return { kind: 'claim', claim };
  }
  const isPast = deps.now() > permitEnd(ask, permitExpiry);
  return isPast &&
    reason === 'not_started' &&
    ask.standing !== 'not_signed' &&
    ask.standing !== 'gone' &&
    hasKnownSession(ask)
    ? { kind: 'settleAsk', ask: ask.id }
    : undefined;
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
    if (other.state.steps.some(({ claims }) => claims.some((claim) => isTold(claim, sessionId)))) return true;
  }
  return false;
}

/** When a permit can no longer be used, whatever a page says of it. */
export const permitEnd = ({ at }: AskState, permitExpiry: number): number =>
  Math.max(permitExpiry * 1_000, at + fixedLimits.permitMs.value) + fixedLimits.permitGraceMs.value;
