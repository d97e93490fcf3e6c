/** What a browser may report about a step, and the facts of that report. */

import type { JsonObject } from '../../log/json.js';
import type { Rejection } from '../../rejection.js';
import { operationConflict, operationFlaw } from '../refusals.js';
import { claimFacts } from './claim-facts.js';
import {
  claimKey,
  Family,
  isFinal,
  type OperationState,
  type StepClaim,
  type StepState,
  StepStatus,
  Verification,
} from './state.js';

interface Posted {
  readonly id: string;
  readonly status: StepStatus;
  readonly claim?: StepClaim;
}

export function stepFacts(
  state: OperationState,
  posted: Posted,
  account: string | undefined,
): JsonObject | Rejection | 'nothing new' {
  const index = state.steps.findIndex(({ id }) => id === posted.id);
  const step = state.steps[index];
  if (!step) return operationFlaw('stepId names no step');
  switch (posted.status) {
    case StepStatus.Requested:
      return (
        requestFlaw(state, step, index) ??
        accountFlaw(state, step, account) ?? { step: step.id, step_status: posted.status }
      );
    case StepStatus.Submitted:
      return submitted(state, step, posted.claim);
    case StepStatus.Failed:
      return step.status === StepStatus.Requested
        ? { step: step.id, step_status: posted.status }
        : operationConflict(state, `a step that is ${step.status} cannot fail`);
    case StepStatus.Pending:
    case StepStatus.Confirmed:
    case StepStatus.Skipped:
      return operationConflict(state, `a browser cannot make a step ${posted.status}`);
  }
}

function requestFlaw(state: OperationState, step: StepState, index: number): Rejection | undefined {
  const again = step.status === StepStatus.Submitted && step.verification === Verification.Mismatched;
  if (step.status !== StepStatus.Pending && step.status !== StepStatus.Failed && !again)
    return operationConflict(state, `the step is ${step.status} already`);
  if (state.steps.some(({ status }) => status === StepStatus.Requested))
    return operationConflict(state, 'another step is waiting for the wallet');
  const before = state.steps[index - 1];
  if (before && !isOpenAfter(state, before))
    return operationConflict(state, 'the step before it has not succeeded yet');
  return undefined;
}

/** Whether the step after this one may begin. */
export function isOpenAfter(
  state: Pick<OperationState, 'family' | 'watched'>,
  before: Pick<StepState, 'status' | 'verification'> & { readonly block?: unknown },
): boolean {
  if (isFinal(before.status)) return true;
  if (state.family === Family.SessionStart && before.status === StepStatus.Failed) return true;
  if (before.status !== StepStatus.Submitted || before.verification === Verification.Mismatched) return false;
  return state.family === Family.SessionStart || !state.watched || before.block !== undefined;
}

function accountFlaw(
  state: OperationState,
  step: StepState,
  account: string | undefined,
): Rejection | undefined {
  if (account === undefined) return undefined;
  const only = step.from ?? state.signer ?? state.account;
  return only === undefined || only === account
    ? undefined
    : operationConflict(state, 'another account is expected');
}

function submitted(
  state: OperationState,
  step: StepState,
  claim: StepClaim | undefined,
): JsonObject | Rejection | 'nothing new' {
  if (!claim || claimKey(claim) === '/') return operationFlaw('a submitted step needs what was submitted');
  if (step.status === StepStatus.Confirmed)
    return claimKey(claim) === claimKey(step.claim)
      ? 'nothing new'
      : operationConflict(state, 'the step is confirmed');
  if (step.status !== StepStatus.Requested && step.status !== StepStatus.Submitted)
    return operationConflict(state, `a step that is ${step.status} cannot be submitted`);
  if (step.status === StepStatus.Submitted && sameClaim(step.claim, claim)) return 'nothing new';
  if (state.family === Family.SessionStart && step.status === StepStatus.Submitted)
    return operationConflict(state, 'the session was started already');
  if (state.steps.some((other) => other !== step && claimKey(other.claim) === claimKey(claim)))
    return operationConflict(state, 'that transaction belongs to another step');
  return {
    step: step.id,
    step_status: StepStatus.Submitted,
    ...claimFacts(claim),
  };
}

/** Whether a claim adds nothing to the one before. A claim without a contract may repeat one with a contract. */
function sameClaim(before: StepClaim | undefined, claim: StepClaim): boolean {
  return (
    claimKey(before) === claimKey(claim) &&
    (claim.contract === undefined || claim.contract === before?.contract)
  );
}
