/**
 * Looks for what a wallet may have signed without anybody telling (review:S1 to review:S3, rows 17, 28 and 29): by the
 * numbers of an account's transactions, by the log of a contract account, or by asking the node of a session. That it
 * signed nothing is concluded only from a chain that has moved on since, as the time of its head tells.
 */
import {
  type AskState,
  ClaimKind,
  FAMILIES,
  isSought,
  type OperationCommand,
  RUNTIME_ACTOR,
  type StepState,
} from '@handover/core';
import type { Hex } from '../../chain/port.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { type OperationRecord, readRecord } from '../../services/operations/record.js';
import { submitTo } from '../../services/operations/submit.js';
import type { JudgeParts } from './judge-parts.js';
import { AccountKind, accountKind } from './proofs/accounts.js';
import type { AskedAccount } from './signed/asked-account.js';
import { lookByLogs } from './signed/by-logs.js';
import { lookByNonce } from './signed/by-nonce.js';
import { lookBySession, permitEnd } from './signed/by-session.js';

export async function lookForSigned(parts: JudgeParts, record: OperationRecord): Promise<boolean> {
  let present = record;
  let moved = false;
  for (const { id } of record.state.asks) {
    if (!(await lookForAsk(parts, present, id))) continue;
    moved = true;
    // What was found for one ask is not found again for the next.
    present = (await readRecord(parts.deps, record.ref)) ?? present;
  }
  return moved;
}

/** One ask may be for several steps. It came to nothing only if nothing was found for any of them. */
async function lookForAsk(parts: JudgeParts, record: OperationRecord, id: string): Promise<boolean> {
  const ask = record.state.asks.find((one) => one.id === id);
  if (!ask) return false;
  const end = endOf(ask);
  // Read before the look, which sees at least as much.
  const through = parts.deps.now() >= end ? await parts.client.blockNumber() : undefined;
  let ended = false;
  let isWhole = true;
  // As far as it was seen for all of its steps.
  let seen = through;
  for (const step of record.state.steps.filter((one) => isSought(ask, one))) {
    const command = await lookFor(parts, record, ask, step, through);
    // The rest of its steps is for the next look, which knows of this one.
    if (command?.kind === 'claim') return submitted(parts, record, command);
    if (command?.kind !== 'settleAsk') {
      isWhole = false;
      continue;
    }
    ended = true;
    if (command.through !== undefined && seen !== undefined) seen = Math.min(seen, command.through);
  }
  if (!ended || !isWhole || seen === undefined) return false;
  const known = Math.max(ask.head ?? -1, record.state.head ?? -1);
  if (seen <= known || !(await isAsLateAs(parts, seen, end))) return false;
  return submitted(parts, record, { kind: 'settleAsk', ask: id, through: seen });
}

/** When it can be said at the earliest that an ask came to nothing. */
function endOf(ask: AskState): number {
  const { standing, quietUntil = 0, session } = ask;
  const quiet = standing === 'quiet' ? quietUntil : 0;
  if (session) return Math.max(quiet, permitEnd(ask, session.permitExpiry));
  return standing === 'quiet' ? quiet : Number.POSITIVE_INFINITY;
}

/** A node that stands still shows nothing new, however long it is asked: what counts is the time of its head. */
async function isAsLateAs({ client }: JudgeParts, head: number, end: number): Promise<boolean> {
  const time = await client.blockTime(head);
  return time !== null && time >= end - fixedLimits.chainClockMs.value;
}

async function submitted(
  { deps }: JudgeParts,
  record: OperationRecord,
  command: OperationCommand,
): Promise<boolean> {
  const answer = await submitTo(deps, record, RUNTIME_ACTOR, command);
  return answer.ok && answer.results.some(({ entries }) => entries.length > 0);
}

/** An account that nobody named cannot be watched. */
async function lookFor(
  parts: JudgeParts,
  record: OperationRecord,
  ask: AskState,
  step: StepState,
  through: number | undefined,
): Promise<OperationCommand | undefined> {
  if (ask.account === undefined) return undefined;
  const account = ask.account as Hex;
  const looked = { record, ask, step, account, ...(through !== undefined && { through }) };
  // A permit is no transaction: the numbers of its account say nothing of it.
  if (FAMILIES[record.state.family].claimKind === ClaimKind.Session)
    return ask.session && lookBySession(parts, looked, ask.session);
  const kind = await accountKind(parts.client, account);
  if (kind === AccountKind.Contract) return lookByLogs(parts, looked);
  return kind === AccountKind.Delegate ? lookByBoth(parts, looked) : lookByNonce(parts, looked);
}

/** An account with a key that runs code sends by itself, and lets others send for it, which may leave no trace. */
async function lookByBoth(parts: JudgeParts, looked: AskedAccount): Promise<OperationCommand | undefined> {
  const carried = await lookByLogs(parts, looked);
  if (carried?.kind === 'claim') return carried;
  const sent = await lookByNonce(parts, looked);
  return sent?.kind === 'claim' ? sent : carried && sent;
}
