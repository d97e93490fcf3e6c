import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { type RequestOptions, request as tlsRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createMemoryStore } from '@handover/engine';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { selfSigned } from '../../../../../test/kit/self-signed.js';
import { until } from '../../../../../test/kit/until.js';
import { createHarness, type HarnessOptions } from './http-harness.test.helper.js';
import { SESSION, startMessage } from './json-messages.test.helper.js';

const closers: (() => unknown)[] = [];
/** Whoever closes within this waits for what is under way, however slow the machine is. */
const NEVER = new AbortController().signal;

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(options: HarnessOptions = {}) {
  const harness = createHarness(options);
  const listening = await harness.door.listen();
  closers.push(() => harness.door.close(0));
  return { harness, ...listening };
}

/** Sends raw text, with a pause for each number, and returns everything the server sends until the socket closes. */
async function raw(port: number, ...pieces: readonly (string | number)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  closers.push(() => socket.destroy());
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {});
  for (const piece of pieces) {
    if (typeof piece === 'number') await pause(piece);
    else socket.write(piece);
  }
  await closed;
  return answer;
}

const post = (port: number, ...headers: string[]) =>
  `POST /macp/envelope HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`;

describe('the HTTP door on its sockets', () => {
  it('listens where it says', async () => {
    const { url, host, port } = await serve();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(host).toBe('127.0.0.1');
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ ok: true });
    const answer = await fetch(`${url}/macp/session/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer alice' },
      body: JSON.stringify(startMessage()),
    });
    expect(await answer.json()).toMatchObject({ ok: true, session_id: SESSION });
  });

  it('sees the real peer: metrics are open on loopback', async () => {
    const tokens = JSON.stringify([{ token: 'alice', sender: 'alice' }]);
    const { url } = await serve({ env: { MACP_AUTH_TOKENS_JSON: tokens } });
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    expect((await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '1.2.3.4' } })).status).toBe(401);
  });

  it('has a listener for metrics alone, when asked', async () => {
    const free = await serve();
    await free.harness.door.close(0);
    const { url } = await serve({ env: { MACP_METRICS_ADDR: `127.0.0.1:${free.port}` } });
    const metrics = await fetch(`http://127.0.0.1:${free.port}/metrics`);
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).toContain('handover_subscribers');
    for (const path of ['/health', '/macp/session', '/.well-known/macp.json'])
      expect((await fetch(`http://127.0.0.1:${free.port}${path}`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    expect(
      await raw(free.port, 'GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1.1 403 /);
  });

  it('refuses a body that is announced as too large, without reading it', async () => {
    const { port } = await serve();
    const answer = await raw(port, post(port, 'Content-Length: 999999999', 'Connection: close'));
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('PAYLOAD_TOO_LARGE');
  });

  it('refuses a body that becomes too large while it comes', async () => {
    const { port } = await serve({ env: { MACP_MAX_PAYLOAD_BYTES: '1024' } });
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    const answer = await raw(port, post(port, 'Transfer-Encoding: chunked'), chunk, chunk, chunk, chunk);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  it('answers 408 to a body that does not come', async () => {
    const { port } = await serve({ requestTimeoutMs: 100 });
    const answer = await raw(port, post(port, 'Content-Length: 100'), '{"a":', 10);
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toContain('MACP_REQUEST_TIMEOUT_SECS');
    expect(answer).toContain('REQUEST_TIMEOUT');
    expect(answer.toLowerCase()).toContain('connection: close');
  });

  it('closes on a head that does not come', async () => {
    const { port } = await serve({ requestTimeoutMs: 100 });
    expect(await raw(port, 'GET /health HTTP/1.1\r\nHost: localhost\r\n')).toMatch(/^HTTP\/1.1 408 /);
  });

  it.each([
    ['no Host', 'GET /health HTTP/1.0\r\n\r\n', 400],
    ['a Host that is none', 'GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    [
      'another Host in the target',
      'GET http://evil.example/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      403,
    ],
    ['nonsense', 'HELLO\r\n\r\n', 400],
    ['a huge head', `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
  ])('refuses %s', async (_, bytes, status) => {
    const { port } = await serve();
    const answer = await raw(port, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).not.toMatch(/node_modules|\.ts:|Error:/);
  });

  it('finishes what is under way before it closes', async () => {
    const store = createMemoryStore();
    let release: (() => void) | undefined;
    const slow = {
      ...store,
      commit: async (...args: Parameters<typeof store.commit>) => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return store.commit(...args);
      },
    };
    const { harness, url } = await serve({ store: slow });
    const answering = fetch(`${url}/macp/envelope`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer alice' },
      body: JSON.stringify(startMessage()),
    });
    await until(() => release);
    const closing = harness.door.close(NEVER);
    await until(() =>
      fetch(`${url}/health`).then(
        () => false,
        () => true,
      ),
    );
    release?.();
    const answer = await answering;
    expect(await answer.json()).toMatchObject({ ok: true });
    expect(answer.headers.get('connection')).toBe('close');
    await closing;
  });

  it('cuts off at the end of the drain time, or at the signal', async () => {
    for (const drain of [() => 50, () => AbortSignal.timeout(50)]) {
      let begun = false;
      const commit = () => {
        begun = true;
        return new Promise<never>(() => {});
      };
      const store = { ...createMemoryStore(), commit };
      const { harness, url } = await serve({ store });
      const answering = fetch(`${url}/macp/envelope`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer alice' },
        body: JSON.stringify(startMessage()),
      });
      await Promise.all([
        expect(answering).rejects.toThrow(),
        until(() => begun).then(() => harness.door.close(drain())),
      ]);
    }
  });

  it('fails to start on a port in use', async () => {
    const { port } = await serve();
    const second = createHarness({ env: { MCP_HTTP_PORT: String(port) } });
    await expect(second.door.listen()).rejects.toThrow('another program has this port');
  });
});

describe('the HTTP door under TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'handover-http-tls-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const server = selfSigned('localhost', { ip: [127, 0, 0, 1] });
  const client = selfSigned('client', { uri: ['agent:alice'] });
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    chmodSync(path, 0o600);
    return path;
  };
  const env = {
    MACP_TLS_CERT_PATH: file('cert.pem', server.cert),
    MACP_TLS_KEY_PATH: file('key.pem', server.key),
  };
  const clientCa = file('client.pem', client.cert);

  it('serves the configured certificate, and HSTS', async () => {
    const { url } = await serve({ env });
    expect(url).toMatch(/^https:/);
    const answer = await ask(`${url}/health`, { ca: server.cert });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['strict-transport-security']).toBe('max-age=63072000');
    await expect(ask(`${url}/health`, { ca: server.cert, maxVersion: 'TLSv1.1' })).rejects.toThrow();
  });

  it('asks for a client certificate when one is configured, and takes the sender from it', async () => {
    const { harness, url } = await serve({ env: { ...env, MACP_TLS_CLIENT_CA_PATH: clientCa } });
    await expect(ask(`${url}/health`, { ca: server.cert })).rejects.toThrow();
    const body = startMessage({}, { participants: ['agent:alice', 'bob'] });
    const answer = await ask(
      `${url}/macp/envelope`,
      { ca: server.cert, ...client, method: 'POST', headers: { 'content-type': 'application/json' } },
      JSON.stringify(body),
    );
    expect(answer.statusCode).toBe(200);
    const { value } = await harness.deps.engine
      .list({ tenant: 'default', kind: 'session', agent: 'agent:alice', limit: 1 })
      .then((rows) => rows.values().next());
    expect(JSON.parse(value?.row.summary ?? '{}')).toMatchObject({ initiator: 'agent:alice' });
  });

  it('speaks no plain HTTP there', async () => {
    const { url } = await serve({ env });
    await expect(ask(`${url.replace('https', 'http')}/health`, {})).rejects.toThrow();
  });
});

function ask(url: string, options: RequestOptions, body?: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https') ? tlsRequest : request;
    send(url, { ...options, agent: false }, (response) => {
      response.resume();
      resolve(response);
    })
      .once('error', reject)
      .end(body);
  });
}
