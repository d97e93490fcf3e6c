import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';

const KEY_BYTES = 32;

/** The 32 raw bytes of a public key, or of the public part of a private one. */
export function rawPublicKey(key: KeyObject): Buffer {
  const { x } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url');
}

/** First 16 hex digits of SHA-256 of the raw public key: a name, short enough to read out, not a proof. */
export function keyIdOf(publicKey: Uint8Array): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
}

/** False for anything that is not a valid Ed25519 signature by that key; it never throws. */
export function verifySignature(publicKeyBase64: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  const raw = Buffer.from(publicKeyBase64, 'base64');
  if (raw.length !== KEY_BYTES) return false;
  try {
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
      format: 'jwk',
    });
    return verify(null, bytes, key, signature);
  } catch {
    return false;
  }
}
