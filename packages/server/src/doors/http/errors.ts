/**
 * The body and the status of every refusal of this door.
 *
 * N1. A POST to the runtime gets an Ack. A GET gets what it asked for, or a MACPError.
 * N2. A fault that a service throws is never an Ack: no decider decided it. Its texts are those of `fault-texts.ts`.
 * N3. A refusal of HTTP itself (host, method, media type) has the form of a MACPError, with the name of an HTTP status
 *     as its code.
 */
import { type Codec, HandoverError, type Rejection, RejectionCode, reject } from '@handover/core';
import type { Ack, AckError } from '@handover/wire';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Log } from '../../observe/log.js';
import { FAULT_TEXTS } from '../fault-texts.js';
import { FAULT_STATUS, REJECTION_STATUS } from '../status-table.js';
import type { HttpContext } from './http-types.js';
import { ackToJson } from './translate.js';

/** In seconds, for answers after which the client may try again. */
const RETRY_AFTER = '1';

export function ackAnswer(c: HttpContext, ack: Ack, codec: Codec): Response {
  return c.json(ackToJson(ack, codec), ack.error ? refusedStatus(c, ack.error.code) : 200);
}

export function rejectionAnswer(c: HttpContext, { code, message }: Rejection, sessionId = ''): Response {
  return c.json(plainError(code, message, sessionId), refusedStatus(c, code));
}

export function httpError(
  c: HttpContext,
  status: ContentfulStatusCode,
  code: string,
  message: string,
): Response {
  return c.json(plainError(code, message), status);
}

/** A body that was refused, in the words of the protocol. */
export function rejectionOfBody(status: number, message: string): Rejection {
  return reject(status === 413 ? RejectionCode.PAYLOAD_TOO_LARGE : RejectionCode.INVALID_ENVELOPE, message);
}

/** There is no room for the request at the moment. Nothing was decided, so it is no Ack. */
export function noRoomAnswer(c: HttpContext, message: string): Response {
  c.header('Retry-After', RETRY_AFTER);
  return httpError(c, 503, 'UNAVAILABLE', message);
}

/** For anything that was thrown. */
export function faultAnswer(c: HttpContext, thrown: unknown, log: Log): Response {
  const fault = HandoverError.from(thrown);
  const { http, retry } = FAULT_STATUS[fault.code];
  if (http >= 500) logFault(log, fault);
  if (retry !== 'never') c.header('Retry-After', RETRY_AFTER);
  const [code, message] = FAULT_TEXTS[fault.code].macp;
  return c.json(plainError(code, message), http as ContentfulStatusCode);
}

export function faultError(thrown: unknown, sessionId: string): AckError {
  const [code, message] = FAULT_TEXTS[HandoverError.from(thrown).code].macp;
  return { code, message, sessionId, messageId: '', details: new Uint8Array(0) };
}

export function logFault(log: Log, { code, shortMessage, cause }: HandoverError): void {
  log.error('http.fault', { code, message: shortMessage, ...(cause !== undefined && { error: cause }) });
}

function plainError(code: string, message: string, sessionId = '') {
  return { code, message, session_id: sessionId, message_id: '', details: '' };
}

function refusedStatus(c: HttpContext, code: string): ContentfulStatusCode {
  if (code === RejectionCode.UNAUTHENTICATED) c.header('WWW-Authenticate', 'Bearer');
  const { http } = REJECTION_STATUS[isRejectionCode(code) ? code : RejectionCode.INTERNAL_ERROR];
  return http as ContentfulStatusCode;
}

function isRejectionCode(code: string): code is RejectionCode {
  return Object.hasOwn(REJECTION_STATUS, code);
}
