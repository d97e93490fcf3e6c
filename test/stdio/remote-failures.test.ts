/** A server elsewhere that refuses, limits, breaks off or is away: what the assistant is told, and what the server hears. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readToken } from '../../packages/server/src/cli/remote/token-file.js';
import { ERAS } from '../kit/mcp-clients.js';
import { selfSigned } from '../kit/self-signed.js';
import { until } from '../kit/until.js';
import { echo, isThere, json, openPipe, request, ScriptedServer } from './remote-support.js';
import { run } from './support.js';

let server: ScriptedServer;
beforeEach(async () => {
  server = new ScriptedServer(echo);
  await server.open();
});
afterEach(() => server.close());

const error = (message: unknown, code = -32_603) => ({ error: { code, message } });

describe('assistants:6.7 lines and requests', () => {
  it('every line is one POST, as it is, with its headers; every answer is one line, as it is', async () => {
    const pipe = openPipe(server.url, { headers: { 'handover-instance': '0a0a0a0a' } });
    const odd = request(1, 'tools/call', { name: 'x', big: 1 }).replace(
      '"big":1',
      '"big": 12345678901234567890',
    );
    server.answer = ({ method, body }, response) => {
      if (method === 'GET') return isThere(response);
      const { id } = JSON.parse(body);
      if (id === 2) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(
          ': hello\n\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n',
        );
        return void response.end('data: {"jsonrpc":"2.0","id":2, "result":{"n":1.0}}\n\n');
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0",\n "id":${id}, "result":{"n":1.0}}`);
    };
    pipe.say(odd, request(2));
    await pipe.answerTo(1);
    await pipe.answerTo(2);
    expect(pipe.raw().split('\n').sort()).toEqual([
      '',
      '{"jsonrpc":"2.0",  "id":1, "result":{"n":1.0}}',
      '{"jsonrpc":"2.0","id":2, "result":{"n":1.0}}',
      '{"jsonrpc":"2.0","method":"notifications/progress"}',
    ]);
    expect(server.posted).toEqual([odd, request(2)]);
    expect(server.heard.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST']);
    expect(server.heard[1]?.headers).toMatchObject({
      ...{ authorization: 'Bearer secret-token', 'handover-instance': '0a0a0a0a' },
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'x' },
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    });
    expect(await pipe.leave()).toBe('client-left');
  });

  it('older era: the session goes with every line, and with the stream of what nobody asked for', async () => {
    const session = { 'mcp-session-id': 's1' };
    let stream: ServerResponse | undefined;
    server.answer = ({ method, headers, body }, response) => {
      if (method === 'GET' && headers['mcp-session-id'] === undefined) return isThere(response);
      if (method === 'DELETE') return json(response, 200, {});
      if (method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        stream = response;
        return void response.write('id: 5\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n');
      }
      const { id, method: asked } = JSON.parse(body);
      if (id === undefined) return void response.writeHead(202).end();
      const result = asked === 'initialize' ? { protocolVersion: '2025-11-25' } : {};
      json(response, 200, { jsonrpc: '2.0', id, result }, session);
    };
    const pipe = openPipe(server.url);
    const opening = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}';
    pipe.say(opening, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
    pipe.say('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    await pipe.answerTo(1);
    await until(() => pipe.lines.some(({ method }) => method === 'notifications/x'));
    const [, initialize, ...later] = server.heard;
    expect(initialize?.headers['mcp-session-id']).toBeUndefined();
    for (const { headers } of later)
      expect(headers).toMatchObject({ ...session, 'mcp-protocol-version': '2025-11-25' });
    // A stream that stood for a while is opened again where it ended; the session stays.
    pipe.pass(6_000);
    stream?.end();
    await until(() => server.heard.at(-1)?.headers['last-event-id'] === '5');
    // A client may open its connection anew.
    pipe.say(opening.replace('"id":0', '"id":9'));
    await pipe.answerTo(9);
    expect(server.heard.at(-1)?.headers['mcp-session-id']).toBeUndefined();
    expect(pipe.notes).toEqual([]);
    expect(await pipe.leave()).toBe('client-left');
    expect(server.heard.at(-1)).toMatchObject({ method: 'DELETE', headers: session });
  });

  it('a cancelled request: its connection is closed in the newer era, and told of in the older', async () => {
    const closed: unknown[] = [];
    const streams = new Map<unknown, ServerResponse>();
    server.answer = ({ method, body }, response) => {
      if (method === 'GET') return isThere(response);
      const { id } = JSON.parse(body);
      if (id === undefined) return void response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      response.on('close', () => closed.push(id));
      streams.set(id, response);
    };
    const pipe = openPipe(server.url);
    const cancel = (requestId: number) =>
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    const older = '{"jsonrpc":"2.0","id":2,"method":"tools/call"}';
    pipe.say(request(1), older);
    await until(() => server.posted.length === 2);
    pipe.say(cancel(1), cancel(2));
    await until(() => server.posted.length === 3);
    await until(() => closed.length === 1);
    expect([closed, server.posted]).toEqual([[1], [request(1), older, cancel(2)]]);
    // The server does not answer what was cancelled: nothing is lost.
    streams.get(2)?.end();
    pipe.say(request(3));
    await until(() => server.posted.length === 4);
    expect([pipe.notes, pipe.lines]).toEqual([[], []]);
    await pipe.leave();
  });
});

describe('assistants:J2 a server that is away', () => {
  it('is waited for; after half a minute requests are told of it, and the next one works again', async () => {
    const pipe = openPipe(server.url);
    pipe.say(request(1));
    await pipe.answerTo(1);
    await server.close();
    pipe.say(request(2), request(3));
    const sentence = `${server.url} does not answer`;
    expect([await pipe.answerTo(2), await pipe.answerTo(3)]).toMatchObject([
      error(sentence),
      error(sentence),
    ]);
    // The channel lived for a moment only, so the first look waits, too.
    expect(pipe.waits.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(pipe.waits).toHaveLength(5);
    // The last one is cut, so that the whole is half a minute.
    expect(pipe.waits[4]).toBeLessThan(15_000);
    expect(pipe.notes).toEqual(['lost\n', `${sentence}\n`]);
    await server.open();
    pipe.say(request(4));
    expect(await pipe.answerTo(4)).toMatchObject({ result: {} });
    expect(pipe.waits).toHaveLength(5);
    expect(await pipe.leave()).toBe('client-left');
  });

  it.each(ERAS)(
    'assistants:J2 for a minute: every request is told of it, and the next call works (%s)',
    async (era) => {
      /** As a server does that knows none of the sessions from before it was started. */
      let sessions = new Set<unknown>();
      server.answer = (heard, response) => {
        if (era === 'modern' || heard.method === 'GET') return echo(heard, response);
        if (heard.method === 'DELETE') return json(response, 200, {});
        const { id, method } = JSON.parse(heard.body);
        const session = {
          'mcp-session-id':
            method === 'initialize' ? `s${server.heard.length}` : heard.headers['mcp-session-id'],
        };
        if (method === 'initialize') sessions.add(session['mcp-session-id']);
        if (!sessions.has(session['mcp-session-id']))
          return json(response, 404, { error: 'no such session' });
        if (id === undefined) return void response.writeHead(202).end();
        const result = method === 'initialize' ? { protocolVersion: '2025-11-25' } : { id };
        json(response, 200, { jsonrpc: '2.0', id, result }, session);
      };
      const ask = (id: number) =>
        era === 'modern' ? request(id) : JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' });
      const pipe = openPipe(server.url);
      if (era === 'legacy')
        pipe.say(
          '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}',
          '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        );
      pipe.say(ask(1));
      await pipe.answerTo(1);
      await server.close();
      sessions = new Set();
      const away = error(`${server.url} does not answer`);
      const waited = () => pipe.waits.reduce((sum, ms) => sum + ms, 0);
      for (const id of [2, 3]) {
        pipe.say(ask(id));
        expect(await pipe.answerTo(id)).toMatchObject(away);
      }
      expect(waited()).toBeGreaterThanOrEqual(59_000);
      await server.open();
      pipe.say(ask(4));
      expect(await pipe.answerTo(4)).toMatchObject({ result: era === 'modern' ? {} : { id: 4 } });
      // Once each, and the second opening of the older era is none of the client's business.
      const ids = pipe.lines.map(({ id }) => id);
      expect(ids).toEqual([...(era === 'legacy' ? [0] : []), 1, 2, 3, 4]);
      expect(server.posted.filter((body) => /"id":[23]\b/.test(body))).toEqual([]);
      expect(await pipe.leave()).toBe('client-left');
    },
  );

  it('at the start is waited for as well: what the client said meanwhile is not lost', async () => {
    await server.close();
    const pipe = openPipe(server.url, {
      onWait: async (ms) => {
        if (ms === 4_000) await server.open();
      },
    });
    pipe.say(request(1));
    expect(await pipe.answerTo(1)).toMatchObject({ result: {} });
    expect(pipe.waits).toEqual([1_000, 2_000, 4_000]);
    await pipe.leave();
  });

  it('at the start for all of that time: the client is told, and its next line works', async () => {
    await server.close();
    const pipe = openPipe(server.url);
    pipe.say(request(1));
    expect(await pipe.answerTo(1)).toMatchObject(error(`${server.url} does not answer`));
    await server.open();
    pipe.say(request(2));
    expect(await pipe.answerTo(2)).toMatchObject({ result: {} });
    expect(server.posted).toEqual([request(2)]);
    await pipe.leave();
  });

  it.each([502, 503, 504])('behind a proxy that answers %i: the line is said again', async (status) => {
    let refusals = 2;
    server.answer = (heard, response) => {
      if (heard.method === 'POST' && refusals-- > 0)
        return void response.writeHead(status).end('Bad gateway');
      echo(heard, response);
    };
    const pipe = openPipe(server.url);
    pipe.say(request(1));
    expect(await pipe.answerTo(1)).toMatchObject({ result: {} });
    expect(server.posted).toEqual([request(1), request(1), request(1)]);
    expect(pipe.waits).toEqual([1_000, 2_000]);
    await pipe.leave();
  });

  it('a request that breaks the connection three times is not said a fourth time', async () => {
    server.answer = (heard, response) => {
      if (heard.body.includes('"id":1')) return void response.destroy();
      echo(heard, response);
    };
    const pipe = openPipe(server.url);
    pipe.say(request(1));
    expect(await pipe.answerTo(1)).toMatchObject(error(expect.stringContaining('three times')));
    pipe.say(request(2));
    expect(await pipe.answerTo(2)).toMatchObject({ result: {} });
    expect(server.posted.filter((line) => line === request(1))).toHaveLength(3);
    await pipe.leave();
  });

  it('a stream that breaks off before its answer, and a session that is gone, are joined anew', async () => {
    let sessions = 0;
    let cuts = 1;
    server.answer = ({ method, headers, body }, response) => {
      const id = headers['mcp-session-id'];
      if (method !== 'POST') return id === undefined ? isThere(response) : json(response, 405, {});
      const message = JSON.parse(body);
      if (message.method === 'initialize') {
        const result = { protocolVersion: '2025-11-25' };
        sessions += 1;
        return json(response, 200, { jsonrpc: '2.0', id: 0, result }, { 'mcp-session-id': `s${sessions}` });
      }
      if (message.id === undefined) return void response.writeHead(202).end();
      if (id === 's1') return json(response, 404, { error: { message: 'Session not found' } });
      if (cuts-- > 0) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        return void response.end(
          'data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\ndata: {"jsonrpc":',
        );
      }
      json(response, 200, { jsonrpc: '2.0', id: message.id, result: { session: id } });
    };
    const pipe = openPipe(server.url);
    pipe.say('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}');
    pipe.say('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    pipe.say('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    expect(await pipe.answerTo(1)).toMatchObject({ result: { session: 's3' } });
    expect(pipe.lines.filter(({ id }) => id === 0)).toHaveLength(1);
    await pipe.leave();
  });
});

describe('assistants:6.7 a server that limits', () => {
  it('is asked again when it says, for half a minute at most', async () => {
    let after = '20';
    let refusals = 1;
    server.answer = (heard, response) => {
      if (heard.method === 'GET' || refusals-- <= 0) return echo(heard, response);
      const { id } = JSON.parse(heard.body);
      json(response, 429, { jsonrpc: '2.0', id, ...error('too often', -32_000) }, { 'retry-after': after });
    };
    const pipe = openPipe(server.url);
    pipe.say(request(1));
    expect(await pipe.answerTo(1)).toMatchObject({ result: {} });
    expect(pipe.waits).toEqual([20_000]);
    refusals = 9;
    pipe.say(request(2));
    expect(await pipe.answerTo(2)).toMatchObject(error('too often', -32_000));
    after = '31';
    pipe.say(request(3));
    expect(await pipe.answerTo(3)).toMatchObject(error('too often', -32_000));
    expect(pipe.waits).toEqual([20_000, 20_000]);
    [refusals, after] = [99, '0'];
    pipe.say(request(4));
    expect(await pipe.answerTo(4)).toMatchObject(error('too often', -32_000));
    expect(pipe.waits.slice(2)).toEqual(Array.from({ length: 30 }, () => 1_000));
    await pipe.leave();
  });
});

describe('assistants:J4 a token that is refused', () => {
  const refuse = (status: number, body: unknown, headers = {}) => {
    server.answer = (_, response) => json(response, status, body, headers);
  };

  it('401 at the start ends the command', async () => {
    refuse(401, { error: 'invalid_token' });
    const pipe = openPipe(server.url);
    expect(await pipe.ended).toMatchObject({ code: 'NOT_ALLOWED', message: 'the token is refused' });
    expect(server.posted).toEqual([]);
  });

  it('401 later is told to every open request, and the next line is tried with the token of then', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'handover-'));
    const path = join(folder, 'token');
    const write = (token: string) => writeFileSync(path, token, { mode: 0o600 });
    write('first');
    let good = 'first';
    server.answer = (heard, response) => {
      if (heard.headers.authorization === `Bearer ${good}`) return echo(heard, response);
      json(response, 401, { error: 'invalid_token' });
    };
    const pipe = openPipe(server.url, { bearer: () => readToken(path) });
    pipe.say(request(1));
    await pipe.answerTo(1);
    good = 'second';
    pipe.say(request(2), request(3));
    expect([await pipe.answerTo(2), await pipe.answerTo(3)]).toMatchObject([
      ...[error('the token is refused'), error('the token is refused')],
    ]);
    expect(pipe.notes.at(-1)).toBe('the token is refused\n');
    write('second');
    pipe.say(request(4));
    expect(await pipe.answerTo(4)).toMatchObject({ result: {} });
    // A file that is gone, or that others can read, is said like a refusal.
    good = 'third';
    rmSync(path);
    pipe.say(request(5));
    expect(await pipe.answerTo(5)).toMatchObject(error(expect.stringContaining(path)));
    expect(pipe.raw() + pipe.notes.join()).not.toMatch(/first|second/);
    await pipe.leave();
    rmSync(folder, { recursive: true });
  });

  it('403 says what the server says, and which scopes it wants', async () => {
    const challenge = {
      'www-authenticate': 'Bearer error="insufficient_scope", scope="handoff:read handoff:accept"',
    };
    const sentence = 'not with this token (scopes: handoff:read handoff:accept)';
    const body = { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'not with this token' } };
    refuse(403, body, challenge);
    expect(await openPipe(server.url).ended).toMatchObject({ code: 'NOT_ALLOWED', message: sentence });
    server.answer = echo;
    const pipe = openPipe(server.url);
    pipe.say(request(1));
    await pipe.answerTo(1);
    refuse(403, body, challenge);
    pipe.say(request(2));
    expect(await pipe.answerTo(2)).toMatchObject(error(sentence, -32_001));
    // One refused request does not end the others' connection.
    expect(pipe.notes).toEqual([]);
    await pipe.leave();
  });
});

describe('assistants:J3 where no token goes', () => {
  it('a redirect is not followed, at the start and later', async () => {
    const other = new ScriptedServer(echo);
    await other.open();
    const away = (heard: { method: string }, response: Parameters<typeof isThere>[0]) =>
      void response.writeHead(heard.method === 'GET' ? 302 : 307, { location: `${other.url}/mcp` }).end();
    server.answer = away;
    expect(await openPipe(server.url).ended).toMatchObject({ message: expect.stringContaining('redirect') });
    server.answer = echo;
    const pipe = openPipe(server.url);
    pipe.say(request(1));
    await pipe.answerTo(1);
    server.answer = away;
    pipe.say(request(2));
    expect(await pipe.answerTo(2)).toMatchObject(error(expect.stringContaining('redirect')));
    expect(other.heard).toEqual([]);
    await pipe.leave();
    await other.close();
  });

  it('a certificate that nobody vouches for, or of another name: no request arrives, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    let requests = 0;
    const { cert, key } = selfSigned('somebody', { dns: ['elsewhere.example'] });
    const tls = createTlsServer({ cert, key }, () => {
      requests += 1;
    });
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    const { port } = tls.address() as AddressInfo;
    const ended = await openPipe(`https://127.0.0.1:${port}`).ended;
    expect(ended).toMatchObject({ message: expect.stringMatching(/certificate .*is not trusted/) });
    expect(requests).toBe(0);
    tls.close();
    // A server that speaks no TLS at all.
    const plain = await openPipe(server.url.replace('http:', 'https:')).ended;
    expect(plain).toMatchObject({ message: expect.stringMatching(/speaks no TLS \(/) });
    expect((plain as Error).message).not.toContain('certificate');
    expect((plain as { fix?: string }).fix).not.toContain('NODE_EXTRA_CA_CERTS');
    expect(server.heard).toEqual([]);
    vi.unstubAllEnvs();
  });

  it('a wrong address is said at once', async () => {
    server.answer = (_, response) => json(response, 404, { message: 'nothing here' });
    expect(await openPipe(server.url).ended).toMatchObject({ message: expect.stringContaining('/mcp') });
    expect(server.heard).toHaveLength(1);
  });
});

describe('assistants:6.7 an assistant that does not read (lasting-pipe L2)', () => {
  it('makes the server wait', async () => {
    const piece = `data: {"jsonrpc":"2.0","method":"notifications/x","params":"${'x'.repeat(60_000)}"}\n\n`;
    const PIECES = 1_000;
    let written = 0;
    server.answer = ({ method }, response) => {
      if (method === 'GET') return isThere(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = () => {
        while (written < PIECES) {
          written += 1;
          if (!response.write(piece)) return void response.once('drain', more);
        }
        response.end('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
      };
      more();
    };
    const pipe = openPipe(server.url, { readNothing: true });
    pipe.say(request(1));
    let before = -1;
    // Until nothing moves any more.
    await until(
      () => {
        const moved = written !== before;
        before = written;
        return !moved && written > 0;
      },
      Boolean,
      { everyMs: 300 },
    );
    expect(written).toBeLessThan(PIECES / 2);
    let lines = 0;
    pipe.output.on('data', (bytes: Buffer) => {
      lines += bytes.toString().split('\n').length - 1;
    });
    await until(() => lines === PIECES + 1);
    await pipe.leave();
  });
});

describe('assistants:6.7 a server that will never serve this window', () => {
  it('the answer to what was asked says why, as stderr does, and the command ends beside an open stdin', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'handover-token-'));
    writeFileSync(join(folder, 'token'), 'token-of-nobody-123\n', { mode: 0o600 });
    server.answer = (_, response) => json(response, 401, { error: 'unauthorized' });
    const args = ['mcp', '--server', server.url, '--token', `@${join(folder, 'token')}`];
    const ran = await run(args, { input: `${request(1, 'initialize')}\n`, openMs: 60_000 });
    rmSync(folder, { recursive: true });
    const reason = expect.stringMatching(/refuses the token in .*; ask its operator for a new one/);
    expect(ran).toMatchObject({ code: 1, stderr: reason });
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: 1, ...error(reason) });
  }, 60_000);
});
