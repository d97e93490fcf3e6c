import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { type JwtAlgorithm, readJwks } from './jwks.js';
import { createJwtVerifier } from './jwt.js';
import { inlineKeys } from './jwt-keys.js';
import { DEFAULT_SCOPES } from './scopes.js';

const NOW = 1_800_000_000_000;
const seconds = NOW / 1000;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const secret = 'a-shared-secret-of-at-least-32-bytes!';
const jwk = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid });
const jwks = {
  keys: [
    jwk(rsa.publicKey, 'rsa'),
    jwk(other.publicKey, 'other'),
    jwk(ec.publicKey, 'ec'),
    jwk(ed.publicKey, 'ed'),
    { kty: 'oct', k: Buffer.from(secret).toString('base64url'), kid: 'hs' },
  ],
};

function verifier(algorithms: readonly JwtAlgorithm[] = ['RS256', 'ES256'], now = NOW) {
  const read = readJwks(JSON.stringify(jwks));
  if (!read.ok) throw new Error(read.flaw);
  return createJwtVerifier({
    issuer: 'https://issuer.test',
    audiences: ['macp-runtime'],
    algorithms,
    keys: inlineKeys(read.keys),
    now: () => now,
  });
}

const claims = { iss: 'https://issuer.test', aud: 'macp-runtime', sub: 'alice', exp: seconds + 600 };
const signed = (
  payload: Record<string, unknown>,
  header: { alg: string; kid?: string } = { alg: 'RS256', kid: 'rsa' },
  key: KeyObject | Uint8Array = rsa.privateKey,
) => new SignJWT(payload).setProtectedHeader(header).sign(key);
const segment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a good token', () => {
  it('gives the default rights', async () => {
    expect(await verifier().verify(await signed(claims))).toEqual({
      ok: true,
      principal: {
        tenant: 'default',
        agent: 'alice',
        canStartSessions: true,
        canManageModeRegistry: false,
        isObserver: false,
        scopes: DEFAULT_SCOPES,
        canAskForScopes: true,
        validUntil: (claims.exp + 60) * 1_000,
      },
    });
  });

  it('carries capabilities, scope and tenant', async () => {
    const token = await signed({
      ...claims,
      tenant: 'acme',
      scope: 'handoff:read  operation:create',
      macp_scopes: {
        can_start_sessions: false,
        can_manage_mode_registry: true,
        is_observer: true,
        allowed_modes: ['m'],
        max_open_sessions: 2,
      },
    });
    expect(await verifier().verify(token)).toEqual({
      ok: true,
      principal: {
        tenant: 'acme',
        agent: 'alice',
        canStartSessions: false,
        canManageModeRegistry: true,
        isObserver: true,
        allowedModes: new Set(['m']),
        maxOpenSessions: 2,
        scopes: new Set(['handoff:read', 'operation:create']),
        canAskForScopes: true,
        validUntil: (claims.exp + 60) * 1_000,
      },
    });
  });

  it('may name scopes of other services, which mean nothing here', async () => {
    const scope = 'openid profile https://api.test/read handoff:read orders:write';
    const result = await verifier().verify(await signed({ ...claims, scope }));
    expect(result.ok && result.principal.scopes).toEqual(new Set(['handoff:read']));
  });

  it('reads an empty allowed_modes as no mode', async () => {
    const result = await verifier().verify(await signed({ ...claims, macp_scopes: { allowed_modes: [] } }));
    expect(result.ok && result.principal.allowedModes).toEqual(new Set());
  });

  it('may be signed by any allowed algorithm', async () => {
    const all = verifier(['RS256', 'ES256', 'EdDSA', 'HS256']);
    const tokens = await Promise.all([
      signed(claims, { alg: 'ES256', kid: 'ec' }, ec.privateKey),
      signed(claims, { alg: 'EdDSA', kid: 'ed' }, ed.privateKey),
      signed(claims, { alg: 'HS256', kid: 'hs' }, Buffer.from(secret)),
    ]);
    for (const token of tokens) expect((await all.verify(token)).ok).toBe(true);
  });

  it('without a key id, or with an unknown one, is tried with every key', async () => {
    expect((await verifier().verify(await signed(claims, { alg: 'RS256' }, other.privateKey))).ok).toBe(true);
    const unknown = await signed(claims, { alg: 'RS256', kid: 'nobody' }, other.privateKey);
    expect((await verifier().verify(unknown)).ok).toBe(true);
  });

  it('is good for 60 seconds beyond its expiry and not a second longer', async () => {
    const token = await signed(claims);
    expect((await verifier(undefined, NOW + 659_000).verify(token)).ok).toBe(true);
    expect(await verifier(undefined, NOW + 661_000).verify(token)).toEqual({
      ok: false,
      message: 'the token has expired',
    });
  });
});

describe('a forged or foreign token', () => {
  const refused = async (token: string, algorithms?: readonly JwtAlgorithm[]) => {
    const result = await verifier(algorithms).verify(token);
    expect(result.ok).toBe(false);
    const message = result.ok ? '' : result.message;
    expect(message).not.toContain(token);
    return message;
  };

  it('alg none', async () => {
    const body = segment(claims);
    for (const alg of ['none', 'None', 'NONE', '']) {
      expect(await refused(`${segment({ alg })}.${body}.`)).toContain('algorithm');
      expect(await refused(`${segment({ alg })}.${body}.c2ln`)).toContain('algorithm');
    }
  });

  it('HS256 with the RSA public key as the secret, even where HS256 is allowed', async () => {
    const forms = [
      rsa.publicKey.export({ format: 'pem', type: 'spki' }),
      rsa.publicKey.export({ format: 'der', type: 'spki' }),
      rsa.publicKey.export({ format: 'jwk' }).n ?? '',
    ];
    for (const form of forms) {
      for (const kid of ['rsa', 'hs', undefined]) {
        const input = `${segment({ alg: 'HS256', kid })}.${segment(claims)}`;
        const token = `${input}.${createHmac('sha256', form).update(input).digest('base64url')}`;
        expect(await refused(token)).toContain('algorithm');
        expect(await refused(token, ['RS256', 'HS256'])).toContain('signature');
      }
    }
  });

  it('an algorithm that is not on the list', async () => {
    expect(await refused(await signed(claims, { alg: 'EdDSA', kid: 'ed' }, ed.privateKey))).toContain(
      'algorithm',
    );
    expect(await refused(await signed(claims, { alg: 'RS512', kid: 'rsa' }))).toContain('algorithm');
    expect(await refused(await signed(claims, { alg: 'PS256', kid: 'rsa' }))).toContain('algorithm');
  });

  it('the key id of one key, the signature of another', async () => {
    expect(await refused(await signed(claims, { alg: 'RS256', kid: 'rsa' }, other.privateKey))).toContain(
      'signature',
    );
    expect(await refused(await signed(claims, { alg: 'ES256', kid: 'rsa' }, otherEc()))).toContain(
      'signature',
    );
  });

  it('a key that nobody published', async () => {
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    for (const kid of ['rsa', 'unknown']) {
      expect(await refused(await signed(claims, { alg: 'RS256', kid }, stranger))).toContain('signature');
    }
  });

  it('changed claims under an old signature', async () => {
    const [header, , signature] = (await signed(claims)).split('.');
    expect(await refused(`${header}.${segment({ ...claims, sub: 'root' })}.${signature}`)).toContain(
      'signature',
    );
  });

  it.each([
    ['another audience', { aud: 'someone-else' }, 'aud of the token names another audience'],
    ['no audience', { aud: undefined }, 'aud of the token is missing'],
    ['another issuer', { iss: 'https://evil.test' }, 'iss of the token names another issuer'],
    ['no issuer', { iss: undefined }, 'iss of the token is missing'],
    ['expired', { exp: seconds - 61 }, 'expired'],
    ['no expiry', { exp: undefined }, 'exp'],
    ['not yet valid', { nbf: seconds + 61 }, 'nbf'],
    ['no subject', { sub: undefined }, 'sub'],
    ['empty subject', { sub: '' }, 'sub'],
    ['a subject with a line break', { sub: 'a\nb' }, 'sub'],
    ['a subject of 257 bytes', { sub: 'x'.repeat(257) }, 'sub'],
    ['an empty tenant', { tenant: '' }, 'tenant'],
    ['a scope that is no text', { scope: ['handoff:read'] }, 'scope'],
    ['macp_scopes that is no object', { macp_scopes: 'all' }, 'macp_scopes'],
    [
      'a misspelt restriction',
      { macp_scopes: { can_start_session: false } },
      'can_start_session is not a field of it (did you mean can_start_sessions?)',
    ],
    [
      'a misspelt right',
      { macp_scopes: { is_obsever: true } },
      'is_obsever is not a field of it (did you mean is_observer?)',
    ],
    ['a member of no meaning', { macp_scopes: { 'a\nb\u202e': 1 } }, 'a?b? is not a field of it'],
    ['the inherited name of a member', { macp_scopes: { constructor: 1 } }, 'constructor is not a field'],
    [
      'a misspelt scope',
      { scope: 'openid handoff:reed' },
      'handoff:reed is not a scope (did you mean handoff:read?)',
    ],
    ['a scope of ours in other letters', { scope: 'Handoff:Admin' }, 'Handoff:Admin is not a scope'],
    ['a scope that looks like ours', { scope: 'macp:write' }, 'macp:write is not a scope'],
    ['a capability of the wrong type', { macp_scopes: { is_observer: 'no' } }, 'is_observer'],
  ])('%s', async (_name, change, word) => {
    const payload = Object.fromEntries(
      Object.entries({ ...claims, ...change }).filter(([, v]) => v !== undefined),
    );
    expect(await refused(await signed(payload))).toContain(word);
  });

  it('garbage', async () => {
    for (const token of [
      '.',
      '..',
      'a.b',
      'a.b.c',
      'é.é.é',
      `${segment({ alg: 'RS256' })}..`,
      '.'.repeat(50_000),
    ]) {
      await refused(token);
    }
    await refused(
      `${segment({ alg: 'RS256', kid: 'rsa', crit: ['b64'], b64: false })}.${segment(claims)}.AAAA`,
    );
    await refused(`${segment({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.a.b.c.d`);
  });
});

function otherEc(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

describe('the life of a token', () => {
  const MONTH = 2_592_000;
  const outcome = async (payload: Record<string, unknown>) => {
    const answer = await verifier().verify(await signed({ ...claims, ...payload }));
    return answer.ok ? 'ok' : answer.message;
  };

  it('is counted from iat, and from now without one', async () => {
    expect(await outcome({ iat: seconds, exp: seconds + MONTH })).toBe('ok');
    expect(await outcome({ iat: seconds, exp: seconds + MONTH + 1 })).toContain('HANDOVER_JWT_MAX_SECS');
    expect(await outcome({ iat: seconds - MONTH, exp: seconds + 1 })).toContain('HANDOVER_JWT_MAX_SECS');
    // Without iat it is the clocks that may differ.
    expect(await outcome({ exp: seconds + MONTH + 60 })).toBe('ok');
    expect(await outcome({ exp: seconds + MONTH + 61 })).toContain('HANDOVER_JWT_MAX_SECS');
  });

  it('does not begin in the future', async () => {
    expect(await outcome({ iat: seconds + 60, exp: seconds + 600 })).toBe('ok');
    expect(await outcome({ iat: seconds + 61, exp: seconds + 600 })).toContain('future');
    // Such a token would otherwise live as long as it likes.
    expect(await outcome({ iat: seconds + 10 * MONTH, exp: seconds + 11 * MONTH })).toContain('future');
  });

  it.each(['1800000000', null, -1e300, 1e300])('cannot be stretched by iat %j', async (iat) => {
    expect(await outcome({ iat, exp: seconds + 2 * MONTH })).not.toBe('ok');
  });
});
