/**
 * Reading a JSON Web Key Set into keys that can verify a token.
 *
 * J1. The key decides which algorithm it verifies, never the token: an RSA key verifies RS256 and nothing else, so its
 *     public half can never be used as an HS256 secret.
 * J2. Keys we cannot use (other curves, encryption keys) are passed over; a set with no usable key is a flaw.
 * J3. A set with a private key is refused whole: whoever published it has lost that key.
 */

import { createPublicKey, createSecretKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isFields } from '@handover/core';
import { fixedLimits } from '../config/fixed-limits.js';
import { parseBounded } from '../platform/json/parse-bounded.js';

export const JwtAlgorithm = { RS256: 'RS256', ES256: 'ES256', EdDSA: 'EdDSA', HS256: 'HS256' } as const;
export type JwtAlgorithm = (typeof JwtAlgorithm)[keyof typeof JwtAlgorithm];

export interface JwtKey {
  readonly kid?: string;
  readonly algorithm: JwtAlgorithm;
  readonly key: KeyObject;
}

export type JwksResult =
  /** The warnings name no key. */
  | { readonly ok: true; readonly keys: readonly JwtKey[]; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly flaw: string };

const MAX_KEYS = fixedLimits.jwksKeys.value;
/** A set of keys is small, wherever it comes from. */
const LIMITS = { bytes: 1_048_576, depth: 16, values: 5_000 };
const MIN_RSA_BITS = 2048;
const MIN_SECRET_BYTES = 32;

export function readJwks(json: string): JwksResult {
  const jwks = parse(json);
  if (jwks === undefined) return flaw('must be JSON of the form {"keys": [...]}');
  if (jwks.length > MAX_KEYS) return flaw(`has more than ${MAX_KEYS} keys`);
  if (jwks.some(isPrivate))
    return flaw('contains a private key; publish public keys only, and replace that one');
  const keys: JwtKey[] = [];
  for (const jwk of jwks) {
    const read = readKey(jwk);
    if (typeof read === 'string') return flaw(read);
    if (read !== undefined) keys.push(read);
  }
  if (keys.length === 0) return flaw('has no usable signing key');
  return { ok: true, keys, warnings: jwks.some(isLooseSecret) ? [LOOSE_SECRET] : [] };
}

/** A key, undefined for one that we cannot use, or what is wrong with it. */
function readKey(jwk: Readonly<Record<string, unknown>>): JwtKey | string | undefined {
  const algorithm = algorithmOf(jwk);
  const use = jwk.use ?? 'sig';
  const declared = jwk.alg ?? algorithm;
  if (algorithm === undefined || use !== 'sig' || declared !== algorithm) return undefined;
  const kid = jwk.kid;
  const key = algorithm === 'HS256' ? secretOf(jwk.k) : publicKeyOf(jwk);
  if (key === undefined) return `a ${algorithm} key is malformed`;
  const bits = key.asymmetricKeyDetails?.modulusLength;
  if (bits !== undefined && bits < MIN_RSA_BITS) return `an RSA key is shorter than ${MIN_RSA_BITS} bits`;
  if ((key.symmetricKeySize ?? MIN_SECRET_BYTES) < MIN_SECRET_BYTES) {
    return `an HS256 secret is shorter than ${MIN_SECRET_BYTES} bytes`;
  }
  return typeof kid === 'string' ? { kid, algorithm, key } : { algorithm, key };
}

function algorithmOf(jwk: Readonly<Record<string, unknown>>): JwtAlgorithm | undefined {
  const { kty, crv } = jwk;
  if (kty === 'RSA') return JwtAlgorithm.RS256;
  if (kty === 'EC' && crv === 'P-256') return JwtAlgorithm.ES256;
  if (kty === 'OKP' && crv === 'Ed25519') return JwtAlgorithm.EdDSA;
  if (kty === 'oct') return JwtAlgorithm.HS256;
  return undefined;
}

function publicKeyOf(jwk: Readonly<Record<string, unknown>>): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** RFC 7518 says base64url without padding; existing deployments also write the secret as it is. */
function secretOf(k: unknown): KeyObject | undefined {
  if (typeof k !== 'string' || k === '') return undefined;
  const encoded = (/^[A-Za-z0-9_-]+$/.test(k) && k.length % 4 !== 1) || isLooseBase64(k);
  // This reads both alphabets, with and without padding.
  return createSecretKey(Buffer.from(k, encoded ? 'base64url' : 'utf8'));
}

const LOOSE_SECRET =
  'an HS256 key is written in padded or standard base64 and was decoded; write k in base64url without padding, and ' +
  'encode a secret that was meant as text';

/** What most tools give for base64: padded, or with + and /. Read as text it would refuse every token. */
const isLooseBase64 = (k: string): boolean =>
  k.length % 4 === 0 &&
  (/^[A-Za-z0-9+/]+={0,2}$/.test(k) || /^[A-Za-z0-9_-]+={1,2}$/.test(k)) &&
  /[+/=]/.test(k);

const isLooseSecret = ({ kty, k }: Readonly<Record<string, unknown>>): boolean =>
  kty === 'oct' && typeof k === 'string' && isLooseBase64(k);

function isPrivate(jwk: Readonly<Record<string, unknown>>): boolean {
  return jwk.kty !== 'oct' && jwk.d !== undefined;
}

function parse(json: string): readonly Readonly<Record<string, unknown>>[] | undefined {
  const parsed = parseBounded(json, LIMITS);
  const keys = 'value' in parsed && isFields(parsed.value) ? parsed.value.keys : undefined;
  return Array.isArray(keys) && keys.every(isFields) ? keys : undefined;
}

function flaw(text: string): JwksResult {
  return { ok: false, flaw: text };
}
