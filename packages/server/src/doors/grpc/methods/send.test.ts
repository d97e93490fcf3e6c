import { status } from '@grpc/grpc-js';
import { FaultCode, HandoverError } from '@handover/core';
import { createMemoryStore, type Store } from '@handover/engine';
import { decodeAckResponse, encodeMessage, pb } from '@handover/wire';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GrpcClient } from '../../../../../../test/kit/grpc-client.js';
import { refusal } from '../../../../../../test/kit/refused.js';
import { context, newSession, offer, sessionStart, signal } from '../testing/envelopes.test.helper.js';
import { startWorld, type World } from '../testing/world.test.helper.js';

const pbEnvelope = {
  macpVersion: '1.0',
  mode: 'macp.mode.handoff.v1',
  messageType: 'SessionStart',
  sessionId: newSession(),
  payload: new Uint8Array(1),
};

describe('Send', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ env: { MACP_MAX_PAYLOAD_BYTES: '1000' } });
  });
  afterAll(() => world.close());

  it('accepts, and says a duplicate is one, with the time of the original', async () => {
    const id = newSession();
    const alice = world.client('alice');
    const first = await alice.send(sessionStart(id));
    expect(first).toMatchObject({
      ok: true,
      duplicate: false,
      messageId: 'start',
      sessionId: id,
      sessionState: 'OPEN',
    });
    world.clock.now += 5;
    const again = await alice.send(sessionStart(id));
    expect(again).toMatchObject({ ok: true, duplicate: true, acceptedAtUnixMs: first.acceptedAtUnixMs });
  });

  it('answers a lack of credentials with an Ack', async () => {
    for (const client of [world.client(), world.client('nobody')]) {
      const ack = await client.send(sessionStart(newSession()));
      expect(ack).toMatchObject({ ok: false, sessionState: 'UNSPECIFIED' });
      expect(ack.error?.code).toBe('UNAUTHENTICATED');
    }
  });

  it('takes a static token from x-macp-token', async () => {
    const client = new GrpcClient(world.address, {
      bearer: null,
      headers: { 'x-macp-token': 'alice-token' },
    });
    expect((await client.send(sessionStart(newSession()))).ok).toBe(true);
  });

  it('answers a sender who is not the caller, and one who may not start, with an Ack', async () => {
    const foreign = await world
      .client('alice')
      .send(sessionStart(newSession(), ['alice', 'bob'], { sender: 'bob' }));
    expect(foreign.error?.code).toBe('UNAUTHENTICATED');
    const reader = await world.client('reader').send(sessionStart(newSession(), ['reader', 'bob']));
    expect(reader.error?.code).toBe('FORBIDDEN');
  });

  it('echoes the ids of a refused envelope', async () => {
    const id = newSession();
    const ack = await world.client('alice').send(offer(id));
    expect(ack).toMatchObject({ ok: false, messageId: 'offer-h1', sessionId: id });
    expect(ack.error).toMatchObject({
      code: 'SESSION_NOT_FOUND',
      messageId: 'offer-h1',
      sessionId: id,
      details: new Uint8Array(0),
    });
  });

  it('accepts a signal', async () => {
    expect(await world.client('alice').send(signal('s1'))).toMatchObject({
      ok: true,
      sessionState: 'OPEN',
      sessionId: '',
    });
  });

  it('refuses bytes without an envelope, and bytes that are no protobuf, with INVALID_ARGUMENT', async () => {
    const alice = world.client('alice');
    for (const bytes of [[], [0x0a], [0x0a, 0x05, 0x01], [0xff, 0xff]]) {
      const { code } = await refusal(alice.raw('send', Uint8Array.from(bytes)));
      expect(code).toBe(status.INVALID_ARGUMENT);
    }
  });

  it('answers a time that no number holds with an Ack', async () => {
    for (const timestampUnixMs of [2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)]) {
      const envelope = { ...pbEnvelope, messageId: `at-${timestampUnixMs}`, timestampUnixMs };
      const request = encodeMessage(pb.SendRequestSchema, { envelope });
      const ack = decodeAckResponse(await world.client('alice').raw('send', request));
      expect(ack).toMatchObject({
        ok: false,
        messageId: envelope.messageId,
        error: { code: 'INVALID_ENVELOPE', message: expect.stringContaining('timestamp_unix_ms must lie') },
      });
    }
  });

  it('answers a payload beyond the limit with an Ack, and a message beyond the transport with a status', async () => {
    const id = newSession();
    const alice = world.client('alice');
    const ack = await alice.send(context(id, 'big', 1_001));
    expect(ack.error?.code).toBe('PAYLOAD_TOO_LARGE');
    const { code } = await refusal(alice.send(context(id, 'huge', 70_000)));
    expect(code).toBe(status.RESOURCE_EXHAUSTED);
    expect((await alice.send(sessionStart(id))).ok).toBe(true);
  });
});

describe('Send when the store fails', () => {
  let world: World | undefined;
  afterEach(() => world?.close());

  const failing = async (fail: () => never | Promise<never>) => {
    const store: Store = { ...createMemoryStore(), commit: async () => fail() };
    world = await startWorld({ store, env: { MACP_REQUEST_TIMEOUT_SECS: '1' } });
    return world.client('alice');
  };

  it('says UNAVAILABLE when the outcome is not known, and to whoever comes after', async () => {
    const alice = await failing(() => {
      throw new HandoverError(FaultCode.UNKNOWN_OUTCOME, 'the disk went away', { next: 'fatal' });
    });
    const { code, details } = await refusal(alice.send(sessionStart(newSession())));
    expect(code).toBe(status.UNAVAILABLE);
    expect(details).not.toContain('Error');
    expect((await refusal(alice.send(sessionStart(newSession())))).code).toBe(status.UNAVAILABLE);
  });

  it('says UNAVAILABLE when the engine is closing', async () => {
    world = await startWorld();
    const alice = world.client('alice');
    await world.deps.engine.close();
    expect((await refusal(alice.send(sessionStart(newSession())))).code).toBe(status.UNAVAILABLE);
  });

  it('says DATA_LOSS when what is stored is damaged', async () => {
    const store = createMemoryStore();
    world = await startWorld({
      store: {
        ...store,
        load: async () => {
          throw new HandoverError(FaultCode.DATA_LOSS, 'stored history is damaged');
        },
      },
    });
    const { code } = await refusal(world.client('alice').send(offer(newSession())));
    expect(code).toBe(status.DATA_LOSS);
  });

  it('does not keep a caller waiting beyond the request time-out', async () => {
    let giveUp = () => {};
    const alice = await failing(
      () =>
        new Promise<never>((_, reject) => {
          giveUp = () => reject(new Error('gave up'));
        }),
    );
    const { code, details } = await refusal(alice.send(sessionStart(newSession())));
    expect(code).toBe(status.DEADLINE_EXCEEDED);
    expect(details).toContain('message_id');
    giveUp();
  });
});

it('shows a client of another tenant nothing of this one', async () => {
  const world = await startWorld();
  const id = newSession();
  await world.client('alice').send(sessionStart(id));
  const ack = await new GrpcClient(world.address, { bearer: 'alien-token' }).send(offer(id));
  expect(ack.error?.code).toBe('SESSION_NOT_FOUND');
  await world.close();
});
