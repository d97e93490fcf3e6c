/**
 * Node begins all requests of a connection that arrive together, and holds all answers until they are read. Now a
 * connection has one request under way, one begins in a turn of the event loop, and what waits to be read is bounded.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { readBody } from '../../packages/server/src/doors/http/body.js';
import {
  createHarness,
  type HarnessOptions,
} from '../../packages/server/src/doors/http/http-harness.test.helper.js';
import { silentLog } from '../../packages/server/src/observe/log.js';
import { selfSigned } from '../kit/self-signed.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

const MIB = 1_048_576;
/** More than the system takes of an answer that nobody reads. */
const LARGE = 12 * MIB;
const ENDINGS: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ENDINGS.splice(0).reverse()) await end();
});

async function open(options: Omit<HarnessOptions, 'mount'> = {}) {
  const begun: string[] = [];
  const gates: (() => void)[] = [];
  const large = Buffer.alloc(LARGE, 'x');
  const harness = createHarness({
    ...options,
    mount: (app) => {
      app.get('/gated/:n', async (c) => {
        begun.push(c.req.param('n'));
        await new Promise<void>((resolve) => gates.push(resolve));
        return c.text(`<${c.req.param('n')}>`);
      });
      app.get('/large', (c) => {
        begun.push('large');
        return c.body(large);
      });
      app.post('/echo', async (c) => c.text(`<${await c.req.text()}>`));
    },
  });
  const { port } = await harness.door.listen();
  ENDINGS.push(() => harness.door.close(0));
  const client = ({ reads = true } = {}) => {
    const socket = connect(port, '127.0.0.1');
    ENDINGS.push(() => socket.destroy());
    const seen = { text: '', bytes: 0, closed: false };
    socket.on('error', () => {});
    socket.on('close', () => {
      seen.closed = true;
    });
    if (reads)
      socket.on('data', (data) => {
        seen.bytes += data.length;
        if (seen.bytes < MIB) seen.text += data.toString('latin1');
      });
    else socket.pause();
    return { socket, seen };
  };
  return { ...harness, begun, gates, client, port };
}

/** How many requests Node has parsed since. */
function countRequests(): () => number {
  let count = 0;
  const parsed = () => {
    count += 1;
  };
  subscribe('http.server.request.start', parsed);
  ENDINGS.push(() => unsubscribe('http.server.request.start', parsed));
  return () => count;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const bodies = (text: string) => [...text.matchAll(/<([^>]*)>/g)].map(([, body]) => body);
/** What an unread client must do to learn that it was cut. */
const drained = (socket: Socket) => socket.resume();

describe('hardening:H10', () => {
  it('hardening:H10 of requests that arrive together, the next is begun when the one before is answered', async () => {
    const { begun, gates, client } = await open();
    const { socket, seen } = client();
    const names = Array.from({ length: 20 }, (_, n) => `${n}`);
    socket.write(names.map((n) => get(`/gated/${n}`)).join(''));
    for (const [n] of names.entries()) {
      await expect.poll(() => gates.length).toBe(n + 1);
      // Time for a second one to begin.
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(begun).toEqual(names.slice(0, n + 1));
      gates[n]?.();
    }
    await expect.poll(() => bodies(seen.text)).toEqual(names);
    expect(seen.closed).toBe(false);
  });

  it('hardening:H10 what waits behind a request is not even parsed, and all of it is answered', async () => {
    const { begun, gates, client } = await open();
    const parsed = countRequests();
    const { socket, seen } = client();
    socket.write(get('/gated/n') + get('/health').repeat(1_500));
    await expect.poll(() => gates.length).toBe(1);
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(parsed()).toBeLessThanOrEqual(fixedLimits.httpWaitingRequests.value + 1);
    gates[0]?.();
    await expect.poll(() => seen.text.match(/HTTP\/1\.1 200/g)?.length, { timeout: 10_000 }).toBe(1_501);
    expect([begun, seen.closed, parsed()]).toEqual([['n'], false, 1_501]);
  });

  it('hardening:H10 a connection on which too many requests wait is cut, and none of them is begun', async () => {
    const { begun, client } = await open();
    const parsed = countRequests();
    const { socket, seen } = client();
    socket.write(get('/gated/n') + 'GET /gated/n HTTP/1.1\r\n\r\n'.repeat(2_500));
    await expect.poll(() => seen.closed).toBe(true);
    expect(begun.length).toBeLessThanOrEqual(1);
    expect(parsed()).toBeLessThan(3 * fixedLimits.httpWaitingRequests.value);
  });

  it('hardening:H10 of requests that arrive together on many connections, one begins in a turn of the event loop', async () => {
    const { begun, client } = await open();
    const clients = Array.from({ length: 50 }, () => client());
    // The server has taken the connections before the requests come.
    for (const { socket } of clients) socket.write(get('/health'));
    for (const { seen } of clients) await expect.poll(() => seen.text).toContain('200 OK');
    for (const [n, { socket }] of clients.entries()) socket.write(get(`/gated/${n}`));
    const inATurn: number[] = [];
    for (let before = 0; before < clients.length; before = begun.length) {
      await new Promise((resolve) => setImmediate(resolve));
      inATurn.push(begun.length - before);
    }
    // One may begin on each side of the place where this test looks.
    expect(Math.max(...inATurn)).toBeLessThanOrEqual(2);
  });

  it('hardening:H10 a connection that does not read gets one answer, whatever it asks for', async () => {
    const { door, begun, client } = await open();
    const { socket } = client({ reads: false });
    socket.write(get('/large').repeat(fixedLimits.httpWaitingRequests.value));
    await expect.poll(() => door.answers.inAll).toBeGreaterThan(0);
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['large']);
    expect(door.answers.most).toBeLessThanOrEqual(LARGE + 1_024);
    drained(socket);
    await expect.poll(() => begun.length, { timeout: 15_000 }).toBe(fixedLimits.httpWaitingRequests.value);
    socket.destroy();
    await expect.poll(() => door.answers.inAll).toBe(0);
  });

  it('hardening:H10 answers that nobody reads are bounded in all: the oldest go, a client that reads is served', async () => {
    const heldAnswerBytes = 3 * LARGE;
    const { door, begun, client } = await open({ connectionLimits: { heldAnswerBytes } });
    const quiet: ReturnType<typeof client>[] = [];
    for (let n = 0; n < 8; n++) {
      const one = client({ reads: false });
      one.socket.write(get('/large'));
      quiet.push(one);
      await expect.poll(() => begun.length).toBe(n + 1);
    }
    const reader = client();
    reader.socket.write(get('/large'));
    await expect.poll(() => reader.seen.bytes, { timeout: 15_000 }).toBeGreaterThan(LARGE);
    expect(reader.seen.closed).toBe(false);
    expect(door.answers.most).toBeLessThanOrEqual(heldAnswerBytes);
    for (const { socket } of quiet) drained(socket);
    await expect.poll(() => quiet.slice(0, 4).every(({ seen }) => seen.closed)).toBe(true);
    await expect.poll(() => door.answers.inAll).toBe(0);
  });

  it('hardening:H10 a client that takes nothing is cut off; one that waits for a slow answer is not', async () => {
    const { door, begun, gates, client } = await open({ connectionLimits: { unreadMs: 100 } });
    const waits = client();
    waits.socket.write(get('/gated/1'));
    await expect.poll(() => gates.length).toBe(1);
    const quiet = client({ reads: false });
    quiet.socket.write(get('/large'));
    await expect.poll(() => begun.length).toBe(2);
    await expect.poll(() => door.answers.most).toBeGreaterThan(0);
    await expect.poll(() => door.answers.inAll).toBe(0);
    drained(quiet.socket);
    await expect.poll(() => quiet.seen.closed).toBe(true);
    expect(waits.seen.closed).toBe(false);
    gates[0]?.();
    await expect.poll(() => bodies(waits.seen.text)).toEqual(['1']);
  });

  it('bodies, HEAD and Expect keep their place among requests that arrive together', async () => {
    const { gates, client } = await open();
    const { socket, seen } = client();
    const post = (body: string, sent = body) =>
      `POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${sent}`;
    const expects = post('4444', '').replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n');
    const head = get('/health').replace('GET', 'HEAD');
    socket.write(get('/gated/1') + post('22') + head + post('333') + expects);
    await expect.poll(() => gates.length).toBe(1);
    gates[0]?.();
    await expect.poll(() => seen.text).toContain('100 Continue');
    socket.write(`4444${get('/gated/5')}`);
    await expect.poll(() => gates.length).toBe(2);
    gates[1]?.();
    await expect.poll(() => bodies(seen.text)).toEqual(['1', '22', '333', '4444', '5']);
    expect(seen.text.match(/HTTP\/1\.1 200/g)).toHaveLength(6);
  });

  it('the same over TLS', async () => {
    const { cert, key } = selfSigned('localhost', { dns: ['localhost'] });
    const folder = temporaryFolder();
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const env = { MACP_TLS_CERT_PATH: write('cert', cert), MACP_TLS_KEY_PATH: write('key', key) };
    const { begun, gates, port } = await open({ env });
    const parsed = countRequests();
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    ENDINGS.push(() => socket.destroy());
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
    });
    socket.write(get('/gated/1') + get('/gated/2') + get('/health').repeat(300));
    for (const n of [1, 2]) {
      await expect.poll(() => gates.length).toBe(n);
      expect(begun).toHaveLength(n);
      expect(parsed()).toBeLessThan(100);
      gates[n - 1]?.();
    }
    await expect.poll(() => text.match(/HTTP\/1\.1 200/g)?.length, { timeout: 10_000 }).toBe(302);
  });

  it('an answer under way is finished when the door closes, and what waits behind it is not begun', async () => {
    const { door, begun, gates, client } = await open();
    const { socket, seen } = client();
    socket.write(get('/gated/1') + get('/gated/2'));
    await expect.poll(() => gates.length).toBe(1);
    const closed = door.close(AbortSignal.timeout(10_000));
    gates[0]?.();
    await closed;
    await expect.poll(() => seen.closed).toBe(true);
    expect(bodies(seen.text)).toEqual(['1']);
    expect(begun).toEqual(['1']);
  });

  it('hardening:H10 connections beyond the limit are closed at once, and said once a minute', async () => {
    const warned: string[] = [];
    const log = { ...silentLog, warn: (event: string) => void warned.push(event) };
    const { client } = await open({ connectionLimits: { connections: 3 }, log });
    const first = [client(), client(), client()];
    for (const { socket } of first) socket.write(get('/health'));
    for (const { seen } of first) await expect.poll(() => seen.text).toContain('200 OK');
    const more = [client(), client()];
    for (const { seen } of more) await expect.poll(() => seen.closed).toBe(true);
    expect(first.some(({ seen }) => seen.closed)).toBe(false);
    expect(warned).toEqual(['http.connections_full']);
  });

  it('hardening:H10 a connection that has asked for nothing makes way for a new one', async () => {
    const { client } = await open({ connectionLimits: { connections: 3 } });
    const [asked, ...silent] = [client(), client(), client()];
    asked?.socket.write(get('/health'));
    await expect.poll(() => asked?.seen.text).toContain('200 OK');
    for (const { socket } of silent) socket.write('GET /health HTTP/1.1\r\n');
    const more = client();
    more.socket.write(get('/health'));
    await expect.poll(() => more.seen.text).toContain('200 OK');
    await expect.poll(() => silent.map(({ seen }) => seen.closed)).toEqual([true, false]);
    expect(asked?.seen.closed).toBe(false);
  });

  it.each([
    ['expect nobody knows what', 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\n\r\n', 417],
    [
      'wait for leave to go on',
      'GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n',
      200,
    ],
    [
      'want another protocol',
      'GET /health HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n',
      200,
    ],
  ])('hardening:H10 thousands of requests that %s leave the server as it is', async (_, request, status) => {
    const { client } = await open();
    const clients = Array.from({ length: 4 }, (_one, n) => client({ reads: n % 2 === 0 }));
    for (const { socket } of clients) socket.write(get('/health') + request.repeat(2_000));
    await expect.poll(() => clients[0]?.seen.text).toContain(`HTTP/1.1 ${status}`);
    const honest = client();
    honest.socket.write(get('/health'));
    await expect.poll(() => honest.seen.text).toContain('200 OK');
  });

  it('hardening:H10 a parser that Node has paused is given nothing, and goes on where it stood', async () => {
    const { client } = await open();
    const { socket, seen } = client({ reads: false });
    // Answers that Node gives by itself fill what it holds for the client, and then it pauses.
    socket.write(
      get('/health') + 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n'.repeat(3_000),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.on('data', (data) => {
      seen.text += data.toString('latin1');
    });
    socket.resume();
    await expect.poll(() => seen.text.match(/HTTP\/1\.1 404/g)?.length, { timeout: 10_000 }).toBe(3_000);
  });
});

describe('hardening:H10 bodies in pieces', () => {
  const head = (more: string) =>
    `POST /pieces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${more}\r\n`;
  const chunked = (pieces: readonly string[]) =>
    pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('');

  async function reader() {
    const harness = createHarness({
      mount: (app) => {
        app.post('/pieces', async (c) => {
          const body = await readBody(c, { bytes: 100_000 });
          // Time for more of it to be parsed.
          for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
          const parsed = c.env.incoming?.readableLength;
          return 'refusal' in body
            ? c.text(`${body.refusal.message} <${parsed}>`, body.refusal.status)
            : c.text(`<${body.bytes.length}>`);
        });
      },
    });
    const { port } = await harness.door.listen();
    ENDINGS.push(() => harness.door.close(0));
    const send = async (text: string) => {
      const socket = connect(port, '127.0.0.1');
      ENDINGS.push(() => socket.destroy());
      let said = '';
      socket.on('error', () => {});
      socket.on('data', (data) => {
        said += data.toString('latin1');
      });
      socket.write(text);
      await expect.poll(() => said).toContain('\r\n\r\n');
      return said;
    };
    return send;
  }

  it('hardening:H10 a body of single bytes is refused before it has cost much', async () => {
    const send = await reader();
    const answer = await send(head('Transfer-Encoding: chunked\r\n') + chunked(Array(20_000).fill(' ')));
    expect(answer).toMatch(/^HTTP\/1\.1 400[\s\S]*Connection: close[\s\S]*too many small pieces/i);
    // Not more than the piece in which it was refused.
    expect(Number(bodies(answer)[0])).toBeLessThan(1_500);
  });

  it('hardening:H10 a body of few small pieces, and of many ordinary ones, is read', async () => {
    const send = await reader();
    const few = chunked(Array(200).fill(' '));
    const many = chunked(Array(2_000).fill(' '.repeat(40)));
    const whole = (pieces: string) => send(`${head('Transfer-Encoding: chunked\r\n')}${pieces}0\r\n\r\n`);
    expect(await whole(few)).toContain('<200>');
    expect(await whole(many)).toContain('<80000>');
  });

  it('hardening:H10 a request that has no use for a body is refused with one', async () => {
    const send = await reader();
    const answer = await send(
      'GET /health HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400[\s\S]*Connection: close[\s\S]*a GET has no body/i);
    expect(await send('GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n')).toContain(
      '200 OK',
    );
  });
});
