/** How a command ends, for scripts. One meaning in every command (`handover help exit-codes`). */

export const ExitCode = {
  Done: 0,
  Failed: 1,
  Usage: 2,
  /** `verify`: the signature is valid, but nothing says whose it is; or a later receipt counts. */
  Unsure: 2,
  NotFound: 3,
  NotAllowed: 4,
  NoServer: 5,
  TimedOut: 6,
  Conflict: 7,
  Interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

const MEANINGS: ReadonlyMap<ExitCode, string> = new Map([
  [ExitCode.Done, 'done'],
  [ExitCode.Failed, 'refused, failed, or a flaw was found'],
  [ExitCode.Usage, 'wrong usage, or a wrong setting'],
  [ExitCode.NotFound, 'not found'],
  [ExitCode.NotAllowed, 'not signed in, or not allowed'],
  [ExitCode.NoServer, 'no server can be reached'],
  [ExitCode.TimedOut, 'the time for waiting is over'],
  [ExitCode.Conflict, 'conflict: the state has moved on'],
  [ExitCode.Interrupted, 'interrupted'],
]);

/** The rows of the codes that are named, in their order. */
export function exitCodesHelp(codes: readonly ExitCode[] = [...MEANINGS.keys()]): string {
  const rows = [...MEANINGS].filter(([code]) => codes.includes(code));
  return rows.map(([code, meaning]) => `  ${String(code).padEnd(3)}  ${meaning}`).join('\n');
}

export const UNSURE_HELP =
  '"verify" also ends with 2 when a signature is valid, but nothing says whose it is, and when the log has a later receipt.';
