/** JWTs signed with a shared secret (HS256), and the settings of a server that takes them. */
import { createHmac } from 'node:crypto';

const ISSUER = 'https://issuer.example';
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** `k`: the secret as the key set is to have it. */
export const sharedSecretEnv = (k: string): Readonly<Record<string, string>> => ({
  MACP_AUTH_ISSUER: ISSUER,
  MACP_AUTH_JWT_ALGS: 'HS256',
  MACP_AUTH_JWKS_JSON: JSON.stringify({ keys: [{ kty: 'oct', k }] }),
});

/** Good for five minutes unless told. */
export function sharedSecretJwt(secret: Uint8Array, claims: Readonly<Record<string, unknown>>): string {
  const iat = Math.floor(Date.now() / 1_000);
  const all = { iss: ISSUER, aud: 'macp-runtime', sub: 'alice', iat, exp: iat + 300, ...claims };
  const text = `${part({ alg: 'HS256' })}.${part(all)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
