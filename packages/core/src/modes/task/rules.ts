/** Task Mode, message by message (docs/spec/macp-2026.md 9.2 and 9.3). The order of the checks is the protocol's. */
import type { Codec } from '../../envelope/codec.js';
import type { Envelope } from '../../envelope/envelope.js';
import { DenialCode, policyDenied } from '../../policy/evaluate.js';
import { SessionRev } from '../../session/rev.js';
import { bySender, forbidden, idFlaw, invalid, notListed } from '../answers.js';
import type { ModeDecision, SessionView } from '../mode.js';
import { TaskMessageType } from './messages.js';
import { taskPayloads } from './payloads.js';
import type { TaskRules } from './policy-rules.js';
import { hasRejected, isMeant, type Task, type TaskState } from './state.js';

type Session = Pick<SessionView<TaskRules>, 'participants' | 'initiator' | 'rules' | 'policy' | 'rev'>;

export function decideTask(
  { task }: TaskState,
  envelope: Envelope,
  session: Session,
  codec: Codec,
): ModeDecision {
  if (envelope.messageType === TaskMessageType.Request) return decideRequest(task, envelope, session, codec);
  const unheard = notListed(envelope.sender, session);
  if (unheard) return unheard;
  switch (envelope.messageType) {
    case TaskMessageType.Accept:
      return decideAccept(task, envelope, session, codec);
    case TaskMessageType.Reject:
      return decideReject(task, envelope, session, codec);
    case TaskMessageType.Update:
      return decideUpdate(task, envelope, codec);
    case TaskMessageType.Complete:
      return decideComplete(task, envelope, codec);
    case TaskMessageType.Fail:
      return decideFail(task, envelope, codec);
    default:
      return invalid(`message_type ${envelope.messageType} is not part of Task Mode`);
  }
}

function decideRequest(
  task: Task | undefined,
  { payload, sender }: Envelope,
  { initiator, participants }: Session,
  codec: Codec,
): ModeDecision {
  if (sender !== initiator) return forbidden('only the session initiator may give the task');
  const request = codec.decode(taskPayloads.TaskRequest, payload);
  if (!request) return invalid('payload is not a TaskRequestPayload');
  if (task) return invalid(`task ${task.taskId} was given; a session has one task`);
  const { taskId: task_id, requestedAssignee: requested } = request;
  const flaw = idFlaw('task_id', task_id);
  if (flaw) return flaw;
  if (requested === '') return { facts: { task_id } };
  if (!participants.includes(requested))
    return invalid('requested_assignee is not a participant of this session');
  return { facts: { task_id, requested_assignee: requested } };
}

function decideAccept(
  task: Task | undefined,
  { payload, sender }: Envelope,
  session: Session,
  codec: Codec,
): ModeDecision {
  const accept = codec.decode(taskPayloads.TaskAccept, payload);
  if (!accept) return invalid('payload is not a TaskAcceptPayload');
  if (!task || task.taskId !== accept.taskId) return otherTask();
  if (task.assignee !== undefined) return invalid(`task ${task.taskId} is already assigned`);
  if (task.report && session.rev >= SessionRev.NothingLeft)
    return invalid(`the task is ${task.report.kind}; nothing is left to take, and it can be committed`);
  if (hasRejected(task, sender)) return invalid('the sender has rejected this task before');
  if (task.returned.length > 0 && !session.rules.allowReassignment)
    return noReassignment(session, 'TaskAccept');
  return (
    bySender('assignee', accept.assignee, sender) ??
    eligibleFlaw(task, sender, session) ?? { facts: { task_id: task.taskId } }
  );
}

function decideReject(
  task: Task | undefined,
  { payload, sender }: Envelope,
  session: Session,
  codec: Codec,
): ModeDecision {
  const said = codec.decode(taskPayloads.TaskReject, payload);
  if (!said) return invalid('payload is not a TaskRejectPayload');
  if (!task || task.taskId !== said.taskId) return otherTask();
  const flaw =
    task.assignee === undefined
      ? eligibleFlaw(task, sender, session)
      : returnFlaw(task.assignee, sender, session);
  if (flaw) return flaw;
  const named = bySender('assignee', said.assignee, sender);
  if (named) return named;
  if (hasRejected(task, sender)) return invalid('the sender has rejected this task before');
  return { facts: { task_id: task.taskId } };
}

/** Work that was taken goes back only where the policy lets somebody else take it. */
function returnFlaw(assignee: string, sender: string, session: Session): ModeDecision | undefined {
  if (sender !== assignee) return invalid('the task is assigned; only its assignee may reject it');
  return session.rules.allowReassignment ? undefined : noReassignment(session, 'TaskReject');
}

function decideUpdate(task: Task | undefined, { payload, sender }: Envelope, codec: Codec): ModeDecision {
  const update = codec.decode(taskPayloads.TaskUpdate, payload);
  if (!update) return invalid('payload is not a TaskUpdatePayload');
  return reportFlaw(task, update.taskId, sender) ?? { facts: { task_id: update.taskId } };
}

function decideComplete(task: Task | undefined, { payload, sender }: Envelope, codec: Codec): ModeDecision {
  const complete = codec.decode(taskPayloads.TaskComplete, payload);
  if (!complete) return invalid('payload is not a TaskCompletePayload');
  const flaw = reportFlaw(task, complete.taskId, sender) ?? bySender('assignee', complete.assignee, sender);
  return flaw ?? { facts: { task_id: complete.taskId, output: complete.output.length > 0 } };
}

function decideFail(task: Task | undefined, { payload, sender }: Envelope, codec: Codec): ModeDecision {
  const fail = codec.decode(taskPayloads.TaskFail, payload);
  if (!fail) return invalid('payload is not a TaskFailPayload');
  const flaw = reportFlaw(task, fail.taskId, sender) ?? bySender('assignee', fail.assignee, sender);
  return flaw ?? { facts: { task_id: fail.taskId } };
}

/** Only the assignee reports, and nothing after the last report. */
function reportFlaw(task: Task | undefined, taskId: string, sender: string): ModeDecision | undefined {
  if (!task || task.taskId !== taskId) return otherTask();
  if (task.assignee !== sender) return forbidden('only the assignee may report on the task');
  return task.report ? forbidden(`the task is ${task.report.kind}; nothing more can be reported`) : undefined;
}

function eligibleFlaw(task: Task, sender: string, session: Session): ModeDecision | undefined {
  return isMeant(task, sender, session) ? undefined : forbidden('the task was not given to this sender');
}

function noReassignment({ policy }: Session, what: string): ModeDecision {
  const code = DenialCode.ReassignmentNotAllowed;
  const message = 'a task that was accepted may not be given back or taken by another';
  const rejection = policyDenied(policy, what, [{ code, message }]);
  return rejection ? { rejection } : invalid(message);
}

const otherTask = (): ModeDecision => invalid('task_id names no task of this session');
