/** How a verification changes a step, a result and the operation. */
import type { JsonObject } from '../../log/json.js';
import { FAMILIES } from '../families/families.js';
import {
  isFinal,
  isOver,
  type OperationState,
  OperationStatus,
  type StepState,
  StepStatus,
  Verification,
} from './state.js';

const WORDS: readonly Verification[] = Object.values(Verification);

export function evolveVerified(state: OperationState, facts: JsonObject): OperationState {
  if (typeof facts.result === 'string') return resultVerified(state, facts);
  const steps = state.steps.map((step) => (step.id === facts.step ? judged(step, facts) : step));
  const next = { ...state, steps };
  // After the end, a verification of what was sent may still come; it does not open the operation again.
  if (isOver(state) || !FAMILIES[state.family].stepsComplete) return next;
  const waiting = steps.some(({ status }) => status === StepStatus.Requested);
  if (facts.verdict === 'reverted' && !waiting) return { ...next, status: OperationStatus.Failed };
  const complete = steps.every(({ status }) => isFinal(status));
  return complete ? { ...next, status: OperationStatus.Completed } : next;
}

function resultVerified(state: OperationState, facts: JsonObject): OperationState {
  if (!state.result) return state;
  const verification = wordOf(facts);
  const { reason: _before, ...kept } = state.result;
  const result = {
    ...kept,
    verification,
    ...(typeof facts.reason === 'string' && { reason: facts.reason }),
  };
  const done = verification === Verification.Matched && !isOver(state);
  return { ...state, result, ...(done && { status: result.outcome }) };
}

function judged(step: StepState, facts: JsonObject): StepState {
  const { block: before, reason: _reason, ...kept } = step;
  const seen =
    typeof facts.block === 'number'
      ? { block: { number: facts.block, hash: String(facts.block_hash) } }
      : before && { block: before };
  const reason = typeof facts.reason === 'string' ? { reason: facts.reason } : {};
  switch (facts.verdict) {
    case 'matched':
      return { ...kept, ...seen, status: StepStatus.Confirmed, verification: Verification.Matched };
    case 'reverted':
      return {
        ...kept,
        ...seen,
        status: StepStatus.Failed,
        verification: Verification.Matched,
        reason: 'reverted',
      };
    case 'reorged':
      return { ...kept, ...reason, verification: Verification.Reorged };
    case 'mismatched':
      return { ...kept, ...reason, verification: Verification.Mismatched };
    default:
      return { ...kept, ...seen, verification: Verification.Pending };
  }
}

function wordOf({ verdict }: JsonObject): Verification {
  return WORDS.find((word) => word === verdict) ?? Verification.Pending;
}
