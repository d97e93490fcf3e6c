/** What the fold of Task Mode reads of an accepted message; instructions, outputs and reasons stay in the payload. */
import type { Codec } from '../../envelope/codec.js';
import type { PayloadKind } from '../../envelope/payload-kind.js';
import type { JsonObject } from '../../log/json.js';
import { TaskMessageType } from './messages.js';
import { taskPayloads } from './payloads.js';

export function taskFacts(messageType: string, payload: Uint8Array, codec: Codec): JsonObject | undefined {
  switch (messageType) {
    case TaskMessageType.Request: {
      const request = codec.decode(taskPayloads.TaskRequest, payload);
      if (!request) return undefined;
      const { taskId: task_id, requestedAssignee } = request;
      return requestedAssignee === '' ? { task_id } : { task_id, requested_assignee: requestedAssignee };
    }
    case TaskMessageType.Complete: {
      const complete = codec.decode(taskPayloads.TaskComplete, payload);
      return complete && { task_id: complete.taskId, output: complete.output.length > 0 };
    }
    case TaskMessageType.Accept:
    case TaskMessageType.Reject:
    case TaskMessageType.Update:
    case TaskMessageType.Fail: {
      const kind: PayloadKind<{ readonly taskId: string }> = taskPayloads[messageType];
      const said = codec.decode(kind, payload);
      return said && { task_id: said.taskId };
    }
    default:
      return undefined;
  }
}
