/** Where a record stands, as the pages need to know it. The rules are those that the server decides by. */
import { isFinal, isOpenAfter, isOver, isSubmitted, StepStatus, Verification } from '@handover/core';
import type { HandoffRecord, Step } from './record.js';

export { isOver, isSubmitted as wasSent };

/** Declining says that nothing was sent: no longer true once something was. */
export const canDecline = (record: HandoffRecord): boolean =>
  !isOver(record) && !record.steps.some(isSubmitted);

/** The one step that is next; undefined when all are on their way. */
export function currentStep(record: HandoffRecord): Step | undefined {
  return record.steps.find((step) => !isSubmitted(step) && !isFinal(step.status));
}

/** Strict order: the step before decides. */
export function isOpen(record: HandoffRecord, step: Step): boolean {
  const before = record.steps[record.steps.indexOf(step) - 1];
  return before === undefined || isOpenAfter(record, { ...before, block: before.blockNumber });
}

/** Something may change without this page doing anything. */
export function isMoving(record: HandoffRecord): boolean {
  if (isOver(record)) return false;
  if (record.steps.some(({ status }) => status === StepStatus.Requested)) return true;
  if (!record.watched || record.verification === Verification.Mismatched) return false;
  return record.steps.some(isSubmitted);
}
