/**
 * Refusals of the binding (docs/spec/macp-http.md 17.2): a body `{"error": MACPError}`, the status of the code, and the
 * code again as a header.
 *
 * B1. Where a refusal is one of HTTP itself, the code is the nearest of the protocol, and the status says the rest.
 * B2. A fault is INTERNAL_ERROR, whatever it was: the log knows more.
 */
import { FAULT_WAIT_MS, FaultCode, HandoverError, RejectionCode } from '@handover/core';
import { encodeMessage, messageToJson, pb } from '@handover/wire';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { nodeCodec } from '../../../platform/node-codec.js';
import { errorDetails, waitIn, wholeSeconds } from '../../../services/macp/error-details.js';
import { RequestCode, type RpcRefusal } from '../../../services/macp/rpc/rpc.js';
import { FAULT_TEXTS } from '../../fault-texts.js';
import { REJECTION_STATUS } from '../../status-table.js';
import type { HttpContext } from '../http-types.js';

type ErrorCode = RpcRefusal['code'] | typeof FaultCode.STREAM_LAGGED;

export interface BindingError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly sessionId?: string;
  readonly details?: Uint8Array;
}

/** Those for which the status table has no row. */
const OTHER_STATUS: Readonly<Record<string, number>> = {
  [RequestCode.INVALID_REQUEST]: 400,
  [RequestCode.AGENT_NOT_FOUND]: 404,
  [RequestCode.REGISTRY_READ_ONLY]: 409,
  [FaultCode.STREAM_LAGGED]: 503,
};

const FAULT_CODES: Readonly<Record<FaultCode, ErrorCode>> = {
  [FaultCode.UNKNOWN_OUTCOME]: RejectionCode.INTERNAL_ERROR,
  [FaultCode.NOT_STORED]: RejectionCode.INTERNAL_ERROR,
  [FaultCode.OVERLOADED]: RejectionCode.RATE_LIMITED,
  [FaultCode.SHUTTING_DOWN]: RejectionCode.INTERNAL_ERROR,
  [FaultCode.DATA_LOSS]: RejectionCode.INTERNAL_ERROR,
  [FaultCode.STREAM_LAGGED]: FaultCode.STREAM_LAGGED,
  [FaultCode.CONFIGURATION]: RejectionCode.INTERNAL_ERROR,
  [FaultCode.INTERNAL]: RejectionCode.INTERNAL_ERROR,
};

export function statusOf(code: string): ContentfulStatusCode {
  const { http } = REJECTION_STATUS[code as RejectionCode] ?? {};
  return (http ?? OTHER_STATUS[code] ?? 500) as ContentfulStatusCode;
}

/** `status`: where HTTP itself refuses. */
export function bindingError(c: HttpContext, error: BindingError, status = statusOf(error.code)): Response {
  c.header('MACP-Error-Code', error.code);
  if (status === 401) c.header('WWW-Authenticate', 'Bearer');
  const wait = waitIn(error.details ?? NOTHING);
  if (wait !== undefined) c.header('Retry-After', wholeSeconds(wait));
  return c.body(errorBody(error), status, JSON_TYPE);
}

export function refusalAnswer(c: HttpContext, refusal: RpcRefusal, sessionId = ''): Response {
  return bindingError(c, refusalError(refusal, sessionId));
}

export function refusalError(refusal: RpcRefusal, sessionId: string): BindingError {
  const { code, message } = refusal;
  return { code, message, sessionId, details: errorDetails(refusal, nodeCodec) };
}

export function invalidRequest(c: HttpContext, message: string, sessionId = ''): Response {
  return bindingError(c, { code: RequestCode.INVALID_REQUEST, message, sessionId });
}

/** For anything that was thrown. */
export function faultError(thrown: unknown, sessionId = ''): BindingError {
  const { code } = HandoverError.from(thrown);
  const retryAfterMs = FAULT_WAIT_MS[code];
  const details = errorDetails(retryAfterMs === undefined ? {} : { details: { retryAfterMs } }, nodeCodec);
  return { code: FAULT_CODES[code], message: FAULT_TEXTS[code].macp[1], sessionId, details };
}

/** `{"error": ...}` on one line. */
export function errorBody({ code, message, sessionId = '', details = NOTHING }: BindingError): string {
  const bytes = encodeMessage(pb.MACPErrorSchema, { code, message, sessionId, details: ownBytes(details) });
  return `{"error":${messageToJson(pb.MACPErrorSchema, bytes)}}`;
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };
const NOTHING = new Uint8Array(0);
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
