/**
 * Looks for what a wallet may have signed without anybody telling (review:S1 to review:S3, rows 17, 28 and 29): by the
 * numbers of an account's transactions, by the log of a contract account, or by asking the node of a session.
 */
import {
  type AskState,
  ClaimKind,
  FAMILIES,
  isDoneEffect,
  type OperationCommand,
  RUNTIME_ACTOR,
  type StepState,
} from '@handover/core';
import type { Hex } from '../../chain/port.js';
import type { OperationRecord } from '../../services/operations/record.js';
import { submitTo } from '../../services/operations/submit.js';
import { isUnanswered } from './asks-and-claims.js';
import type { JudgeParts } from './judge-parts.js';
import { AccountKind, accountKind } from './proofs/accounts.js';
import { type AskedAccount, isQuietOver } from './signed/asked-account.js';
import { lookByLogs } from './signed/by-logs.js';
import { lookByNonce } from './signed/by-nonce.js';
import { lookBySession } from './signed/by-session.js';

export async function lookForSigned(parts: JudgeParts, record: OperationRecord): Promise<boolean> {
  let moved = false;
  for (const ask of record.state.asks) {
    if (!isUnanswered(ask)) continue;
    const own = record.state.steps.filter(({ id }) => ask.steps.includes(id));
    // A step that is done may have been done twice.
    const step = own.find(({ effect }) => !isDoneEffect(effect)) ?? own[0];
    if (!step) continue;
    // Read before the look, which sees at least as much.
    const through = isQuietOver(ask, parts.deps.now()) ? await parts.client.blockNumber() : undefined;
    const command = await lookFor(parts, record, ask, step);
    if (!command) continue;
    const shown = command.kind === 'settleAsk' && through !== undefined ? { ...command, through } : command;
    const answer = await submitTo(parts.deps, record, RUNTIME_ACTOR, shown);
    if (answer.ok && answer.results.some(({ entries }) => entries.length > 0)) moved = true;
  }
  return moved;
}

/** An account that nobody named cannot be watched. */
async function lookFor(
  parts: JudgeParts,
  record: OperationRecord,
  ask: AskState,
  step: StepState,
): Promise<OperationCommand | undefined> {
  if (ask.account === undefined) return undefined;
  const account = ask.account as Hex;
  const looked = { record, ask, step, account };
  // A permit is no transaction: the numbers of its account say nothing of it.
  if (FAMILIES[record.state.family].claimKind === ClaimKind.Session)
    return ask.session && lookBySession(parts, looked, ask.session);
  const kind = await accountKind(parts.client, account);
  if (kind === AccountKind.Contract) return lookByLogs(parts, looked);
  return kind === AccountKind.Delegate ? lookByBoth(parts, looked) : lookByNonce(parts, looked);
}

/** An account with a key that runs code sends by itself, and lets others send for it. Both must have shown nothing. */
async function lookByBoth(parts: JudgeParts, looked: AskedAccount): Promise<OperationCommand | undefined> {
  const carried = await lookByLogs(parts, looked);
  if (carried?.kind === 'claim') return carried;
  const sent = await lookByNonce(parts, looked);
  return sent?.kind === 'claim' ? sent : carried && sent;
}
