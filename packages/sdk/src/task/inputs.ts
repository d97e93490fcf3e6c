/** What the methods of TaskSession take. */
import type { Speaker } from '../session/inputs.js';

/** The one task of the session. */
export interface TaskRequestInput extends Speaker {
  /** An id of one's own choice; answers and reports name it. */
  readonly taskId: string;
  /** What is to be done, in a few words. */
  readonly title: string;
  /** How, in as many words as it takes. */
  readonly instructions?: string | undefined;
  /** Who is to do it; without a name, any participant but the initiator may take it. */
  readonly requestedAssignee?: string | undefined;
  /** What the work begins with, as bytes. */
  readonly input?: Uint8Array | undefined;
  /** For the assignee to know; nothing happens when it passes. */
  readonly deadlineUnixMs?: number | undefined;
}

/** The task is taken, or not. */
export interface TaskAnswerInput extends Speaker {
  /** Which task. */
  readonly taskId: string;
  /** By default the sender; nobody else can be named. */
  readonly assignee?: string | undefined;
  /** Why; recorded. */
  readonly reason?: string | undefined;
}

/** How far the work is. */
export interface TaskUpdateInput extends Speaker {
  /** Which task. */
  readonly taskId: string;
  /** Where the work stands, in a word of one's own. */
  readonly status?: string | undefined;
  /** Usually between 0 and 1. */
  readonly progress?: number | undefined;
  /** The same in words. */
  readonly message?: string | undefined;
  /** What there is so far, as bytes. */
  readonly partialOutput?: Uint8Array | undefined;
}

/** The work is done. */
export interface TaskCompleteInput extends Speaker {
  /** Which task. */
  readonly taskId: string;
  /** By default the sender. */
  readonly assignee?: string | undefined;
  /** A policy may ask for one. */
  readonly output?: Uint8Array | undefined;
  /** What was done, in words. */
  readonly summary?: string | undefined;
}

/** The work cannot be done. */
export interface TaskFailInput extends Speaker {
  /** Which task. */
  readonly taskId: string;
  /** By default the sender. */
  readonly assignee?: string | undefined;
  /** Why not, for programs. */
  readonly errorCode?: string | undefined;
  /** Why not, in words. */
  readonly reason?: string | undefined;
  /** Whether trying again, in another session, may help. */
  readonly retryable?: boolean | undefined;
}
