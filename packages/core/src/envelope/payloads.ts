/**
 * The payloads of Core's own messages; each mode brings those of its own. Field names are the protocol's in camelCase;
 * int64 milliseconds are numbers, bytes are Uint8Array, absent proto3 fields have their defaults.
 */
export interface Root {
  readonly uri: string;
  readonly name: string;
}

export interface SessionStartPayload {
  readonly intent: string;
  readonly participants: readonly string[];
  readonly modeVersion: string;
  readonly configurationVersion: string;
  readonly policyVersion: string;
  readonly ttlMs: number;
  readonly roots: readonly Root[];
  readonly contextId: string;
  readonly extensions: Readonly<Record<string, Uint8Array>>;
  readonly maxSuspendMs: number;
}

export interface CommitmentRef {
  readonly sessionId: string;
  readonly commitmentHash: string;
}

export interface CommitmentPayload {
  readonly commitmentId: string;
  readonly action: string;
  readonly authorityScope: string;
  readonly reason: string;
  readonly modeVersion: string;
  readonly policyVersion: string;
  readonly configurationVersion: string;
  readonly outcomePositive: boolean;
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
