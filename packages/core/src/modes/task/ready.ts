/**
 * When a Commitment may end a Task session: the assignee has reported, or nobody will take the task, because the one it
 * was meant for has declined. The report does not bind the outcome. The protocol knows no other ending: where all have
 * declined what was meant for anybody, or it was given back and nobody else may take it, the session is cancelled.
 */
import type { CommitmentPayload } from '../../envelope/payloads.js';
import { DenialCode, type Parties } from '../../policy/evaluate.js';
import { type Denial, type Rejection, RejectionCode, reject } from '../../rejection.js';
import type { SessionView } from '../mode.js';
import type { TaskRules } from './policy-rules.js';
import { isMeant, type Task, type TaskState } from './state.js';

type Outcome = Pick<CommitmentPayload, 'outcomePositive'>;

/** The answer does not depend on the session, only its words: a projection need not know it. */
export function taskReady(
  { task }: TaskState,
  { outcomePositive }: Outcome,
  session?: Parties,
): Rejection | undefined {
  if (task?.report) return undefined;
  const nobody =
    task !== undefined && task.assignee === undefined && task.declined.includes(task.requestedAssignee);
  if (nobody && !outcomePositive) return undefined;
  const message = nobody
    ? 'the requested assignee declined; only a negative outcome is possible'
    : `the task is neither completed nor failed${session && isDeadEnd(task, session) ? DEAD_END : ''}`;
  return reject(RejectionCode.INVALID_ENVELOPE, message);
}

const DEAD_END = ', and nobody is left who may take it: cancel the session';

function isDeadEnd(task: Task | undefined, session: Parties): boolean {
  if (task === undefined || task.assignee !== undefined) return false;
  const rejected = new Set([...task.declined, ...task.returned]);
  return session.participants.every((name) => !isMeant(task, name, session) || rejected.has(name));
}

export function taskDenials(
  { task }: TaskState,
  { outcomePositive }: Outcome,
  { rules }: Pick<SessionView<TaskRules>, 'rules'>,
): readonly Denial[] {
  if (!outcomePositive || !rules.requireOutput || task?.report?.output) return [];
  return [{ code: DenialCode.OutputRequired, message: 'the task was not completed with an output' }];
}
