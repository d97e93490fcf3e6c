/** A session as views show it (macp.v1.SessionMetadata), in core's terms. */
import type { JsonObject } from '../log/json.js';
import type { ParticipantActivity, SessionState } from './state.js';

export interface SessionMetadata {
  readonly sessionId: string;
  readonly mode: string;
  readonly state: string;
  readonly startedAtUnixMs: number;
  readonly expiresAtUnixMs: number;
  readonly modeVersion: string;
  readonly configurationVersion: string;
  readonly policyVersion: string;
  readonly participants: readonly string[];
  readonly participantActivity: readonly ParticipantActivity[];
  readonly initiator: string;
  readonly contextId: string;
  readonly extensionKeys: readonly string[];
}

export function sessionMetadata(session: SessionState): SessionMetadata {
  return {
    sessionId: session.id,
    mode: session.mode.descriptor.mode,
    state: session.status,
    startedAtUnixMs: session.startedAt,
    expiresAtUnixMs: session.deadline,
    modeVersion: session.modeVersion,
    configurationVersion: session.configurationVersion,
    policyVersion: session.policy.policyId,
    participants: session.participants,
    participantActivity: session.activity,
    initiator: session.initiator,
    contextId: session.contextId,
    extensionKeys: session.extensionKeys,
  };
}

/** What a list stores of a session: everything but activity, which changes with each message. */
export function sessionSummary(session: SessionState): JsonObject {
  const { participantActivity: _activity, sessionId: _id, ...listed } = sessionMetadata(session);
  return listed;
}

/** The inverse of sessionSummary, for a row of a list. */
export function summaryToMetadata(sessionId: string, summary: JsonObject): SessionMetadata {
  return {
    ...(summary as unknown as Omit<SessionMetadata, 'sessionId' | 'participantActivity'>),
    sessionId,
    participantActivity: [],
  };
}
