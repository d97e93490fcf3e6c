/** Why a command ends without having done what it was asked: said in one form by every command (report.ts). */
import { FaultCode, HandoverError } from '@handover/core';
import { FileTooLarge, NoPlainFile } from '../../platform/plain-file.js';
import { systemCause } from '../../platform/system-cause.js';
import { ExitCode } from './exit-code.js';

export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exit: ExitCode;
  readonly code: string;
  /** What is wrong: a sentence without its full stop. */
  readonly what: string;
  /** What to do about it: a sentence without its full stop, or nothing. */
  readonly fix: string;

  constructor(exit: ExitCode, code: string, what: string, fix = '', cause?: unknown) {
    super(fix === '' ? what : `${what}. ${fix}`, { cause });
    this.exit = exit;
    this.code = code;
    this.what = what;
    this.fix = fix;
  }
}

export const wrongUsage = (what: string, fix?: string) =>
  new CommandFailure(ExitCode.Usage, 'USAGE', what, fix);

export const notFound = (what: string, fix?: string) =>
  new CommandFailure(ExitCode.NotFound, 'NOT_FOUND', what, fix);

export const notAllowed = (what: string, fix?: string) =>
  new CommandFailure(ExitCode.NotAllowed, 'NOT_ALLOWED', what, fix);

export const noServer = (what: string, fix?: string) =>
  new CommandFailure(ExitCode.NoServer, 'NO_SERVER', what, fix);

export const timedOut = (what: string, fix?: string) =>
  new CommandFailure(ExitCode.TimedOut, 'TIMED_OUT', what, fix);

export const conflict = (what: string, fix?: string) =>
  new CommandFailure(ExitCode.Conflict, 'CONFLICT', what, fix);

export const refused = (what: string, fix?: string, cause?: unknown) =>
  new CommandFailure(ExitCode.Failed, 'REFUSED', what, fix, cause);

/** The only normaliser: whatever was thrown, as a failure. Messages of others could quote a secret: they stay inside. */
export function failureOf(thrown: unknown): CommandFailure {
  if (thrown instanceof CommandFailure) return thrown;
  if (thrown instanceof NoPlainFile || thrown instanceof FileTooLarge)
    return refused(thrown.message, 'Move it away', thrown);
  const { code, shortMessage, cause } = HandoverError.from(thrown);
  const failed = (what: string, fix?: string) => new CommandFailure(ExitCode.Failed, code, what, fix, thrown);
  if (code !== FaultCode.INTERNAL) return failed(shortMessage);
  const why = systemCause(cause);
  if (why === undefined) return failed(shortMessage, '--debug shows where');
  const path = cause instanceof Error && 'path' in cause ? `${String(cause.path)}: ` : '';
  return failed(`${path}${why}`);
}

/** Settings are part of how a command is used: a supervisor need not try again with the same ones. */
export function settingsOf<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    const fault = HandoverError.from(thrown);
    if (fault.code !== FaultCode.CONFIGURATION) throw thrown;
    throw new CommandFailure(ExitCode.Usage, fault.code, fault.shortMessage, '', thrown);
  }
}
