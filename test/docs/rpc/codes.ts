/** The codes of MACP, and what they mean wherever they are met. Codes that only MCP tools answer with are not among them. */
import { type FaultCode, RejectionCode } from '@handover/core';

type OfTools =
  | 'VALIDATION_ERROR'
  | 'SESSION_EXPIRED'
  | 'CONFLICT'
  | 'HANDOFF_NOT_FOUND'
  | 'HANDOFF_FAILED'
  | 'OPERATION_NOT_FOUND';
export type MacpCode = Exclude<RejectionCode, OfTools>;

export const MEANINGS: Readonly<Record<MacpCode, string>> = {
  UNAUTHENTICATED: 'no credential where one is asked for, or none that is good here',
  FORBIDDEN: 'the caller is known, and may not',
  SESSION_NOT_FOUND: 'no such session',
  SESSION_NOT_OPEN: 'the session is suspended or over',
  DUPLICATE_MESSAGE: 'never sent: a duplicate is ok',
  SESSION_ALREADY_EXISTS: 'the id of the session is taken',
  INVALID_ENVELOPE: 'an envelope, its payload, or its place in the session is wrong; the message says which',
  UNSUPPORTED_PROTOCOL_VERSION: 'this server speaks 1.0',
  MODE_NOT_SUPPORTED: 'the mode is not served',
  PAYLOAD_TOO_LARGE: 'a payload or a request is beyond its [limit](../running/limits.md)',
  RATE_LIMITED:
    'too much from this caller, or too busy; the details say when to come again, where waiting helps',
  INVALID_SESSION_ID: 'the id of a new session has not the form that it must have',
  INTERNAL_ERROR: 'the server is at fault, or too slow; send the same again, under the same message id',
  UNKNOWN_POLICY_VERSION: 'no such policy',
  POLICY_DENIED: 'the policy of the session says no',
  INVALID_POLICY_DEFINITION: 'a policy is wrong, or for another mode',
  REGISTRY_READ_ONLY: 'the policies come from files',
  INVALID_REQUEST: 'a request that carries no envelope is wrong',
  STREAM_LAGGED: 'who listens was too slow; the text says where to go on',
  AGENT_NOT_FOUND: 'no such agent',
  HISTORY_UNAVAILABLE: 'never sent: histories are kept whole',
  RECEIPT_UNAVAILABLE: 'the session has no receipt',
};

export const MACP_CODES = Object.keys(RejectionCode).filter((code): code is MacpCode => code in MEANINGS);

/** What happened, of faults that callers are told of. */
export const FAULTS: Readonly<Record<FaultCode, string>> = {
  UNKNOWN_OUTCOME: 'it may have been stored, and may not',
  NOT_STORED: 'the disk is full, or cannot be written',
  OVERLOADED: 'more is waiting than the server takes up',
  SHUTTING_DOWN: 'the server ends',
  DATA_LOSS: 'a stored value does not fit its hash',
  STREAM_LAGGED: 'who listens was too slow',
  CREDENTIAL_EXPIRED: 'the token with which a stream or watch was opened has expired',
  CONFIGURATION: 'a setting is wrong',
  INTERNAL: 'anything else',
};
