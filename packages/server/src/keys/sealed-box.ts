/**
 * Text under a key: AES-256-GCM, as initialisation vector, tag, body. A box can be bound to bytes that are not in it;
 * it opens only when the same bytes are given again.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY = 32;
const IV = 12;
const TAG = 16;
const UNBOUND = new Uint8Array(0);

/** A key for one purpose alone, made from a secret that may serve others. */
export function boxKey(secret: string | Uint8Array, salt: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, purpose, KEY));
}

export function sealBox(key: Uint8Array, text: string, bound: Uint8Array = UNBOUND): Uint8Array {
  const iv = randomBytes(IV);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(bound);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return new Uint8Array(Buffer.concat([iv, cipher.getAuthTag(), body]));
}

/** Undefined when it was not sealed with this key and bound to these bytes. */
export function openBox(key: Uint8Array, box: Uint8Array, bound: Uint8Array = UNBOUND): string | undefined {
  try {
    // Without an explicit length, a box that is cut off in its tag would be checked against the rest of the tag.
    const decipher = createDecipheriv(CIPHER, key, box.subarray(0, IV), { authTagLength: TAG }).setAAD(bound);
    decipher.setAuthTag(box.subarray(IV, IV + TAG));
    return Buffer.concat([decipher.update(box.subarray(IV + TAG)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
