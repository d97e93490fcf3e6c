/**
 * The server's own signing keys. They sign receipts; they never sign for a user.
 *
 * Y1. A key is made on first use and kept in the data folder, 0600, written whole or not at all. The caller holds the
 *     folder's lock, so that two servers cannot both make one.
 * Y2. The last key signs; the earlier ones stay, so that old receipts can be verified.
 * Y3. A key file that is not understood, or whose parts do not fit, is a fault. It is never replaced: receipts already
 *     given out depend on it.
 * Y4. Private keys leave this folder of code in no form; only signatures and public keys do.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FaultCode, HandoverError } from '@handover/core';
import { writeFileAtomic } from '../platform/atomic-file.js';
import { keyIdOf, rawPublicKey } from './ed25519.js';

export interface PublicKeyInfo {
  readonly keyId: string;
  readonly algorithm: 'Ed25519';
  /** The 32 raw bytes, base64. */
  readonly publicKey: string;
}

export interface Keyring {
  /** The key that signs. */
  readonly keyId: string;
  sign(bytes: Uint8Array): { readonly keyId: string; readonly signature: Uint8Array };
  /** All, the signing one last. */
  publicKeys(): readonly PublicKeyInfo[];
}

interface StoredKeys {
  readonly format: typeof FORMAT;
  readonly keys: readonly { readonly keyId: string; readonly privateKey: string }[];
}

const FORMAT = 'handover-keyring@1';
const FILE = 'receipt-keys.json';

/** Keys that end with the process. */
export function memoryKeyring(): Keyring {
  return keyringOf([newKey()]);
}

export function openKeyring(folder: string): Keyring {
  const path = join(folder, FILE);
  if (!existsSync(path)) writeFileAtomic(path, `${JSON.stringify(stored([newKey()]), null, 2)}\n`);
  return keyringOf(load(path));
}

/** For `handover verify`: what the folder's server signs with, or undefined when it has never signed. */
export function readPublicKeys(folder: string): readonly PublicKeyInfo[] | undefined {
  const path = join(folder, FILE);
  return existsSync(path) ? keyringOf(load(path)).publicKeys() : undefined;
}

function keyringOf(keys: readonly KeyObject[]): Keyring {
  const infos = Object.freeze(keys.map(infoOf));
  const [key, info] = [keys.at(-1), infos.at(-1)];
  if (key === undefined || info === undefined) throw unusable('holds no key');
  const { keyId } = info;
  return Object.freeze({
    keyId,
    sign: (bytes: Uint8Array) => ({ keyId, signature: new Uint8Array(sign(null, bytes, key)) }),
    publicKeys: () => infos,
  });
}

function infoOf(key: KeyObject): PublicKeyInfo {
  const raw = rawPublicKey(key);
  return Object.freeze({ keyId: keyIdOf(raw), algorithm: 'Ed25519', publicKey: raw.toString('base64') });
}

function newKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey;
}

function stored(keys: readonly KeyObject[]): StoredKeys {
  const privateKey = (key: KeyObject) => key.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  return {
    format: FORMAT,
    keys: keys.map((key) => ({ keyId: infoOf(key).keyId, privateKey: privateKey(key) })),
  };
}

function load(path: string): readonly KeyObject[] {
  let file: Partial<StoredKeys> | null;
  try {
    file = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // Without the cause: a JSON error quotes the text, and the text is a private key.
    throw unusable('cannot be read as JSON');
  }
  if (file?.format !== FORMAT || !Array.isArray(file.keys)) throw unusable(`is not of the format ${FORMAT}`);
  return file.keys.map((item: Partial<StoredKeys['keys'][number]> | null) => {
    const key = parseKey(item?.privateKey ?? '');
    if (infoOf(key).keyId !== item?.keyId) throw unusable('has a key under an id that is not its own');
    return key;
  });
}

function parseKey(base64: string): KeyObject {
  try {
    const key = createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // As above: no cause.
  }
  throw unusable('has a key that is not a private Ed25519 key');
}

function unusable(what: string): HandoverError {
  return new HandoverError(
    FaultCode.CONFIGURATION,
    `the key file ${FILE} ${what}; restore it from a backup`,
    {
      next: 'fatal',
    },
  );
}
