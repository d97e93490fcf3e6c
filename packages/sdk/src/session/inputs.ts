/** What the methods take that sessions of all modes have. */
import type { CommitmentRef, Root } from '@handover/core';
import type { Names } from '../arguments.js';
import type { AuthConfig } from '../auth.js';
import { CALL_OPTIONS, type CallOptions } from '../transport/call-options.js';

/** Who speaks, and how; part of every input. */
export interface Speaker extends CallOptions {
  /** Who speaks; by default the owner of the credential. A dev credential allows any name. */
  readonly sender?: string | undefined;
  /** The credential of this message, in place of the session's. It must fit the sender. */
  readonly auth?: AuthConfig | undefined;
  /** An id of one's own: sending the same message under the same id again changes nothing. */
  readonly messageId?: string | undefined;
}

/** How a session starts. */
export interface StartInput extends Speaker {
  /** What the session is for, in words. */
  readonly intent: string;
  /** Who takes part. In Handoff Mode the sender is added when missing; in other modes the initiator need not take part. */
  readonly participants: readonly string[];
  /** Life of the session in milliseconds, at most one day. */
  readonly ttlMs: number;
  /** Bytes that the outcome is bound to; stored under the extensions key `context`. */
  readonly context?: Uint8Array | undefined;
  /** A name for the context that the session is about. */
  readonly contextId?: string | undefined;
  /** Further bytes, each under a name; all members can read them. */
  readonly extensions?: Readonly<Record<string, Uint8Array>> | undefined;
  /** What the session may work on. */
  readonly roots?: readonly Root[] | undefined;
  /** The longest time the session may be suspended in all; 0 is the runtime's default. */
  readonly maxSuspendMs?: number | undefined;
}

export const START_INPUT: Names<StartInput> = {
  ...CALL_OPTIONS,
  sender: true,
  messageId: true,
  intent: true,
  participants: true,
  ttlMs: true,
  context: true,
  contextId: true,
  extensions: true,
  roots: true,
  maxSuspendMs: true,
};

/** What a Commitment may say besides action, scope and reason. */
export interface OutcomeDetails extends Speaker {
  /** An id of one's own; a fresh one by default. */
  readonly commitmentId?: string | undefined;
  /** By default what the action's ending says; it must be given when the ending says nothing. */
  readonly outcomePositive?: boolean | undefined;
  /** An earlier Commitment that this one replaces. */
  readonly supersedes?: CommitmentRef | undefined;
}

/** The end of a session: what was decided, for what, and why. */
export interface OutcomeInput extends OutcomeDetails {
  /** What was decided, such as `task.completed`; its ending says whether the outcome is positive. */
  readonly action: string;
  /** For what the decision is binding. */
  readonly authorityScope: string;
  /** Why; part of the record that a receipt proves. */
  readonly reason: string;
}
