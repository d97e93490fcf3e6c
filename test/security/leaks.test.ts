/** What is said in a session is in no log line, no metric and no error; neither is a credential. */
import { randomUUID } from 'node:crypto';
import type { Envelope } from '@handover/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../packages/server/src/observe/log.js';
import { verifies } from '../conformance/verifies.js';
import { accept, commit, context, envelope, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { TestServer } from '../kit/test-server.js';

/** In every text of every payload, and in every credential. */
const SECRET = 'CANARY-7f3a';
const tokenOf = (name: string) => `${SECRET}-token-${name}`;
const utf8 = (text: string) => new Uint8Array(Buffer.from(text));

describe('secrets', () => {
  const lines: string[] = [];
  const errors: string[] = [];
  let server: TestServer;
  let client: GrpcClient;

  beforeAll(async () => {
    const tokens = ['owner', 'a', 'mallory'].map((sender) => ({ token: tokenOf(sender), sender }));
    server = await TestServer.start({
      env: {
        MACP_ALLOW_INSECURE: '1',
        MACP_AUTH_TOKENS_JSON: JSON.stringify([
          ...tokens,
          { token: tokenOf('few'), sender: 'few', max_open_sessions: 1 },
        ]),
        MACP_LOG_LEVEL: 'debug',
      },
      log: createLog({ level: 'debug', stream: { write: (line: string) => void lines.push(line) } }),
    });
    client = new GrpcClient(server.grpc);
    await everything();
  });
  afterAll(async () => {
    client.close();
    await server.remove();
  });

  const say = async (message: Envelope, bearer = tokenOf(message.sender)) => {
    const { error } = await client.send(message, bearer);
    if (error)
      errors.push(JSON.stringify({ ...error, details: Buffer.from(error.details).toString('latin1') }));
  };
  const post = async (path: string, body: string, bearer: string) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` };
    const response = await fetch(`${server.http}${path}`, { method: 'POST', headers, body });
    errors.push(await response.text());
  };

  /** Every way of being accepted and refused that has something to repeat. */
  async function everything(): Promise<void> {
    const id = randomUUID();
    const secretStart = {
      intent: SECRET,
      contextId: SECRET,
      extensions: { [SECRET]: utf8(SECRET) },
      roots: [{ uri: SECRET, name: SECRET }],
    };
    await say(start(id, 'owner', secretStart));
    await say(start(id, 'owner', secretStart));
    const secretOffer = { handoffId: 'h1', targetParticipant: 'a', scope: SECRET, reason: SECRET };
    const offered = envelope(id, 'owner', 'HandoffOffer', secretOffer);
    for (const _ of ['accepted', 'duplicate']) await say(offered);
    await say({ ...offered, payload: utf8(SECRET) });
    await say({ ...offered, messageId: 'undecodable', payload: utf8(SECRET) });
    await say(context(id, 'h1', SECRET));
    await say(context(id, 'h1', SECRET, 'mallory'));
    await say(offer(id, 'h2', `${SECRET}-nobody`));
    await say(context(id, `${SECRET}-unknown`, SECRET));
    await say(accept(id, 'h1', 'a'), tokenOf('mallory'));
    await say(accept(id, 'h1', 'a'), tokenOf('unknown'));
    await say({ ...context(id, 'h1', SECRET), payload: new Uint8Array(1_048_577).fill(0x43) });
    server.store.failNextAppend();
    await say(context(id, 'h1', SECRET));
    await post('/macp/envelope', `{"payload": "${SECRET}`, tokenOf('owner'));
    await post(
      '/macp/envelope',
      // The name of the mode is no context: the refusal tells its sender what it has mistyped.
      JSON.stringify({ message_type: 'HandoffContext', mode: 'mistyped', payload: { context: SECRET } }),
      tokenOf('owner'),
    );
    await post('/macp/envelope', '{}', tokenOf('unknown'));
    await post(`/macp/session/${id}/suspend`, JSON.stringify({ reason: SECRET }), tokenOf('mallory'));
    await post(`/macp/session/${id}/suspend`, JSON.stringify({ reason: SECRET }), tokenOf('owner'));
    await post(`/macp/session/${id}/resume`, JSON.stringify({ reason: SECRET }), tokenOf('owner'));
    const stream = client.stream(tokenOf('mallory')).subscribe(id);
    await stream.atLeast(1);
    errors.push(Buffer.concat(stream.bytes).toString('latin1'));
    stream.cancel();
    const gone = client.stream(tokenOf('owner'));
    gone.call.write(utf8(SECRET));
    errors.push(`${await gone.statusName()} ${gone.ended?.details}`);
    const policyDescriptor = { policyId: 'p', mode: '*', rules: `{"${SECRET}": 1}`, schemaVersion: 1 };
    errors.push(JSON.stringify(await client.ask('registerPolicy', { policyDescriptor }, tokenOf('mallory'))));
    await say(accept(id, 'h1', 'a'));
    await say(commit(id, 'owner', { reason: SECRET, authorityScope: SECRET }));
    await say(start(randomUUID(), 'few'));
    await say(start(randomUUID(), 'few'));
  }

  const events = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

  it(`${verifies('decision:security:context-private', 'handoff:security:protect-context')}are in no log line, metric or error`, async () => {
    const metrics = await (await fetch(`${server.http}/metrics`)).text();
    expect(lines.length).toBeGreaterThan(10);
    expect(errors.length).toBeGreaterThan(12);
    expect(metrics).toContain('macp_messages_rejected_total');
    expect(lines.filter((line) => line.includes(SECRET))).toEqual([]);
    expect(metrics).not.toContain(SECRET);
    expect(errors.filter((error) => error.includes(SECRET))).toEqual([]);
    const base64 = Buffer.from(SECRET).toString('base64').replaceAll('=', '').slice(0, -2);
    expect([...lines, ...errors, metrics].filter((text) => text.includes(base64))).toEqual([]);
  });

  it(`${verifies('decision:security:audit')}are refused with an audit line: credentials, authority, quotas; so are endings`, () => {
    const audited = events().filter(({ audit }) => audit === true);
    const kinds = new Set(audited.map(({ event }) => event));
    for (const kind of ['authentication_failed', 'authorization_failed', 'terminal', 'quota_hit'])
      expect(kinds).toContain(`audit.${kind}`);
    const denied = audited.filter(({ event }) => event === 'audit.authorization_failed');
    expect(denied.map(({ action, code, actor }) => [action, code, actor])).toEqual(
      [
        ['HandoffContext', 'FORBIDDEN'],
        ['HandoffAccept', 'UNAUTHENTICATED'],
        ['suspend', 'FORBIDDEN'],
        ['read', 'FORBIDDEN'],
        ['policies.register', 'FORBIDDEN'],
      ].map((row) => [...row, { tenant: 'default', agent: 'mallory' }]),
    );
    const ended = audited.find(({ event }) => event === 'audit.terminal');
    expect(JSON.stringify(ended)).toContain('RESOLVED');
  });
});
