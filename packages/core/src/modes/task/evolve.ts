/** The fold of Task Mode. */
import type { ModeEntry } from '../mode.js';
import { TaskMessageType } from './messages.js';
import { hasRejected, type Task, type TaskState } from './state.js';

export function evolveTask(state: TaskState, entry: ModeEntry): TaskState {
  const { task_id: taskId, requested_assignee: requested } = entry.facts;
  if (typeof taskId !== 'string') return state;
  if (entry.type === TaskMessageType.Request) {
    if (state.task) return state;
    const requestedAssignee = typeof requested === 'string' ? requested : '';
    return { task: { taskId, requestedAssignee, declined: [], returned: [], updates: 0 } };
  }
  if (state.task?.taskId !== taskId) return state;
  const task = moved(state.task, entry);
  return task === state.task ? state : { task };
}

function moved(task: Task, { type, facts, actor: by }: ModeEntry): Task {
  switch (type) {
    case TaskMessageType.Accept:
      return task.assignee === undefined ? { ...task, assignee: by } : task;
    case TaskMessageType.Reject:
      return rejected(task, by);
    case TaskMessageType.Update:
      return { ...task, updates: task.updates + 1 };
    case TaskMessageType.Complete:
      return task.report
        ? task
        : { ...task, report: { kind: 'completed', by, output: facts.output === true } };
    case TaskMessageType.Fail:
      return task.report ? task : { ...task, report: { kind: 'failed', by, output: false } };
    default:
      return task;
  }
}

/** The assignee gives it back; anybody else declines for themselves. */
function rejected(task: Task, by: string): Task {
  if (hasRejected(task, by)) return task;
  if (task.assignee !== by) return { ...task, declined: [...task.declined, by] };
  const { assignee: _, ...rest } = task;
  return { ...rest, returned: [...task.returned, by] };
}
