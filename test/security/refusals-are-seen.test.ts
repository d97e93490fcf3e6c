/** Whoever is refused leaves a trace: an operator must see guessing, wrong names and wrong limits without being told. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import type { Log, LogFields } from '../../packages/server/src/observe/log.js';
import { start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { openServer } from '../kit/server.js';
import { O1 } from '../operations/support/examples.js';
import { openWorld, secretIn } from '../operations/support/world.js';

const WRONG = 'w'.repeat(43);
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

function keptLog() {
  const lines: { readonly event: string; readonly fields: LogFields }[] = [];
  const keep = (event: string, fields: LogFields = {}) => void lines.push({ event, fields });
  const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
  const of = (event: string) => lines.filter((line) => line.event === event).map(({ fields }) => fields);
  return { log, of };
}

async function serverWithLog(env: Readonly<Record<string, string>> = {}) {
  const kept = keptLog();
  const server = await openServer({ log: kept.log, env });
  closing.push(() => server.close(AbortSignal.timeout(1_000)));
  const series = async (name: string) => {
    const metrics = await (await fetch(new URL('/metrics', server.httpUrl))).text();
    const line = metrics.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
  return { server, series, ...kept };
}

/** The Host is the caller's. */
async function asked(url: string, host: string): Promise<number> {
  const sent = request(url, { headers: { host } }).end();
  const [answer] = await once(sent, 'response');
  await text(answer);
  return answer.statusCode;
}

describe('limits of pages', () => {
  it('are counted, written to the security log and named in the answer', async () => {
    const kept = keptLog();
    const world = await openWorld({
      log: kept.log,
      env: { MCP_PUBLIC_HANDOFF_PER_IP_PER_MINUTE: '3', MCP_PUBLIC_HANDOFF_PER_HANDLE_PER_MINUTE: '2' },
    });
    closing.push(world.close);
    const { data } = await world.tool('alice', 'create_operation_handoff', O1());
    const path = `/api/operations/${data.id}`;
    const limited = async (bucket: string) =>
      (await world.api('/metrics')).text.match(
        new RegExp(`^handover_rate_limited_total{bucket="${bucket}"} (\\d+)$`, 'm'),
      )?.[1];
    expect([
      await limited('page_address'),
      await limited('page_secret'),
      await limited('page_record'),
    ]).toEqual(['0', '0', '0']);
    for (let i = 0; i < 3; i++) await world.api(path, { secret: WRONG });
    const guess = await world.api(path, { secret: WRONG });
    expect(guess.status).toBe(429);
    expect(guess.json).toMatchObject({
      error: 'rate limited',
      message: expect.stringContaining('MCP_PUBLIC_HANDOFF_PER_IP_PER_MINUTE'),
      retryAfterMs: expect.any(Number),
    });
    const secret = secretIn(data.operationUrl);
    for (let i = 0; i < 2; i++) await world.api(path, { secret });
    const often = await world.api(path, { secret });
    expect(often.json.message).toContain('MCP_PUBLIC_HANDOFF_PER_HANDLE_PER_MINUTE');
    expect([
      await limited('page_address'),
      await limited('page_secret'),
      await limited('page_record'),
    ]).toEqual(['1', '1', '1']);
    expect(kept.of('audit.quota_hit')).toMatchObject([
      { audit: true, quota: 'page_secret', peer: '127.0.0.1' },
      { audit: true, quota: 'page_address', peer: '127.0.0.1' },
      { audit: true, quota: 'page_record', peer: '127.0.0.1' },
    ]);
    expect(kept.of('audit.authentication_failed')).toMatchObject([{ door: 'pages', peer: '127.0.0.1' }]);
  });
});

describe('a wrong credential', () => {
  it('is written with the address that it came from', async () => {
    const { server, of } = await serverWithLog({
      MACP_AUTH_TOKENS_JSON: '[{"token":"one-that-is-long-enough-0001","sender":"alice"}]',
    });
    await fetch(new URL('/macp/session', server.httpUrl), { headers: { authorization: 'Bearer wrong' } });
    const grpc = new GrpcClient(`${server.grpc.host}:${server.grpc.port}`);
    closing.push(() => grpc.close());
    await grpc.send(start('refusals-are-seen-session-1', 'alice'), 'wrong');
    expect(of('audit.authentication_failed')).toMatchObject([
      { door: 'http', peer: '127.0.0.1', reason: 'the token is not known' },
      { door: 'grpc', peer: '127.0.0.1', reason: 'the token is not known' },
    ]);
  });
});

describe('a wrong Host', () => {
  it('is written once a minute, with the setting that would allow it', async () => {
    const { server, of, series } = await serverWithLog();
    const before = await series('handover_http_refused_total{status="403"}');
    for (const path of ['/macp/session', '/health']) {
      const url = String(new URL(path, server.httpUrl));
      expect(await asked(url, 'handover.example')).toBe(403);
    }
    expect(of('http.host_refused')).toMatchObject([
      { host: 'handover.example', refused: 1, message: expect.stringContaining('HANDOVER_ALLOWED_HOSTS') },
    ]);
    expect(before).toBe(0);
    expect(await series('handover_http_refused_total{status="403"}')).toBe(2);
  });

  it('does not keep probes out that call by address', async () => {
    const { server } = await serverWithLog();
    const at = (path: string) => String(new URL(path, server.httpUrl));
    for (const host of ['10.1.2.3:3100', '[2001:db8::1]:3100']) {
      expect(await asked(at('/health'), host)).toBe(200);
      expect(await asked(at('/ready'), host)).toBe(200);
      expect(await asked(at('/metrics'), host)).toBe(403);
      expect(await asked(at('/macp/session'), host)).toBe(403);
    }
  });
});

describe('a head that is refused', () => {
  const raw = async (url: string, head: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.end(head);
    return text(socket);
  };

  it('is told why, and counted', async () => {
    const { server, series } = await serverWithLog();
    const head = (bytes: number) =>
      `GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Long: ${'x'.repeat(bytes)}\r\n\r\n`;
    // The longest JWT fits, with room for others.
    expect(await raw(server.httpUrl, head(17_000))).toMatch(/^HTTP\/1.1 200 /);
    const refused = await raw(server.httpUrl, head(33_000));
    expect(refused).toMatch(/^HTTP\/1.1 431 /);
    expect(refused).toContain('at most 32768 bytes');
    expect(await raw(server.httpUrl, 'this is not HTTP\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(await series('handover_http_refused_total{status="431"}')).toBe(1);
    expect(await series('handover_http_refused_total{status="400"}')).toBe(1);
  });
});
