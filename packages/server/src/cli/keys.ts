/** `handover keys`: the public keys of a data folder, by which others check its receipts. */
import type { Command } from 'commander';
import { readPublicKeys } from '../keys/keyring.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import { notFound } from './conventions/failure.js';
import { type DataFlags, dataFolder, type JsonFlags, withDataDir, withJson } from './conventions/flags.js';
import type { Output } from './conventions/output.js';

type KeysFlags = DataFlags & JsonFlags;

export function describeKeys(command: Command): void {
  withJson(withDataDir(command));
  const exits = [ExitCode.Failed, ExitCode.Usage, ExitCode.NotFound];
  acting(command, exits, async (output, flags: KeysFlags) => printKeys(flags, output));
}

function printKeys(flags: KeysFlags, { out }: Output): ExitCode {
  const folder = dataFolder(flags);
  const keys = readPublicKeys(folder);
  if (!keys)
    throw notFound(`the data folder ${folder} has no signing key yet`, 'Start the server on it once');
  if (flags.json) out(`${JSON.stringify({ keys })}\n`);
  else for (const { publicKey } of keys) out(`${publicKey}\n`);
  return ExitCode.Done;
}
