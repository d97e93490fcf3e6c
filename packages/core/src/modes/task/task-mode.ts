/** Task Mode: the initiator gives one task, an assignee takes it and reports, a Commitment binds the result. */
import type { SessionStartPayload } from '../../envelope/payloads.js';
import type { JsonObject } from '../../log/json.js';
import { type Rejection, RejectionCode, reject } from '../../rejection.js';
import type { Mode } from '../mode.js';
import { standardDescriptor } from '../standard-descriptor.js';
import { evolveTask } from './evolve.js';
import { TASK_MODE, TaskMessageType } from './messages.js';
import { type TaskPayloads, taskPayloads } from './payloads.js';
import {
  readTaskRules,
  STRICTEST_TASK_RULES,
  TASK_RULE_KEYS,
  TASK_RULES_SCHEMA,
  type TaskRules,
} from './policy-rules.js';
import { taskDenials, taskReady } from './ready.js';
import { decideTask } from './rules.js';
import { NO_TASK, type TaskState } from './state.js';

export const taskMode: Mode<TaskState, TaskRules, TaskPayloads> = {
  descriptor: standardDescriptor({
    mode: TASK_MODE,
    title: 'Task Mode',
    description:
      'The initiator gives one task; an assignee accepts it and reports that it is done or has failed.',
    determinismClass: 'structural-only',
    participantModel: 'orchestrated',
    messageTypes: Object.values(TaskMessageType),
  }),
  strict: true,
  minParticipants: 1,
  commitBy: 'policy',
  reservedMessageIdPrefixes: [],
  ruleKeys: TASK_RULE_KEYS,
  rulesSchema: TASK_RULES_SCHEMA,
  readRules: readTaskRules,
  strictestRules: STRICTEST_TASK_RULES,
  payloads: taskPayloads,
  bind: bindWorkers,
  initial: NO_TASK,
  decide: decideTask,
  evolve: evolveTask,
  ready: taskReady,
  denials: taskDenials,
  view: viewTask,
};

/** There must be somebody besides the initiator who could do it. */
function bindWorkers(
  initiator: string,
  { participants }: SessionStartPayload,
): readonly string[] | Rejection {
  if (participants.some((name) => name !== initiator)) return participants;
  const message = 'participants must name somebody besides the initiator';
  return reject(RejectionCode.INVALID_ENVELOPE, message);
}

function viewTask({ task }: TaskState): JsonObject {
  if (!task) return {};
  return {
    task: {
      task_id: task.taskId,
      requested_assignee: task.requestedAssignee,
      ...(task.assignee !== undefined && { assignee: task.assignee }),
      declined: task.declined,
      returned: task.returned,
      updates: task.updates,
      ...(task.report && { report: { ...task.report } }),
    },
  };
}
