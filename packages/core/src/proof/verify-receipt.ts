/**
 * Checking a receipt without a server.
 *
 * V1. Shape first, so that a flaw is named by its path; then the key's name, then the signature over everything.
 * V2. A good signature by an unknown key is neither ok nor a flaw: the receipt is unchanged, its origin is not known.
 * V3. Against the session's log, each value that follows from it is compared by name.
 */
import type { Codec } from '../envelope/codec.js';
import type { Json } from '../log/json.js';
import { firstDifference, shown } from './difference.js';
import { reading } from './document.js';
import type { Flaw } from './flaw.js';
import type { ReceiptResult } from './make-receipt.js';
import {
  asFormat1,
  RECEIPT_FORMAT_1,
  type Receipt,
  readReceipt,
  readReceiptBody,
  signedBytes,
} from './receipt.js';

export type VerifySignature = (publicKeyBase64: string, bytes: Uint8Array, signature: Uint8Array) => boolean;

export type ReceiptVerdict =
  | { readonly ok: true; readonly receipt: Receipt; readonly signer: 'known' | 'unknown' }
  | { readonly ok: false; readonly flaw: Flaw };

export interface ReceiptCheck {
  readonly codec: Codec;
  readonly verify: VerifySignature;
  /** Public keys that are trusted, base64. */
  readonly known: readonly string[];
}

export function verifyReceipt(value: Json, { codec, verify, known }: ReceiptCheck): ReceiptVerdict {
  const read = reading(() => readReceipt(value, ''));
  if ('flaw' in read) return { ok: false, flaw: read.flaw };
  const receipt = read.value;
  const flawed = (path: string, what: string): ReceiptVerdict => ({ ok: false, flaw: { path, what } });
  if (keyIdOf(receipt.public_key, codec) !== receipt.key_id)
    return flawed('key_id', 'is not the name of public_key');
  const signature = codec.fromBase64(receipt.signature);
  if (!signature || codec.toBase64(signature) !== receipt.signature)
    return flawed('signature', 'is not padded standard base64');
  if (!verify(receipt.public_key, signedBytes(receipt, codec), signature))
    return flawed('signature', 'does not fit: a value of the receipt, or the signature itself, was changed');
  return { ok: true, receipt, signer: known.includes(receipt.public_key) ? 'known' : 'unknown' };
}

/** First 16 hex digits of SHA-256 of the raw key; undefined when the key is not base64. */
function keyIdOf(publicKey: string, codec: Codec): string | undefined {
  const raw = codec.fromBase64(publicKey);
  if (!raw || codec.toBase64(raw) !== publicKey) return undefined;
  return codec.sha256(raw).slice(0, 16);
}

/** How a receipt differs from what the session's own log gives. */
export function compareReceipt(receipt: Receipt, fromLog: ReceiptResult): Flaw | undefined {
  if ('none' in fromLog) return { path: 'session_id', what: `the log has no such receipt: ${fromLog.none}` };
  const { issued_at: _at, key_id: _id, public_key: _key, signature: _signature, ...said } = receipt;
  const body = readReceiptBody(fromLog.body, '');
  const difference = firstDifference(receipt.format === RECEIPT_FORMAT_1 ? asFormat1(body) : body, said);
  if (!difference) return undefined;
  const { path, expected, found } = difference;
  return { path, what: `is ${shown(found)}; the log says ${shown(expected)}` };
}
