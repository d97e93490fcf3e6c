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
  CONFIGURATION: 'CONFIGURATION',
  INTERNAL: 'INTERNAL',
} as const;
export type FaultCode = (typeof FaultCode)[keyof typeof FaultCode];

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
