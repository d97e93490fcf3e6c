/** Positions in a session's history, on both doors, before and after a restart. */
import { randomUUID } from 'node:crypto';
import { Control } from '@handover/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { context, decline, offer, start } from '../kit/envelopes.js';
import { events } from '../kit/event-client.js';
import { GrpcClient, WITH_CONTROLS } from '../kit/grpc-client.js';
import { TestServer } from '../kit/test-server.js';
import { DeciderWorld } from './decider-world.js';
import { verifies } from './verifies.js';

const COUNTED = ['SessionStart', 'HandoffOffer', 'HandoffDecline', 'HandoffOffer'];
const WHOLE = [
  'SessionStart',
  'SessionSuspend',
  'SessionResume',
  'HandoffOffer',
  'HandoffDecline',
  'SessionSuspend',
  'SessionResume',
  'HandoffOffer',
  'SessionCancel',
];

describe('a session that was suspended twice and cancelled', () => {
  let server: TestServer;
  let client: GrpcClient;
  const id = randomUUID();
  const control = (key: 'suspendSession' | 'resumeSession' | 'cancelSession') =>
    client.call(key, { sessionId: id, reason: 'a test' }, 'owner');
  beforeAll(async () => {
    server = await TestServer.start({ flags: { dev: true } });
    client = new GrpcClient(server.grpc);
    await client.send(start(id));
    await control('suspendSession');
    await control('resumeSession');
    await client.send(offer(id, 'h1', 'a'));
    await client.send(decline(id, 'h1', 'a'));
    await control('suspendSession');
    await control('resumeSession');
    await client.send(offer(id, 'h2', 'b'));
    await control('cancelSession');
  });
  afterAll(async () => {
    client.close();
    await server.remove();
  });

  const streamed = async (after: number, headers = {}) => {
    const stream = client.stream('owner', headers).subscribe(id, after).halfClose();
    await stream.status;
    return stream.envelopes.map(({ messageType }) => messageType);
  };
  const sent = async (after: number, headers = {}) => {
    const found: string[] = [];
    const url = `${server.http}/macp/session/${id}/events?after=${after}`;
    for await (const event of events(url, { authorization: 'Bearer owner', ...headers })) {
      const type = (event.data as { message_type?: string }).message_type ?? event.event;
      found.push(event.id === undefined ? type : `${event.id} ${type}`);
    }
    return found;
  };

  it.each(['at once', 'after a restart'])(
    `${verifies('macp-2026:3.3:ordinals')}counts what was said and delivers nothing else, %s`,
    async (when) => {
      if (when !== 'at once') {
        client.close();
        await server.restart();
        client = new GrpcClient(server.grpc);
      }
      for (const after of [0, 1, 2, 3, 4, 9]) expect(await streamed(after)).toEqual(COUNTED.slice(after));
      for (const after of [0, 1, 2, 3, 4])
        expect(await sent(after)).toEqual([
          ...COUNTED.map((type, index) => `${index + 1} ${type}`).slice(after),
          '5 end',
        ]);
      await expect(sent(5)).rejects.toThrow('HTTP 204');
    },
  );

  it(`${verifies('macp-2026:3.3:controls-on-request')}delivers controls to those who ask, without a number`, async () => {
    expect(await streamed(0, WITH_CONTROLS)).toEqual(WHOLE);
    expect(await streamed(1, WITH_CONTROLS)).toEqual(WHOLE.slice(1));
    expect(await streamed(3, WITH_CONTROLS)).toEqual(WHOLE.slice(5));
    expect(await sent(3, WITH_CONTROLS)).toEqual([
      'SessionSuspend',
      'SessionResume',
      '4 HandoffOffer',
      'SessionCancel',
      '5 end',
    ]);
    expect(await streamed(0, { 'handover-control': '0' })).toEqual(COUNTED);
  });

  it('shows controls to watchers, whatever they ask for', async () => {
    const watch = client.watch('watchSessions', 'owner');
    await watch.opened;
    const other = randomUUID();
    await client.send(start(other));
    await client.call('suspendSession', { sessionId: other, reason: '' }, 'owner');
    const types: unknown[] = [];
    while (types.length < 2) {
      const { event } = await watch.next();
      if (event?.session?.sessionId === other) types.push(event.eventType);
    }
    expect(types).toEqual([1, 4]);
    watch.cancel();
  });
});

it(`${verifies('macp-2026:3.3:synthetic')}an implicit answer takes its place among the others, also after a restart`, async () => {
  const server = await TestServer.start({ flags: { dev: true } });
  let client = new GrpcClient(server.grpc);
  const id = randomUUID();
  const rules = JSON.stringify({ acceptance: { implicit_accept_timeout_ms: 1_000 } });
  const policyDescriptor = { policyId: 'policy.silence', mode: '*', rules, schemaVersion: 1 };
  await client.call('registerPolicy', { policyDescriptor }, 'owner');
  await client.send(start(id, 'owner', { policyVersion: 'policy.silence' }));
  await client.send(offer(id, 'h1', 'a'));
  server.advance(1_000);
  await client.send(context(id, 'h1'));
  for (const when of ['at once', 'after a restart']) {
    const stream = client.stream('owner').subscribe(id, 2).halfClose();
    await stream.status;
    expect([when, ...stream.envelopes.map(({ messageId }) => messageId)]).toEqual([
      when,
      'implicit-accept:h1',
      expect.any(String),
    ]);
    const seen: string[] = [];
    const url = `${server.http}/macp/session/${id}/events?after=2`;
    for await (const event of events(url, { authorization: 'Bearer owner' })) {
      seen.push(`${event.id} ${(event.data as { message_type?: string }).message_type}`);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual(['3 HandoffAccept', '4 HandoffContext']);
    client.close();
    await server.restart();
    client = new GrpcClient(server.grpc);
  }
  client.close();
  await server.remove();
});

it(`${verifies('macp-2026:4.4:cycles')}a session that was resumed 1024 times ends when it is suspended again`, () => {
  const id = randomUUID();
  const world = new DeciderWorld();
  const ask = (control: Control) => world.ask(id, { kind: 'control', control, reason: '' }, 'owner');
  world.send(start(id), 'owner');
  for (let cycle = 0; cycle < 1024; cycle++) {
    expect(ask(Control.Suspend).kind).toBe('accepted');
    expect(ask(Control.Resume).kind).toBe('accepted');
  }
  expect(world.session(id)?.state?.status).toBe('OPEN');
  expect(ask(Control.Suspend).kind).toBe('accepted');
  expect(ask(Control.Resume)).toMatchObject({ rejection: { code: 'SESSION_NOT_OPEN' } });
  expect(world.session(id)?.state?.status).toBe('EXPIRED');
});
