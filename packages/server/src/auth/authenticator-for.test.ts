import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { authenticatorFor } from './authenticator-for.js';
import type { Authentication } from './principal.js';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
  readonly hang?: boolean;
}

/** A real issuer on loopback, whose answer each test chooses. */
let server: Server;
let url: string;
let requests: number;
let answer: Answer;
const first = generateKeyPairSync('rsa', { modulusLength: 2048 });
const second = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publish = (...keys: [string, KeyObject][]) => ({
  status: 200,
  body: JSON.stringify({ keys: keys.map(([kid, key]) => ({ ...key.export({ format: 'jwk' }), kid })) }),
});

beforeEach(async () => {
  requests = 0;
  server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(answer.status, answer.headers);
    if (answer.hang) response.write(answer.body);
    else response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  answer = publish(['first', first.publicKey]);
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function setUp() {
  const clock = { now: Date.now() };
  const failures: unknown[] = [];
  const authenticator = authenticatorFor(
    {
      kind: 'credentials',
      mtls: false,
      jwt: {
        issuer: 'iss',
        audiences: ['macp-runtime'],
        ownAddress: 'none',
        algorithms: ['RS256'],
        maxLifeSeconds: 3_600,
        keys: { kind: 'url', url, ttlSeconds: 300 },
      },
    },
    {
      now: () => clock.now,
      monotonicNow: () => clock.now,
      onKeysUnavailable: (cause) => failures.push(cause),
    },
  );
  const login = async (kid = 'first', key = first.privateKey): Promise<Authentication> => {
    const token = await new SignJWT({
      iss: 'iss',
      aud: 'macp-runtime',
      sub: 'alice',
      exp: clock.now / 1000 + 60,
    })
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(key);
    return authenticator.authenticate({ authorization: `Bearer ${token}` });
  };
  return { clock, failures, login };
}

describe('JWTs with keys from a URL', () => {
  it('fetches once for many', async () => {
    const { login } = setUp();
    const results = await Promise.all(Array.from({ length: 10 }, () => login()));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(requests).toBe(1);
  });

  it('asks for newer keys only when a key id is unknown', async () => {
    const { clock, login } = setUp();
    await login();
    clock.now += 30_000;
    await login();
    expect(requests).toBe(1);
  });

  it('learns a rotated key, and then refuses the withdrawn one', async () => {
    const { clock, login } = setUp();
    expect((await login()).ok).toBe(true);
    answer = publish(['second', second.publicKey]);
    clock.now += 30_000;
    expect((await login('second', second.privateKey)).ok).toBe(true);
    expect((await login()).ok).toBe(false);
    expect(requests).toBe(2);
  });

  it('lives on through an outage for the grace, then closes', async () => {
    const { clock, failures, login } = setUp();
    await login();
    answer = { status: 503, body: '' };
    clock.now += 300_000;
    expect((await login()).ok).toBe(true);
    expect(String(failures[0])).toContain('503');
    clock.now += 3_600_000;
    expect(await login()).toEqual({
      ok: false,
      message: 'the token cannot be checked now: no signing keys are available',
    });
    answer = publish(['first', first.publicKey]);
    clock.now += 10_000;
    expect((await login()).ok).toBe(true);
  });

  it.each<[string, Answer, string]>([
    ['a redirect', { status: 302, body: '', headers: { location: 'https://elsewhere.test/' } }, '302'],
    ['an answer without end', { status: 200, body: ' '.repeat(400_000), hang: true }, 'more than'],
    ['no key set', { status: 200, body: '<html>' }, 'must be JSON'],
    ['half an answer', { status: 200, body: '{}', headers: { 'content-length': '2000' } }, ''],
  ])('refuses %s', async (_name, given, reason) => {
    const { failures, login } = setUp();
    answer = given;
    const pending = login();
    if (given.headers?.['content-length'] !== undefined) setTimeout(() => server.closeAllConnections(), 100);
    expect((await pending).ok).toBe(false);
    expect(String(failures[0])).toContain(reason);
  });

  it('refuses when nobody listens', async () => {
    const { failures, login } = setUp();
    await new Promise((resolve) => server.close(resolve));
    expect((await login()).ok).toBe(false);
    expect(failures).toHaveLength(1);
    server.listen(0);
  });
});
