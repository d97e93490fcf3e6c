/** Many subscribers of one session see one order. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { context, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { TestServer } from '../kit/test-server.js';
import { until } from '../kit/until.js';

const SUBSCRIBERS = 500;
const MESSAGES = 40;
const PER_CONNECTION = 100;
/** All of them are three agents. */
const env = { HANDOVER_LISTENERS_PER_PRINCIPAL: String(SUBSCRIBERS) };

describe('five hundred subscribers', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start({ env, flags: { dev: true }, now: Date.now });
  });
  afterAll(() => server.remove());

  it('all see every envelope, in the same order', async () => {
    const clients = Array.from({ length: SUBSCRIBERS / PER_CONNECTION }, () => new GrpcClient(server.grpc));
    const [client] = clients;
    if (!client) throw new Error('no client');
    const id = randomUUID();
    await client.send(start(id));
    await client.send(offer(id, 'h1', 'a'));
    const streams = Array.from({ length: SUBSCRIBERS }, (_, n) =>
      (clients[n % clients.length] ?? client).stream(['owner', 'a', 'b'][n % 3]).subscribe(id),
    );
    await until(() => streams.every(({ frames }) => frames.length === 2));
    await Promise.all(
      Array.from({ length: MESSAGES }, (_, n) =>
        client.send({ ...context(id, 'h1', 'c'), messageId: `m${n}` }),
      ),
    );
    await until(() => streams.every(({ frames }) => frames.length >= MESSAGES + 2), Boolean, {
      timeoutMs: 60_000,
    });
    const orders = new Set(
      streams.map(({ envelopes }) => envelopes.map(({ messageId }) => messageId).join()),
    );
    expect(orders.size).toBe(1);
    const [order = ''] = orders;
    expect(new Set(order.split(',')).size).toBe(MESSAGES + 2);
    for (const stream of streams) stream.cancel();
    for (const one of clients) one.close();
  });
});
