/**
 * Whether the page of another request told of the transaction that made a contract before a result named it (review:C8).
 * That request is judged first: the result waits, and is set aside when the contract has served.
 *
 * T1. Only what its own request would take counts: the asked creation, by an account that counts there. Else anybody could
 *     hold up a result.
 * T2. The address of a contract can be known before it is made. A result that is older than the block of the transaction was
 *     a guess, so it does not go first.
 */
import { type AskState, ClaimKind, type ClaimState, ReasonCode, type StepState } from '@handover/core';
import type { Hex } from '../../chain/port.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { TakenContract } from '../../services/operations/families/family.js';
import type { OperationRecord } from '../../services/operations/record.js';
import { asksOfOthers } from './account-asks.js';
import { isTold } from './asks-and-claims.js';
import { bindingOf } from './binding.js';
import type { JudgeParts } from './judge-parts.js';
import { prove } from './prove.js';

export async function isToldElsewhere(
  parts: JudgeParts,
  record: OperationRecord,
  takes: readonly TakenContract[],
  namedAt: number,
): Promise<boolean> {
  let left = fixedLimits.toldContracts.value;
  for (const owner of new Set(takes.map((one) => one.owner)))
    for await (const { other, made } of asksOfOthers(parts, record, owner)) {
      if (other.state.family !== record.state.family) continue;
      for (const { step, claim } of toldFor(other, made, owner)) {
        if (left-- <= 0) return false;
        const isMaker = await hasMade(parts, claim, takes);
        if (isMaker && (await goesBefore(parts, other, step, claim, namedAt))) return true;
      }
    }
  return false;
}

interface Told {
  readonly step: StepState;
  readonly claim: ClaimState;
}

/** Transactions of the owner, and those of which it is not known yet whose they are. */
function toldFor({ state }: OperationRecord, ask: AskState, owner: string): readonly Told[] {
  const counts = (claim: ClaimState) =>
    claim.kind === ClaimKind.Tx &&
    isTold(claim, claim.value) &&
    claim.reason !== ReasonCode.NotSeen &&
    (claim.sender ?? owner) === owner;
  return state.steps
    .filter(({ id }) => ask.steps.includes(id))
    .flatMap((step) => step.claims.filter(counts).map((claim) => ({ step, claim })));
}

async function hasMade(
  { client }: JudgeParts,
  { value }: ClaimState,
  takes: readonly TakenContract[],
): Promise<boolean> {
  const receipt = await client.getTransactionReceipt(value as Hex);
  return takes.some(({ contract }) => contract === receipt?.contractAddress);
}

async function goesBefore(
  parts: JudgeParts,
  other: OperationRecord,
  step: StepState,
  claim: ClaimState,
  namedAt: number,
): Promise<boolean> {
  const found = await prove(parts, other, { step, claim });
  // Not deep yet, and nothing else is in doubt.
  const isFit = found.verdict === 'matched' || (found.verdict === 'pending' && found.detail === undefined);
  if (!isFit || !found.block || bindingOf(other, step, found) === undefined) return false;
  if (claim.at < namedAt) return true;
  const time = await parts.client.blockTime(found.block.number);
  return time !== null && namedAt < time;
}
