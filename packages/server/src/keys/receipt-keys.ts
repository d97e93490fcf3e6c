/**
 * All keys around the receipts of a server: one signs, in both formats; the others have signed and stay published.
 *
 * R1. The operator's key signs where one is set, else the newest of the data folder.
 * R2. A kid names one key for ever. Two keys under one kid stop the start.
 * R3. A server is named by its first key unless it is told its name: that stays when another key signs.
 */
import { FaultCode, HandoverError, type ReceiptSigner } from '@handover/core';
import { keyIdOf } from './ed25519.js';
import { jwksText, type NamedKey } from './jwks.js';
import type { Keyring } from './keyring.js';
import type { SigningKey } from './signing-key.js';

export interface ReceiptSettings {
  /** Who issues receipts; absent: the data folder's own name. */
  readonly runtimeId?: string;
  /** In place of the data folder's key. */
  readonly signing?: SigningKey;
  /** Public keys that signed before, beside those of the data folder. */
  readonly retired: readonly NamedKey[];
}

export interface ReceiptKeys {
  /** Of our own formats: its key id is made of the key. */
  readonly signer: ReceiptSigner;
  /** The name of the same key in receipts of the protocol. */
  readonly kid: string;
  /** All, the signing one first. */
  readonly published: readonly NamedKey[];
  /** The same as a JSON Web Key Set. */
  readonly jwks: string;
  readonly issuer: string;
}

export function receiptKeysOf(keyring: Keyring, settings: ReceiptSettings): ReceiptKeys {
  const own = keyring.publicKeys().map(({ keyId: kid, publicKey }): NamedKey => ({ kid, publicKey }));
  const folder = own.find(({ kid }) => kid === keyring.keyId) as NamedKey;
  const active = settings.signing ?? {
    ...folder,
    sign: (bytes: Uint8Array) => keyring.sign(bytes).signature,
  };
  const { kid, publicKey, sign } = active;
  const published = eachOnce([{ kid, publicKey }, ...own.toReversed(), ...settings.retired]);
  return Object.freeze({
    signer: { keyId: keyIdOf(Buffer.from(publicKey, 'base64')), publicKey, sign },
    kid,
    published,
    jwks: jwksText(published),
    issuer: `runtime:${settings.runtimeId ?? `handover-${own[0]?.kid}`}`,
  });
}

function eachOnce(keys: readonly NamedKey[]): readonly NamedKey[] {
  const byKid = new Map<string, NamedKey>();
  for (const key of keys) {
    const known = byKid.get(key.kid);
    if (known && known.publicKey !== key.publicKey)
      throw new HandoverError(
        FaultCode.CONFIGURATION,
        'two keys that sign or signed receipts have the same kid; MACP_RECEIPT_SIGNING_KID and MACP_RECEIPT_PUBLIC_KEYS_PATH name them',
        { next: 'fatal' },
      );
    if (!known) byKid.set(key.kid, key);
  }
  return [...byKid.values()];
}
