/** The `handover` command: one file per sub-command. */
import { HandoverError } from '@handover/core';
import { Command } from 'commander';
import { VERSION } from '../version.js';
import { addExportCommand } from './export.js';
import { addMcpCommand } from './mcp.js';
import { addReceiptCommand } from './receipt.js';
import { addServeCommand } from './serve.js';
import { addVerifyCommand } from './verify.js';

export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('handover')
    .description(
      'Hand responsibility from one agent or person to another, and prove afterwards what happened.',
    )
    .version(VERSION, '-V, --version')
    .showHelpAfterError('(run with --help for what is possible)');
  addServeCommand(program);
  addMcpCommand(program);
  addExportCommand(program);
  addReceiptCommand(program);
  addVerifyCommand(program);
  try {
    await program.parseAsync(argv);
  } catch (thrown) {
    // What went wrong and what to do; causes stay in the process.
    const fault = HandoverError.from(thrown);
    process.stderr.write(`handover: ${fault.shortMessage}\n`);
    if (process.env.HANDOVER_DEBUG === '1') console.error(thrown);
    process.exitCode = 1;
  }
}
