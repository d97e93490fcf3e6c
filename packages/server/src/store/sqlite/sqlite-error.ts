/** What SQLite answered, by its own numbers (https://sqlite.org/rescode.html), and the faults that follow from it. */
import { FaultCode, HandoverError } from '@handover/core';

export const ResultCode = {
  BUSY: 5,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
} as const;

export class SqliteError extends Error {
  override readonly name = 'SqliteError';
  /** The extended result code; 1 (SQLITE_ERROR) when the build gave none. */
  readonly extended: number;

  constructor(message: string, extended: number, cause?: unknown) {
    super(message, { cause });
    this.extended = extended;
  }

  get primary(): number {
    return this.extended & 0xff;
  }
}

export function resultCode(thrown: unknown): number | undefined {
  return thrown instanceof SqliteError ? thrown.primary : undefined;
}

export function isDamage(thrown: unknown): boolean {
  const code = resultCode(thrown);
  return code === ResultCode.CORRUPT || code === ResultCode.NOTADB;
}

export function damaged(what: string, cause?: unknown): HandoverError {
  return new HandoverError(FaultCode.DATA_LOSS, `the stored data is damaged: ${what}`, { cause });
}

/** The fault of a failed read. */
export function readFault(thrown: unknown): HandoverError {
  if (thrown instanceof HandoverError) return thrown;
  if (isDamage(thrown))
    return damaged(`SQLite reports "${messageOf(thrown)}"; restore from a backup`, thrown);
  const code = resultCode(thrown);
  if (code === ResultCode.IOERR || code === ResultCode.BUSY)
    return new HandoverError(FaultCode.INTERNAL, `the data folder could not be read: ${messageOf(thrown)}`, {
      next: 'retryable',
      cause: thrown,
    });
  return HandoverError.from(thrown);
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
