/**
 * The secret of one page.
 *
 * K1. 256 random bits, shown once, in the answer that creates it. Kept only as HMAC-SHA-256 under the server's pepper.
 * K2. Compared in constant time; an unknown id takes the same path as a wrong secret.
 * K3. What only its holder may read is encrypted under a key made from the secret itself: the server cannot read it either.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const IV = 12;
const TAG = 16;

export const newSecret = (): string => randomBytes(32).toString('base64url');

export function hashSecret(pepper: Uint8Array, id: string, secret: string): string {
  return createHmac('sha256', pepper).update(`handover/browser-secret\n${id}\n${secret}`).digest('hex');
}

export function sameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function keyOf(secret: string, id: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, id, 'handover/sealed', 32));
}

export function seal(secret: string, id: string, text: string): Uint8Array {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, id), iv);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return new Uint8Array(Buffer.concat([iv, cipher.getAuthTag(), body]));
}

/** Undefined when it was not sealed with this secret. */
export function unseal(secret: string, id: string, sealed: Uint8Array): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, id), sealed.subarray(0, IV));
    decipher.setAuthTag(sealed.subarray(IV, IV + TAG));
    return Buffer.concat([decipher.update(sealed.subarray(IV + TAG)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
