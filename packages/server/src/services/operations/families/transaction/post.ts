/** What the page of a transaction posts: the status of the record, and with it the status of one step. */
import { StepStatus } from '@handover/core';
import { bad, readStatus, STEP_OF_STATUS, smallPost, withStep } from '../status-post.js';

/** Statuses that no browser may post. They are passed on, because the decider refuses them with the present state. */
const NOT_A_BROWSERS: readonly StepStatus[] = [StepStatus.Confirmed, StepStatus.Skipped, StepStatus.Pending];

export const readTransactionPost = smallPost((deps, _record, body) => {
  const read = readStatus(deps, body);
  if ('rejection' in read) return read;
  const { post, fields, stepStatus } = read.value;
  const expected = STEP_OF_STATUS[post.status];
  const implied = stepStatus ?? expected;
  if (implied === expected) return withStep(post, fields, implied);
  return implied !== undefined && NOT_A_BROWSERS.includes(implied)
    ? { value: { ...post, step: { id: String(fields.stepId), status: implied } } }
    : bad('status and stepStatus do not fit');
});
