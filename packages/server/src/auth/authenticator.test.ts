import { describe, expect, it } from 'vitest';
import { authenticateHttp, createAuthenticator, createDevAuthenticator } from './authenticator.js';
import type { JwtVerifier } from './jwt.js';
import type { Authentication } from './principal.js';
import { ALL_SCOPES, DEFAULT_SCOPES } from './scopes.js';
import { readStaticTokens } from './static-tokens.js';

const read = readStaticTokens('[{"token":"static-one","sender":"alice"}]');
if (!read.ok) throw new Error('fixture');
const staticTokens = read.tokens;
const jwt: JwtVerifier = {
  verify: async (token) =>
    token === 'good.jwt.token'
      ? { ok: true, principal: { ...principal, agent: 'from-jwt' } }
      : { ok: false, message: 'bad jwt' },
};
const principal = {
  tenant: 'default',
  agent: 'x',
  canStartSessions: true,
  canManageModeRegistry: false,
  isObserver: false,
  scopes: DEFAULT_SCOPES,
};
const certificate = { uriNames: [], dnsNames: ['cert-agent'], commonName: 'cn' };
const agentOf = (result: Authentication) =>
  result.ok ? result.principal.agent : `refused: ${result.message}`;

describe('the chain', () => {
  const all = createAuthenticator({ staticTokens, jwt, mtls: true });

  it('names what it consists of', () => {
    expect(all.name).toBe('static+jwt+mtls');
    expect(createAuthenticator({ jwt }).name).toBe('jwt');
    expect(all.anonymous).toBeUndefined();
  });

  it.each([
    ['a static token', { authorization: 'Bearer static-one' }, 'alice'],
    ['a static token in x-macp-token', { macpToken: 'static-one' }, 'alice'],
    ['a JWT', { authorization: 'Bearer good.jwt.token' }, 'from-jwt'],
    ['a certificate', { clientCertificate: certificate }, 'cert-agent'],
    [
      'a bearer over a certificate',
      { authorization: 'Bearer static-one', clientCertificate: certificate },
      'alice',
    ],
    [
      'authorization over x-macp-token',
      { authorization: 'Bearer good.jwt.token', macpToken: 'static-one' },
      'from-jwt',
    ],
  ])('accepts %s', async (_name, credentials, agent) => {
    expect(agentOf(await all.authenticate(credentials))).toBe(agent);
  });

  it.each([
    ['nothing', {}],
    ['an unknown token', { authorization: 'Bearer other' }],
    ['a bad JWT', { authorization: 'Bearer bad.jwt' }],
    ['a JWT in x-macp-token', { macpToken: 'good.jwt.token' }],
    ['another scheme', { authorization: 'Basic static-one' }],
    ['bearer in small letters', { authorization: 'bearer static-one' }],
    ['a bare token', { authorization: 'static-one' }],
    ['an empty bearer', { authorization: 'Bearer ' }],
    ['an empty header', { authorization: '' }],
    ['an empty x-macp-token', { macpToken: '' }],
    ['a wrong bearer beside a right token', { authorization: 'Bearer other', macpToken: 'static-one' }],
    [
      'a wrong bearer beside a certificate',
      { authorization: 'Bearer other', clientCertificate: certificate },
    ],
    ['a bad JWT beside a certificate', { authorization: 'Bearer bad.jwt', clientCertificate: certificate }],
  ])('refuses %s', async (_name, credentials) => {
    expect((await all.authenticate(credentials)).ok).toBe(false);
    expect((await authenticateHttp(all, credentials)).ok).toBe(false);
  });

  it('refuses what no resolver is configured for', async () => {
    const none = createAuthenticator({});
    for (const credentials of [
      { authorization: 'Bearer static-one' },
      { authorization: 'Bearer good.jwt.token' },
      { macpToken: 'static-one' },
      { clientCertificate: certificate },
    ]) {
      expect((await none.authenticate(credentials)).ok).toBe(false);
    }
  });

  it('repeats no credential in a refusal', async () => {
    const result = await all.authenticate({ authorization: 'Bearer hunter2' });
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });
});

describe('dev mode', () => {
  const dev = createDevAuthenticator({ defaultAgent: 'dev' });

  it('takes any bearer value for the name of the agent, with every right but observing', async () => {
    for (const agent of ['alice', 'a.b.c', 'with space']) {
      expect(await dev.authenticate({ authorization: `Bearer ${agent}` })).toEqual({
        ok: true,
        principal: {
          tenant: 'default',
          agent,
          canStartSessions: true,
          canManageModeRegistry: true,
          isObserver: false,
          scopes: ALL_SCOPES,
          nameFrom: 'bearer',
          isAssumed: true,
        },
      });
    }
  });

  it('has a default agent for HTTP only, and only when nothing at all was sent', async () => {
    expect((await dev.authenticate({})).ok).toBe(false);
    expect(agentOf(await authenticateHttp(dev, {}))).toBe('dev');
    expect(agentOf(await authenticateHttp(dev, { authorization: 'Bearer bob' }))).toBe('bob');
    expect((await authenticateHttp(dev, { authorization: '' })).ok).toBe(false);
    expect((await authenticateHttp(dev, { macpToken: 'bob' })).ok).toBe(false);
  });

  it('refuses names that are none', async () => {
    for (const agent of ['', 'a\u0007', 'x'.repeat(257)]) {
      expect((await dev.authenticate({ authorization: `Bearer ${agent}` })).ok).toBe(false);
    }
  });
});
