/** The payloads of Task Mode, and how each looks in JSON. */
import { bool, bytes, double, int64, string } from '../../envelope/json/kinds.js';
import { object } from '../../envelope/json/object-kind.js';
import { payloadTable } from '../../envelope/payload-kind.js';
import { TASK_MODE } from './messages.js';

export interface TaskRequestPayload {
  readonly taskId: string;
  readonly title: string;
  readonly instructions: string;
  readonly requestedAssignee: string;
  readonly input: Uint8Array;
  /** For the assignee to know; nothing is done when it passes. */
  readonly deadlineUnixMs: number;
}

export interface TaskAnswerPayload {
  readonly taskId: string;
  readonly assignee: string;
  readonly reason: string;
}

export interface TaskUpdatePayload {
  readonly taskId: string;
  readonly status: string;
  readonly progress: number;
  readonly message: string;
  readonly partialOutput: Uint8Array;
}

export interface TaskCompletePayload {
  readonly taskId: string;
  readonly assignee: string;
  readonly output: Uint8Array;
  readonly summary: string;
}

export interface TaskFailPayload {
  readonly taskId: string;
  readonly assignee: string;
  readonly errorCode: string;
  readonly reason: string;
  readonly retryable: boolean;
}

export interface TaskPayloads {
  TaskRequest: TaskRequestPayload;
  TaskAccept: TaskAnswerPayload;
  TaskReject: TaskAnswerPayload;
  TaskUpdate: TaskUpdatePayload;
  TaskComplete: TaskCompletePayload;
  TaskFail: TaskFailPayload;
}

export const taskPayloads = payloadTable<TaskPayloads>(TASK_MODE, {
  TaskRequest: object({
    taskId: string,
    title: string,
    instructions: string,
    requestedAssignee: string,
    input: bytes,
    deadlineUnixMs: int64,
  }),
  TaskAccept: object({ taskId: string, assignee: string, reason: string }),
  TaskReject: object({ taskId: string, assignee: string, reason: string }),
  TaskUpdate: object({
    taskId: string,
    status: string,
    progress: double,
    message: string,
    partialOutput: bytes,
  }),
  TaskComplete: object({ taskId: string, assignee: string, output: bytes, summary: string }),
  TaskFail: object({
    taskId: string,
    assignee: string,
    errorCode: string,
    reason: string,
    retryable: bool,
  }),
});
