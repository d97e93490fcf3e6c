/** Where the steps of a record stand, as all families show it. */
import { claimKey, type JsonObject, type StepState, StepStatus } from '@handover/core';
import type { StepProgress } from '@handover/evm';

export function stepProgress(step: StepState, events: readonly JsonObject[]): StepProgress {
  const { id, status, verification, claim = {}, block, reason } = step;
  const error = isErrorInEvents(step) ? lastError(events, id) : reason;
  return {
    id,
    status,
    verification,
    ...(claimKey(step.claim) !== '' && { ...claim }),
    ...(block && { blockNumber: block.number }),
    ...(error !== undefined && { error }),
  };
}

/** True when the browser's error text must be read from the events: the state keeps no texts. */
export const isErrorInEvents = ({ status, reason }: StepState): boolean =>
  status === StepStatus.Failed && reason === undefined;

function lastError(events: readonly JsonObject[], step: string): string | undefined {
  const failure = events.findLast(
    ({ stepId, stepStatus }) => stepId === step && stepStatus === StepStatus.Failed,
  );
  return typeof failure?.error === 'string' ? failure.error : undefined;
}
