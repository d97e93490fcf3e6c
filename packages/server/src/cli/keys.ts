/** `handover keys`: the public keys with which the server of a data folder signs or signed, by which others check its receipts. */
import type { Command } from 'commander';
import { keyIdOf } from '../keys/ed25519.js';
import type { NamedKey } from '../keys/jwks.js';
import { readPublicKeys } from '../keys/keyring.js';
import { folderReceiptKeys } from '../proof/receipt-keys.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import { notFound } from './conventions/failure.js';
import { type DataFlags, dataFolder, type JsonFlags, withDataDir, withJson } from './conventions/flags.js';
import type { Output } from './conventions/output.js';
import { receiptSettings } from './receipt-settings.js';

type KeysFlags = DataFlags & JsonFlags & { readonly jwks?: boolean };

export function describeKeys(command: Command): void {
  withJson(withDataDir(command)).option('--jwks', 'as a JSON Web Key Set, the one that signs first');
  const exits = [ExitCode.Failed, ExitCode.Usage, ExitCode.NotFound];
  acting(command, exits, async (output, flags: KeysFlags) => printKeys(flags, output));
}

function printKeys(flags: KeysFlags, { out }: Output): ExitCode {
  const folder = dataFolder(flags);
  if (!readPublicKeys(folder))
    throw notFound(`the data folder ${folder} has no signing key yet`, 'Start the server on it once');
  const { jwks, published } = folderReceiptKeys(folder, receiptSettings());
  const keys = published.toReversed().map(shown);
  if (flags.jwks) out(`${jwks}\n`);
  else if (flags.json) out(`${JSON.stringify({ keys })}\n`);
  else for (const { publicKey } of keys) out(`${publicKey}\n`);
  return ExitCode.Done;
}

/** `kid` only where it is not the key's own id. */
function shown({ kid, publicKey }: NamedKey) {
  const keyId = keyIdOf(Buffer.from(publicKey, 'base64'));
  return { keyId, algorithm: 'Ed25519', publicKey, ...(kid !== keyId && { kid }) };
}
