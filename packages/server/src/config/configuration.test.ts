import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultCode, HandoverError } from '@handover/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../../../../test/conformance/verifies.js';
import { selfSigned } from '../../../../test/kit/self-signed.js';
import { type ConfigurationFlags, readConfiguration, settings } from './configuration.js';

let folder: string;
let tls: Record<string, string>;
const tokens = { MACP_AUTH_TOKENS_JSON: '[{"token":"t0ps3cret-of-24-bytes-or-more","sender":"alice"}]' };
const insecure = { MACP_ALLOW_INSECURE: '1' };
const everywhere = {
  MACP_BIND_ADDR: '0.0.0.0:50051',
  MCP_HTTP_HOST: '0.0.0.0',
  HANDOVER_ALLOWED_HOSTS: 'a.test',
};
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwks = JSON.stringify({ keys: [ec.publicKey.export({ format: 'jwk' })] });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'handover-configuration-'));
  const { cert, key } = selfSigned('localhost');
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 });
  writeFileSync(join(folder, 'other.pem'), selfSigned('other').key, { mode: 0o600 });
  writeFileSync(join(folder, 'tokens.json'), tokens.MACP_AUTH_TOKENS_JSON, { mode: 0o600 });
  tls = { MACP_TLS_CERT_PATH: join(folder, 'cert.pem'), MACP_TLS_KEY_PATH: join(folder, 'key.pem') };
});
afterAll(() => rmSync(folder, { recursive: true }));

const dev = (env: Record<string, string> = {}) => readConfiguration(env, { dev: true });
function problems(env: Record<string, string>, flags: ConfigurationFlags = {}) {
  try {
    readConfiguration(env, flags);
  } catch (error) {
    if (!(error instanceof HandoverError)) throw error;
    expect(error.code).toBe(FaultCode.CONFIGURATION);
    for (const name of Object.keys(error.details)) expect(error.message).toContain(name);
    return error.details;
  }
  return {};
}

describe('defaults', () => {
  it(`${verifies('macp-2026:18:limits')}are those of the table, frozen, on loopback`, () => {
    const configuration = dev({ HOME: '/home/someone' });
    expect(configuration.grpc).toEqual({
      address: { host: '127.0.0.1', port: 50051, loopback: true },
      maxConcurrentStreams: 1_024,
    });
    expect(configuration.http.address).toEqual({ host: '127.0.0.1', port: 3100, loopback: true });
    expect(configuration.store).toEqual({
      kind: 'sqlite',
      folder: '/home/someone/.local/share/handover-dev',
    });
    expect(configuration.auth).toEqual({ kind: 'dev', defaultAgent: 'dev' });
    expect(configuration.logLevel).toBe('info');
    expect(configuration.warnings).toEqual([]);
    expect(configuration.limits).toEqual({
      maxPayloadBytes: 1_048_576,
      sessionStartsPerMinute: 6_000,
      messagesPerMinute: 60_000,
      requestTimeoutMs: 30_000,
      cleanupIntervalMs: 60_000,
      shutdownDrainMs: 10_000,
      listDefaultPageSize: 100,
      listMaxPageSize: 1_000,
      diskFloorBytes: 64 * 1024 * 1024,
      queueMaxCommands: 4_096,
      queueMaxBytes: 64 * 1024 * 1024,
      tailBytesPerStream: 256 * 1024,
      tailBytesTotal: 64 * 1024 * 1024,
      subscriberBudgetBytes: 4 * 1024 * 1024,
      listenersPerPrincipal: 64,
      listenersTotal: 16_384,
      listenerBytesTotal: 64 * 1024 * 1024,
    });
    for (const part of [configuration, configuration.grpc, configuration.http, configuration.limits]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('the table describes every setting once', () => {
    expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length);
    for (const { description } of settings) expect(description).toMatch(/\.$/);
  });
});

describe('who may listen where', () => {
  it.each<[string, boolean, Record<string, string>, ConfigurationFlags, string]>([
    ['nothing configured', false, {}, {}, 'no authentication configured'],
    ['nothing configured, insecure allowed', true, insecure, {}, ''],
    ['insecure needs exactly 1', false, { MACP_ALLOW_INSECURE: 'true' }, {}, 'no authentication configured'],
    ['dev', true, {}, { dev: true }, ''],
    ['dev beyond loopback', false, { MACP_BIND_ADDR: '0.0.0.0:1' }, { dev: true }, 'real credentials'],
    ['dev with HTTP beyond loopback', false, { MCP_HTTP_HOST: '0.0.0.0' }, { dev: true }, 'real credentials'],
    ['dev beside credentials', false, tokens, { dev: true }, 'one or the other'],
    ['insecure beyond loopback', false, { ...insecure, MACP_BIND_ADDR: '[::]:1' }, {}, 'beyond loopback'],
    ['tokens in plaintext', false, tokens, {}, 'needs TLS'],
    ['tokens in plaintext, insecure allowed', true, { ...tokens, ...insecure }, {}, ''],
    [
      'tokens in plaintext beyond loopback',
      false,
      { ...tokens, ...insecure, ...everywhere },
      {},
      'TLS is needed',
    ],
    [
      'metrics beyond loopback',
      false,
      { ...insecure, MACP_METRICS_ADDR: '0.0.0.0:9' },
      {},
      'beyond loopback',
    ],
    ['metrics on loopback', true, { ...insecure, MACP_METRICS_ADDR: '127.0.0.1:9' }, {}, ''],
  ])('%s', (_name, fine, env, flags, text) => {
    const found = Object.values(problems(env, flags)).join('\n');
    expect(found === '').toBe(fine);
    expect(found).toContain(text);
  });

  it('TLS and credentials may go anywhere; TLS without credentials nowhere', () => {
    expect(problems({ ...tls, ...tokens, ...everywhere })).toEqual({});
    expect(Object.values(problems({ ...tls, ...everywhere })).join()).toContain(
      'no authentication configured',
    );
    expect(Object.keys(problems({ ...tls, ...insecure, ...everywhere }))).toEqual([
      'MACP_BIND_ADDR',
      'MCP_HTTP_HOST',
    ]);
  });

  it('a trusted proxy counts as TLS for HTTP, not for gRPC', () => {
    const proxied = {
      ...tokens,
      ...insecure,
      HANDOVER_TRUSTED_PROXY: '10.0.0.0/8',
      HANDOVER_ALLOWED_HOSTS: 'a.test',
    };
    const { http } = readConfiguration({ ...proxied, MCP_HTTP_HOST: '0.0.0.0' });
    expect(http.trustedProxy?.contains('10.1.2.3')).toBe(true);
    expect(http.trustedProxy?.contains('11.1.2.3')).toBe(false);
    expect(Object.keys(problems({ ...proxied, MACP_BIND_ADDR: '0.0.0.0:1' }))).toEqual(['MACP_BIND_ADDR']);
  });

  it('client certificates are real credentials', () => {
    const { auth } = readConfiguration({ ...tls, MACP_TLS_CLIENT_CA_PATH: join(folder, 'cert.pem') });
    expect(auth).toEqual({ kind: 'credentials', mtls: true });
    expect(problems({ MACP_TLS_CLIENT_CA_PATH: join(folder, 'cert.pem'), ...insecure })).toHaveProperty([
      'MACP_TLS_CLIENT_CA_PATH',
    ]);
  });
});

describe('credentials', () => {
  const jwt = { MACP_AUTH_ISSUER: 'https://issuer.test', ...insecure };

  it('static tokens come from the variable, else from the file', () => {
    for (const source of [tokens, { MACP_AUTH_TOKENS_FILE: join(folder, 'tokens.json') }]) {
      const { auth, warnings } = readConfiguration({ ...source, ...insecure });
      expect(
        auth.kind === 'credentials' && auth.staticTokens?.find('t0ps3cret-of-24-bytes-or-more')?.agent,
      ).toBe('alice');
      expect(warnings).toEqual([]);
    }
  });

  it('warns of a file of secrets that others may read', () => {
    const path = join(folder, 'loose.json');
    writeFileSync(path, tokens.MACP_AUTH_TOKENS_JSON);
    chmodSync(path, 0o644);
    expect(readConfiguration({ MACP_AUTH_TOKENS_FILE: path, ...insecure }).warnings).toEqual([
      'MACP_AUTH_TOKENS_FILE names a file that other users may read',
    ]);
  });

  it('JWT: defaults and choices', () => {
    const { auth } = readConfiguration({ ...jwt, MACP_AUTH_JWKS_URL: 'https://issuer.test/jwks' });
    expect(auth).toEqual({
      kind: 'credentials',
      mtls: false,
      jwt: {
        issuer: 'https://issuer.test',
        audiences: ['macp-runtime'],
        ownAddress: 'any',
        algorithms: ['RS256', 'ES256'],
        maxLifeSeconds: 2_592_000,
        keys: { kind: 'url', url: 'https://issuer.test/jwks', ttlSeconds: 300 },
      },
    });
    const inline = readConfiguration({
      ...jwt,
      MACP_AUTH_JWKS_JSON: jwks,
      MACP_AUTH_JWT_ALGS: 'EdDSA, ES256',
    });
    expect(inline.auth.kind === 'credentials' && inline.auth.jwt?.algorithms).toEqual(['ES256', 'EdDSA']);
  });

  it('JWT: the address by which it is called counts where nothing else is said, of loopback only where nobody else is', () => {
    const heard = (env: Record<string, string>) => {
      const inline = { ...jwt, MACP_AUTH_JWKS_JSON: jwks };
      const { auth, warnings } = readConfiguration({ ...inline, ...env });
      const { audiences = [], ownAddress } = (auth.kind === 'credentials' && auth.jwt) || {};
      const warned = warnings.some((one) => one.startsWith('MCP_PUBLIC_BASE_URL'));
      return [audiences.slice(1), ownAddress, warned];
    };
    const proxy = { HANDOVER_TRUSTED_PROXY: '10.0.0.0/8', HANDOVER_ALLOWED_HOSTS: 'a.test,localhost' };
    expect(heard(proxy)).toEqual([[], 'named', true]);
    expect(heard({ ...tls, ...everywhere })).toEqual([[], 'named', true]);
    expect(heard({ MCP_HTTP_PORT: '0' })).toEqual([[], 'any', true]);
    expect(heard({ ...proxy, MACP_AUTH_AUDIENCE: 'https://a.test/mcp' })).toEqual([[], 'none', false]);
    const base = { MCP_PUBLIC_BASE_URL: 'https://a.test/' };
    expect(heard({ ...proxy, ...base })).toEqual([['https://a.test/mcp'], 'none', false]);
  });

  it.each([
    ['gRPC', { ...everywhere }],
    ['HTTP', { MCP_HTTP_HOST: '0.0.0.0' }],
    ['metrics', { MACP_METRICS_ADDR: '0.0.0.0:9464' }],
    ['HTTP through a proxy', { HANDOVER_TRUSTED_PROXY: '127.0.0.1' }],
  ])('static tokens that can be guessed are refused where others reach %s', (_, reach) => {
    const short = { MACP_AUTH_TOKENS_JSON: '[{"token":"23-bytes-are-too-few---","sender":"a"}]' };
    const enough = { MACP_AUTH_TOKENS_JSON: '[{"token":"24-bytes-are-just-enough","sender":"a"}]' };
    const beside = { ...insecure, ...tls, ...reach };
    expect(problems({ ...short, ...beside })).toEqual({
      MACP_AUTH_TOKENS_JSON: expect.stringMatching(/^item 1: .*24 bytes.*openssl/),
    });
    expect(problems({ ...enough, ...beside })).toEqual({});
  });

  it('static tokens that can be guessed give one warning on loopback, without the token', () => {
    const three = ['first', 'a-token-of-24-bytes-or-more', 'third'];
    const list = three.map((token) => ({ token, sender: 'a' }));
    const { warnings } = readConfiguration({ MACP_AUTH_TOKENS_JSON: JSON.stringify(list), ...insecure });
    expect(warnings).toEqual([expect.stringMatching(/^MACP_AUTH_TOKENS_JSON: item 1, 3: .*24 bytes/)]);
    expect(warnings.join()).not.toMatch(/first|third/);
  });

  it.each([
    ['an issuer without keys', jwt, 'MACP_AUTH_ISSUER'],
    ['keys without an issuer', { ...insecure, MACP_AUTH_JWKS_JSON: jwks }, 'MACP_AUTH_JWKS_JSON'],
    ['bad inline keys', { ...jwt, MACP_AUTH_JWKS_JSON: '{' }, 'MACP_AUTH_JWKS_JSON'],
    [
      'keys for no algorithm',
      { ...jwt, MACP_AUTH_JWKS_JSON: jwks, MACP_AUTH_JWT_ALGS: 'RS256' },
      'MACP_AUTH_JWKS_JSON',
    ],
    ['http keys', { ...jwt, MACP_AUTH_JWKS_URL: 'http://issuer.test/' }, 'MACP_AUTH_JWKS_URL'],
    [
      'a password in the URL',
      { ...jwt, MACP_AUTH_JWKS_URL: 'https://u:p@issuer.test/' },
      'MACP_AUTH_JWKS_URL',
    ],
    ['a file URL', { ...jwt, MACP_AUTH_JWKS_URL: 'file:///etc/passwd' }, 'MACP_AUTH_JWKS_URL'],
    [
      'a lookalike of loopback',
      { ...jwt, MACP_AUTH_JWKS_URL: 'http://127.0.0.1.evil.test/' },
      'MACP_AUTH_JWKS_URL',
    ],
    [
      'alg none',
      { ...jwt, MACP_AUTH_JWKS_JSON: jwks, MACP_AUTH_JWT_ALGS: 'ES256,none' },
      'MACP_AUTH_JWT_ALGS',
    ],
    [
      'a published shared secret',
      { ...jwt, MACP_AUTH_JWKS_URL: 'https://issuer.test/', MACP_AUTH_JWT_ALGS: 'HS256' },
      'MACP_AUTH_JWT_ALGS',
    ],
    [
      'bad tokens',
      { ...insecure, MACP_AUTH_TOKENS_JSON: '[{"token":"a.b","sender":"s"}]' },
      'MACP_AUTH_TOKENS_JSON',
    ],
    ['no such file', { ...insecure, MACP_AUTH_TOKENS_FILE: '/nonexistent/t' }, 'MACP_AUTH_TOKENS_FILE'],
  ])('%s is an error, also where insecure is allowed', (_name, env, setting) => {
    expect(Object.keys(problems(env))).toEqual([setting]);
  });

  it.each(['http://127.0.0.1:8080/jwks', 'http://localhost/jwks', 'http://[::1]:1/jwks'])(
    '%s is accepted',
    (url) => {
      expect(problems({ ...jwt, MACP_AUTH_JWKS_URL: url })).toEqual({});
    },
  );
});

describe('TLS files', () => {
  it.each([
    ['a key without certificate', { MACP_TLS_KEY_PATH: 'key.pem' }, 'MACP_TLS_CERT_PATH'],
    ['a certificate without key', { MACP_TLS_CERT_PATH: 'cert.pem' }, 'MACP_TLS_KEY_PATH'],
    ['another key', { MACP_TLS_CERT_PATH: 'cert.pem', MACP_TLS_KEY_PATH: 'other.pem' }, 'MACP_TLS_KEY_PATH'],
    ['no such file', { MACP_TLS_CERT_PATH: 'cert.pem', MACP_TLS_KEY_PATH: 'none.pem' }, 'MACP_TLS_KEY_PATH'],
    ['a folder', { MACP_TLS_CERT_PATH: '.', MACP_TLS_KEY_PATH: 'key.pem' }, 'MACP_TLS_CERT_PATH'],
  ])('%s', (_name, files, setting) => {
    const paths = Object.entries(files).map(([name, file]) => [name, join(folder, file)]);
    expect(Object.keys(problems({ ...tokens, ...insecure, ...Object.fromEntries(paths) }))).toEqual([
      setting,
    ]);
  });

  it('a client CA that is no certificate', () => {
    const env = { ...tls, MACP_TLS_CLIENT_CA_PATH: join(folder, 'key.pem') };
    expect(Object.keys(problems(env))).toEqual(['MACP_TLS_CLIENT_CA_PATH']);
  });
});

describe('values', () => {
  it.each([
    ['MACP_MAX_PAYLOAD_BYTES', ['0', '-1', '1048577', '1e3', '1.5', 'many', ' 5'], ['1', '1048576']],
    ['MACP_SESSION_START_LIMIT_PER_MINUTE', ['0', '-3', 'x'], ['1', '5000']],
    ['MACP_MESSAGE_LIMIT_PER_MINUTE', ['0', 'x'], ['1']],
    [
      'MACP_BIND_ADDR',
      ['localhost:1', '127.0.0.1', '127.0.0.1:65536', '::1:5', 'x', ':1'],
      ['127.0.0.1:0', '[::1]:0'],
    ],
    ['MCP_HTTP_HOST', ['example.test', '999.1.1.1'], ['localhost', '::1', '127.9.9.9']],
    ['MCP_HTTP_PORT', ['65536', '-1', 'http'], ['0', '8080']],
    ['MACP_STORAGE_BACKEND', ['rocksdb', 'redis', 'postgres'], ['file', 'sqlite', 'memory']],
    ['MACP_LOG_LEVEL', ['loud'], ['debug', 'silent']],
    ['MACP_POLICIES_DIR', ['/nonexistent/policies'], ['/']],
    [
      'HANDOVER_TRUSTED_PROXY',
      ['0.0.0.0/0', '10.0.0.0/33', 'proxy', '10.0.0.0/8/8'],
      ['10.0.0.1', 'fd00::/8'],
    ],
    ['HANDOVER_ALLOWED_HOSTS', ['a.test:80', 'http://a.test', '*', ','], ['a.test,B.test', '[::1]']],
    [
      'HANDOVER_ALLOWED_ORIGINS',
      ['*', 'a.test', 'https://a.test/x', 'null'],
      ['https://a.test', 'http://a.test:*'],
    ],
    ['HANDOVER_DEV_AGENT', ['x\ny'], ['me']],
    ['MACP_LIST_SESSIONS_DEFAULT_PAGE_SIZE', ['1001', '0'], ['1000', '5']],
  ])('%s', (name, wrong, right) => {
    for (const value of wrong)
      expect([value, ...Object.keys(problems({ [name]: value }, { dev: true }))]).toEqual([value, name]);
    for (const value of right)
      expect([value, problems({ [name]: value }, { dev: true })]).toEqual([value, {}]);
  });

  it(`${verifies('macp-2026:18:storage')}the store is SQLite, by either name, PostgreSQL or memory`, () => {
    expect(problems({ MACP_STORAGE_BACKEND: 'redis' }, { dev: true })).toHaveProperty('MACP_STORAGE_BACKEND');
    for (const name of ['file', 'sqlite'])
      expect(dev({ MACP_STORAGE_BACKEND: name, HOME: '/home/someone' }).store.kind).toBe('sqlite');
    expect(dev({ MACP_STORAGE_BACKEND: 'memory' }).store.kind).toBe('memory');
    const database = { HANDOVER_DATABASE_URL: 'postgresql://user:password@host:5432/database' };
    expect(dev({ ...database, HOME: '/home/someone' }).store.kind).toBe('postgres');
  });

  it('a smaller largest page lowers the default page', () => {
    expect(dev({ MACP_LIST_SESSIONS_MAX_PAGE_SIZE: '50' }).limits.listDefaultPageSize).toBe(50);
  });

  it('an empty value is none', () => {
    const empty = Object.fromEntries(settings.map(({ name }) => [name, '']));
    expect(dev(empty)).toMatchObject({ auth: { kind: 'dev' }, warnings: [] });
  });

  it('the data folder: ours, then MACP, then XDG, then home', () => {
    const all = { HANDOVER_DATA_DIR: '/a', MACP_DATA_DIR: '/b', XDG_DATA_HOME: '/c', HOME: '/d' };
    const folders = Object.keys(all).map(
      (_, from) => dev(Object.fromEntries(Object.entries(all).slice(from))).store,
    );
    expect(folders).toEqual(
      ['/a', '/b', '/c/handover-dev', '/d/.local/share/handover-dev'].map((path) => ({
        kind: 'sqlite',
        folder: path,
      })),
    );
    // What everybody may read never stands beside what the assistants keep.
    const local = (env: Record<string, string>) => readConfiguration(env, { forAssistants: true }).store;
    expect(local({ HOME: '/d' })).toMatchObject({ folder: '/d/.local/share/handover' });
    expect(local({ XDG_DATA_HOME: '/c', HOME: '/d' })).toMatchObject({ folder: '/c/handover' });
    expect(readConfiguration({ HOME: '/d' }, { dev: true, dataDir: '/e' }).store).toMatchObject({
      folder: '/e',
    });
    expect(dev({ XDG_DATA_HOME: 'relative', HOME: '/d' }).store).toMatchObject({
      folder: '/d/.local/share/handover-dev',
    });
    expect(dev({ MACP_MEMORY_ONLY: '1' }).store).toEqual({ kind: 'memory' });
    expect(dev({ MACP_MEMORY_ONLY: 'yes' }).store.kind).toBe('sqlite');
  });

  it('a database is named by a URL, whose password no problem shows; servers beside assistants do not use it', () => {
    const name = 'HANDOVER_DATABASE_URL';
    for (const url of [
      'postgresql://ann:hunter22@db.example:5432/handover?sslmode=verify-full',
      'postgres://db.example/handover',
      'postgresql://ann@%2Fvar%2Frun%2Fpostgresql/handover',
    ]) {
      const env = { [name]: url, HOME: '/d' };
      expect(dev(env).store).toEqual({ kind: 'postgres', url, folder: '/d/.local/share/handover-dev' });
      expect(readConfiguration(env, { forAssistants: true }).store.kind).toBe('sqlite');
      expect(dev(env).secretNames).toContain(name);
      expect(problems({ ...env, MACP_MEMORY_ONLY: '1' }, { dev: true })).toHaveProperty(name);
    }
    for (const url of [
      'mysql://ann:hunter22@db.example/handover',
      'ann:hunter22@db.example/handover',
      'postgresql://ann:hunter22@db.example:many/handover',
      'postgresql://ann:hunter22@db.example',
      'postgresql://ann:hunter22@db.example/?sslmode=disable',
    ]) {
      const found = problems({ [name]: url }, { dev: true });
      expect([url, ...Object.keys(found)]).toEqual([url, name]);
      expect(JSON.stringify(found)).toContain('must look like postgresql://');
      expect(JSON.stringify(found)).not.toContain('hunter22');
    }
  });

  it('flags win over the environment', () => {
    const env = {
      MACP_BIND_ADDR: '127.0.0.1:1',
      MCP_HTTP_PORT: '1',
      HANDOVER_DATA_DIR: '/a',
      MACP_LOG_LEVEL: 'info',
    };
    const flags = { dev: true, bind: '127.0.0.1:2', httpPort: '3', dataDir: '/b', logLevel: 'warn' };
    expect(readConfiguration(env, flags)).toMatchObject({
      grpc: { address: { port: 2 } },
      http: { address: { port: 3 } },
      store: { folder: '/b' },
      logLevel: 'warn',
    });
    expect(readConfiguration(env, { ...flags, memoryOnly: true }).store.kind).toBe('memory');
  });
});

describe('what is said', () => {
  it('all problems at once', () => {
    const found = problems({ MACP_BIND_ADDR: 'x', MCP_HTTP_PORT: 'x', MACP_MAX_PAYLOAD_BYTES: '0' });
    expect(Object.keys(found)).toEqual([
      'MACP_BIND_ADDR',
      'MCP_HTTP_PORT',
      'MACP_AUTH_*',
      'MACP_MAX_PAYLOAD_BYTES',
    ]);
  });

  it('no value, whatever it is and wherever it stands', () => {
    const canary = 'CANARY-7f3a.x';
    const env = Object.fromEntries(settings.map(({ name }) => [name, canary]));
    const found = problems({ ...env, MACP_AUTH_TOKENS_JSON: `[{"token":"${canary}"}]` });
    expect(Object.keys(found).length).toBeGreaterThan(20);
    expect(JSON.stringify(found)).not.toContain('CANARY');
    const fine = readConfiguration({
      ...tokens,
      ...insecure,
      MACP_STRICT_RECOVERY: canary,
      HANDOVER_X: canary,
    });
    expect(fine.warnings).toHaveLength(2);
    expect(JSON.stringify(fine)).not.toMatch(/CANARY|t0ps3cret-of-24-bytes-or-more/);
  });

  it(`${verifies('macp-2026:18:ignored')}warnings for names that do nothing, and for misspelt ones`, () => {
    const { warnings } = dev({
      MACP_STRICT_RECOVERY: '1',
      MACP_CHECKPOINT_INTERVAL: '5',
      MACP_POLICIES_DRY_RUN: '1',
      MACP_MAX_PAYLOAD_BYTE: '5',
      HANDOVER_QUEUE_BYTES: '5',
      HANDOVER_SOMETHING_ELSE_ENTIRELY: '5',
      MCP_OTHER: '5',
      MACP_MEMORY_ONLY: 'true',
    });
    expect(warnings).toEqual([
      'MACP_MEMORY_ONLY is off: only 1 switches it on',
      'MACP_STRICT_RECOVERY is ignored: recovery is always strict',
      'MACP_POLICIES_DRY_RUN is ignored: policies are always checked before the server is ready',
      'MACP_CHECKPOINT_INTERVAL is ignored: the log is never replaced by checkpoints',
      'unknown setting HANDOVER_QUEUE_BYTES (did you mean HANDOVER_QUEUE_MAX_BYTES?)',
      'unknown setting HANDOVER_SOMETHING_ELSE_ENTIRELY',
      'unknown setting MACP_MAX_PAYLOAD_BYTE (did you mean MACP_MAX_PAYLOAD_BYTES?)',
    ]);
  });

  it('a warning when HTTP could be reached by names that it will refuse', () => {
    const env = { ...tls, ...tokens, MCP_HTTP_HOST: '0.0.0.0' };
    expect(readConfiguration(env).warnings.join()).toContain('HANDOVER_ALLOWED_HOSTS');
  });
});
