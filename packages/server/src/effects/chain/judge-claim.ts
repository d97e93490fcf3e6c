/**
 * From what the chain shows of a claim to what is recorded of it (review:C3, review:C4).
 *
 * J1. A carrier settles one step of the whole server. The stream of the carrier is written in the same submission as the
 *     verdict, so two steps can never have it.
 * J2. A carrier that is older than the request belongs to something else, whoever claims it.
 * J3. It counts only if its sender is bound to the step: named by it, or the account of an ask that was made before.
 * J4. When several open steps fit, the first whose page told of it wins, then the oldest ask (other-fits.ts); its record gets
 *     the claim, though perhaps nobody told it.
 */
import {
  ClaimKind,
  type ClaimState,
  CONTESTED,
  contractCarrier,
  isDoneEffect,
  isSeen,
  type Judgement,
  ReasonCode,
  RUNTIME_ACTOR,
  type StepState,
} from '@handover/core';
import type { Proof } from '../../services/operations/families/family.js';
import type { OperationRecord } from '../../services/operations/record.js';
import { submitAll } from '../../services/operations/submit.js';
import { bindingOf, isBound } from './binding.js';
import { freeFrames, placeOf, servedWhom } from './carriers.js';
import type { JudgeParts } from './judge-parts.js';
import { judgeSession } from './judge-session.js';
import { prove } from './prove.js';
import { lookForReplacement } from './replaced.js';
import { type Named, settle } from './settle-claim.js';
import { isTooOld } from './too-old.js';

/** After so long a hash that no node knows is called so. */
const UNSEEN_MS = 10 * 60 * 1000;

/** A claim that names no step serves the first that it fits. */
export async function judgeLoose(
  parts: JudgeParts,
  record: OperationRecord,
  claim: ClaimState,
): Promise<boolean> {
  const open = record.state.steps.filter(({ skipped, effect }) => !skipped && !isDoneEffect(effect));
  for (const step of open) {
    const { verdict } = await prove(parts, record, { step, claim });
    if (verdict === 'matched') return judgeClaim(parts, record, step, claim, { serves: step.id });
    if (verdict === 'pending') break;
  }
  const [first] = open;
  return first ? judgeClaim(parts, record, first, claim, {}) : false;
}

/** Whether anything was recorded. */
export async function judgeClaim(
  parts: JudgeParts,
  record: OperationRecord,
  step: StepState,
  claim: ClaimState,
  named: Named = { step: step.id },
): Promise<boolean> {
  const { deps, client } = parts;
  if (claim.kind === ClaimKind.Session) return judgeSession(parts, record, step, claim);
  const found = await prove(parts, record, { step, claim });
  const subject = { ...named, value: claim.value };
  // A receipt that is lost is told first; what became of the transaction, by the next look.
  const isGone = found.detail === 'not_found' && found.verdict === 'pending';
  const replaced = isGone ? await lookForReplacement(parts, record, step, claim) : undefined;
  if (replaced) return recordJudgement(parts, record, { ...subject, ...replaced });
  const aside = (reason: ReasonCode, detail?: string) =>
    recordJudgement(parts, record, {
      ...subject,
      verdict: 'aside',
      reason,
      ...placeOf(found),
      ...(detail !== undefined && { detail }),
    });
  if (await isTooOld(client, record, step, found)) return aside(ReasonCode.TooOld);
  // It is not what was asked, and has done nothing: what became of the ask is as open as before.
  if (found.verdict === 'reverted' && found.differs) return aside(ReasonCode.Mismatched, found.detail);
  if (found.verdict === 'different' && (await freeFrames(parts, record, step, found)).length === 0)
    return aside(ReasonCode.HashUsed);
  if (found.verdict === 'matched') {
    const settled = await settle(parts, record, step, claim, found, subject);
    if (settled === 'used')
      return aside(ReasonCode.HashUsed, await contest(parts, record, step, claim, found));
    if (settled !== 'unbound') return settled;
  }
  if (wasSentBefore(record, step, found)) return aside(ReasonCode.TooOld);
  if (isUnbound(record, step, found)) {
    const reason = ReasonCode.SenderUnbound;
    return recordJudgement(parts, record, { ...subject, verdict: 'pending', reason, ...placeOf(found) });
  }
  return recordJudgement(parts, record, { ...subject, ...plain(found, claim, deps.now()) });
}

/**
 * The account that was asked has made the asked call, and that, or the contract that it has made, has served a request of
 * somebody else, who may only have seen it. It cannot be told for whom it was made, so this is said. A transaction of an
 * account that was never asked was not made for this request: whoever told it here only saw it.
 */
async function contest(
  parts: JudgeParts,
  record: OperationRecord,
  step: StepState,
  { value }: ClaimState,
  { carrier = value, frames, contract, from }: Proof,
): Promise<string | undefined> {
  if (from !== undefined && !isBound(record, step, from)) return undefined;
  const served = [await servedWhom(parts, record, carrier, frames)];
  if (contract !== undefined) served.push(await servedWhom(parts, record, contractCarrier(contract)));
  return served.includes('others') ? CONTESTED : undefined;
}

/** Its sender is the account that was asked, but later: it cannot be what that wallet was asked for. */
const wasSentBefore = (record: OperationRecord, step: StepState, found: Proof): boolean =>
  isUnbound(record, step, found) && found.from !== undefined && isBound(record, step, found.from);

/** It would settle something, and its sender is nobody whom the step knows. A failure of a stranger says nothing either. */
function isUnbound(record: OperationRecord, step: StepState, found: Proof): boolean {
  if (found.verdict === 'reverted') return found.from !== undefined && !isBound(record, step, found.from);
  return (
    (found.verdict === 'matched' || found.verdict === 'different') &&
    bindingOf(record, step, found) === undefined
  );
}

async function recordJudgement(
  { deps }: JudgeParts,
  record: OperationRecord,
  judgement: Judgement,
): Promise<boolean> {
  const answer = await submitAll(deps, record, RUNTIME_ACTOR, [{ kind: 'judge', judgement }]);
  return answer.ok && answer.results.some(({ entries }) => entries.length > 0);
}

function plain(found: Proof, claim: ClaimState, now: number): Omit<Judgement, 'step' | 'value'> {
  const { verdict, reason, detail, by } = found;
  const isAbsent = verdict === 'pending' && detail === 'not_found' && now - claim.at > UNSEEN_MS;
  const code = isAbsent ? (isSeen(claim) ? ReasonCode.Dropped : ReasonCode.NotSeen) : reason;
  return {
    verdict,
    ...placeOf(found),
    ...(code !== undefined && { reason: code }),
    ...(detail !== undefined && { detail }),
    ...(by !== undefined && { by }),
  };
}
