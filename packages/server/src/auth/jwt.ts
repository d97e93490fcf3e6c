/**
 * JWT to principal (docs/spec/macp.md 6.3).
 *
 * T1. The algorithm must be on the configured list and be the one its key is for; `none` is on no list.
 * T2. Signature first, claims after: a message about a claim is only ever given to a holder of a signed token.
 * T3. iss, aud, exp and sub are required; clocks may differ by `leewaySeconds`.
 * T4. A key id that is known pins the key; one that is not (or none) tries every key of that algorithm.
 * T5. A token lives `maxLifeSeconds` at most, from `iat` or, without one, from now; an `iat` in the future is refused. A
 *     stolen token must end some day, and an issuer that gives out others is set up wrongly.
 * T6. A claim of ours with the wrong type refuses the token; it never falls back to a default.
 * T7. So does a member of `macp_scopes` that is not known, and a word in `scope` that begins as ours do and is none of them.
 *     Words of other services mean nothing here and pass.
 */
import { isFields } from '@handover/core';
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { fixedLimits } from '../config/fixed-limits.js';
import { AGENT_NAME_RULE, isAgentName } from './agent-name.js';
import { CAPABILITY_FIELDS, readCapabilities } from './capabilities.js';
import { IDENTITY_TEXT_RULE, isIdentityText } from './identity-text.js';
import type { JwtAlgorithm, JwtKey } from './jwks.js';
import type { JwtKeys } from './jwt-keys.js';
import { isOwnAddress, type OwnAddress } from './own-address.js';
import type { Authentication } from './principal.js';
import { ALL_SCOPES, DEFAULT_SCOPES } from './scopes.js';
import { unknownField, unknownOwnScope } from './unknown-names.js';

export interface JwtOptions {
  readonly issuer: string;
  /** A token for any one of these is for us. */
  readonly audiences: readonly string[];
  /** Whether a token for the address that the request was sent to is for us. */
  readonly ownAddress?: OwnAddress;
  readonly algorithms: readonly JwtAlgorithm[];
  readonly keys: JwtKeys;
  /** Wall clock, milliseconds. */
  readonly now: () => number;
  readonly maxLifeSeconds?: number;
  readonly leewaySeconds?: number;
}

export interface JwtVerifier {
  /** `resource`: the address that the request was sent to, where that can be an audience. */
  verify(token: string, resource?: string): Promise<Authentication>;
}

const DEFAULT_LEEWAY_SECONDS = 60;
const DEFAULT_MAX_LIFE_SECONDS = 2_592_000;

export function createJwtVerifier(options: JwtOptions): JwtVerifier {
  return {
    async verify(token, resource) {
      const header = headerOf(token);
      if (header === undefined) return refuse('the token is not a well-formed JWT');
      const algorithm = options.algorithms.find((allowed) => allowed === header.alg);
      if (algorithm === undefined) return refuse('the token is signed with an algorithm that is not allowed');
      const keys = await keysFor(options.keys, algorithm, header.kid).catch(() => undefined);
      if (keys === undefined) return refuse('the token cannot be checked now: no signing keys are available');
      const payload = await verified(
        token,
        keys,
        { ...options, audiences: audiencesFor(options, resource) },
        algorithm,
      );
      if (typeof payload === 'string') return refuse(payload);
      const flaw = lifeFlaw(payload, options);
      return flaw === undefined ? principalOf(payload, options) : refuse(flaw);
    },
  };
}

async function keysFor(
  source: JwtKeys,
  algorithm: JwtAlgorithm,
  kid: string | undefined,
): Promise<readonly JwtKey[]> {
  const pick = (keys: readonly JwtKey[]) => keys.filter((key) => key.algorithm === algorithm);
  const current = pick(await source.current());
  if (kid === undefined) return current;
  const known = current.filter((key) => key.kid === kid);
  if (known.length > 0) return known;
  const newer = pick(await source.afterRotation());
  const rotated = newer.filter((key) => key.kid === kid);
  return rotated.length > 0 ? rotated : newer;
}

/** The claims, or why the token is refused. */
async function verified(
  token: string,
  keys: readonly JwtKey[],
  options: JwtOptions,
  algorithm: JwtAlgorithm,
): Promise<JWTPayload | string> {
  for (const { key } of keys) {
    try {
      const { payload } = await jwtVerify(token, key, {
        issuer: options.issuer,
        audience: [...options.audiences],
        algorithms: [algorithm],
        requiredClaims: ['exp', 'sub'],
        clockTolerance: options.leewaySeconds ?? DEFAULT_LEEWAY_SECONDS,
        currentDate: new Date(options.now()),
      });
      return payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) return reasonOf(error);
    }
  }
  return 'the signature of the token does not verify';
}

function audiencesFor({ audiences, ownAddress = 'none' }: JwtOptions, resource?: string): readonly string[] {
  const isOurs = resource !== undefined && isOwnAddress(ownAddress, resource);
  return isOurs ? [...audiences, resource] : audiences;
}

function lifeFlaw({ exp = 0, iat }: JWTPayload, options: JwtOptions): string | undefined {
  const { maxLifeSeconds = DEFAULT_MAX_LIFE_SECONDS, leewaySeconds = DEFAULT_LEEWAY_SECONDS } = options;
  const latest = options.now() / 1_000 + leewaySeconds;
  if (iat !== undefined && iat > latest)
    return 'the token was issued in the future: the claim iat is later than now';
  if (exp - (iat ?? latest) <= maxLifeSeconds) return undefined;
  return `the token lives longer than ${maxLifeSeconds} seconds (HANDOVER_JWT_MAX_SECS); ask the issuer for a shorter one`;
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return claimFlaw(error);
  return 'the token is not a well-formed JWT';
}

/** What is expected stays unsaid: the operator finds it under the setting. */
function claimFlaw({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (reason === 'missing') return `the claim ${claim} of the token is missing`;
  if (claim === 'aud') return 'the claim aud of the token names another audience (MACP_AUTH_AUDIENCE)';
  if (claim === 'iss') return 'the claim iss of the token names another issuer (MACP_AUTH_ISSUER)';
  if (claim === 'nbf') return 'the token is not valid yet: the claim nbf is later than now';
  return `the claim ${claim} of the token is not acceptable`;
}

function principalOf(
  payload: JWTPayload,
  { leewaySeconds = DEFAULT_LEEWAY_SECONDS }: Pick<JwtOptions, 'leewaySeconds'>,
): Authentication {
  const { sub, exp = 0, tenant = 'default', scope, macp_scopes: capabilities = {} } = payload;
  if (!isAgentName(sub)) return refuse(`the claim sub must be ${AGENT_NAME_RULE}`);
  if (!isIdentityText(tenant)) return refuse(`the claim tenant must be ${IDENTITY_TEXT_RULE}`);
  if (scope !== undefined && typeof scope !== 'string')
    return refuse('the claim scope must be words in one string');
  if (!isFields(capabilities)) return refuse('the claim macp_scopes must be an object');
  const unknown = unknownField(capabilities, CAPABILITY_FIELDS, 'it');
  if (unknown !== undefined) return refuse(`the claim macp_scopes is wrong: ${unknown}`);
  const read = readCapabilities(capabilities, 'none');
  if (!read.ok) return refuse(`the claim macp_scopes is wrong: ${read.flaw}`);
  const words = scope?.split(' ');
  const strange = unknownOwnScope(words ?? []);
  if (strange !== undefined) return refuse(`the claim scope is wrong: ${strange}`);
  const scopes = words === undefined ? DEFAULT_SCOPES : new Set(words.filter((word) => ALL_SCOPES.has(word)));
  const validUntil = (exp + leewaySeconds) * 1_000;
  const principal = { tenant, agent: sub, ...read.capabilities, scopes, canAskForScopes: true, validUntil };
  return { ok: true, principal };
}

function headerOf(token: string): { readonly alg?: string; readonly kid?: string } | undefined {
  if (token.length > fixedLimits.jwtBytes.value) return undefined;
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    return { ...(typeof alg === 'string' ? { alg } : {}), ...(typeof kid === 'string' ? { kid } : {}) };
  } catch {
    return undefined;
  }
}

function refuse(message: string): Authentication {
  return { ok: false, message };
}
