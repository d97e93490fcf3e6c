/** What a command does when it is asked, and with which exit codes it may end. */
import type { Command } from 'commander';
import { ExitCode, exitCodesHelp } from './exit-code.js';
import { type Output, outputOf } from './output.js';

export function acting<Args extends unknown[]>(
  command: Command,
  exits: readonly ExitCode[],
  act: (output: Output, ...args: Args) => Promise<ExitCode>,
): void {
  command
    .option('--quiet', 'no progress and no notes on stderr')
    .option('--debug', 'show where a failure comes from; also HANDOVER_DEBUG=1')
    .addHelpText('after', `\nExit codes:\n${exitCodesHelp([ExitCode.Done, ...exits])}`)
    .action(async (...args: unknown[]) => {
      process.exitCode = await act(outputOf(command), ...(args as Args));
    });
}
