/**
 * With a trusted proxy and without TLS, HTTP listens beyond loopback. It serves the proxy and this machine, and nobody
 * else; and only the proxy says from whom a request comes.
 */
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../packages/server/src/observe/log.js';
import type { Server } from '../../packages/server/src/server.js';
import { openServer } from '../kit/server.js';
import { tokensEnv } from '../kit/tokens.js';

const TOKEN = 'a-token-of-at-least-24-bytes';
/** An address of this machine that is not loopback: to the server it is some other machine. */
const elsewhere = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === 'IPv4')?.address;
const ID = `op_${'0'.repeat(32)}`;

interface Answer {
  readonly status: number;
  readonly body: string;
}

describe.skipIf(elsewhere === undefined)('hardening:H12 plaintext behind a proxy', () => {
  let server: Server;
  const lines: string[] = [];
  afterEach(() => {
    lines.length = 0;
    return server.close();
  });

  const open = async (proxy: string): Promise<number> => {
    server = await openServer({
      env: {
        ...tokensEnv({ [TOKEN]: { sender: 'alice' } }),
        MCP_HTTP_HOST: '0.0.0.0',
        HANDOVER_ALLOWED_HOSTS: 'handover.example',
        HANDOVER_TRUSTED_PROXY: proxy,
        MCP_PUBLIC_HANDOFF_PER_IP_PER_MINUTE: '1',
      },
      log: createLog({ level: 'warn', stream: { write: (line) => void lines.push(line) } }),
    });
    return Number(new URL(server.httpUrl).port);
  };

  /** From `from`, which may be any address of loopback, to the same machine. */
  const get = (port: number, from: string, path: string, headers: Record<string, string> = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const options = { host: from, port, localAddress: from, path, agent: false };
      const call = request({ ...options, headers: { host: 'handover.example', ...headers } }, (answer) => {
        let body = '';
        answer.on('data', (chunk) => {
          body += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
      });
      call.on('error', reject);
      call.end();
    });

  it('hardening:H12 serves the proxy and loopback, and refuses every other peer before it is read', async () => {
    const port = await open('127.0.0.2/32');
    for (const peer of ['127.0.0.1', '127.0.0.2', '127.0.0.3'])
      expect((await get(port, peer, '/health')).status).toBe(200);
    const bearer = { authorization: `Bearer ${TOKEN}` };
    const refused = await get(port, String(elsewhere), '/macp/session', bearer);
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.body).message).toContain('HANDOVER_TRUSTED_PROXY');
    expect((await get(port, '127.0.0.2', '/macp/session', bearer)).status).toBe(200);
  });

  it('hardening:H12 says the same to bytes that are not HTTP, and cuts off who stays', async () => {
    const port = await open('127.0.0.2/32');
    const socket = connect({ host: String(elsewhere), port, localAddress: String(elsewhere) });
    let said = '';
    socket.on('data', (chunk) => {
      said += chunk;
    });
    socket.on('error', () => undefined);
    // A parser would answer 400 to this.
    socket.write('\u0000\u0001\u0002 this is no request\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(said).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('hardening:H12 writes one line of log about many refused connections', async () => {
    const port = await open('127.0.0.2/32');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => get(port, String(elsewhere), '/health')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(403));
    expect(lines.filter((line) => line.includes('http.peer_refused'))).toHaveLength(1);
  });

  it('hardening:H12 serves a proxy on another machine', async () => {
    const port = await open(`${elsewhere}/32`);
    expect((await get(port, String(elsewhere), '/health')).status).toBe(200);
    expect((await get(port, '127.0.0.1', '/health')).status).toBe(200);
  });

  it('hardening:H12 believes only the proxy about where a request comes from', async () => {
    const port = await open('127.0.0.2/32');
    const from = async (peer: string, client: string) =>
      (await get(port, peer, `/api/operations/${ID}`, { 'x-forwarded-for': client })).status;
    // One request without a secret is free for each address: the proxy brings two clients, the others are what they are.
    expect(await from('127.0.0.2', '198.51.100.1')).toBe(404);
    expect(await from('127.0.0.2', '198.51.100.1')).toBe(429);
    expect(await from('127.0.0.2', '198.51.100.2')).toBe(404);
    expect(await from('127.0.0.3', '198.51.100.3')).toBe(404);
    expect(await from('127.0.0.3', '198.51.100.4')).toBe(429);
  });
});
