/**
 * The secret of one page.
 *
 * K1. 256 random bits, shown once, in the answer that creates it. Kept only as HMAC-SHA-256 under the server's pepper.
 * K2. Compared in constant time; an unknown id takes the same path as a wrong secret.
 * K3. What only its holder may read is encrypted under a key made from the secret itself, so that the server cannot
 *     read it either.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { boxKey, openBox, sealBox } from '../../keys/sealed-box.js';

export const newSecret = (): string => randomBytes(32).toString('base64url');

export function hashSecret(pepper: Uint8Array, id: string, secret: string): string {
  return createHmac('sha256', pepper).update(`handover/browser-secret\n${id}\n${secret}`).digest('hex');
}

export function sameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const keyOf = (secret: string, id: string): Uint8Array => boxKey(secret, id, 'handover/sealed');

export function seal(secret: string, id: string, text: string): Uint8Array {
  return sealBox(keyOf(secret, id), text);
}

/** Undefined when it was not sealed with this secret. */
export function unseal(secret: string, id: string, sealed: Uint8Array): string | undefined {
  return openBox(keyOf(secret, id), sealed);
}
