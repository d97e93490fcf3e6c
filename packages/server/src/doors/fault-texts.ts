/**
 * The texts that callers get for a fault: one row per code, for all doors. gRPC and HTTP send `macp` to programs, MCP
 * sends `mcp` to a model. The messages of drivers and libraries go to the log only.
 */
import { FaultCode, RejectionCode } from '@handover/core';
import { McpErrorCode } from './status-table.js';

export interface FaultText {
  readonly macp: readonly [code: string, text: string];
  readonly mcp: readonly [code: McpErrorCode, text: string];
}

export const FAULT_TEXTS: Readonly<Record<FaultCode, FaultText>> = {
  [FaultCode.UNKNOWN_OUTCOME]: {
    macp: [FaultCode.UNKNOWN_OUTCOME, 'the outcome is not known; retry with the same message_id'],
    mcp: [
      McpErrorCode.INTERNAL_ERROR,
      'The outcome is not known; send the same request again with the same idempotencyKey, or look before you repeat it.',
    ],
  },
  [FaultCode.SHUTTING_DOWN]: {
    macp: [FaultCode.SHUTTING_DOWN, 'the server is shutting down; retry elsewhere or later'],
    mcp: [McpErrorCode.INTERNAL_ERROR, 'The server is shutting down; try again later.'],
  },
  [FaultCode.STREAM_LAGGED]: {
    macp: [
      FaultCode.STREAM_LAGGED,
      'more came than was read (HANDOVER_SUBSCRIBER_BUDGET_BYTES); resume after the last one that was received, or listen again',
    ],
    mcp: [McpErrorCode.INTERNAL_ERROR, 'An internal error occurred; try again.'],
  },
  [FaultCode.OVERLOADED]: {
    macp: [RejectionCode.RATE_LIMITED, 'the server is busy; retry'],
    mcp: [McpErrorCode.RATE_LIMITED, 'The server is busy; try again in a moment.'],
  },
  [FaultCode.NOT_STORED]: {
    macp: [
      RejectionCode.INTERNAL_ERROR,
      'nothing was stored: the server cannot write now, and its log says why; retry later',
    ],
    mcp: [
      McpErrorCode.INTERNAL_ERROR,
      'Nothing was stored: the server cannot write now. Try again later, and tell its operator if it stays so.',
    ],
  },
  [FaultCode.DATA_LOSS]: {
    macp: [RejectionCode.INTERNAL_ERROR, 'the stored history cannot be read'],
    mcp: [McpErrorCode.INTERNAL_ERROR, 'The stored history cannot be read.'],
  },
  [FaultCode.CREDENTIAL_EXPIRED]: {
    macp: [
      RejectionCode.UNAUTHENTICATED,
      'the token with which this was opened has expired; open it again with a new one',
    ],
    mcp: [McpErrorCode.FORBIDDEN, 'The token with which this was opened has expired; a new one is needed.'],
  },
  [FaultCode.CONFIGURATION]: {
    macp: [RejectionCode.INTERNAL_ERROR, 'an internal error occurred'],
    mcp: [McpErrorCode.INTERNAL_ERROR, 'An internal error occurred.'],
  },
  [FaultCode.INTERNAL]: {
    macp: [RejectionCode.INTERNAL_ERROR, 'an internal error occurred'],
    mcp: [McpErrorCode.INTERNAL_ERROR, 'An internal error occurred.'],
  },
};
