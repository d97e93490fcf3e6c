/**
 * The status of a refusal at each door: one row per code, so that no door decides it for itself. Most rejections travel
 * inside an answer (an Ack, a stream frame, a body). The statuses here are for calls that are refused as a whole, and
 * for HTTP, where every answer has a status (docs/spec/macp.md 2.9 and 7.3, macp-2026.md 2).
 */
import type { status } from '@grpc/grpc-js';
import { FaultCode, RejectionCode } from '@handover/core';

/** The name of a status, not its number: only the gRPC door needs the library that has the numbers. */
export type GrpcStatusName = keyof typeof status;

/**
 * What the caller may do next. `never`: the same request will be refused again. `later`: nothing was decided or stored,
 * the same request may be sent again after a pause. `same-id`: the request may have been stored. If it is sent again
 * with the same message id, it is either stored or answered as a duplicate.
 */
export type Retry = 'never' | 'later' | 'same-id';

export interface DoorStatus {
  readonly grpc: GrpcStatusName;
  readonly http: number;
  readonly retry: Retry;
}

const row = (grpc: GrpcStatusName, http: number, retry: Retry = 'never'): DoorStatus => ({
  grpc,
  http,
  retry,
});

export const REJECTION_STATUS: Readonly<Record<RejectionCode, DoorStatus>> = {
  [RejectionCode.UNAUTHENTICATED]: row('UNAUTHENTICATED', 401),
  [RejectionCode.FORBIDDEN]: row('PERMISSION_DENIED', 403),
  [RejectionCode.SESSION_NOT_FOUND]: row('NOT_FOUND', 404),
  [RejectionCode.SESSION_NOT_OPEN]: row('FAILED_PRECONDITION', 409),
  [RejectionCode.DUPLICATE_MESSAGE]: row('ALREADY_EXISTS', 409),
  [RejectionCode.SESSION_ALREADY_EXISTS]: row('ALREADY_EXISTS', 409),
  [RejectionCode.INVALID_ENVELOPE]: row('INVALID_ARGUMENT', 400),
  [RejectionCode.UNSUPPORTED_PROTOCOL_VERSION]: row('INVALID_ARGUMENT', 400),
  [RejectionCode.MODE_NOT_SUPPORTED]: row('INVALID_ARGUMENT', 400),
  [RejectionCode.PAYLOAD_TOO_LARGE]: row('RESOURCE_EXHAUSTED', 413),
  [RejectionCode.RATE_LIMITED]: row('RESOURCE_EXHAUSTED', 429, 'later'),
  [RejectionCode.INVALID_SESSION_ID]: row('INVALID_ARGUMENT', 400),
  [RejectionCode.INTERNAL_ERROR]: row('INTERNAL', 500, 'later'),
  [RejectionCode.UNKNOWN_POLICY_VERSION]: row('NOT_FOUND', 404),
  [RejectionCode.POLICY_DENIED]: row('PERMISSION_DENIED', 403),
  [RejectionCode.INVALID_POLICY_DEFINITION]: row('INVALID_ARGUMENT', 400),
  [RejectionCode.REGISTRY_READ_ONLY]: row('FAILED_PRECONDITION', 409),
  [RejectionCode.INVALID_REQUEST]: row('INVALID_ARGUMENT', 400),
  [RejectionCode.STREAM_LAGGED]: row('RESOURCE_EXHAUSTED', 503, 'later'),
  [RejectionCode.AGENT_NOT_FOUND]: row('NOT_FOUND', 404),
  [RejectionCode.HISTORY_UNAVAILABLE]: row('FAILED_PRECONDITION', 409),
  [RejectionCode.RECEIPT_UNAVAILABLE]: row('FAILED_PRECONDITION', 409),
  [RejectionCode.VALIDATION_ERROR]: row('INVALID_ARGUMENT', 400),
  [RejectionCode.SESSION_EXPIRED]: row('FAILED_PRECONDITION', 410),
  [RejectionCode.CONFLICT]: row('ABORTED', 409),
  [RejectionCode.HANDOFF_NOT_FOUND]: row('NOT_FOUND', 404),
  [RejectionCode.HANDOFF_FAILED]: row('FAILED_PRECONDITION', 502),
  [RejectionCode.OPERATION_NOT_FOUND]: row('NOT_FOUND', 404),
};

export const FAULT_STATUS: Readonly<Record<FaultCode, DoorStatus>> = {
  [FaultCode.UNKNOWN_OUTCOME]: row('UNAVAILABLE', 503, 'same-id'),
  [FaultCode.NOT_STORED]: row('INTERNAL', 500, 'later'),
  [FaultCode.OVERLOADED]: row('RESOURCE_EXHAUSTED', 429, 'later'),
  [FaultCode.SHUTTING_DOWN]: row('UNAVAILABLE', 503, 'later'),
  [FaultCode.DATA_LOSS]: row('DATA_LOSS', 500),
  [FaultCode.STREAM_LAGGED]: row('RESOURCE_EXHAUSTED', 503, 'later'),
  [FaultCode.CREDENTIAL_EXPIRED]: row('UNAUTHENTICATED', 401),
  [FaultCode.CONFIGURATION]: row('INTERNAL', 500),
  [FaultCode.INTERNAL]: row('INTERNAL', 500),
};

/** The code of the registry that stands for a fault; those that only this server has mean that it is at fault. */
export const FAULT_REGISTRY_CODES: Readonly<Record<FaultCode, RejectionCode>> = {
  [FaultCode.UNKNOWN_OUTCOME]: RejectionCode.INTERNAL_ERROR,
  [FaultCode.NOT_STORED]: RejectionCode.INTERNAL_ERROR,
  [FaultCode.OVERLOADED]: RejectionCode.RATE_LIMITED,
  [FaultCode.SHUTTING_DOWN]: RejectionCode.INTERNAL_ERROR,
  [FaultCode.DATA_LOSS]: RejectionCode.INTERNAL_ERROR,
  [FaultCode.STREAM_LAGGED]: RejectionCode.STREAM_LAGGED,
  [FaultCode.CREDENTIAL_EXPIRED]: RejectionCode.UNAUTHENTICATED,
  [FaultCode.CONFIGURATION]: RejectionCode.INTERNAL_ERROR,
  [FaultCode.INTERNAL]: RejectionCode.INTERNAL_ERROR,
};

/**
 * The error codes of MCP tools: the six of docs/api-reference.md, and those that the rest of the lifecycle needs.
 */
export const McpErrorCode = {
  VALIDATION_ERROR: 'VALIDATION_ERROR',
  SESSION_NOT_FOUND: 'SESSION_NOT_FOUND',
  SESSION_EXPIRED: 'SESSION_EXPIRED',
  HANDOFF_FAILED: 'HANDOFF_FAILED',
  RATE_LIMITED: 'RATE_LIMITED',
  INTERNAL_ERROR: 'INTERNAL_ERROR',
  FORBIDDEN: 'FORBIDDEN',
  CONFLICT: 'CONFLICT',
  HANDOFF_NOT_FOUND: 'HANDOFF_NOT_FOUND',
  OPERATION_NOT_FOUND: 'OPERATION_NOT_FOUND',
} as const;
export type McpErrorCode = (typeof McpErrorCode)[keyof typeof McpErrorCode];

export const MCP_STATUS: Readonly<Record<RejectionCode, McpErrorCode>> = {
  [RejectionCode.UNAUTHENTICATED]: McpErrorCode.FORBIDDEN,
  [RejectionCode.FORBIDDEN]: McpErrorCode.FORBIDDEN,
  [RejectionCode.SESSION_NOT_FOUND]: McpErrorCode.SESSION_NOT_FOUND,
  [RejectionCode.SESSION_NOT_OPEN]: McpErrorCode.CONFLICT,
  [RejectionCode.DUPLICATE_MESSAGE]: McpErrorCode.CONFLICT,
  [RejectionCode.SESSION_ALREADY_EXISTS]: McpErrorCode.CONFLICT,
  [RejectionCode.INVALID_ENVELOPE]: McpErrorCode.VALIDATION_ERROR,
  [RejectionCode.UNSUPPORTED_PROTOCOL_VERSION]: McpErrorCode.VALIDATION_ERROR,
  [RejectionCode.MODE_NOT_SUPPORTED]: McpErrorCode.HANDOFF_FAILED,
  [RejectionCode.PAYLOAD_TOO_LARGE]: McpErrorCode.VALIDATION_ERROR,
  [RejectionCode.RATE_LIMITED]: McpErrorCode.RATE_LIMITED,
  [RejectionCode.INVALID_SESSION_ID]: McpErrorCode.VALIDATION_ERROR,
  [RejectionCode.INTERNAL_ERROR]: McpErrorCode.INTERNAL_ERROR,
  [RejectionCode.UNKNOWN_POLICY_VERSION]: McpErrorCode.HANDOFF_FAILED,
  [RejectionCode.POLICY_DENIED]: McpErrorCode.FORBIDDEN,
  [RejectionCode.INVALID_POLICY_DEFINITION]: McpErrorCode.HANDOFF_FAILED,
  [RejectionCode.REGISTRY_READ_ONLY]: McpErrorCode.CONFLICT,
  [RejectionCode.INVALID_REQUEST]: McpErrorCode.VALIDATION_ERROR,
  [RejectionCode.STREAM_LAGGED]: McpErrorCode.INTERNAL_ERROR,
  [RejectionCode.AGENT_NOT_FOUND]: McpErrorCode.HANDOFF_FAILED,
  [RejectionCode.HISTORY_UNAVAILABLE]: McpErrorCode.CONFLICT,
  [RejectionCode.RECEIPT_UNAVAILABLE]: McpErrorCode.CONFLICT,
  [RejectionCode.VALIDATION_ERROR]: McpErrorCode.VALIDATION_ERROR,
  [RejectionCode.SESSION_EXPIRED]: McpErrorCode.SESSION_EXPIRED,
  [RejectionCode.CONFLICT]: McpErrorCode.CONFLICT,
  [RejectionCode.HANDOFF_NOT_FOUND]: McpErrorCode.HANDOFF_NOT_FOUND,
  [RejectionCode.HANDOFF_FAILED]: McpErrorCode.HANDOFF_FAILED,
  [RejectionCode.OPERATION_NOT_FOUND]: McpErrorCode.OPERATION_NOT_FOUND,
};
