/** Acks, and which faults are one: an Ack is an answer, so a fault becomes one only when nothing was stored for sure. */
import {
  type Codec,
  type Envelope,
  FaultCode,
  HandoverError,
  type Rejection,
  RejectionCode,
  reject,
} from '@handover/core';
import type { Ack, SessionStateName } from '@handover/wire';

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
  const details = rejection.reasons
    ? codec.utf8(JSON.stringify({ reasons: rejection.reasons }))
    : new Uint8Array(0);
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

/** The rejection that stands for a fault after which nothing was stored; any other fault is thrown on. */
export function rejectionOfFault(thrown: unknown): Rejection {
  const fault = HandoverError.from(thrown);
  if (fault.code === FaultCode.OVERLOADED) return reject(RejectionCode.RATE_LIMITED, fault.shortMessage);
  // What the storage said stays in the log.
  if (fault.code === FaultCode.NOT_STORED)
    return reject(RejectionCode.INTERNAL_ERROR, 'nothing was stored; try again with the same message_id');
  throw fault;
}
