/**
 * The body and the status of every refusal of this door.
 *
 * N1. A POST to the runtime gets an Ack. A GET gets what it asked for, or a MACPError.
 * N2. A fault that a service throws is never an Ack: no decider decided it. Its texts are those of `fault-texts.ts`.
 * N3. A refusal of HTTP itself (host, method, media type) has the form of a MACPError, with the name of an HTTP status
 *     as its code.
 * N4. A refusal after which waiting helps says how long: in its details, and as Retry-After.
 * N5. Under `/api/v1` the same refusals have the form of that API, and in the binding of the protocol that of the binding.
 */
import { randomUUID } from 'node:crypto';
import {
  type Codec,
  FAULT_WAIT_MS,
  HandoverError,
  type Rejection,
  RejectionCode,
  reject,
} from '@handover/core';
import type { Ack, AckError } from '@handover/wire';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Log } from '../../observe/log.js';
import { nodeCodec } from '../../platform/node-codec.js';
import { errorDetails } from '../../services/macp/error-details.js';
import { FAULT_TEXTS } from '../fault-texts.js';
import { FAULT_STATUS, REJECTION_STATUS } from '../status-table.js';
import { type ApiError, apiError, isApi } from './api-error.js';
import { bindingError, faultError as bindingFault, sayWait } from './binding/errors.js';
import type { HttpContext } from './http-types.js';
import { ackToJson } from './translate.js';

/** Bodies that are being read end within the time of a request; most are there at once. */
const NO_ROOM_MS = 1_000;
const NOTHING: Uint8Array = new Uint8Array(0);

export function ackAnswer(c: HttpContext, ack: Ack, codec: Codec): Response {
  if (!ack.error) return c.json(ackToJson(ack, codec), 200);
  sayWait(c, ack.error.details);
  return c.json(ackToJson(ack, codec), refusedStatus(c, ack.error.code));
}

export function rejectionAnswer(c: HttpContext, rejection: Rejection, sessionId = ''): Response {
  const { code, message } = rejection;
  const details = errorDetails(rejection, nodeCodec);
  sayWait(c, details);
  return c.json(plainError(code, message, sessionId, details), refusedStatus(c, code));
}

export function httpError(
  c: HttpContext,
  status: ContentfulStatusCode,
  code: string,
  message: string,
): Response {
  if (isApi(c)) return apiError(c, status, { code, message });
  return c.get('binding') ? plainBinding(c, status, message) : c.json(plainError(code, message), status);
}

/** The nearest code of the protocol: whoever is refused here is not let in. */
function plainBinding(c: HttpContext, status: ContentfulStatusCode, message: string): Response {
  const code = status === 403 ? RejectionCode.FORBIDDEN : RejectionCode.INVALID_REQUEST;
  return bindingError(c, { code, message }, status);
}

/** A body that was refused, in the words of the protocol. */
export function rejectionOfBody(status: number, message: string): Rejection {
  return reject(status === 413 ? RejectionCode.PAYLOAD_TOO_LARGE : RejectionCode.INVALID_ENVELOPE, message);
}

/** There is no room for the request at the moment. Nothing was decided, so it is no Ack. */
export function noRoomAnswer(c: HttpContext, message: string): Response {
  if (isApi(c)) return apiError(c, 503, { code: 'UNAVAILABLE', message, retryAfterMs: NO_ROOM_MS });
  const details = errorDetails({ details: { retryAfterMs: NO_ROOM_MS } }, nodeCodec);
  sayWait(c, details);
  return c.json(plainError('UNAVAILABLE', message, '', details), 503);
}

/** For anything that was thrown. */
export function faultAnswer(c: HttpContext, thrown: unknown, log: Log): Response {
  const fault = HandoverError.from(thrown);
  const { http } = FAULT_STATUS[fault.code];
  const requestId = randomUUID();
  if (http >= 500) logFault(log, fault, isApi(c) ? { requestId } : {});
  if (c.get('binding')) return bindingError(c, bindingFault(fault));
  const { code, message, details } = faultError(fault, '');
  if (isApi(c)) return apiError(c, http as ContentfulStatusCode, { ...apiFault(fault), requestId });
  sayWait(c, details);
  return c.json(plainError(code, message, '', details), http as ContentfulStatusCode);
}

export function faultError(thrown: unknown, sessionId: string): AckError {
  const fault = HandoverError.from(thrown);
  const [code, message] = FAULT_TEXTS[fault.code].macp;
  const retryAfterMs = FAULT_WAIT_MS[fault.code];
  const details = errorDetails(retryAfterMs === undefined ? {} : { details: { retryAfterMs } }, nodeCodec);
  return { code, message, sessionId, messageId: '', details };
}

/** Callers of the API repeat requests by their idempotencyKey, as those of MCP do. */
function apiFault({ code }: HandoverError): ApiError {
  const retryAfterMs = FAULT_WAIT_MS[code];
  const { macp, mcp } = FAULT_TEXTS[code];
  return { code: macp[0], message: mcp[1], ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

export function logFault(
  log: Log,
  { code, shortMessage, cause }: HandoverError,
  more: { readonly requestId?: string } = {},
): void {
  log.error('http.fault', {
    code,
    message: shortMessage,
    ...more,
    ...(cause !== undefined && { error: cause }),
  });
}

function plainError(code: string, message: string, sessionId = '', details = NOTHING) {
  return {
    code,
    message,
    session_id: sessionId,
    message_id: '',
    details: nodeCodec.toBase64(details),
  };
}

function refusedStatus(c: HttpContext, code: string): ContentfulStatusCode {
  if (code === RejectionCode.UNAUTHENTICATED) c.header('WWW-Authenticate', 'Bearer');
  const { http } = REJECTION_STATUS[isRejectionCode(code) ? code : RejectionCode.INTERNAL_ERROR];
  return http as ContentfulStatusCode;
}

function isRejectionCode(code: string): code is RejectionCode {
  return Object.hasOwn(REJECTION_STATUS, code);
}
