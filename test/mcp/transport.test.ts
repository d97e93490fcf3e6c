/** The gate of `/mcp`: who is let in, by which name the server may be called, whose a session is, how much it takes. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, connectHttp, connectOlder } from '../kit/mcp-clients.js';
import { PEOPLE } from '../kit/tokens.js';
import { type McpTestServer, openMcpServer } from './support/mcp-server.js';

let server: McpTestServer;
beforeAll(async () => {
  server = await openMcpServer({ env: { ...PEOPLE, HANDOVER_ALLOWED_ORIGINS: 'https://console.example' } });
});
afterAll(() => server.close(AbortSignal.timeout(1_000)));

const ACCEPT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(server.url, {
    method: 'POST',
    headers: { ...ACCEPT, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** fetch does not let a test choose the Host. */
function postAs(headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      server.url,
      { method: 'POST', headers: { ...ACCEPT, ...headers } },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    request.on('error', reject);
    request.end(JSON.stringify(INITIALIZE));
  });
}

describe('without a caller', () => {
  it('401, and where to find out how to be let in', async () => {
    const answer = await post(INITIALIZE);
    expect(answer.status).toBe(401);
    const metadata = new URL('/.well-known/oauth-protected-resource/mcp', server.url);
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer scope="handoff:read handoff:write handoff:offer handoff:accept", resource_metadata="${metadata.href}"`,
    );
    const wrong = await post(INITIALIZE, { authorization: 'Bearer nonsense' });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await wrong.text()).not.toContain('nonsense');
    for (const method of ['GET', 'DELETE']) expect((await fetch(server.url, { method })).status).toBe(401);
  });

  it('the metadata of the resource, under both names', async () => {
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
    ]) {
      const answer = await fetch(new URL(path, server.url));
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({
        resource: server.url.href,
        bearer_methods_supported: ['header'],
        scopes_supported: expect.not.arrayContaining(['handoff:admin', 'operation:approve']),
      });
    }
  });
});

describe('rebinding: Host and Origin', () => {
  const { headers } = bearer('alice-token');
  const { port } = { port: () => server.url.port };
  const rows: [string, () => Record<string, string>, boolean][] = [
    ['by its address', () => ({ host: `127.0.0.1:${port()}` }), true],
    ['by localhost', () => ({ host: `localhost:${port()}` }), true],
    ['by a name that was rebound', () => ({ host: `evil.example:${port()}` }), false],
    ['by a name that begins alike', () => ({ host: 'localhost.evil.example' }), false],
    ['from an allowed page', () => ({ origin: 'https://console.example' }), true],
    ['from any other page', () => ({ origin: 'https://evil.example' }), false],
    ['from a page of an allowed name, in plain text', () => ({ origin: 'http://console.example' }), false],
    ['from a page without an origin of its own', () => ({ origin: 'null' }), false],
    [
      'from an allowed page, by a wrong name',
      () => ({ origin: 'https://console.example', host: 'evil.example' }),
      false,
    ],
    ['from another site', () => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }), false],
  ];
  it.each(rows)('%s', async (_, more, allowed) => {
    expect(await postAs({ ...headers, ...more() })).toBe(allowed ? 200 : 403);
  });
});

describe('sessions of the 2025 revisions', () => {
  const open = async (token: string): Promise<string> => {
    const answer = await post(INITIALIZE, bearer(token).headers);
    await answer.text();
    return answer.headers.get('mcp-session-id') ?? '';
  };
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  const ask = (token: string, session: string) =>
    post(list, { ...bearer(token).headers, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' });

  it('belong to the caller that opened them', async () => {
    const session = await open('alice-token');
    expect((await ask('alice-token', session)).status).toBe(200);
    for (const token of ['bob-token', 'other-alice-token'])
      expect((await ask(token, session)).status).toBe(404);
    const stolen = await fetch(server.url, {
      method: 'DELETE',
      headers: { ...bearer('bob-token').headers, 'mcp-session-id': session },
    });
    expect(stolen.status).toBe(404);
    expect((await ask('alice-token', session)).status).toBe(200);
  });

  it('end when their client says so', async () => {
    const session = await open('alice-token');
    const { headers } = bearer('alice-token');
    const ended = await fetch(server.url, {
      method: 'DELETE',
      headers: { ...headers, 'mcp-session-id': session },
    });
    expect(ended.status).toBe(200);
    expect((await ask('alice-token', session)).status).toBe(404);
  });

  it('are needed', async () => {
    expect((await post(list, bearer('alice-token').headers)).status).toBe(400);
    expect((await ask('alice-token', 'made-up')).status).toBe(404);
  });

  it('make room: the one idle longest goes', async () => {
    const first = await open('carol-token');
    for (let round = 0; round < 64; round++) await open('carol-token');
    expect((await ask('carol-token', first)).status).toBe(404);
  });

  it('serve the older SDK', async () => {
    const client = await connectOlder(server.url, 'alice-token');
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    await client.close();
  });
});

describe('bodies', () => {
  const { headers } = bearer('alice-token');

  it('that are no JSON, no UTF-8, no message, too deep or another type', async () => {
    expect((await post('{', headers)).status).toBe(400);
    expect((await post('3', headers)).status).toBe(400);
    expect((await post('{"a":'.repeat(2_000), headers)).status).toBe(400);
    const bytes = new Uint8Array([0x22, 0xff, 0x22]);
    const init = { method: 'POST', headers: { ...ACCEPT, ...headers }, body: bytes };
    expect((await fetch(server.url, init)).status).toBe(400);
    expect((await post('{}', { ...headers, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await fetch(server.url, { method: 'PUT', headers })).status).toBe(405);
  });
});

it('a client of the newest revision needs no session, and leaves none', async () => {
  const client = await connectHttp(server.url, 'alice-token', 'modern');
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  await client.close();
});

// Last: the server drops these connections, and fetch would use them again.
describe('bodies', () => {
  const { headers } = bearer('alice-token');

  it('that hold a large attachment: the refusal says how large one may be, and what to do', async () => {
    const args = { goal: 'g', attachments: [{ name: 'a', content: 'x'.repeat(3_000_000) }] };
    const call = { name: 'handOff', arguments: args };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const answer = await post(JSON.stringify(body), headers);
    expect(answer.status).toBe(413);
    const said = await answer.text();
    expect(said).toContain(
      'an attachment of a handoff may have 1000000 bytes: leave what is larger where it is',
    );
    expect(said).not.toContain('create_');
  });

  it('of more than 11 MiB are refused, announced or not', async () => {
    const large = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'x'.repeat(11 * 1_048_576)}"}}`;
    expect((await post(large, headers)).status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 12; part++) controller.enqueue(new Uint8Array(1_048_576).fill(32));
        controller.close();
      },
    });
    const init = { method: 'POST', headers: { ...ACCEPT, ...headers }, body: stream, duplex: 'half' };
    expect((await fetch(server.url, init as RequestInit)).status).toBe(413);
  });
});

describe('resume in the newest revision', () => {
  const resume = (args: Record<string, unknown>) =>
    post(
      {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: {
          ...{ name: 'resume', arguments: args },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
      {
        ...bearer('alice-token').headers,
        ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'resume' },
      },
    );

  it.each([
    ['application/json', {}],
    ['text/event-stream', { waitMs: 1 }],
  ])('is answered as %s with %j', async (type, args) => {
    const answer = await resume(args);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(await answer.text()).toContain('nothing');
  });
});
