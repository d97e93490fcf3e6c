/** Where a record stands, as the pages need to know it. */
import type { HandoffRecord, Step } from './record.js';

const OVER = new Set(['completed', 'deployed', 'partial', 'cancelled', 'expired']);

/** Nothing more can be done here. A failed operation may be tried again. */
export function isOver(record: HandoffRecord): boolean {
  if (record.closed || OVER.has(record.status)) return true;
  return record.status === 'failed' && record.family !== 'operation';
}

export const wasSent = ({ status }: Step): boolean => status === 'submitted' || status === 'confirmed';

/** Declining says that nothing was sent: no longer true once something was. */
export const canDecline = (record: HandoffRecord): boolean => !isOver(record) && !record.steps.some(wasSent);

/** The one step that is next; undefined when all are on their way. */
export function currentStep(record: HandoffRecord): Step | undefined {
  return record.steps.find(
    ({ status }) => status !== 'submitted' && status !== 'confirmed' && status !== 'skipped',
  );
}

/** Strict order: a step opens when the one before has a receipt or, where nobody looks at the chain, was sent. */
export function isOpen(record: HandoffRecord, step: Step): boolean {
  const before = record.steps.slice(0, record.steps.indexOf(step));
  return before.every((one) => {
    if (one.status === 'confirmed' || one.status === 'skipped') return true;
    if (one.status !== 'submitted' || one.verification === 'mismatched') return false;
    if (record.family === 'session_start') return true;
    return one.blockNumber !== undefined || !record.watched;
  });
}

/** Something may change without this page doing anything. */
export function isMoving(record: HandoffRecord): boolean {
  if (isOver(record)) return false;
  if (record.steps.some(({ status }) => status === 'requested')) return true;
  if (!record.watched || record.verification === 'mismatched') return false;
  return record.steps.some(wasSent);
}
