/** What goes wrong on the way to a database and in it, in sentences for the operator. No sentence holds a password. */
import { FaultCode, HandoverError } from '@handover/core';

/** The connection is gone: nobody knows how far the server came with what was sent last. */
export class Lost extends Error {}

export const SqlState = {
  UNIQUE: '23505',
  SERIALIZATION: '40001',
  DEADLOCK: '40P01',
  /** The guard of the write statement. */
  DIVISION_BY_ZERO: '22012',
  LOCK_TIMEOUT: '55P03',
  DISK_FULL: '53100',
  TOO_MANY_CONNECTIONS: '53300',
  READ_ONLY: '25006',
  NO_RIGHT: '42501',
  NO_DATABASE: '3D000',
  STARTING_UP: '57P03',
  DUPLICATE_TABLE: '42P07',
  NO_TABLE: '42P01',
  BAD_TEXT: '22021',
} as const;

/** Where the database is, and as whom it is entered; never with what password. */
export interface Where {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export function sqlState(thrown: unknown): string | undefined {
  const { code, severity } = (thrown ?? {}) as { readonly code?: unknown; readonly severity?: unknown };
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined;
}

/** After such an error the server closes the connection. */
export function endsConnection(thrown: unknown): boolean {
  const { severity } = (thrown ?? {}) as { readonly severity?: unknown };
  return sqlState(thrown) === undefined || severity === 'FATAL' || severity === 'PANIC';
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** A server that may be there soon: it starts, it is being exchanged, or its connections are all in use. */
export function mayPass(thrown: unknown): boolean {
  const state = sqlState(thrown);
  if (state === undefined) return true;
  return state === SqlState.STARTING_UP || state === SqlState.TOO_MANY_CONNECTIONS || state.startsWith('08');
}

export function connectSentence(thrown: unknown, { host, port, user, database }: Where): string {
  const at = host.startsWith('/') ? `the socket in ${host}` : `${host}:${port}`;
  const state = sqlState(thrown);
  if (state === SqlState.NO_DATABASE)
    return `there is no database ${database} at ${at}; make it with "createdb ${database}", or correct HANDOVER_DATABASE_URL`;
  if (state === SqlState.STARTING_UP) return `PostgreSQL at ${at} is starting or ending; try again soon`;
  if (state === SqlState.TOO_MANY_CONNECTIONS)
    return `PostgreSQL at ${at} has no connection left; raise its max_connections (a node uses up to 7)`;
  if (state?.startsWith('28'))
    return `PostgreSQL at ${at} does not let user ${user} in: ${messageOf(thrown)}; correct user and password in HANDOVER_DATABASE_URL`;
  if (state !== undefined) return `PostgreSQL at ${at} refuses: ${messageOf(thrown)}`;
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the name ${host} cannot be found; correct it in HANDOVER_DATABASE_URL`;
  if (code === 'ECONNREFUSED' || code === 'ENOENT')
    return `no PostgreSQL answers at ${at}; start it, or correct HANDOVER_DATABASE_URL`;
  return `PostgreSQL at ${at} cannot be reached: ${messageOf(thrown)}`;
}

/** Why a batch was not stored, for whoever runs the server. */
export function refusalSentence(thrown: unknown): string {
  const state = sqlState(thrown);
  if (state === SqlState.DISK_FULL) return 'the disk of the database is full; free some space';
  if (state === SqlState.READ_ONLY) return 'the database is read-only now';
  if (state === SqlState.NO_RIGHT) return `the user of the database lacks a right: ${messageOf(thrown)}`;
  return `the database refused: ${messageOf(thrown)}`;
}

export function unreachable(why: string): HandoverError {
  return new HandoverError(FaultCode.OVERLOADED, why, { next: 'retryable' });
}

export function unknownOutcome(what: string): HandoverError {
  return new HandoverError(
    FaultCode.UNKNOWN_OUTCOME,
    `the database was lost, and it is not known whether ${what} was stored`,
    { next: 'retryable' },
  );
}

export function refused(sentence: string): HandoverError {
  return new HandoverError(FaultCode.CONFIGURATION, sentence);
}

export function damaged(what: string): HandoverError {
  return new HandoverError(FaultCode.DATA_LOSS, `the database is damaged: ${what}; restore it from a backup`);
}
