/**
 * A record of 0.1.0 under the rules of today. Its steps had one claim each and no asks; a step that was requested may have
 * been signed, whatever was said of it afterwards.
 */
import { FAMILIES } from './families/families.js';
import {
  claimKey,
  isOver,
  type OperationState as Rev1State,
  type StepState as Rev1Step,
} from './rev1/state.js';
import { LATE_CLAIM_MS } from './rev1/tick.js';
import { settled } from './settle.js';
import {
  AskStanding,
  type AskState,
  ClaimStanding,
  type ClaimState,
  type OperationState,
  type StepFacts,
} from './state.js';
import { ClaimSource, OperationStatus, ReasonCode, StepStatus, Verification } from './words.js';

export function raised(old: Rev1State): OperationState {
  const {
    id,
    family,
    creator,
    chainId,
    digest,
    createdAt,
    updatedAt,
    expiresAt,
    watched,
    signer,
    result,
    seq,
  } = old;
  const isLate = old.status === OperationStatus.Expired || old.closed;
  return settled({
    rev: 2,
    id,
    family,
    creator,
    chainId,
    digest,
    createdAt,
    updatedAt,
    expiresAt,
    lateMs: LATE_CLAIM_MS,
    watched,
    ...(signer !== undefined && { signer }),
    beginning: beginningOf(old),
    connected: [],
    steps: old.steps.map((step) => ({ ...raisedStep(step, old), ...(isShown(old) && { shown: true }) })),
    asks: old.steps.flatMap((step, i) => raisedAsk(step, i, old)),
    loose: [],
    ...(result && { result }),
    ...(old.status === OperationStatus.Cancelled && { closing: { by: 'secret', at: updatedAt } }),
    ...(isOver(old) && { ended: old.status }),
    late: isLate,
    windowOver: old.closed,
    reopened: 0,
    issued: isOver(old) ? [seq] : [],
    seq,
  });
}

/** A verified result showed that everything is there. */
const isShown = ({ result, family }: Rev1State): boolean =>
  result?.verification === Verification.Matched && result.outcome === FAMILIES[family].done;

function beginningOf({ family, status }: Rev1State): OperationStatus {
  const { beginnings } = FAMILIES[family];
  return beginnings.includes(status) ? status : (beginnings.at(-1) ?? status);
}

function raisedStep(
  { id, from, status, claim, ...step }: Rev1Step,
  { family, updatedAt }: Rev1State,
): StepFacts {
  const known = claimKey(claim) === '' ? undefined : claim;
  const { claimKind } = FAMILIES[family];
  const claims: readonly ClaimState[] = known
    ? [
        {
          kind: claimKind,
          value: known.sessionId ?? known.txHash ?? '',
          ...(known.owner !== undefined && { owner: known.owner }),
          ...(known.contract !== undefined && { contract: known.contract }),
          source: ClaimSource.Page,
          at: step.submittedAt ?? updatedAt,
          standing: standingOf(status, step.reason),
          verification: step.verification,
          ...(step.block && { block: step.block }),
          ...(step.reason !== undefined && { ...reasonOf(step.reason) }),
        },
      ]
    : [];
  return {
    id,
    ...(from !== undefined && { from }),
    ...(status === StepStatus.Skipped && { skipped: true }),
    // A step could be confirmed by nothing but its claim.
    claims,
  };
}

function standingOf(status: StepStatus, reason: string | undefined): ClaimStanding {
  if (status === StepStatus.Confirmed) return ClaimStanding.Done;
  return status === StepStatus.Failed && reason === 'reverted' ? ClaimStanding.Nothing : ClaimStanding.Open;
}

function reasonOf(detail: string): Pick<ClaimState, 'reason' | 'detail'> {
  return detail === 'reverted' ? { reason: ReasonCode.Reverted } : { reason: ReasonCode.Mismatched, detail };
}

/** A step that was requested, or failed by a page's word, had an ask of which nobody knows how it ended. */
function raisedAsk(step: Rev1Step, index: number, { account, updatedAt }: Rev1State): readonly AskState[] {
  const { status, verification } = step;
  const unanswered =
    status === StepStatus.Requested ||
    (status === StepStatus.Failed && verification === Verification.Unverified);
  if (!unanswered && claimKey(step.claim) === '') return [];
  return [
    {
      id: `ask_${String(index).padStart(24, '0')}`,
      steps: [step.id],
      at: step.requestedAt ?? step.submittedAt ?? updatedAt,
      standing: unanswered ? AskStanding.Unclear : AskStanding.Claimed,
      ...(account !== undefined && { account }),
    },
  ];
}
