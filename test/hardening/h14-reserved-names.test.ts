/** No agent has a name of the server's own, whichever way a name comes in; histories from before the rule replay. */
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { envelopeToJson, HandoverError, verifyStream } from '@handover/core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { visitServer } from '../../packages/server/src/doors/socket/local-client.js';
import { readLine } from '../../packages/server/src/doors/socket/read-line.js';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { policiesRef, sessionRef } from '../../packages/server/src/services/stream-refs.js';
import { testConfiguration } from '../kit/configuration.js';
import { offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { handover } from '../kit/handover-command.js';
import { call, connectHttp } from '../kit/mcp-clients.js';
import { refusedBy } from '../kit/refused.js';
import { selfSigned } from '../kit/self-signed.js';
import { openServer } from '../kit/server.js';
import { sharedSecretEnv, sharedSecretJwt } from '../kit/shared-secret-jwt.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { createWorld } from '../kit/world.js';

const RESERVED = ['operator', 'person:alice', '_runtime', '_browser', 'Operator', ' _x', '*'];
/** Refused alike; such letters cannot be sent in a header. */
const UNSEEN = ['\u3164', 'ali\u115fce', 'ali\u202ece', '\u2800'];
/** Others look like them; a header loses what stands at its ends. */
const BLANKS = ['claude ', ' claude', 'cla  ude', 'cla\u00a0ude', 'cla\u3000ude'];
const REFUSED = [...RESERVED, ...UNSEEN, ...BLANKS];
const dev = await openServer();
afterAll(() => dev.close());
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const overHttp = async (token: string, url = dev.httpUrl) =>
  (await fetch(`${url}/macp/session`, { headers: { authorization: `Bearer ${token}` } })).status;

async function overGrpc(
  token: string,
  { grpc }: { grpc: { host: string; port: number } } = dev,
): Promise<string> {
  const client = new GrpcClient(`${grpc.host}:${grpc.port}`);
  closing.push(() => client.close());
  const ack = await client.send({ ...start(randomUUID()), sender: '' }, token);
  return ack.ok ? 'ok' : (ack.error?.code ?? '');
}

describe('hardening:H14 a reserved name', () => {
  it.each(RESERVED)('hardening:H14 %j is no dev agent, over gRPC, HTTP or MCP', async (name) => {
    expect(await overHttp(name)).toBe(401);
    expect(await overGrpc(name)).toBe('UNAUTHENTICATED');
    await expect(connectHttp(new URL('/mcp', dev.httpUrl), name)).rejects.toThrow();
    expect([await overHttp('alice'), await overGrpc('owner')]).toEqual([200, 'ok']);
  });

  it('hardening:H14 a dev agent has no letter that cannot be seen', async () => {
    expect(await overHttp('ali\u00adce')).toBe(401);
    expect(await overHttp('ali\u00e9ce')).toBe(200);
    for (const name of ['ali  ce', 'ali\u00a0ce']) expect(await overHttp(name)).toBe(401);
  });

  it.each(REFUSED)('hardening:H14 %j is refused in settings, by the place where it stands', (name) => {
    const list = [
      { token: 'a-token-of-at-least-24-bytes', sender: 'alice' },
      { token: 'b-token-of-at-least-24-bytes', sender: name },
    ];
    const problems = (env: Record<string, string>) => {
      try {
        testConfiguration(env);
      } catch (error) {
        if (error instanceof HandoverError) return error.details;
      }
      return undefined;
    };
    expect(problems({ MACP_AUTH_TOKENS_JSON: JSON.stringify(list) })).toEqual({
      MACP_AUTH_TOKENS_JSON: expect.stringMatching(/^item 2: sender .*reserved/),
    });
    expect(problems({ HANDOVER_DEV_AGENT: name })).toEqual({
      HANDOVER_DEV_AGENT: expect.stringContaining('reserved'),
    });
  });

  it('hardening:H14 is no subject of a JWT', async () => {
    const key = randomBytes(32);
    const server = await openServer({ env: sharedSecretEnv(key.toString('base64url')) });
    closing.push(() => server.close());
    const token = (sub: string, claims = {}) => sharedSecretJwt(key, { sub, ...claims });
    for (const name of REFUSED) {
      expect(await overHttp(token(name), server.httpUrl), name).toBe(401);
      expect(await overGrpc(token(name), server), name).toBe('UNAUTHENTICATED');
    }
    expect(await overHttp(token('alice'), server.httpUrl)).toBe(200);
    // A token that lives for years, or that is not valid yet, is refused as well.
    const now = Math.floor(Date.now() / 1_000);
    const lasting = token('alice', { exp: now + 3_000_000 });
    const fromTomorrow = token('alice', { iat: now + 86_400, exp: now + 90_000 });
    for (const refused of [lasting, fromTomorrow]) {
      expect(await overHttp(refused, server.httpUrl)).toBe(401);
      expect(await overGrpc(refused, server)).toBe('UNAUTHENTICATED');
    }
  });

  it('hardening:H14 is no name in a client certificate', async () => {
    const own = selfSigned('localhost', { dns: ['localhost'], ip: [127, 0, 0, 1] });
    const clients = [...RESERVED, 'alice'].map((name, n) => ({
      name,
      ...selfSigned(`client ${n}`, { uri: [name] }),
    }));
    const folder = temporaryFolder();
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    const server = await openServer({
      env: {
        MACP_TLS_CERT_PATH: file('cert', own.cert),
        MACP_TLS_KEY_PATH: file('key', own.key),
        MACP_TLS_CLIENT_CA_PATH: file('clients', clients.map(({ cert }) => cert).join('\n')),
      },
    });
    closing.push(() => server.close(AbortSignal.abort()));
    const http = ({ key, cert }: { key: string; cert: string }) =>
      new Promise<number>((resolve, reject) => {
        request(`${server.httpUrl}/macp/session`, { ca: own.cert, key, cert, agent: false }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        })
          .on('error', reject)
          .end();
      });
    const grpc = async ({ key, cert }: { key: string; cert: string }) => {
      const channel = credentials.createSsl(Buffer.from(own.cert), Buffer.from(key), Buffer.from(cert));
      const client = new GrpcClient(`${server.grpc.host}:${server.grpc.port}`, { channel });
      closing.unshift(() => client.close());
      const ack = await client.send({ ...start(randomUUID()), sender: '' }, null).catch(refusedBy);
      return 'ok' in ack && ack.ok ? 'ok' : 'refused';
    };
    for (const client of clients) {
      const may = client.name === 'alice';
      expect([await http(client), await grpc(client)], client.name).toEqual(
        may ? [200, 'ok'] : [401, 'refused'],
      );
    }
  });

  it('hardening:H14 assistants:O6 is no name on the local socket, given or taken from the assistant', async () => {
    const folder = temporaryFolder();
    const server = await openServer({ flags: { dataDir: folder } });
    closing.push(() => server.close());
    for (const agent of REFUSED)
      expect(await visitServer(folder, { wanted: 'mcp', agent }, 5_000)).toMatchObject({
        kind: 'refused',
        error: expect.stringContaining('reserved'),
      });
    const visit = await visitServer(folder, { wanted: 'mcp' }, 5_000);
    if (visit.kind !== 'open') return expect.unreachable('the socket is open');
    const named = (name: string) => ({
      jsonrpc: '2.0',
      id: name,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } },
    });
    const ask = async (name: string) => {
      visit.socket.write(`${JSON.stringify(named(name))}\n`);
      return JSON.parse((await readLine(visit.socket, { maxBytes: 1_048_576 })) ?? '{}');
    };
    expect((await ask('Operator')).error.message).toContain('--agent');
    // What an assistant calls itself is made readable; then nothing stands before it any more.
    expect((await ask('_Helper')).result.serverInfo.name).toBe('handover');
    visit.socket.destroy();
  });

  it.each([
    ['mcp', 1, '_runtime'],
    ['mcp', 1, '*'],
    ['install', 2, '*'],
    ['install', 2, 'cod\u3164ex'],
    ['mcp', 1, 'codex '],
    ['install', 2, 'cod  ex'],
  ] as const)('hardening:H14 is refused by handover %s', async (name, exit, agent) => {
    const client = name === 'install' ? ['claude', '--dry-run'] : [];
    const command = handover([name, ...client, '--agent', agent, '--data-dir', temporaryFolder()]);
    expect(await command.exited).toBe(exit);
    expect(command.stderr).toContain('reserved');
  });

  it.each(REFUSED)(
    'hardening:H14 assistants:O6 %j is nobody to whom anything can be handed',
    async (name) => {
      const client = new GrpcClient(`${dev.grpc.host}:${dev.grpc.port}`);
      closing.push(() => client.close());
      const opening = start(randomUUID(), 'owner', { participants: ['owner', name] });
      const ack = await client.send(opening);
      expect(ack.error).toMatchObject({
        code: 'INVALID_ENVELOPE',
        message: expect.stringContaining('participants[1]'),
      });
      const posted = await fetch(`${dev.httpUrl}/macp/session/start`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer owner' },
        body: JSON.stringify(envelopeToJson(opening, codec)),
      });
      expect(posted.status).toBe(400);
      const agent = await connectHttp(new URL('/mcp', dev.httpUrl), 'owner');
      closing.push(() => agent.close());
      const sessionKey = `for ${name} ${randomUUID()}`;
      await call(agent, 'registerSession', { sessionKey, agentFrom: 'owner' });
      const asked = { sessionKey, targetAgent: name, requestType: 'full_handoff' };
      expect(await call(agent, 'requestHandoff', asked)).toMatchObject({
        success: false,
        errorCode: 'VALIDATION_ERROR',
      });
      expect(await call(agent, 'handOff', { sessionKey, goal: 'A goal', to: name })).toMatchObject({
        errorCode: 'VALIDATION_ERROR',
        details: { issues: [{ field: 'to' }] },
      });
    },
  );

  it('hardening:H14 in a history from before replays, and gets no new offer', async () => {
    const world = createWorld();
    const id = randomUUID();
    const stream = sessionRef('default', id);
    // As 0.1.0 accepted it: past the services, by the same decider.
    const opening = start(id, 'owner', { participants: ['owner', 'operator', 'b'] });
    const step = {
      stream,
      command: { kind: 'envelope', envelope: opening },
      messageId: opening.messageId,
    } as const;
    const made = await world.engine.submit({
      agent: 'owner',
      steps: [step],
      consult: [policiesRef('default', false)],
      bytes: 1_000,
    });
    expect(made).toMatchObject({ ok: true });
    const entries = await world.store.read(stream, 0, { entries: 10, bytes: 1_000_000 });
    expect(verifyStream(stream, entries, codec)).toMatchObject({ ok: true });
    expect(await world.send(offer(id, 'h1', 'operator'))).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ENVELOPE', message: expect.stringContaining('target_participant') },
    });
    expect(await world.send(offer(id, 'h2', 'b'))).toMatchObject({ ok: true });
    await world.engine.close();
  });
});
