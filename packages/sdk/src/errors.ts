/**
 * What can go wrong, by what the caller can do about it: fix the call (MacpSessionError, MacpIdentityMismatchError), read
 * the refusal (MacpAckError), or try again (MacpTransportError and its children).
 */
import type { Ack, AckError } from '@handover/wire';

/** The parent of every error that this package throws. */
export class MacpSdkError extends Error {
  override readonly name: string = 'MacpSdkError';
}

/** The call failed between client and runtime; `code` is the gRPC status name, where there was one. */
export class MacpTransportError extends MacpSdkError {
  override readonly name: string = 'MacpTransportError';
  /** gRPC status name, for example `UNAVAILABLE`. */
  readonly code: string | undefined;

  constructor(message: string, code?: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A deadline passed. The outcome is unknown: send the same envelope again, its message id makes that safe. */
export class MacpTimeoutError extends MacpTransportError {
  override readonly name: string = 'MacpTimeoutError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, 'DEADLINE_EXCEEDED', options);
  }
}

/** All attempts failed; `cause` is the last failure. */
export class MacpRetryError extends MacpTransportError {
  override readonly name: string = 'MacpRetryError';
}

/** Why the runtime refused a message. */
export interface AckFailure {
  readonly code: string;
  readonly message: string;
  readonly sessionId: string;
  readonly messageId: string;
  /** Why a policy said no; empty unless the code is POLICY_DENIED. */
  readonly reasons: readonly string[];
}

/** The runtime refused a message. Nothing was accepted and the message id is not used up. */
export class MacpAckError extends MacpSdkError {
  override readonly name: string = 'MacpAckError';
  /** The whole Ack; absent when the refusal came as an inline error of a stream. */
  readonly ack: Ack | undefined;
  /** Code, message, ids and reasons of the refusal. */
  readonly failure: AckFailure;

  constructor(failure: AckFailure, ack?: Ack) {
    super(`${failure.code}: ${failure.message}`);
    this.failure = failure;
    this.ack = ack;
  }

  /** The protocol's error code, for example `FORBIDDEN`. */
  get code(): string {
    return this.failure.code;
  }
  /** The session that the refused message named. */
  get sessionId(): string {
    return this.failure.sessionId;
  }
  /** The id of the refused message. */
  get messageId(): string {
    return this.failure.messageId;
  }
  /** Why a policy said no. */
  get reasons(): readonly string[] {
    return this.failure.reasons;
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

/** Reads a refusal from an Ack or from an inline error of a stream. */
export function toFailure({ code, message, sessionId, messageId, details }: AckError): AckFailure {
  return { code, message, sessionId, messageId, reasons: readReasons(details) };
}

function readReasons(details: Uint8Array): readonly string[] {
  if (details.length === 0) return [];
  try {
    const { reasons } = JSON.parse(new TextDecoder().decode(details)) as { reasons?: unknown };
    return Array.isArray(reasons) ? reasons.filter((reason) => typeof reason === 'string') : [];
  } catch {
    // Details are free-form: another runtime may put something else there.
    return [];
  }
}
