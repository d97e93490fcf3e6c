/**
 * Bodies were read whole and parsed before anything about them was judged. Now they are counted while they arrive, by
 * bytes, depth and values; without a valid credential little is read at all; lists end at bytes, too.
 */
import { randomUUID } from 'node:crypto';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import type { Server } from '../../packages/server/src/server.js';
import { start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { connectHttp } from '../kit/mcp-clients.js';
import { isRefused } from '../kit/refused.js';
import { openServer } from '../kit/server.js';
import { PEOPLE } from '../kit/tokens.js';
import { metric } from './support/metrics.js';
import { parsesDuring, uncounted } from './support/parses.js';
import { RawMcp } from './support/raw-mcp.js';

const MIB = 1_048_576;
const ALICE = 'alice-token';

describe('hardening:H10', () => {
  let server: Server;
  let alice: RawMcp;
  beforeAll(async () => {
    server = await openServer({ env: PEOPLE });
    alice = await new RawMcp(server.httpUrl, ALICE).open();
  });
  afterAll(() => server.close(AbortSignal.timeout(1_000)));

  const grpc = () => `${server.grpc.host}:${server.grpc.port}`;

  /** Sends in small pieces until there is an answer, and says how much was sent by then. */
  function drip(path: string, headers: readonly string[], piece: string, most: number) {
    const { hostname, port, host } = new URL(server.httpUrl);
    return new Promise<{ status: number; sent: number }>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let sent = 0;
      let answered = false;
      socket.on('error', (error) => answered || reject(error));
      socket.on('data', (data) => {
        answered = true;
        resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString())?.[1]), sent });
        socket.destroy();
      });
      socket.write(
        [`POST ${path} HTTP/1.1`, `Host: ${host}`, 'Content-Type: application/json', ...headers, '', ''].join(
          '\r\n',
        ),
      );
      const chunked = headers.some((header) => header.startsWith('Transfer-Encoding'));
      const next = () => {
        if (answered || sent >= most) return;
        socket.write(chunked ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece);
        sent += piece.length;
        setTimeout(next, 2);
      };
      setTimeout(next, 50);
    });
  }
  const AUTHORIZED = `Authorization: Bearer ${ALICE}`;
  const CHUNKED = 'Transfer-Encoding: chunked';

  it('brackets are counted while they come: the answer does not wait for 11 MB of them', async () => {
    const { value, parses } = await parsesDuring(() =>
      drip('/mcp', [AUTHORIZED, CHUNKED], '[],'.repeat(5_000), 11 * MIB),
    );
    expect(value.status).toBe(413);
    // Three bytes make one value.
    expect(value.sent).toBeLessThan(4 * fixedLimits.largeValues.value);
    expect(parses.count).toBe(0);
    const deep = await drip('/mcp', [AUTHORIZED, CHUNKED], '['.repeat(1_000), 11 * MIB);
    expect([deep.status, deep.sent < 100_000]).toEqual([400, true]);
  });

  it('100,000 addresses in a message are refused without being parsed beside other requests', async () => {
    const uris = Array.from({ length: 100_000 }, (_, n) => `handoff://context/${n}`);
    const params = { notifications: { resourceSubscriptions: uris } };
    const { value, parses } = await parsesDuring(() => alice.ask('subscriptions/listen', params));
    expect(value.status).toBe(413);
    expect(parses.count).toBe(0);
  });

  it('half a million keys are refused by their number: in a body, a payload, and an envelope', async () => {
    const keys = `{${Array.from({ length: 500_000 }, (_, n) => `"k${n}":1`).join(',')}}`;
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"registerSession","arguments":{"metadata":${keys}}}}`;
    for (const [path, body] of [
      ['/mcp', call],
      ['/macp/envelope', `{"macp_version":"1.0","payload":${keys.slice(0, 700_000)}`],
    ] as const) {
      const { value, parses } = await parsesDuring(() =>
        drip(path, [AUTHORIZED, CHUNKED], body.slice(0, 60_000), 5 * MIB),
      );
      expect([path, value.status]).toEqual([path, 413]);
      expect(parses.count).toBe(0);
    }
    const client = new GrpcClient(grpc(), { bearer: ALICE });
    const extensions = Object.fromEntries(
      Array.from({ length: 60_000 }, (_, n) => [n.toString(36), new Uint8Array(0)]),
    );
    const ack = await client.send(start(randomUUID(), 'alice', { extensions }));
    expect(ack.error).toMatchObject({
      code: 'INVALID_ENVELOPE',
      message: expect.stringContaining('2048 fields'),
    });
    client.close();
  });

  describe('without a valid credential', () => {
    it.each(['', 'Authorization: Bearer wrong-token'])(
      'an envelope of 1.5 MB is refused unread (%s)',
      async (credential) => {
        const headers = credential === '' ? [] : [credential];
        const announced = await drip('/macp/envelope', [...headers, `Content-Length: ${1.5 * MIB}`], 'x', 0);
        expect(announced).toEqual({ status: 401, sent: 0 });
        const unannounced = await drip('/macp/envelope', [...headers, CHUNKED], ' '.repeat(4_096), 2 * MIB);
        expect(unannounced.status).toBe(401);
        expect(unannounced.sent).toBeLessThan(4 * fixedLimits.strangerBodyBytes.value);
      },
    );

    it('small ones are judged in the protocol’s order', async () => {
      const ask = async (body: object) => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(new URL('/macp/envelope', server.httpUrl), {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        return (uncounted(await response.text()) as { error: { code: string } }).error.code;
      };
      expect(await ask({ macp_version: '9' })).toBe('UNSUPPORTED_PROTOCOL_VERSION');
    });

    it('a gRPC message is refused at its length, before it is sent', async () => {
      const { host, port } = server.grpc;
      const session = connectHttp2(`http://${host}:${port}`);
      for (const headers of [{}, { authorization: 'Bearer wrong-token' }]) {
        const answer = await new Promise<{ status: unknown; message: unknown; sent: number }>((resolve) => {
          const stream = session.request({
            [constants.HTTP2_HEADER_METHOD]: 'POST',
            [constants.HTTP2_HEADER_PATH]: '/macp.v1.MACPRuntimeService/Send',
            'content-type': 'application/grpc',
            te: 'trailers',
            ...headers,
          });
          // The length of a message of 1 MiB, and its first kilobyte: nothing more is ever sent.
          const head = Buffer.alloc(5);
          head.writeUInt32BE(MIB, 1);
          const sent = Buffer.concat([head, Buffer.alloc(1_024)]);
          stream.write(sent);
          stream.on('error', () => {});
          const told = (trailers: Record<string, unknown>) =>
            'grpc-status' in trailers &&
            resolve({
              status: trailers['grpc-status'],
              message: trailers['grpc-message'],
              sent: sent.length,
            });
          stream.on('response', told);
          stream.on('trailers', told);
        });
        expect(answer).toMatchObject({ status: '16', sent: 1_029 });
        expect(decodeURIComponent(String(answer.message))).toContain('a message of more than 65536');
      }
      session.close();
    });

    it('a small gRPC message still gets its Ack', async () => {
      const client = new GrpcClient(grpc(), { bearer: null });
      const ack = await client.send(start(randomUUID(), 'alice'), null);
      expect(ack).toMatchObject({ ok: false, error: { code: 'UNAUTHENTICATED' } });
      client.close();
    });
  });

  it('lists end at bytes, and go on where they ended', async () => {
    const client = new GrpcClient(grpc(), { bearer: ALICE });
    const participants = ['alice', ...Array.from({ length: 900 }, (_, n) => `${n}-`.padEnd(250, 'p'))];
    const ids = Array.from({ length: 12 }, () => randomUUID()).sort();
    for (const id of ids) expect((await client.send(start(id, 'alice', { participants }))).ok).toBe(true);
    const seen: string[] = [];
    for (let page_token = '', pages = 0; pages === 0 || page_token !== ''; pages++) {
      const at = new URL(`/macp/session?page_token=${page_token}`, server.httpUrl);
      const text = await (await fetch(at, { headers: { authorization: `Bearer ${ALICE}` } })).text();
      // One row of 250 kB may pass the limit.
      expect(text.length).toBeLessThan(fixedLimits.sessionListBytes.value * 1.5);
      const page = uncounted(text) as { sessions: { session_id: string }[]; next_page_token: string };
      seen.push(...page.sessions.map(({ session_id }) => session_id));
      page_token = page.next_page_token;
      expect(pages).toBeLessThan(12);
    }
    expect(seen).toEqual(ids);
    const listed = await client.ask('listSessions', { pageSize: 1_000, pageToken: '' });
    if (isRefused(listed)) throw new Error('refused');
    expect(listed.sessions.length).toBeLessThan(12);
    expect(listed.nextPageToken).not.toBe('');
    client.close();
  });

  it('a list over megabytes of working sessions is read page by page', async () => {
    const metadata = { note: 'x'.repeat(60_000) };
    const keys = Array.from({ length: 20 }, (_, n) => `key-${String(n).padStart(2, '0')}`);
    for (const sessionKey of keys)
      expect(
        (await alice.tool('registerSession', { sessionKey, agentFrom: 'alice', metadata })).success,
      ).toBe(true);
    const seen: string[] = [];
    let uri = 'handoff://sessions';
    for (let pages = 0; uri !== ''; pages++) {
      const { rpc } = await alice.ask('resources/read', { uri });
      const { text } = rpc.result.contents[0];
      expect(text.length).toBeLessThan(fixedLimits.listBytes.value + 70_000);
      const page = uncounted(text);
      expect(page.total).toBe(keys.length);
      seen.push(...page.sessions.map((session: { sessionKey: string }) => session.sessionKey));
      uri = page.nextCursor ? `handoff://sessions?cursor=${encodeURIComponent(page.nextCursor)}` : '';
      expect(pages).toBeLessThan(20);
    }
    expect(seen).toEqual(keys);
  });

  it('a list of operations ends at bytes, and `before` goes on', async () => {
    const bob = await connectHttp(new URL('/mcp', server.httpUrl), 'bob-token');
    const summary = { title: 'x'.repeat(60_000) };
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = (await bob.callTool({ name, arguments: args })) as { content: { text: string }[] };
      return uncounted(result.content[0]?.text ?? '');
    };
    const made = new Set<string>();
    for (let n = 0; n < 12; n++)
      made.add((await call('create_operation_handoff', { type: 't', network: 'n', chainId: 1, summary })).id);
    const seen: string[] = [];
    for (let pages = 0; seen.length < made.size; pages++) {
      const before = seen.at(-1);
      const rows = await call('list_recent_operations', {
        limit: 100,
        ...(before !== undefined && { before }),
      });
      expect(JSON.stringify(rows).length).toBeLessThan(fixedLimits.listBytes.value + 70_000);
      seen.push(...rows.map(({ id }: { id: string }) => id));
      expect(pages).toBeLessThan(12);
    }
    expect(new Set(seen)).toEqual(made);
    expect(seen).toHaveLength(made.size);
    await bob.close();
  });

  it('what is refused before it is parsed reaches no thread either', async () => {
    const before = await metric(server.httpUrl, 'handover_large_jobs_total');
    await drip('/mcp', [AUTHORIZED, `Content-Length: ${11 * MIB}`], 'x', 0);
    await drip('/mcp', [AUTHORIZED, CHUNKED], '[],'.repeat(20_000), 11 * MIB);
    expect(await metric(server.httpUrl, 'handover_large_jobs_total')).toBe(before);
  });
});
