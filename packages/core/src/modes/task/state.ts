/** State of Task Mode: one task, who has it, who will not, and the one report that ends the work. */
export interface TaskReport {
  readonly kind: 'completed' | 'failed';
  readonly by: string;
  /** Whether a completed task came with an output. */
  readonly output: boolean;
}

export interface Task {
  readonly taskId: string;
  /** Empty: anybody but the initiator may take it. */
  readonly requestedAssignee: string;
  readonly assignee?: string;
  /** Who rejected it, in order: before it was theirs, or after. */
  readonly declined: readonly string[];
  readonly returned: readonly string[];
  readonly updates: number;
  readonly report?: TaskReport;
}

export interface TaskState {
  readonly task?: Task;
}

export const NO_TASK: TaskState = {};

export function hasRejected({ declined, returned }: Task, participant: string): boolean {
  return declined.includes(participant) || returned.includes(participant);
}

/** Whether it was given to this participant: by name, or to anybody but the initiator. */
export function isMeant(
  { requestedAssignee }: Task,
  participant: string,
  { initiator }: { readonly initiator: string },
): boolean {
  return requestedAssignee === '' ? participant !== initiator : participant === requestedAssignee;
}
