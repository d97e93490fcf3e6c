/**
 * The status of a record and of its steps, from what is recorded. This is the whole of it: no event sets a status, so
 * every order of the same events ends in the same one.
 */
import {
  asksOf,
  basisOf,
  isDoneEffect,
  isOpenClaim,
  isWaiting,
  type Pending,
  pendingOf,
  recordEffect,
  stepEffect,
} from './effect.js';
import { FAMILIES } from './families/families.js';
import type { OperationFamily } from './families/family.js';
import {
  ClaimStanding,
  type OperationFacts,
  type OperationState,
  type StepFacts,
  type StepState,
} from './state.js';
import { Effect, OperationStatus, StepStatus, Verification } from './words.js';

export function settled(facts: OperationFacts): OperationState {
  const steps = facts.steps.map((step) => settledStep(step, facts));
  const effect = recordEffect(facts);
  return { ...facts, steps, effect, basis: basisOf(facts), ...ending({ ...facts, steps }, effect) };
}

function settledStep(step: StepFacts, { asks }: OperationFacts): StepState {
  const effect = stepEffect(step, asks);
  return { ...step, effect, status: stepStatus(step, effect, asks) };
}

function stepStatus(step: StepFacts, effect: Effect, asks: OperationFacts['asks']): StepStatus {
  const own = asksOf(asks, step);
  if (step.skipped) return StepStatus.Skipped;
  if (isDoneEffect(effect)) return StepStatus.Confirmed;
  if (effect === Effect.Different || step.claims.some(isOpenClaim)) return StepStatus.Submitted;
  if (own.some(isWaiting)) return StepStatus.Requested;
  return own.length > 0 || step.claims.length > 0 ? StepStatus.Failed : StepStatus.Pending;
}

/** Its steps are settled; the record is not yet. */
type Halfway = Omit<OperationFacts, 'steps'> & { readonly steps: readonly StepState[] };

interface Ending {
  readonly status: OperationStatus;
  readonly closed: boolean;
}

function ending(facts: Halfway, effect: Effect): Ending {
  const family = FAMILIES[facts.family];
  const pending = pendingOf(facts);
  const isLast = facts.late || facts.closing !== undefined;
  if (facts.ended !== undefined) return { status: facts.ended, closed: facts.windowOver };
  if (isComplete(facts, family)) return over(family.done);
  if (pending.waiting || pending.open || pending.quiet)
    return { status: moving(facts, family, pending), closed: facts.windowOver };
  if (effect === Effect.Unknown) return { status: moving(facts, family, pending), closed: true };
  if (effect === Effect.Different) return { status: family.sent, closed: isLast };
  if (facts.closing)
    return over(effect === Effect.None ? OperationStatus.Cancelled : OperationStatus.Partial);
  if (facts.late) return over(effect === Effect.None ? OperationStatus.Expired : OperationStatus.Partial);
  return over(resting(facts, family));
}

const over = (status: OperationStatus): Ending => ({ status, closed: false });

function isComplete({ steps, result, late, closing }: Halfway, { stepsComplete }: OperationFamily): boolean {
  if (steps.length === 0) return false;
  if (!steps.every(({ status }) => status === StepStatus.Confirmed || status === StepStatus.Skipped))
    return false;
  const shown = result?.verification === Verification.Matched;
  return stepsComplete || shown || late || closing !== undefined;
}

function moving({ steps, loose }: Halfway, family: OperationFamily, { open }: Pending): OperationStatus {
  const sent = open || [...steps.flatMap(({ claims }) => claims), ...loose].some(isMovingClaim);
  return sent ? family.sent : family.asked;
}

const isMovingClaim = ({ standing }: { readonly standing: ClaimStanding }): boolean =>
  standing === ClaimStanding.Open || standing === ClaimStanding.Done || standing === ClaimStanding.Different;

/** Nothing is under way, and it is not over: before the first ask, between two steps, or after a failed one. */
function resting(
  { steps, asks, loose, beginning, result }: Halfway,
  family: OperationFamily,
): OperationStatus {
  if (result?.outcome === OperationStatus.Failed) return OperationStatus.Failed;
  const isPart = steps.some(({ status }) => status === StepStatus.Confirmed);
  if (isPart && result?.outcome === OperationStatus.Partial && result.verification === Verification.Matched)
    return OperationStatus.Partial;
  if (steps.some(({ status }) => status === StepStatus.Failed)) return family.failed;
  const begun =
    result !== undefined ||
    asks.length > 0 ||
    loose.length > 0 ||
    steps.some(({ claims, shown }) => shown || claims.length > 0);
  return begun ? family.sent : beginning;
}
