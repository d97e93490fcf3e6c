/**
 * A fault is an error that no decider decided. It says what happens next, so that every door can answer truthfully:
 * retry with the same id, give up, or expect the process to end.
 */
export const FaultCode = {
  /** The outcome is not known; retry with the same message id. */
  UNKNOWN_OUTCOME: 'UNKNOWN_OUTCOME',
  /** Nothing was stored (disk full, storage refused before commit). */
  NOT_STORED: 'NOT_STORED',
  /** The queue is full; nothing was decided. */
  OVERLOADED: 'OVERLOADED',
  SHUTTING_DOWN: 'SHUTTING_DOWN',
  /** A stored value does not match its hash, or a stream cannot be understood. */
  DATA_LOSS: 'DATA_LOSS',
  /** A subscriber fell too far behind. Where it can resume, details say after which sequence. */
  STREAM_LAGGED: 'STREAM_LAGGED',
  /** The credential with which a call was begun is no longer good. */
  CREDENTIAL_EXPIRED: 'CREDENTIAL_EXPIRED',
  CONFIGURATION: 'CONFIGURATION',
  INTERNAL: 'INTERNAL',
} as const;
export type FaultCode = (typeof FaultCode)[keyof typeof FaultCode];

const SOON_MS = 1_000;

/**
 * How long a caller should wait before it sends the same request again, where waiting helps. A queue empties within a
 * second unless it is fed faster than it is written; the free disk is looked at once a second; a server that ends is
 * started again.
 */
export const FAULT_WAIT_MS: Readonly<Record<FaultCode, number | undefined>> = {
  [FaultCode.UNKNOWN_OUTCOME]: SOON_MS,
  [FaultCode.NOT_STORED]: SOON_MS,
  [FaultCode.OVERLOADED]: SOON_MS,
  [FaultCode.SHUTTING_DOWN]: SOON_MS,
  [FaultCode.DATA_LOSS]: undefined,
  [FaultCode.STREAM_LAGGED]: SOON_MS,
  [FaultCode.CREDENTIAL_EXPIRED]: undefined,
  [FaultCode.CONFIGURATION]: undefined,
  [FaultCode.INTERNAL]: undefined,
};

/** What the caller should expect to happen next. */
export type FaultNext = 'retryable' | 'terminal' | 'fatal';

export interface FaultOptions {
  readonly next?: FaultNext;
  readonly details?: Readonly<Record<string, string | number>>;
  readonly docsPath?: string;
  /** Never leaves the process. */
  readonly cause?: unknown;
}

export class HandoverError extends Error {
  override readonly name = 'HandoverError';
  readonly code: FaultCode;
  readonly shortMessage: string;
  readonly next: FaultNext;
  readonly details: Readonly<Record<string, string | number>>;
  readonly docsPath: string | undefined;

  constructor(code: FaultCode, shortMessage: string, options: FaultOptions = {}) {
    super(`${code}: ${shortMessage}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.shortMessage = shortMessage;
    this.next = options.next ?? 'terminal';
    this.details = options.details ?? {};
    this.docsPath = options.docsPath;
  }

  /** The only normaliser: anything thrown becomes a fault, once. */
  static from(thrown: unknown): HandoverError {
    if (thrown instanceof HandoverError) return thrown;
    return new HandoverError(FaultCode.INTERNAL, 'an internal error occurred', { cause: thrown });
  }
}
