/** Keys around receipts: the one that signs, and those that are trusted. */
import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { FaultCode, HandoverError, type ReceiptSigner } from '@handover/core';
import { rawPublicKey } from '../keys/ed25519.js';
import { type Keyring, openKeyring, readPublicKeys } from '../keys/keyring.js';

export function receiptSigner(keyring: Keyring): ReceiptSigner {
  const publicKey = keyring.publicKeys().find(({ keyId }) => keyId === keyring.keyId)?.publicKey ?? '';
  return { keyId: keyring.keyId, publicKey, sign: (bytes) => keyring.sign(bytes).signature };
}

/** The folder's own key. It is never made here: whoever makes it must hold the folder's lock, as the server does. */
export function folderSigner(folder: string): ReceiptSigner {
  if (readPublicKeys(folder) === undefined)
    throw new HandoverError(
      FaultCode.CONFIGURATION,
      `the data folder ${folder} has no signing key yet; start the server on it once`,
    );
  return receiptSigner(openKeyring(folder));
}

/** The public keys of a data folder, or none when it has never signed. */
export function folderKeys(folder: string): readonly string[] {
  return readPublicKeys(folder)?.map(({ publicKey }) => publicKey) ?? [];
}

/** A key as given on the command line: base64 of its 32 bytes, PEM, or a file that holds one of them. */
export function parseKey(given: string): string {
  const text = (existsSync(given) ? readFileSync(given, 'utf8') : given).trim();
  const raw = text.startsWith('-----BEGIN PUBLIC KEY') ? fromPem(text) : Buffer.from(text, 'base64');
  if (raw?.length === 32 && (text.startsWith('-') || raw.toString('base64') === text))
    return raw.toString('base64');
  throw new HandoverError(
    FaultCode.CONFIGURATION,
    '--key takes an Ed25519 public key: base64 of its 32 bytes, PEM, or a file that holds one of them',
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
