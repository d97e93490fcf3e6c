/**
 * What `verify`, `export` and `receipt` share: they read, never write to the data, and answer by their exit code.
 */
import { FaultCode, HandoverError } from '@handover/core';
import type { Command } from 'commander';

export const ExitCode = {
  Ok: 0,
  /** A stored value is not what it was, or the data is not there or cannot be read. */
  Flaw: 1,
  /** The signer is not known, or the command was not given what it needs. */
  Unsure: 2,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

export interface Output {
  out(text: string): void;
  err(text: string): void;
}

export const EXIT_CODES = `
Exit codes:
  0  all is well
  1  a flaw was found, or the data is missing or cannot be read; each flaw is named
  2  the signature is valid but the signer unknown; or wrong usage (a session that is not there, a wrong option)`;

/** Runs an action and leaves its answer as the exit code. */
export function answering<Args extends unknown[]>(
  command: Command,
  act: (output: Output, ...args: Args) => Promise<ExitCode>,
): void {
  const { writeOut, writeErr } = command.configureOutput();
  const output: Output = {
    out: writeOut ?? ((text) => process.stdout.write(text)),
    err: writeErr ?? ((text) => process.stderr.write(text)),
  };
  command.addHelpText('after', EXIT_CODES);
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? ExitCode.Ok : ExitCode.Unsure));
  command.action(async (...args: unknown[]) => {
    process.exitCode = await orFault(output, () => act(output, ...(args as Args)));
  });
}

/** A fault in the data is a flaw; a fault in the request is not. */
export async function orFault(output: Output, act: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await act();
  } catch (thrown) {
    const fault = HandoverError.from(thrown);
    if (fault.code === FaultCode.INTERNAL) throw thrown;
    output.err(`handover: ${fault.shortMessage}\n`);
    return fault.code === FaultCode.CONFIGURATION ? ExitCode.Unsure : ExitCode.Flaw;
  }
}

export const SIGNER_KNOWN = 'OK: signature valid, signer known\n';
export const SIGNER_UNKNOWN =
  'signature valid, signer unknown; --key names the public key of the server, --data-dir the folder that holds it\n';

/** Text that may come from anywhere, for a terminal: nothing in it may move the cursor or hide what follows. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
