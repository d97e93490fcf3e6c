/** Keys around receipts: the one that signs, and those that are trusted. */
import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { FaultCode, HandoverError, type ReceiptSigner, type TrustedKey } from '@handover/core';
import { rawPublicKey } from '../keys/ed25519.js';
import { type NamedKey, readJwks } from '../keys/jwks.js';
import { type Keyring, openKeyring, readPublicKeys } from '../keys/keyring.js';
import { type ReceiptKeys, type ReceiptSettings, receiptKeysOf } from '../keys/receipt-keys.js';

const ONLY_THE_FOLDER: ReceiptSettings = { retired: [] };

export function receiptSigner(keyring: Keyring): ReceiptSigner {
  return receiptKeysOf(keyring, ONLY_THE_FOLDER).signer;
}

/**
 * The keys with which the server of a folder signs. The folder's own is never made here: whoever makes it must hold the
 * folder's lock, as the server does.
 */
export function folderReceiptKeys(folder: string, settings: ReceiptSettings): ReceiptKeys {
  if (readPublicKeys(folder) === undefined)
    throw new HandoverError(
      FaultCode.CONFIGURATION,
      `the data folder ${folder} has no signing key yet; start the server on it once`,
    );
  return receiptKeysOf(openKeyring(folder), settings);
}

/** The public keys of a data folder, or none when it has never signed. */
export function folderKeys(folder: string): readonly NamedKey[] {
  return readPublicKeys(folder)?.map(({ keyId: kid, publicKey }) => ({ kid, publicKey })) ?? [];
}

/** Keys as given on the command line: base64 of 32 bytes, PEM, a JSON Web Key Set, or a file that holds one of them. */
export function parseKeys(given: string): readonly TrustedKey[] {
  const text = (existsSync(given) ? readFileSync(given, 'utf8') : given).trim();
  if (text.startsWith('{')) {
    const keys = readJwks(text);
    if (typeof keys !== 'string') return keys;
    throw new HandoverError(FaultCode.CONFIGURATION, `the key set of --key ${keys}`);
  }
  const raw = text.startsWith('-----BEGIN PUBLIC KEY') ? fromPem(text) : Buffer.from(text, 'base64');
  if (raw?.length === 32 && (text.startsWith('-') || raw.toString('base64') === text))
    return [{ publicKey: raw.toString('base64') }];
  throw new HandoverError(
    FaultCode.CONFIGURATION,
    '--key takes Ed25519 public keys: base64 of the 32 bytes of one, PEM, a JSON Web Key Set, or a file that holds one of them',
  );
}

function fromPem(text: string): Buffer | undefined {
  try {
    const key = createPublicKey(text);
    return key.asymmetricKeyType === 'ed25519' ? rawPublicKey(key) : undefined;
  } catch {
    return undefined;
  }
}
