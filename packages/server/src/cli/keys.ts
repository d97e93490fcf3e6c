/** `handover keys`: the public keys of a data folder, by which others check its receipts. */
import { FaultCode, HandoverError } from '@handover/core';
import type { Command } from 'commander';
import { dataPath } from '../config/data-path.js';
import { readPublicKeys } from '../keys/keyring.js';
import { answering, ExitCode, type Output } from './audit-command.js';
import { type DataOptions, namedFolder, withDataOption } from './data-option.js';

interface KeysOptions extends DataOptions {
  readonly json?: boolean;
}

export function addKeysCommand(program: Command): void {
  const command = program
    .command('keys')
    .description(
      'Print the public keys of the server, one in a line, the one that signs last: give it to whoever checks your receipts.',
    )
    .option('--json', 'print them with their ids, as JSON');
  withDataOption(command, 'where the log lives; default as for serve');
  answering(command, async (output, options: KeysOptions) => printKeys(options, output));
}

function printKeys(options: KeysOptions, { out }: Output): ExitCode {
  const folder = namedFolder(options) ?? dataPath(process.env);
  const keys = readPublicKeys(folder);
  if (!keys)
    throw new HandoverError(
      FaultCode.CONFIGURATION,
      `the data folder ${folder} has no signing key yet; start the server on it once`,
    );
  if (options.json) out(`${JSON.stringify({ keys })}\n`);
  else for (const { publicKey } of keys) out(`${publicKey}\n`);
  return ExitCode.Ok;
}
