import type { TaskPayloads } from '@handover/core';
import type { Bindings } from '../payloads.js';
import { bool, bytes, double, int64, string } from '../proto/field.js';
import { message } from '../proto/message.js';

export const taskPayloadTypes: Bindings<TaskPayloads> = {
  TaskRequest: message({
    taskId: string(1),
    title: string(2),
    instructions: string(3),
    requestedAssignee: string(4),
    input: bytes(5),
    deadlineUnixMs: int64(6),
  }),
  TaskAccept: message({ taskId: string(1), assignee: string(2), reason: string(3) }),
  TaskReject: message({ taskId: string(1), assignee: string(2), reason: string(3) }),
  TaskUpdate: message({
    taskId: string(1),
    status: string(2),
    progress: double(3),
    message: string(4),
    partialOutput: bytes(5),
  }),
  TaskComplete: message({ taskId: string(1), assignee: string(2), output: bytes(3), summary: string(4) }),
  TaskFail: message({
    taskId: string(1),
    assignee: string(2),
    errorCode: string(3),
    reason: string(4),
    retryable: bool(5),
  }),
};
