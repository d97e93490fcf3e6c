/** Tokens of an issuer that the attacked server trusts. */
import { createHmac, randomBytes } from 'node:crypto';

const KEY = randomBytes(32);
const ISSUER = 'https://issuer.example';
const DAY = 86_400;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Settings of a server that trusts it. `k` is how the key is written. */
export const jwtEnv = (k = KEY.toString('base64url')): Record<string, string> => ({
  MACP_ALLOW_INSECURE: '1',
  MACP_AUTH_ISSUER: ISSUER,
  MACP_AUTH_JWT_ALGS: 'HS256',
  MACP_AUTH_JWKS_JSON: JSON.stringify({ keys: [{ kty: 'oct', k }] }),
});

/** The key as many tools write it. */
export const paddedKey = (): string => KEY.toString('base64');

export interface Claims {
  readonly sub?: string;
  readonly aud?: string;
  readonly issuedInSecs?: number;
  readonly lifeSecs?: number;
}

export function signed({
  sub = 'agent',
  aud = 'macp-runtime',
  issuedInSecs = 0,
  lifeSecs = DAY,
}: Claims): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: ISSUER, sub, aud, iat: now + issuedInSecs, exp: now + lifeSecs };
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', KEY).update(text).digest('base64url')}`;
}
