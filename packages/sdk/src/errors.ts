/**
 * What can go wrong, by what the caller can do about it: fix the call (MacpSessionError, MacpIdentityMismatchError), read
 * the refusal (MacpAckError), or try again (MacpTransportError and its children).
 *
 * E1. Every error of this package is a MacpSdkError, and has the same fields: empty where there is nothing to say.
 * E2. `macpCode` is the protocol's code, whether the refusal came in an answer (MacpAckError) or as the status of a call
 *     (MacpTransportError). Programs branch on it.
 * E3. `advice` says in a sentence what to do next.
 */
import type { Ack, AckError } from '@handover/wire';
import { adviceOn } from './advice.js';
import { PAYLOAD_TOO_LARGE, SESSION_NOT_FOUND } from './error-codes.js';
import { type PolicyDenial, readDetails } from './refusal-details.js';

/** What an error may know besides its message. */
export interface ErrorDetails {
  /** The protocol's code, where a runtime has judged. */
  readonly macpCode?: string | undefined;
  /** The session that the call named. */
  readonly sessionId?: string | undefined;
  /** The message that the call sent. */
  readonly messageId?: string | undefined;
  /** Why a policy said no, in sentences. */
  readonly reasons?: readonly string[] | undefined;
  /** The same for programs. */
  readonly denials?: readonly PolicyDenial[] | undefined;
  /** How long the runtime asks to wait. */
  readonly retryAfterMs?: number | undefined;
}

/** The parent of every error that this package throws. */
export class MacpSdkError extends Error {
  override readonly name: string = 'MacpSdkError';
  /** The protocol's error code, for example `FORBIDDEN`; undefined when no runtime has judged. */
  readonly macpCode: string | undefined;
  /** The session that the call named; empty when it named none. */
  readonly sessionId: string;
  /** The id of the message that was refused; empty when none was. */
  readonly messageId: string;
  /** Why a policy said no, in sentences; empty unless `macpCode` is POLICY_DENIED. */
  readonly reasons: readonly string[];
  /** The same for programs, with codes and participants. */
  readonly denials: readonly PolicyDenial[];
  /** How long the runtime asks to wait before the same is tried again. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: ErrorOptions & ErrorDetails = {}) {
    super(message, options);
    this.macpCode = options.macpCode;
    this.sessionId = options.sessionId ?? '';
    this.messageId = options.messageId ?? '';
    this.reasons = options.reasons ?? [];
    this.denials = options.denials ?? [];
    this.retryAfterMs = options.retryAfterMs;
  }

  /** What to do next, in one sentence. */
  get advice(): string {
    return adviceOn(this);
  }
}

/** The call failed between client and runtime; `code` is the gRPC status name, where there was one. */
export class MacpTransportError extends MacpSdkError {
  override readonly name: string = nameOf('MacpTransportError', this.macpCode);
  /** gRPC status name, for example `UNAVAILABLE`. */
  readonly code: string | undefined;

  constructor(message: string, code?: string, options?: ErrorOptions & ErrorDetails) {
    super(message, options);
    this.code = code;
  }
}

/** There is no connection because of how it was asked for: the message names the mistake. Trying again does not help. */
export class MacpConnectionError extends MacpTransportError {
  override readonly name: string = 'MacpConnectionError';
}

/** A deadline passed. The outcome is unknown: send the same envelope again, its message id makes that safe. */
export class MacpTimeoutError extends MacpTransportError {
  override readonly name: string = 'MacpTimeoutError';

  constructor(message: string, options?: ErrorOptions & ErrorDetails) {
    super(message, 'DEADLINE_EXCEEDED', options);
  }
}

/** All attempts failed; `failure` is the last one. */
export class MacpRetryError extends MacpTransportError {
  override readonly name: string = 'MacpRetryError';
  /** How often it was sent. */
  readonly attempts: number;
  /** The error of the last attempt; `cause` is the same. */
  readonly failure: MacpAckError | MacpTransportError;

  constructor(why: string, attempts: number, failure: MacpAckError | MacpTransportError) {
    const { message, code, macpCode, sessionId, messageId, reasons, denials, retryAfterMs } = failure;
    const details = { macpCode, sessionId, messageId, reasons, denials, retryAfterMs };
    super(`${why}: ${message}`, code, { cause: failure, ...details });
    this.attempts = attempts;
    this.failure = failure;
  }
}

/** The client, or the stream, was closed before the call. */
export class MacpClosedError extends MacpSdkError {
  override readonly name: string = 'MacpClosedError';
}

/** The runtime does not offer what was asked for; nothing was sent. */
export class MacpUnsupportedError extends MacpSdkError {
  override readonly name: string = 'MacpUnsupportedError';
}

/** The session ended before what was waited for came. */
export class MacpSessionEndedError extends MacpSdkError {
  override readonly name: string = 'MacpSessionEndedError';
  /** How it ended: EXPIRED, CANCELLED or RESOLVED. */
  readonly state: string;

  constructor(message: string, state: string, options?: ErrorDetails) {
    super(message, options);
    this.state = state;
  }
}

/** Why the runtime refused a message. */
export interface AckFailure {
  /** The protocol's code, for programs to branch on. */
  readonly code: string;
  /** What is wrong, in words. */
  readonly message: string;
  /** The session that the message was for. */
  readonly sessionId: string;
  /** The message that was refused; its id may be used again. */
  readonly messageId: string;
  /** Why a policy said no; empty unless the code is POLICY_DENIED. */
  readonly reasons: readonly string[];
  /** The same for programs, with codes and participants. */
  readonly denials: readonly PolicyDenial[];
  /** How long the runtime asks to wait before the same is tried again. */
  readonly retryAfterMs: number | undefined;
}

/** The runtime refused a message. Nothing was accepted and the message id is not used up. */
export class MacpAckError extends MacpSdkError {
  override readonly name: string = nameOf('MacpAckError', this.macpCode);
  /** The whole Ack; absent when the refusal came as an inline error of a stream. */
  readonly ack: Ack | undefined;
  /** Code, message, ids and reasons of the refusal. */
  readonly failure: AckFailure;

  constructor(failure: AckFailure, ack?: Ack) {
    super(`${failure.code}: ${failure.message}`, { ...failure, macpCode: failure.code });
    this.failure = failure;
    this.ack = ack;
  }

  /** The protocol's error code, for example `FORBIDDEN`. */
  get code(): string {
    return this.failure.code;
  }
}

/** An argument is wrong; nothing was sent. */
export class MacpSessionError extends MacpSdkError {
  override readonly name: string = 'MacpSessionError';
  /** The name of the argument at fault, as the caller wrote it. */
  readonly argument: string | undefined;

  constructor(message: string, argument?: string) {
    super(message);
    this.argument = argument;
  }
}

/** The credential belongs to somebody else than the named sender; nothing was sent. */
export class MacpIdentityMismatchError extends MacpSdkError {
  override readonly name: string = 'MacpIdentityMismatchError';
  /** The name of the argument at fault. */
  readonly argument = 'sender';
  /** Whom the credential belongs to. */
  readonly expectedSender: string;
  /** Whom the call named. */
  readonly actualSender: string;

  constructor(expectedSender: string, actualSender: string) {
    super(`the credential belongs to "${expectedSender}", but sender is "${actualSender}"`);
    this.expectedSender = expectedSender;
    this.actualSender = actualSender;
  }
}

/** The refusal of an id that names no session. By how it came it is a MacpAckError or MacpTransportError, too. */
export abstract class MacpUnknownSessionError extends MacpSdkError {
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return hasCode(thrown, SESSION_NOT_FOUND);
  }
}

/** The refusal of something that is too large; like MacpUnknownSessionError. */
export abstract class MacpTooLargeError extends MacpSdkError {
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return hasCode(thrown, PAYLOAD_TOO_LARGE);
  }
}

/** An error of two classes is called by what it says, not by how it came. */
function nameOf(kind: string, macpCode: string | undefined): string {
  if (macpCode === SESSION_NOT_FOUND) return 'MacpUnknownSessionError';
  return macpCode === PAYLOAD_TOO_LARGE ? 'MacpTooLargeError' : kind;
}

// Not `instanceof`: the classes that ask this inherit their answer to it.
function hasCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'macpCode' in thrown && thrown.macpCode === code;
}

/** Reads a refusal from an Ack or from an inline error of a stream. */
export function toFailure({ code, message, sessionId, messageId, details }: AckError): AckFailure {
  return { code, message, sessionId, messageId, ...readDetails(details) };
}
