/** Names that Task Mode puts on the wire. */
export const TASK_MODE = 'macp.mode.task.v1';

export const TaskMessageType = {
  Request: 'TaskRequest',
  Accept: 'TaskAccept',
  Reject: 'TaskReject',
  Update: 'TaskUpdate',
  Complete: 'TaskComplete',
  Fail: 'TaskFail',
} as const;
