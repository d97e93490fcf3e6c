/** Tokens by OAuth: the official client, an authorization server of our own, no public address configured. */
import { randomUUID } from 'node:crypto';
import {
  type OAuthClientProvider,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import type { Log } from '../../packages/server/src/observe/log.js';
import { silentLog } from '../../packages/server/src/observe/log.js';
import { bearer, call, connectHttp, ERAS, newClient } from '../kit/mcp-clients.js';
import { openAuthorizationServer } from './support/authorization-server.js';
import { useMcpServer } from './support/mcp-server.js';

const FOUR = 'handoff:read handoff:write handoff:offer handoff:accept';
const issuer = await openAuthorizationServer();
afterAll(() => issuer.close());
const audited: Record<string, unknown>[] = [];
const log: Log = {
  ...silentLog,
  warn: (event, fields) => {
    if (event === 'audit.authorization_failed') audited.push({ ...fields });
  },
};
const server = await useMcpServer({
  log,
  env: { ...issuer.env, HANDOVER_ALLOWED_HOSTS: 'localhost,127.0.0.1,other.example' },
});

/** As an assistant has it: a person who agrees to everything stands behind it. */
class Provider implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:1/callback';
  readonly clientMetadata = { redirect_uris: [this.redirectUrl], token_endpoint_auth_method: 'none' };
  #tokens: StoredOAuthTokens | undefined;
  #information: ReturnType<OAuthClientProvider['clientInformation']>;
  #verifier = '';
  code = '';
  clientInformation = () => this.#information;
  saveClientInformation(information: never) {
    this.#information = information;
  }
  tokens = () => this.#tokens;
  saveTokens(tokens: StoredOAuthTokens) {
    this.#tokens = tokens;
  }
  async redirectToAuthorization(url: URL) {
    const { headers } = await fetch(url, { redirect: 'manual' });
    this.code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier = () => this.#verifier;
}

describe.each(ERAS)('assistants:E7 the official client (%s)', (era) => {
  it('connects, asks for four scopes, and for one more when a call needs it', async () => {
    issuer.asked.length = 0;
    const authProvider = new Provider();
    const first = new StreamableHTTPClientTransport(server.url, { authProvider });
    await expect(newClient(era).connect(first)).rejects.toThrow(UnauthorizedError);
    await first.finishAuth(authProvider.code);
    expect(issuer.asked).toEqual([FOUR]);

    const transport = new StreamableHTTPClientTransport(server.url, { authProvider });
    const client = newClient(era);
    await client.connect(transport);
    const registered = await call(client, 'registerSession', { sessionKey: randomUUID(), agentFrom: 'ann' });
    expect(registered).toMatchObject({ success: true, session: { agentFrom: 'ann' } });

    const operation = { name: 'cancel_operation_handoff', arguments: { operationId: 'none' } };
    await expect(client.callTool(operation)).rejects.toThrow(UnauthorizedError);
    expect(issuer.asked.at(-1)?.split(' ').sort()).toEqual([...FOUR.split(' '), 'operation:create'].sort());
    await transport.finishAuth(authProvider.code);
    const answer = await client.callTool(operation);
    expect(JSON.stringify(answer)).toContain('OPERATION_NOT_FOUND');
    await client.close();
  });
});

const post = async (aud: string, scope: string, message: object, headers: Record<string, string> = {}) =>
  fetch(server.url, {
    method: 'POST',
    headers: {
      ...bearer(await issuer.token({ aud, scope })).headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, ...message }),
  });

describe('a scope that a JWT does not have', () => {
  const rows: [string, object, string][] = [
    [
      'waitForHandoff',
      { method: 'tools/call', params: { name: 'waitForHandoff', arguments: {} } },
      'handoff:read',
    ],
    ['read sessions', { method: 'resources/read', params: { uri: 'handoff://sessions' } }, 'handoff:read'],
    [
      'getConfiguration',
      { method: 'tools/call', params: { name: 'getConfiguration', arguments: {} } },
      'handoff:admin',
    ],
  ];
  it.each(rows)(
    '403 before an answer begins, and a line in the security log: %s',
    async (action, message, scope) => {
      audited.length = 0;
      const answer = await post(server.url.href, 'handoff:write email', message);
      expect(answer.status).toBe(403);
      expect(answer.headers.get('content-type')).toContain('application/json');
      const metadata = new URL('/.well-known/oauth-protected-resource/mcp', server.url);
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer error="insufficient_scope", scope="handoff:write ${scope}", resource_metadata="${metadata.href}"`,
      );
      expect(await answer.json()).toMatchObject({
        jsonrpc: '2.0',
        id: 7,
        error: { message: expect.stringContaining(scope), data: { errorCode: 'FORBIDDEN' } },
      });
      expect(audited).toMatchObject([{ action, code: 'FORBIDDEN', actor: { agent: 'ann' } }]);
    },
  );
});

describe('whose token it is', () => {
  const initialize = {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  };
  const local = () => server.url.href.replace('127.0.0.1', 'localhost');

  it('assistants:E8 only for the name under which the request came', async () => {
    expect((await post(server.url.href, FOUR, initialize)).status).toBe(200);
    expect((await post('macp-runtime', FOUR, initialize)).status).toBe(200);
    for (const aud of [
      local(),
      `http://other.example:${server.url.port}/mcp`,
      'https://elsewhere.example/mcp',
    ])
      expect((await post(aud, FOUR, initialize)).status, aud).toBe(401);
  });

  it('the 401 names four scopes, and the metadata those that are served', async () => {
    const answer = await fetch(server.url, { method: 'POST' });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain(`scope="${FOUR}", resource_metadata="`);
    const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', server.url));
    expect(await metadata.json()).toMatchObject({
      authorization_servers: [issuer.issuer],
      scopes_supported: [...FOUR.split(' '), 'operation:create'],
    });
  });

  it('a wrong token is not valid, and no other kind is spoken of', async () => {
    const answer = await fetch(server.url, { method: 'POST', ...bearer('nonsense') });
    expect(await answer.json()).toEqual({
      error: 'invalid_token',
      error_description: 'the token is not valid',
    });
  });
});

it('a static token gets the refusal as the answer of the tool', async () => {
  const tokens = [{ token: 'a-token-of-twenty-and-more-letters', sender: 'ann', scopes: ['handoff:read'] }];
  const other = await useMcpServer({
    env: { MACP_AUTH_TOKENS_JSON: JSON.stringify({ tokens }), HANDOVER_TOOLSETS: 'handoff,admin' },
    log,
  });
  audited.length = 0;
  const ann = await connectHttp(other.url, 'a-token-of-twenty-and-more-letters');
  expect(await call(ann, 'getConfiguration')).toMatchObject({ errorCode: 'FORBIDDEN' });
  await expect(ann.readResource({ uri: 'handoff://metrics' })).rejects.toThrow('handoff:admin');
  expect(audited).toMatchObject([{ action: 'getConfiguration' }, { action: 'read metrics' }]);
  const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', other.url));
  expect((await metadata.json()).scopes_supported).toEqual(FOUR.split(' '));
  await ann.close();
});
