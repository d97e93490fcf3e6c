/** What the methods of TaskSession take. */
import type { Speaker } from '../session/inputs.js';

/** The one task of the session. */
export interface TaskRequestInput extends Speaker {
  readonly taskId: string;
  readonly title: string;
  readonly instructions?: string | undefined;
  /** Who is to do it; without a name, any participant but the initiator may take it. */
  readonly requestedAssignee?: string | undefined;
  readonly input?: Uint8Array | undefined;
  /** For the assignee to know; nothing happens when it passes. */
  readonly deadlineUnixMs?: number | undefined;
}

/** The task is taken, or not. */
export interface TaskAnswerInput extends Speaker {
  readonly taskId: string;
  /** By default the sender; nobody else can be named. */
  readonly assignee?: string | undefined;
  readonly reason?: string | undefined;
}

/** How far the work is. */
export interface TaskUpdateInput extends Speaker {
  readonly taskId: string;
  readonly status?: string | undefined;
  /** Usually between 0 and 1. */
  readonly progress?: number | undefined;
  readonly message?: string | undefined;
  readonly partialOutput?: Uint8Array | undefined;
}

/** The work is done. */
export interface TaskCompleteInput extends Speaker {
  readonly taskId: string;
  /** By default the sender. */
  readonly assignee?: string | undefined;
  /** A policy may ask for one. */
  readonly output?: Uint8Array | undefined;
  readonly summary?: string | undefined;
}

/** The work cannot be done. */
export interface TaskFailInput extends Speaker {
  readonly taskId: string;
  /** By default the sender. */
  readonly assignee?: string | undefined;
  readonly errorCode?: string | undefined;
  readonly reason?: string | undefined;
  /** Whether trying again, in another session, may help. */
  readonly retryable?: boolean | undefined;
}
