/** What the pages need to know about the progress of a record. The server decides by the same rules. */
import { isOpenAfter, isOver, StepStatus, Verification } from '@handover/core';
import type { HandoffRecord, Step } from './record.js';

export { isOver };

export const wasSent = ({ status }: Pick<Step, 'status'>): boolean =>
  status === StepStatus.Submitted || status === StepStatus.Confirmed;

const isFinal = (status: StepStatus): boolean =>
  status === StepStatus.Confirmed || status === StepStatus.Skipped;

/** A person can decline only while nothing was sent. */
export const canDecline = (record: HandoffRecord): boolean => !isOver(record) && !record.steps.some(wasSent);

/** The step that is next; undefined when every step was sent or is final. */
export function currentStep(record: HandoffRecord): Step | undefined {
  return record.steps.find((step) => !wasSent(step) && !isFinal(step.status));
}

/** Whether a step may begin. Steps go in strict order: the step before decides. */
export function isOpen(record: HandoffRecord, step: Step): boolean {
  const before = record.steps[record.steps.indexOf(step) - 1];
  return before === undefined || isOpenAfter(record, { ...before, seen: before.blockNumber !== undefined });
}

/** Whether something may change without this page doing anything. */
export function isMoving(record: HandoffRecord): boolean {
  if (isOver(record)) return false;
  if (record.steps.some(({ status }) => status === StepStatus.Requested)) return true;
  if (!record.watched || record.verification === Verification.Mismatched) return false;
  return record.steps.some(wasSent);
}
