/** Checking a decision receipt without a runtime. The rules are core's; the signature is checked with Node. */
import { createPublicKey, verify } from 'node:crypto';
import {
  isFields,
  type JsonObject,
  type MacpReceipt,
  type MacpReceiptReport,
  type TrustedKey,
  verifyMacpReceipt,
} from '@handover/core';
import { codec } from '../codec.js';
import { MacpSessionError } from '../errors.js';
import { readExactJson } from './exact-json.js';

/** A decision receipt, as it came: what a resolved session has committed to. */
export type DecisionReceipt = MacpReceipt;
/** attested, integrity_only, unverified or refused, and why. */
export type ReceiptReport = MacpReceiptReport;
/** An Ed25519 key that is trusted: 32 bytes in base64, and the name by which receipts call it. */
export type TrustedReceiptKey = TrustedKey;

const KEY_BYTES = 32;

/** Checks a receipt. The keys come from somewhere that is trusted, never from whoever shows the receipt. */
export function verifyReceipt(text: string, trustedKeys: readonly TrustedReceiptKey[] = []): ReceiptReport {
  const value = readExactJson(text);
  if (value !== undefined)
    return verifyMacpReceipt(value, { codec, verify: verifySignature, trusted: trustedKeys });
  const flaw = {
    path: '',
    what: 'the document is not JSON with one reading: a key stands twice, or a value is spelled oddly',
  };
  return { verdict: 'refused', integrity: null, attestations: [], flaw };
}

/** The keys of a JSON Web Key Set, for `verifyReceipt`. */
export function trustedKeysOf(jwks: string): readonly TrustedReceiptKey[] {
  const set = readExactJson(jwks);
  const keys = isFields(set) ? (set as JsonObject).keys : undefined;
  if (!Array.isArray(keys)) throw new MacpSessionError('jwks is not the text of a JSON Web Key Set', 'jwks');
  return keys.flatMap((key) => {
    if (!isFields(key) || key.kty !== 'OKP' || key.crv !== 'Ed25519') return [];
    const { kid, x } = key as JsonObject;
    const raw = typeof x === 'string' ? Buffer.from(x, 'base64url') : undefined;
    if (raw?.length !== KEY_BYTES || typeof kid !== 'string') return [];
    return [{ kid, publicKey: raw.toString('base64') }];
  });
}

/** False for anything that is not a valid signature by that key. */
function verifySignature(publicKey: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  const raw = Buffer.from(publicKey, 'base64');
  if (raw.length !== KEY_BYTES) return false;
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') };
    return verify(null, bytes, createPublicKey({ key: jwk, format: 'jwk' }), signature);
  } catch {
    return false;
  }
}
