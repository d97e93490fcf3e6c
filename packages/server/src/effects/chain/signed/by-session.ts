/**
 * Asks the node whether the session of an ask has started (row 17). That it has not, and never will, is known only of a
 * number which the node itself had named as the next, and only when the permit has run out (row 29): what a page says of
 * its permit cannot make nothing of it.
 */
import {
  type AskState,
  ClaimKind,
  ClaimSource,
  hasKnownSession,
  type OperationCommand,
  type SessionAsk,
  sessionCarrier,
} from '@handover/core';
import { checkSession } from '../../../chain/check-session.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { readRecord } from '../../../services/operations/record.js';
import type { JudgeParts } from '../judge-parts.js';
import { isAnothers } from './anothers.js';
import type { AskedAccount } from './asked-account.js';

export async function lookBySession(
  parts: JudgeParts,
  asked: AskedAccount,
  { sessionId, owner, permitExpiry }: SessionAsk,
): Promise<OperationCommand | undefined> {
  const { client, deps } = parts;
  const { ask, step } = asked;
  const { verdict, reason } = await checkSession(client, { owner, sessionId });
  if (verdict === 'matched') {
    if (await isAnothers(parts, asked, sessionId, sessionCarrier(owner, sessionId))) return undefined;
    if (await isContested(parts, asked, sessionId)) return undefined;
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

/** Wallets were asked for this number in several requests: which of them was signed, only its page can tell. */
async function isContested(
  { deps, client, asks }: JudgeParts,
  { record, account }: AskedAccount,
  sessionId: string,
): Promise<boolean> {
  for (const { ref, ask } of asks
    .byAccount(client.chainId, account)
    .slice(0, fixedLimits.comparedAsks.value)) {
    if (ref.id === record.ref.id) continue;
    const other = await readRecord(deps, ref);
    const made = other?.state.asks.find(({ id }) => id === ask);
    if (made?.session?.sessionId === sessionId) return true;
  }
  return false;
}

/** When a permit can no longer be used, whatever a page says of it. */
export const permitEnd = ({ at }: AskState, permitExpiry: number): number =>
  Math.max(permitExpiry * 1_000, at + fixedLimits.permitMs.value) + fixedLimits.permitGraceMs.value;
