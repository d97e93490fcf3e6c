/** What a projection tells about the task, and about the work on it. */

/** Where the task stands; rejected is one that the named assignee declined. */
export type TaskStatus = 'requested' | 'accepted' | 'rejected' | 'in_progress' | 'completed' | 'failed';

/** The phases of a Task session. */
export type TaskPhase = 'Pending' | 'Requested' | 'InProgress' | 'Completed' | 'Failed' | 'Committed';

/** The task. */
export interface TaskRecord {
  /** Its id. */
  readonly taskId: string;
  /** What is to be done. */
  readonly title: string;
  /** How. */
  readonly instructions: string;
  /** Empty: any participant but the initiator may take it. */
  readonly requestedAssignee: string;
  /** What the work begins with. */
  readonly input: Uint8Array;
  /** When it should be done; 0 when nobody said. */
  readonly deadlineUnixMs: number;
  /** Who gave it. */
  readonly sender: string;
  /** Where it stands. */
  readonly status: TaskStatus;
  /** Who has it now. */
  readonly assignee?: string;
  /** What the assignee's newest update said; 1 when it is completed. */
  readonly progress: number;
}

/** How far the work was. */
export interface TaskUpdateRecord {
  /** Which task. */
  readonly taskId: string;
  /** Where the work stands, in the assignee's word. */
  readonly status: string;
  /** How far it is. */
  readonly progress: number;
  /** The same in words. */
  readonly message: string;
  /** What there was so far. */
  readonly partialOutput: Uint8Array;
  /** Who reported. */
  readonly sender: string;
}

/** The report that the work is done. */
export interface TaskCompletionRecord {
  /** Which task. */
  readonly taskId: string;
  /** Who did it. */
  readonly assignee: string;
  /** What came of it, as bytes. */
  readonly output: Uint8Array;
  /** What was done, in words. */
  readonly summary: string;
  /** Who reported; the assignee. */
  readonly sender: string;
}

/** The report that the work cannot be done. */
export interface TaskFailureRecord {
  /** Which task. */
  readonly taskId: string;
  /** Who could not do it. */
  readonly assignee: string;
  /** Why not, for programs. */
  readonly errorCode: string;
  /** Why not, in words. */
  readonly reason: string;
  /** Whether trying again may help. */
  readonly retryable: boolean;
  /** Who reported; the assignee. */
  readonly sender: string;
}
