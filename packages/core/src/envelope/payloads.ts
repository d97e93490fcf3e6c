/**
 * The payloads of Core's own messages; each mode brings those of its own. Field names are the protocol's in camelCase;
 * int64 milliseconds are numbers, bytes are Uint8Array, absent proto3 fields have their defaults.
 */
export interface Root {
  /** Kept with the session, and not interpreted. */
  readonly uri: string;
  /** For people. */
  readonly name: string;
}

export interface SessionStartPayload {
  /** What the session is for; for people. */
  readonly intent: string;
  /** Who takes part, at most 1,000. */
  readonly participants: readonly string[];
  /** The version of the mode's rules. */
  readonly modeVersion: string;
  /** An id that all participants know. */
  readonly configurationVersion: string;
  /** The policy that governs the Commitment; empty is the default one. */
  readonly policyVersion: string;
  /** How long the session may be open. */
  readonly ttlMs: number;
  /** What it may work on. */
  readonly roots: readonly Root[];
  /** What the initiator calls the context; may be empty. */
  readonly contextId: string;
  /** Further bytes, each under a name; all members can read them. */
  readonly extensions: Readonly<Record<string, Uint8Array>>;
  /** The longest time that it may be suspended in all; 0 is the server's own limit. */
  readonly maxSuspendMs: number;
}

export interface CommitmentRef {
  /** The session whose Commitment is replaced. It is not looked up. */
  readonly sessionId: string;
  /** `sha256:` and 64 lowercase hex digits. */
  readonly commitmentHash: string;
}

export interface CommitmentPayload {
  /** An id of its author's making. */
  readonly commitmentId: string;
  /** What was decided; some endings say whether the outcome is positive. */
  readonly action: string;
  /** For what it is binding. */
  readonly authorityScope: string;
  /** Why; for people and for the record. */
  readonly reason: string;
  /** As the SessionStart has it. */
  readonly modeVersion: string;
  /** As the SessionStart has it. */
  readonly policyVersion: string;
  /** As the SessionStart has it. */
  readonly configurationVersion: string;
  /** Whether it came to something. */
  readonly outcomePositive: boolean;
  /** An earlier Commitment that this one replaces. */
  readonly supersedes?: CommitmentRef;
}

export interface SessionCancelPayload {
  readonly reason: string;
  readonly cancelledBy: string;
}

export interface SessionSuspendPayload {
  readonly reason: string;
  readonly suspendedBy: string;
}

export interface SessionResumePayload {
  readonly reason: string;
  readonly resumedBy: string;
  readonly bankedMs: number;
}

export interface SignalPayload {
  readonly signalType: string;
  readonly data: Uint8Array;
  readonly confidence: number;
  readonly correlationSessionId: string;
}

export interface ProgressPayload {
  readonly progressToken: string;
  readonly progress: number;
  readonly total: number;
  readonly message: string;
  readonly targetMessageId: string;
}

/** Every payload of Core, by message type: these mean the same in every mode. */
export interface CorePayloads {
  SessionStart: SessionStartPayload;
  Commitment: CommitmentPayload;
  SessionCancel: SessionCancelPayload;
  SessionSuspend: SessionSuspendPayload;
  SessionResume: SessionResumePayload;
  Signal: SignalPayload;
  Progress: ProgressPayload;
}

export type CorePayloadType = keyof CorePayloads;
