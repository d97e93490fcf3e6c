/**
 * Refusals of the binding (docs/spec/macp-http.md 17.2): a body `{"error": MACPError}`, the status of the code, and the
 * code again as a header.
 *
 * B1. Where a refusal is one of HTTP itself, the code is the nearest of the protocol, and the status says the rest.
 * B2. A fault is INTERNAL_ERROR, whatever it was: the log knows more.
 */
import { FAULT_WAIT_MS, HandoverError, type Rejection, RejectionCode } from '@handover/core';
import { encodeMessage, messageToJson, pb } from '@handover/wire';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { nodeCodec } from '../../../platform/node-codec.js';
import { errorDetails, waitIn, wholeSeconds } from '../../../services/macp/error-details.js';
import { FAULT_TEXTS } from '../../fault-texts.js';
import { FAULT_REGISTRY_CODES, REJECTION_STATUS } from '../../status-table.js';
import type { HttpContext } from '../http-types.js';

export interface BindingError {
  readonly code: RejectionCode;
  readonly message: string;
  readonly sessionId?: string;
  readonly details?: Uint8Array;
}

export function statusOf(code: RejectionCode): ContentfulStatusCode {
  return REJECTION_STATUS[code].http as ContentfulStatusCode;
}

/** `status`: where HTTP itself refuses. */
export function bindingError(c: HttpContext, error: BindingError, status = statusOf(error.code)): Response {
  c.header('MACP-Error-Code', error.code);
  if (status === 401) c.header('WWW-Authenticate', 'Bearer');
  sayWait(c, error.details ?? NOTHING);
  return c.body(errorBody(error), status, JSON_TYPE);
}

/** How long to wait, for whoever does not look into the details. */
export function sayWait(c: HttpContext, details: Uint8Array): void {
  const wait = waitIn(details);
  if (wait !== undefined) c.header('Retry-After', wholeSeconds(wait));
}

export function refusalAnswer(c: HttpContext, refusal: Rejection, sessionId = ''): Response {
  return bindingError(c, refusalError(refusal, sessionId));
}

export function refusalError(refusal: Rejection, sessionId: string): BindingError {
  const { code, message } = refusal;
  return { code, message, sessionId, details: errorDetails(refusal, nodeCodec) };
}

export function invalidRequest(c: HttpContext, message: string, sessionId = ''): Response {
  return bindingError(c, { code: RejectionCode.INVALID_REQUEST, message, sessionId });
}

/** For anything that was thrown. */
export function faultError(thrown: unknown, sessionId = ''): BindingError {
  const { code } = HandoverError.from(thrown);
  const retryAfterMs = FAULT_WAIT_MS[code];
  const details = errorDetails(retryAfterMs === undefined ? {} : { details: { retryAfterMs } }, nodeCodec);
  return { code: FAULT_REGISTRY_CODES[code], message: FAULT_TEXTS[code].macp[1], sessionId, details };
}

/** `{"error": ...}` on one line. */
export function errorBody({ code, message, sessionId = '', details = NOTHING }: BindingError): string {
  const bytes = encodeMessage(pb.MACPErrorSchema, { code, message, sessionId, details: ownBytes(details) });
  return `{"error":${messageToJson(pb.MACPErrorSchema, bytes)}}`;
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };
const NOTHING = new Uint8Array(0);
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
