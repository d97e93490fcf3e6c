import { bool, bytes, enumeration, int64, optional, string } from './proto/field.js';
import { message } from './proto/message.js';

/** Session states in the order of their numbers on the wire. */
export const SESSION_STATES = [
  'UNSPECIFIED',
  'OPEN',
  'RESOLVED',
  'EXPIRED',
  'SUSPENDED',
  'CANCELLED',
] as const;
export type SessionStateName = (typeof SESSION_STATES)[number];

/** Why a message was refused (macp.v1.MACPError). */
export interface AckError {
  /** The protocol's code, for programs to branch on. */
  readonly code: string;
  /** What is wrong, in words. */
  readonly message: string;
  /** The session that the message was for. */
  readonly sessionId: string;
  /** The message that was refused. */
  readonly messageId: string;
  /** UTF-8 JSON, or empty. */
  readonly details: Uint8Array;
}

/** The answer to one envelope (macp.v1.Ack). */
export interface Ack {
  /** It was accepted, now or before. */
  readonly ok: boolean;
  /** It had been accepted before; nothing has changed. */
  readonly duplicate: boolean;
  /** The message that is answered. */
  readonly messageId: string;
  /** Its session. */
  readonly sessionId: string;
  /** When it was accepted, or refused, by the server's clock. */
  readonly acceptedAtUnixMs: number;
  /** The session's state after it. */
  readonly sessionState: SessionStateName;
  /** Why it was refused. */
  readonly error?: AckError;
}

export const errorType = message<AckError>({
  code: string(1),
  message: string(2),
  sessionId: string(3),
  messageId: string(4),
  details: bytes(5),
});

export const ackType = message<Ack>({
  ok: bool(1),
  duplicate: bool(2),
  messageId: string(3),
  sessionId: string(4),
  acceptedAtUnixMs: int64(5),
  sessionState: enumeration(6, SESSION_STATES),
  error: optional(7, errorType),
});

// SendResponse, CancelSessionResponse, SuspendSessionResponse and ResumeSessionResponse have this one shape.
const ackResponseType = message<{ readonly ack?: Ack }>({ ack: optional(1, ackType) });

export function encodeAck(ack: Ack): Uint8Array {
  return ackType.encode(ack);
}

export function decodeAck(bytes: Uint8Array): Ack | undefined {
  return ackType.decode(bytes);
}

/** A SendResponse, or the response to a cancel, suspend or resume, which is the same on the wire. */
export function encodeAckResponse(ack: Ack): Uint8Array {
  return ackResponseType.encode({ ack });
}

/** Undefined when the bytes are not such a response, and when the response holds no Ack. */
export function decodeAckResponse(bytes: Uint8Array): Ack | undefined {
  return ackResponseType.decode(bytes)?.ack;
}
