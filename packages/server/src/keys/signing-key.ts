/** A signing key that the operator brings: PKCS#8 PEM, or a private JWK. It leaves this file only as a function. */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { isFields } from '@handover/core';
import { keyIdOf, rawPublicKey } from './ed25519.js';
import type { NamedKey } from './jwks.js';

export interface SigningKey extends NamedKey {
  sign(bytes: Uint8Array): Uint8Array;
}

export type SigningKeyFlaw = { readonly of: 'key' | 'kid'; readonly text: string };

const NO_KEY: SigningKeyFlaw = {
  of: 'key',
  text: 'is no private Ed25519 key: it must be PKCS#8 PEM (-----BEGIN PRIVATE KEY-----) or a private JWK with kty OKP',
};

/** Named as its JWK names it or as told; else by its own digest, as keys of a data folder are. */
export function readSigningKey(text: string, told: string | undefined): SigningKey | SigningKeyFlaw {
  const jwk = text.trimStart().startsWith('{') ? parsed(text) : undefined;
  const key = jwk ? fromJwk(jwk) : fromPem(text);
  if (key?.asymmetricKeyType !== 'ed25519') return NO_KEY;
  const raw = rawPublicKey(key);
  if (jwk && jwk.x !== raw.toString('base64url'))
    return { of: 'key', text: 'has an x that does not belong to its d' };
  const own = jwk && typeof jwk.kid === 'string' && jwk.kid !== '' ? jwk.kid : undefined;
  if (own !== undefined && told !== undefined && own !== told)
    return { of: 'kid', text: 'is not the kid of the JWK that signs; leave it out' };
  return Object.freeze({
    kid: told ?? own ?? keyIdOf(raw),
    publicKey: raw.toString('base64'),
    sign: (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, key)),
  });
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    // Without the cause: it would quote the key.
    return {};
  }
}

function fromJwk({ kty, crv, d, x }: Readonly<Record<string, unknown>>): KeyObject | undefined {
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof d !== 'string' || typeof x !== 'string') return undefined;
  return attempt(() => createPrivateKey({ key: { kty, crv, d, x }, format: 'jwk' }));
}

const fromPem = (text: string): KeyObject | undefined =>
  text.includes('-----BEGIN PRIVATE KEY-----') ? attempt(() => createPrivateKey(text)) : undefined;

function attempt(make: () => KeyObject): KeyObject | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
