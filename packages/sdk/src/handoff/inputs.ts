/** What the methods of HandoffSession take. */
import type { CommitmentRef, Root } from '@handover/core';
import type { AuthConfig } from '../auth.js';
import type { CallOptions } from '../transport/call-options.js';

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
  readonly intent: string;
  /** Who takes part; the sender is added when missing. */
  readonly participants: readonly string[];
  /** Life of the session in milliseconds, at most one day. */
  readonly ttlMs: number;
  /** Bytes that the outcome is bound to; stored under the extensions key `context`. */
  readonly context?: Uint8Array | undefined;
  readonly contextId?: string | undefined;
  readonly extensions?: Readonly<Record<string, Uint8Array>> | undefined;
  readonly roots?: readonly Root[] | undefined;
  /** The longest time the session may be suspended in all; 0 is the runtime's default. */
  readonly maxSuspendMs?: number | undefined;
}

/** An offer to a target. */
export interface OfferInput extends Speaker {
  readonly handoffId: string;
  readonly targetParticipant: string;
  readonly scope?: string | undefined;
  readonly reason?: string | undefined;
}

/** Context for a handoff. */
export interface ContextInput extends Speaker {
  readonly handoffId: string;
  readonly contentType?: string | undefined;
  readonly context?: Uint8Array | undefined;
}

/** The target takes the handoff. */
export interface AcceptInput extends Speaker {
  readonly handoffId: string;
  /** By default the sender. */
  readonly acceptedBy?: string | undefined;
  readonly reason?: string | undefined;
}

/** The target refuses the handoff. */
export interface DeclineInput extends Speaker {
  readonly handoffId: string;
  /** By default the sender. */
  readonly declinedBy?: string | undefined;
  readonly reason?: string | undefined;
}

/** The end of a session. Whatever is left out follows from the history in the projection. */
export interface CommitInput extends Speaker {
  readonly action?: string | undefined;
  readonly authorityScope?: string | undefined;
  readonly reason?: string | undefined;
  readonly commitmentId?: string | undefined;
  /** By default what the action says. */
  readonly outcomePositive?: boolean | undefined;
  /** An earlier Commitment that this one replaces. */
  readonly supersedes?: CommitmentRef | undefined;
}
