/** What a server advertises or is given works: a scraper of metrics, a shared key as tools write it, its own audience. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { request } from 'node:https';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { testConfiguration } from '../kit/configuration.js';
import { freePort } from '../kit/free-port.js';
import { selfSigned } from '../kit/self-signed.js';
import { openServer } from '../kit/server.js';
import { sharedSecretEnv, sharedSecretJwt } from '../kit/shared-secret-jwt.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { tokensEnv } from '../kit/tokens.js';

type Headers = Readonly<Record<string, string>>;

const elsewhere = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === 'IPv4')?.address;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(env: Readonly<Record<string, string>>) {
  const server = await openServer({ env });
  closing.push(() => server.close());
  return server;
}

describe('hardening:H17 the listener of metrics', () => {
  const scrape = (port: number, headers: Headers) =>
    new Promise<number>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: '/metrics', headers, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      }).on('error', reject);
    });

  it('hardening:H17 is open to a scraper on this machine, by address, and closed to pages', async () => {
    const port = await freePort();
    // The names by which people call the server are others.
    await open({ MACP_METRICS_ADDR: `127.0.0.1:${port}`, HANDOVER_ALLOWED_HOSTS: 'handover.example' });
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::1]:${port}`,
      '10.0.0.7',
      'handover.example',
    ])
      expect(await scrape(port, { host }), host).toBe(200);
    // In dev mode whoever asks is an administrator, so the name is all that tells a page that rebinds its own.
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
    ])
      expect(await scrape(port, { host }), host).toBe(403);
    expect(await scrape(port, { host: 'evil.example', 'x-forwarded-for': '198.51.100.1' })).toBe(403);
    for (const origin of ['https://evil.example', 'http://localhost', 'null'])
      expect(await scrape(port, { host: `127.0.0.1:${port}`, origin }), origin).toBe(403);
  });

  it.skipIf(elsewhere === undefined)(
    'hardening:H17 serves a scraper from elsewhere by any name, with a credential',
    async () => {
      const folder = temporaryFolder();
      const { cert, key } = selfSigned('handover', { dns: ['handover.monitoring.svc'] });
      const file = (name: string, text: string) => {
        writeFileSync(join(folder, name), text, { mode: 0o600 });
        return join(folder, name);
      };
      const port = await freePort();
      const [scraper, agent] = ['the-token-of-the-scraper', 'the-token-of-some-agent--'];
      await open({
        ...tokensEnv({
          [scraper]: { sender: 'prometheus', scopes: ['handoff:admin'] },
          [agent]: { sender: 'a' },
        }),
        MACP_TLS_CERT_PATH: file('cert', cert),
        MACP_TLS_KEY_PATH: file('key', key),
        MACP_METRICS_ADDR: `0.0.0.0:${port}`,
      });
      const from = (token: string | undefined, host: string) =>
        new Promise<number>((resolve, reject) => {
          const headers = { host, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
          const where = { host: elsewhere, localAddress: elsewhere, port, path: '/metrics', agent: false };
          request({ ...where, headers, ca: cert, checkServerIdentity: () => undefined }, (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
          })
            .on('error', reject)
            .end();
        });
      for (const host of ['handover.monitoring.svc:9464', `${elsewhere}:${port}`]) {
        expect(await from(scraper, host), host).toBe(200);
        expect(await from(agent, host), host).toBe(403);
        expect(await from(undefined, host), host).toBe(401);
      }
    },
  );
});

describe('hardening:H17 JWTs', () => {
  const key = randomBytes(32);
  const signed = (aud: string) => sharedSecretJwt(key, { aud });
  const asks = async (url: string, token: string) =>
    (await fetch(`${url}/macp/session`, { headers: { authorization: `Bearer ${token}` } })).status;

  /** The address of the server counts as an audience at its MCP door alone. */
  const asksMcp = async (url: string, token: string) => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    return (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).status;
  };

  it.each([
    ['padded', key.toString('base64')],
    ['padded base64url', `${key.toString('base64url')}=`],
    ['base64url', key.toString('base64url')],
  ])('hardening:H17 an HS256 key in %s verifies what it signed', async (_, k) => {
    const server = await open(sharedSecretEnv(k));
    expect(await asks(server.httpUrl, signed('macp-runtime'))).toBe(200);
    expect(await asks(server.httpUrl, signed('somebody-else'))).toBe(401);
    const { warnings } = testConfiguration(sharedSecretEnv(k));
    const aboutKey = warnings.filter((warning) => warning.includes('base64'));
    expect(aboutKey).toHaveLength(k.includes('=') ? 1 : 0);
    expect(warnings.join()).not.toContain(k.slice(0, 10));
  });

  it('hardening:H17 the audience that the server tells clients to ask for is accepted', async () => {
    const port = await freePort();
    const server = await open({ ...sharedSecretEnv(key.toString('base64url')), MCP_HTTP_PORT: String(port) });
    for (const host of ['localhost', '127.0.0.1']) {
      const told = await fetch(`http://${host}:${port}/.well-known/oauth-protected-resource/mcp`);
      const { resource } = (await told.json()) as { resource: string };
      expect(resource).toBe(`http://${host}:${port}/mcp`);
      expect(await asksMcp(`http://${host}:${port}`, signed(resource)), resource).toBe(200);
    }
    expect(await asksMcp(server.httpUrl, signed(`http://localhost:${port + 1}/mcp`))).toBe(401);
    expect(await asksMcp(server.httpUrl, signed(`http://evil.example:${port}/mcp`))).toBe(401);
    expect(await asks(server.httpUrl, signed(`http://localhost:${port}/mcp`))).toBe(401);
  });

  it('hardening:H17 a server that cannot know its address says so at the start, and knows it when told', async () => {
    const port = await freePort();
    const proxied = {
      ...sharedSecretEnv(key.toString('base64url')),
      HANDOVER_TRUSTED_PROXY: '10.0.0.0/8',
      HANDOVER_ALLOWED_HOSTS: 'localhost,127.0.0.1,handover.example',
      MCP_HTTP_PORT: String(port),
    };
    const asked = testConfiguration(proxied).warnings.filter((one) => one.startsWith('MCP_PUBLIC_BASE_URL'));
    expect(asked).toHaveLength(1);
    const told = { ...proxied, MCP_PUBLIC_BASE_URL: 'https://handover.example/' };
    expect(testConfiguration(told).warnings).toEqual([]);
    const server = await open(told);
    const metadata = await fetch(`${server.httpUrl}/.well-known/oauth-protected-resource/mcp`);
    const { resource } = (await metadata.json()) as { resource: string };
    expect(await asks(server.httpUrl, signed(resource))).toBe(200);
    expect(await asks(server.httpUrl, signed(`http://localhost:${port}/mcp`))).toBe(401);
  });
});
