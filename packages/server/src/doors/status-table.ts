/**
 * How a refusal looks at each door: one row per code, so that no door decides it for itself. A rejection is mostly
 * carried inside an answer (an Ack, a stream frame, a body); the statuses here are for where a call itself is refused,
 * and for HTTP, where every answer has one (macp.md 2.9 and 7.3).
 */
import type { status } from '@grpc/grpc-js';
import { FaultCode, RejectionCode } from '@handover/core';

/** By name: only the gRPC door needs the library that numbers them. */
export type GrpcStatusName = keyof typeof status;

/**
 * What the caller may do next. `never`: the same request will be refused again. `later`: nothing was decided or stored,
 * the same request may be sent again after a pause. `same-id`: it may have been stored; sent again with the same
 * message id it is either stored or answered as a duplicate.
 */
export type Retry = 'never' | 'later' | 'same-id';

export interface Face {
  readonly grpc: GrpcStatusName;
  readonly http: number;
  readonly retry: Retry;
}

const face = (grpc: GrpcStatusName, http: number, retry: Retry = 'never'): Face => ({ grpc, http, retry });

export const REJECTION_FACES: Readonly<Record<RejectionCode, Face>> = {
  [RejectionCode.UNAUTHENTICATED]: face('UNAUTHENTICATED', 401),
  [RejectionCode.FORBIDDEN]: face('PERMISSION_DENIED', 403),
  [RejectionCode.SESSION_NOT_FOUND]: face('NOT_FOUND', 404),
  [RejectionCode.SESSION_NOT_OPEN]: face('FAILED_PRECONDITION', 409),
  [RejectionCode.DUPLICATE_MESSAGE]: face('FAILED_PRECONDITION', 409),
  [RejectionCode.SESSION_ALREADY_EXISTS]: face('ALREADY_EXISTS', 409),
  [RejectionCode.INVALID_ENVELOPE]: face('INVALID_ARGUMENT', 400),
  [RejectionCode.UNSUPPORTED_PROTOCOL_VERSION]: face('FAILED_PRECONDITION', 400),
  [RejectionCode.MODE_NOT_SUPPORTED]: face('FAILED_PRECONDITION', 400),
  [RejectionCode.PAYLOAD_TOO_LARGE]: face('RESOURCE_EXHAUSTED', 413),
  [RejectionCode.RATE_LIMITED]: face('RESOURCE_EXHAUSTED', 429, 'later'),
  [RejectionCode.INVALID_SESSION_ID]: face('INVALID_ARGUMENT', 400),
  [RejectionCode.INTERNAL_ERROR]: face('INTERNAL', 500, 'later'),
  [RejectionCode.UNKNOWN_POLICY_VERSION]: face('FAILED_PRECONDITION', 404),
  [RejectionCode.POLICY_DENIED]: face('FAILED_PRECONDITION', 403),
  [RejectionCode.INVALID_POLICY_DEFINITION]: face('INVALID_ARGUMENT', 400),
  [RejectionCode.VALIDATION_ERROR]: face('INVALID_ARGUMENT', 400),
  [RejectionCode.SESSION_EXPIRED]: face('FAILED_PRECONDITION', 410),
  [RejectionCode.CONFLICT]: face('ABORTED', 409),
  [RejectionCode.HANDOFF_NOT_FOUND]: face('NOT_FOUND', 404),
  [RejectionCode.HANDOFF_FAILED]: face('FAILED_PRECONDITION', 502),
  [RejectionCode.OPERATION_NOT_FOUND]: face('NOT_FOUND', 404),
};

export const FAULT_FACES: Readonly<Record<FaultCode, Face>> = {
  [FaultCode.UNKNOWN_OUTCOME]: face('UNAVAILABLE', 503, 'same-id'),
  [FaultCode.NOT_STORED]: face('INTERNAL', 500, 'later'),
  [FaultCode.OVERLOADED]: face('RESOURCE_EXHAUSTED', 429, 'later'),
  [FaultCode.SHUTTING_DOWN]: face('UNAVAILABLE', 503, 'later'),
  [FaultCode.DATA_LOSS]: face('DATA_LOSS', 500),
  [FaultCode.LAGGED]: face('RESOURCE_EXHAUSTED', 503, 'later'),
  [FaultCode.CONFIGURATION]: face('INTERNAL', 500),
  [FaultCode.INTERNAL]: face('INTERNAL', 500),
};

/** What an MCP tool can answer with: the six codes of the seed, and what the rest of the lifecycle needs. */
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

export const MCP_FACES: Readonly<Record<RejectionCode, McpErrorCode>> = {
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
  [RejectionCode.VALIDATION_ERROR]: McpErrorCode.VALIDATION_ERROR,
  [RejectionCode.SESSION_EXPIRED]: McpErrorCode.SESSION_EXPIRED,
  [RejectionCode.CONFLICT]: McpErrorCode.CONFLICT,
  [RejectionCode.HANDOFF_NOT_FOUND]: McpErrorCode.HANDOFF_NOT_FOUND,
  [RejectionCode.HANDOFF_FAILED]: McpErrorCode.HANDOFF_FAILED,
  [RejectionCode.OPERATION_NOT_FOUND]: McpErrorCode.OPERATION_NOT_FOUND,
};
