/** What SQLite answered, by its own numbers (https://sqlite.org/rescode.html), and the faults that follow from it. */
import { FaultCode, HandoverError } from '@handover/core';
import { systemCause } from '../../platform/system-cause.js';

export const ResultCode = {
  BUSY: 5,
  READONLY: 8,
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

/** What SQLite could not do because of the disk or the rights on it, and what to do about that. */
const CAUSES: ReadonlyMap<number, string> = new Map([
  [ResultCode.FULL, 'the disk is full; free some space, or use another folder (HANDOVER_DATA_DIR)'],
  [ResultCode.READONLY, 'this user may not write it; change its owner or its mode'],
  [
    ResultCode.CANTOPEN,
    'it cannot be opened or created by this user; check the owner and mode of its folder',
  ],
  [ResultCode.IOERR, 'the disk is full or reports an error; free some space, or check it'],
]);

export function causeOf(thrown: unknown): string {
  return systemCause(thrown) ?? CAUSES.get(resultCode(thrown) ?? 0) ?? messageOf(thrown);
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
