/** JWTs at both doors: what a good one gives, and every way in which one is not good. */
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { start } from '../kit/envelopes.js';
import { TestServer } from '../kit/test-server.js';
import { type WaysIn, waysInto } from './doors.js';

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const others = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function jwt(
  claims: object,
  header: object = { alg: 'ES256', kid: 'k' },
  key: KeyObject = keys.privateKey,
): string {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

describe('a JWT', () => {
  let server: TestServer;
  let ways: WaysIn;
  beforeAll(async () => {
    const jwk = { ...keys.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256' };
    server = await TestServer.start({
      env: {
        MACP_ALLOW_INSECURE: '1',
        MACP_AUTH_ISSUER: 'https://issuer.example',
        MACP_AUTH_JWKS_JSON: JSON.stringify({ keys: [jwk] }),
      },
    });
    ways = waysInto(server.grpc, server.http);
  });
  afterAll(async () => {
    ways.close();
    await server.remove();
  });
  const now = () => Math.floor(server.now / 1000);
  const good = () => ({ iss: 'https://issuer.example', aud: 'macp-runtime', sub: 'owner', exp: now() + 60 });
  const said = async (token: string) => {
    const outcomes = [ways.send, ways.http, ways.stream].map((say) => say(start(randomUUID()), token));
    return [...new Set(await Promise.all(outcomes))];
  };

  it('is who its subject says', async () => {
    expect(server.auth).toContain('jwt');
    expect(await said(jwt(good()))).toEqual(['ok']);
    expect(await said(jwt({ ...good(), sub: 'a' })), 'the envelope says owner').toEqual(['UNAUTHENTICATED']);
  });

  it('gives no more than its scopes', async () => {
    expect(await said(jwt({ ...good(), macp_scopes: { can_start_sessions: false } }))).toEqual(['FORBIDDEN']);
    expect(await said(jwt({ ...good(), macp_scopes: { allowed_modes: [] } }))).toEqual(['FORBIDDEN']);
  });

  it('ends what was opened with it', async () => {
    const id = randomUUID();
    expect(await ways.http(start(id), jwt(good()))).toBe('ok');
    const follow = (token: string) =>
      fetch(`${server.http}/macp/session/${id}/events`, { headers: { authorization: `Bearer ${token}` } });
    // A minute is given for clocks that differ: this one is good for two seconds more.
    const token = jwt({ ...good(), exp: now() - 58 });
    const opened = await follow(token);
    expect(opened.status).toBe(200);
    server.advance(3_000);
    // It is cut off, as a listener that the server ends is.
    await opened.text().catch(() => undefined);
    expect((await follow(token)).status).toBe(401);
    const other = await follow(jwt(good()));
    expect(other.status).toBe(200);
    await other.body?.cancel();
  });

  const bad: Readonly<Record<string, () => string>> = {
    'of another key': () => jwt(good(), undefined, others.privateKey),
    'of another issuer': () => jwt({ ...good(), iss: 'https://evil.example' }),
    'for another audience': () => jwt({ ...good(), aud: 'somebody-else' }),
    'that is over': () => jwt({ ...good(), exp: now() - 3600 }),
    'that never ends': () => jwt({ ...good(), exp: undefined }),
    'that is not yet valid': () => jwt({ ...good(), nbf: now() + 3600 }),
    'of nobody': () => jwt({ ...good(), sub: '' }),
    'without signature': () => `${part({ alg: 'none' })}.${part(good())}.`,
    'signed with the public key as a secret': () => jwt(good(), { alg: 'HS256', kid: 'k' }),
    'that was changed': () =>
      jwt(good()).replace(/\.[^.]+\./, `.${part({ ...good(), sub: 'owner', aud: ['macp-runtime', 'x'] })}.`),
    'that is none': () => 'a.b.c',
  };

  it.each(Object.keys(bad))('%s is refused', async (name) => {
    expect(await said(bad[name]?.() ?? '')).toEqual(['UNAUTHENTICATED']);
  });
});
