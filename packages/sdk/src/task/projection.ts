import {
  type Envelope,
  evolveTask,
  hasRejected,
  NO_TASK,
  TASK_MODE,
  TaskMessageType,
  type TaskState,
  taskFacts,
  taskPayloads,
  taskReady,
} from '@handover/core';
import { codec } from '../codec.js';
import { SessionProjection } from '../session/projection.js';
import type {
  TaskCompletionRecord,
  TaskFailureRecord,
  TaskPhase,
  TaskRecord,
  TaskStatus,
  TaskUpdateRecord,
} from './records.js';

type Words = Omit<TaskRecord, 'status' | 'assignee' | 'progress'>;

/** Follows a Task session on the client's side. A session has one task. */
export class TaskProjection extends SessionProjection {
  override readonly mode = TASK_MODE;
  /** All updates, in order. */
  readonly updates: TaskUpdateRecord[] = [];
  /** The report that the work is done, if there is one. */
  readonly completions: TaskCompletionRecord[] = [];
  /** The report that the work cannot be done, if there is one. */
  readonly failures: TaskFailureRecord[] = [];
  #state: TaskState = NO_TASK;
  #words: Words | undefined;

  /** The task by its id; at most one. */
  get tasks(): ReadonlyMap<string, TaskRecord> {
    const { task } = this;
    return new Map(task && [[task.taskId, task]]);
  }
  /** Pending, Requested, InProgress while somebody has the task, Completed or Failed, Committed. */
  override get phase(): TaskPhase {
    if (this.isCommitted) return 'Committed';
    const { task } = this.#state;
    if (!task) return 'Pending';
    if (task.report) return task.report.kind === 'completed' ? 'Completed' : 'Failed';
    return task.assignee === undefined ? 'Requested' : 'InProgress';
  }
  /** The task of the session, once it is given. */
  get task(): TaskRecord | undefined {
    const { task } = this.#state;
    if (!task || !this.#words) return undefined;
    const { assignee } = task;
    const progress = task.report?.kind === 'completed' ? 1 : (this.#ownUpdate()?.progress ?? 0);
    return { ...this.#words, status: this.#status(), ...(assignee !== undefined && { assignee }), progress };
  }
  /** The full record of the task. */
  getTask(taskId: string): TaskRecord | undefined {
    return this.tasks.get(taskId);
  }
  /** What the assignee's newest update said, and 1 when it is completed. */
  progressOf(taskId: string): number {
    return this.getTask(taskId)?.progress ?? 0;
  }
  /** True after the report that the work is done. */
  isComplete(taskId: string): boolean {
    return this.getTask(taskId)?.status === 'completed';
  }
  /** True after the report that the work cannot be done. */
  isFailed(taskId: string): boolean {
    return this.getTask(taskId)?.status === 'failed';
  }
  /** True when it failed and trying again may help. */
  isRetryable(taskId: string): boolean {
    return this.failures.some((failure) => failure.taskId === taskId && failure.retryable);
  }
  /** The task while there is work to do. */
  activeTasks(): TaskRecord[] {
    const active: readonly TaskStatus[] = ['requested', 'accepted', 'in_progress'];
    return [...this.tasks.values()].filter(({ status }) => active.includes(status));
  }
  /** Whether a participant declined the task or gave it back; they cannot take it any more. */
  hasDeclined(participant: string): boolean {
    return this.#state.task !== undefined && hasRejected(this.#state.task, participant);
  }
  /** Whether a TaskAccept of this participant can be accepted by the runtime now. */
  canAccept(participant: string): boolean {
    const { task } = this.#state;
    if (!task || task.assignee !== undefined || task.report || this.sessionState !== 'OPEN') return false;
    if (!this.sessionStart?.participants.includes(participant) || hasRejected(task, participant))
      return false;
    const { requestedAssignee: named } = task;
    return named === '' ? participant !== this.initiator : participant === named;
  }
  /** Whether the history allows a negative Commitment. */
  get negativeCommitEligible(): boolean {
    return !this.isCommitted && taskReady(this.#state, { outcomePositive: false }) === undefined;
  }

  protected override reset(): void {
    this.#state = NO_TASK;
    this.#words = undefined;
    this.updates.length = 0;
    this.completions.length = 0;
    this.failures.length = 0;
  }

  protected override fold(envelope: Envelope, seq: number): void {
    const facts = taskFacts(envelope.messageType, envelope.payload, codec);
    if (!facts) return;
    const before = this.#state;
    this.#state = evolveTask(before, this.entry(envelope, seq, facts));
    if (this.#state !== before) this.#keep(envelope);
    else if (envelope.messageType === TaskMessageType.Accept) this.#noteDuplicate(envelope, facts.task_id);
  }

  /** The newest update of who has the task now; what somebody said who gave it back does not count. */
  #ownUpdate(): TaskUpdateRecord | undefined {
    return this.updates.findLast(({ sender }) => sender === this.#state.task?.assignee);
  }

  #status(): TaskStatus {
    const { task } = this.#state;
    if (task?.report) return task.report.kind;
    if (task?.assignee !== undefined) return this.#ownUpdate() ? 'in_progress' : 'accepted';
    return task?.declined.includes(task.requestedAssignee) ? 'rejected' : 'requested';
  }

  #noteDuplicate(envelope: Envelope, taskId: unknown): void {
    const { task } = this.#state;
    if (task?.taskId === taskId && task?.assignee !== undefined)
      this.note(
        'duplicate_task_accept',
        envelope,
        task.taskId,
        `${task.assignee} has the task; this is left out`,
      );
  }

  /** Called only for an envelope that changed core's state. */
  #keep({ messageType, payload, sender }: Envelope): void {
    if (messageType === TaskMessageType.Request) {
      const said = codec.decode(taskPayloads.TaskRequest, payload);
      // A copy: the payload is a view on a whole network frame.
      if (said) this.#words = { ...said, input: said.input.slice(), sender };
    } else if (messageType === TaskMessageType.Update) {
      const said = codec.decode(taskPayloads.TaskUpdate, payload);
      if (said) this.updates.push({ ...said, partialOutput: said.partialOutput.slice(), sender });
    } else if (messageType === TaskMessageType.Complete) {
      const said = codec.decode(taskPayloads.TaskComplete, payload);
      if (said) this.completions.push({ ...said, output: said.output.slice(), sender });
    } else if (messageType === TaskMessageType.Fail) {
      const said = codec.decode(taskPayloads.TaskFail, payload);
      if (said) this.failures.push({ ...said, sender });
    }
  }
}
