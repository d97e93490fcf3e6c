import type { JsonObject } from './log/json.js';

/**
 * The closed set of codes with which a request can be refused: the MACP error registry, then what working sessions and
 * operations need beyond it. A rejection is a value, never an exception: it is an answer that was decided, it changes
 * nothing and it uses up no message id.
 */
export const RejectionCode = {
  UNAUTHENTICATED: 'UNAUTHENTICATED',
  FORBIDDEN: 'FORBIDDEN',
  SESSION_NOT_FOUND: 'SESSION_NOT_FOUND',
  SESSION_NOT_OPEN: 'SESSION_NOT_OPEN',
  DUPLICATE_MESSAGE: 'DUPLICATE_MESSAGE',
  SESSION_ALREADY_EXISTS: 'SESSION_ALREADY_EXISTS',
  INVALID_ENVELOPE: 'INVALID_ENVELOPE',
  UNSUPPORTED_PROTOCOL_VERSION: 'UNSUPPORTED_PROTOCOL_VERSION',
  MODE_NOT_SUPPORTED: 'MODE_NOT_SUPPORTED',
  PAYLOAD_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  RATE_LIMITED: 'RATE_LIMITED',
  INVALID_SESSION_ID: 'INVALID_SESSION_ID',
  INTERNAL_ERROR: 'INTERNAL_ERROR',
  UNKNOWN_POLICY_VERSION: 'UNKNOWN_POLICY_VERSION',
  POLICY_DENIED: 'POLICY_DENIED',
  INVALID_POLICY_DEFINITION: 'INVALID_POLICY_DEFINITION',
  /** The policies come from files and cannot be changed by a request. */
  REGISTRY_READ_ONLY: 'REGISTRY_READ_ONLY',
  /** A malformed request that is no envelope. */
  INVALID_REQUEST: 'INVALID_REQUEST',
  STREAM_LAGGED: 'STREAM_LAGGED',
  AGENT_NOT_FOUND: 'AGENT_NOT_FOUND',
  HISTORY_UNAVAILABLE: 'HISTORY_UNAVAILABLE',
  RECEIPT_UNAVAILABLE: 'RECEIPT_UNAVAILABLE',
  VALIDATION_ERROR: 'VALIDATION_ERROR',
  SESSION_EXPIRED: 'SESSION_EXPIRED',
  CONFLICT: 'CONFLICT',
  HANDOFF_NOT_FOUND: 'HANDOFF_NOT_FOUND',
  HANDOFF_FAILED: 'HANDOFF_FAILED',
  OPERATION_NOT_FOUND: 'OPERATION_NOT_FOUND',
} as const;

export type RejectionCode = (typeof RejectionCode)[keyof typeof RejectionCode];

/** One reason for which a policy says no. */
export interface Denial {
  /** An open set: a reader treats a code that it does not know as unspecified. */
  readonly code: string;
  /** Never names a participant; those stand in `participants`. */
  readonly message: string;
  /** Sorted and each once; left out when nobody in particular is meant. */
  readonly participants?: readonly string[];
}

export interface Rejection {
  readonly code: RejectionCode;
  /** One sentence: which field or rule, and what to do. Never contains a payload or a secret. */
  readonly message: string;
  /** Why a policy said no; only with POLICY_DENIED. */
  readonly reasons?: readonly string[];
  /** The same reasons for programs, where the policy gave them. */
  readonly denials?: readonly Denial[];
  /** What the caller needs to act on it, such as the current sequence number. */
  readonly details?: JsonObject;
}

export function reject(code: RejectionCode, message: string, reasons?: readonly string[]): Rejection {
  return reasons === undefined ? { code, message } : { code, message, reasons };
}

/** A rejection that carries what the caller needs to act on it. */
export function rejectWith(code: RejectionCode, message: string, details: JsonObject): Rejection {
  return { code, message, details };
}
