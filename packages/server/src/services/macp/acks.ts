/** Makes Acks. A fault becomes an Ack only when it is certain that nothing was stored. */
import {
  type Codec,
  type Envelope,
  FAULT_WAIT_MS,
  FaultCode,
  HandoverError,
  type Rejection,
  RejectionCode,
  rejectWith,
} from '@handover/core';
import type { Ack, SessionStateName } from '@handover/wire';
import { errorDetails } from './error-details.js';

type Named = Pick<Envelope, 'messageId' | 'sessionId'>;

export function acceptedAck(
  { messageId, sessionId }: Named,
  at: number,
  state: SessionStateName,
  duplicate = false,
): Ack {
  return { ok: true, duplicate, messageId, sessionId, acceptedAtUnixMs: at, sessionState: state };
}

export function rejectedAck(
  { messageId, sessionId }: Named,
  now: number,
  rejection: Rejection,
  codec: Codec,
): Ack {
  const details = errorDetails(rejection, codec);
  return {
    ok: false,
    duplicate: false,
    messageId,
    sessionId,
    acceptedAtUnixMs: now,
    sessionState: 'UNSPECIFIED',
    error: { code: rejection.code, message: rejection.message, sessionId, messageId, details },
  };
}

/** The storage's own words are in the log. */
const NOT_STORED =
  'nothing was stored: the server cannot write now, and its log says why; try again later with the same message_id';

/** Turns a fault after which nothing was stored into a rejection; throws any other fault again. */
export function rejectionOfFault(thrown: unknown): Rejection {
  const fault = HandoverError.from(thrown);
  const retryAfterMs = FAULT_WAIT_MS[fault.code];
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (fault.code === FaultCode.OVERLOADED)
    return rejectWith(RejectionCode.RATE_LIMITED, fault.shortMessage, wait);
  // The caller does not see the message of the storage.
  if (fault.code === FaultCode.NOT_STORED) return rejectWith(RejectionCode.INTERNAL_ERROR, NOT_STORED, wait);
  throw fault;
}
