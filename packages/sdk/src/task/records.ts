/** What a projection tells about the task, and about the work on it. */

/** Where the task stands; rejected is one that the named assignee declined. */
export type TaskStatus = 'requested' | 'accepted' | 'rejected' | 'in_progress' | 'completed' | 'failed';

/** The phases of a Task session. */
export type TaskPhase = 'Pending' | 'Requested' | 'InProgress' | 'Completed' | 'Failed' | 'Committed';

/** The task. */
export interface TaskRecord {
  readonly taskId: string;
  readonly title: string;
  readonly instructions: string;
  /** Empty: any participant but the initiator may take it. */
  readonly requestedAssignee: string;
  readonly input: Uint8Array;
  readonly deadlineUnixMs: number;
  readonly sender: string;
  readonly status: TaskStatus;
  /** Who has it now. */
  readonly assignee?: string;
  /** What the assignee's newest update said; 1 when it is completed. */
  readonly progress: number;
}

/** How far the work was. */
export interface TaskUpdateRecord {
  readonly taskId: string;
  readonly status: string;
  readonly progress: number;
  readonly message: string;
  readonly partialOutput: Uint8Array;
  readonly sender: string;
}

/** The report that the work is done. */
export interface TaskCompletionRecord {
  readonly taskId: string;
  readonly assignee: string;
  readonly output: Uint8Array;
  readonly summary: string;
  readonly sender: string;
}

/** The report that the work cannot be done. */
export interface TaskFailureRecord {
  readonly taskId: string;
  readonly assignee: string;
  readonly errorCode: string;
  readonly reason: string;
  readonly retryable: boolean;
  readonly sender: string;
}
