/**
 * When a Commitment may end a Task session: the assignee has reported, or nobody will take the task, because the one it
 * was meant for has declined. The report does not bind the outcome.
 */
import type { CommitmentPayload } from '../../envelope/payloads.js';
import { DenialCode } from '../../policy/evaluate.js';
import { type Denial, type Rejection, RejectionCode, reject } from '../../rejection.js';
import type { SessionView } from '../mode.js';
import type { TaskRules } from './policy-rules.js';
import type { TaskState } from './state.js';

type Outcome = Pick<CommitmentPayload, 'outcomePositive'>;

export function taskReady({ task }: TaskState, { outcomePositive }: Outcome): Rejection | undefined {
  if (task?.report) return undefined;
  const nobody =
    task !== undefined && task.assignee === undefined && task.declined.includes(task.requestedAssignee);
  if (nobody && !outcomePositive) return undefined;
  const message = nobody
    ? 'the requested assignee declined; only a negative outcome is possible'
    : 'the task is neither completed nor failed';
  return reject(RejectionCode.INVALID_ENVELOPE, message);
}

export function taskDenials(
  { task }: TaskState,
  { outcomePositive }: Outcome,
  { rules }: Pick<SessionView<TaskRules>, 'rules'>,
): readonly Denial[] {
  if (!outcomePositive || !rules.requireOutput || task?.report?.output) return [];
  return [{ code: DenialCode.OutputRequired, message: 'the task was not completed with an output' }];
}
