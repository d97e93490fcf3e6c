import { fixedLimits } from '../config/fixed-limits.js';
import type { AuthSettings, JwtSettings } from './auth-settings.js';
import { createAuthenticator, createDevAuthenticator } from './authenticator.js';
import { fetchText } from './fetch-text.js';
import { readJwks } from './jwks.js';
import { createJwtVerifier } from './jwt.js';
import { fetchedKeys, inlineKeys, type JwtKeys } from './jwt-keys.js';
import type { Authenticator } from './principal.js';

export interface AuthenticatorEnv {
  /** Wall clock, milliseconds: token expiry. */
  readonly now: () => number;
  /** Never goes backwards, milliseconds: key cache. */
  readonly monotonicNow: () => number;
  /** The signing keys could not be fetched; old ones may still serve. */
  readonly onKeysUnavailable?: (cause: unknown) => void;
}

const JWKS_LIMITS = {
  connectTimeoutMs: 3_000,
  totalTimeoutMs: fixedLimits.jwksFetchMs.value,
  maxBytes: fixedLimits.jwksBytes.value,
};

/** The authenticator that the configuration describes. */
export function authenticatorFor(settings: AuthSettings, env: AuthenticatorEnv): Authenticator {
  if (settings.kind === 'dev') return createDevAuthenticator(settings);
  const { staticTokens, jwt, mtls } = settings;
  return createAuthenticator({
    ...(staticTokens === undefined ? {} : { staticTokens }),
    ...(jwt === undefined
      ? {}
      : { jwt: createJwtVerifier({ ...jwt, keys: keysFor(jwt, env), now: env.now }) }),
    mtls,
  });
}

function keysFor({ keys }: JwtSettings, env: AuthenticatorEnv): JwtKeys {
  if (keys.kind === 'inline') return inlineKeys(keys.keys);
  const url = new URL(keys.url);
  return fetchedKeys({
    fetchKeys: async () => {
      const read = readJwks(await fetchText(url, JWKS_LIMITS));
      if (!read.ok) throw new Error(`the key set ${read.flaw}`);
      return read.keys;
    },
    now: env.monotonicNow,
    ttlMs: keys.ttlSeconds * 1000,
    staleGraceMs: fixedLimits.jwksStaleMs.value,
    retryPauseMs: fixedLimits.jwksRetryMs.value,
    rotationPauseMs: fixedLimits.jwksRotationMs.value,
    ...(env.onKeysUnavailable === undefined ? {} : { onFailure: env.onKeysUnavailable }),
  });
}
