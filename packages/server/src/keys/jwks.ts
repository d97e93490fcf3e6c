/** Public Ed25519 keys as a JSON Web Key Set (docs/spec/macp-2026.md 14.4), written and read. */
import { canonicalJson, isFields, isId, type TrustedKey } from '@handover/core';

/** A public key under the name by which receipts refer to it. */
export type NamedKey = Required<TrustedKey>;

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const KEY_BYTES = 32;

/** In the order given: the key that signs now first. */
export function jwksText(keys: readonly NamedKey[]): string {
  return canonicalJson({
    keys: keys.map(({ kid, publicKey }) => ({
      ...{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid },
      x: Buffer.from(publicKey, 'base64').toString('base64url'),
    })),
  });
}

/** The keys, or what is wrong, as the end of a sentence. It repeats no value: a private key may be among them. */
export function readJwks(text: string): readonly NamedKey[] | string {
  const set = parsed(text);
  if (!isFields(set) || !Array.isArray(set.keys)) return 'is no JSON Web Key Set: {"keys": [...]}';
  const keys: NamedKey[] = [];
  for (const [i, item] of set.keys.entries()) {
    const key = readKey(item);
    if (typeof key === 'string') return `has in keys[${i}] ${key}`;
    if (keys.some(({ kid }) => kid === key.kid)) return `has in keys[${i}] a kid for the second time`;
    keys.push(key);
  }
  return keys;
}

function readKey(item: unknown): NamedKey | string {
  if (!isFields(item)) return 'something that is no key';
  if (PRIVATE_MEMBERS.some((name) => Object.hasOwn(item, name)))
    return 'a private key: give out public ones only';
  const { kty, crv, kid, x, alg = 'EdDSA', use = 'sig' } = item;
  if (kty !== 'OKP' || crv !== 'Ed25519' || alg !== 'EdDSA' || use !== 'sig')
    return 'a key that is not for Ed25519 signatures';
  if (typeof kid !== 'string' || !isId(kid)) return 'a key without a kid';
  const raw = typeof x === 'string' ? rawKey(x) : undefined;
  return raw ? { kid, publicKey: raw.toString('base64') } : 'an x that is not base64url of 32 bytes';
}

/** In its one spelling. */
export function rawKey(x: string): Buffer | undefined {
  const raw = Buffer.from(x, 'base64url');
  return raw.length === KEY_BYTES && raw.toString('base64url') === x ? raw : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
