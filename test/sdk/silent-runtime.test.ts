/** A runtime that does not answer, or does not stop: what is asked of it ends all the same. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  Auth,
  HandoffSession,
  HandoffWorker,
  MacpClient,
  MacpTimeoutError,
  newSessionId,
  openOffers,
} from 'macp-sdk-typescript';
import { afterEach, describe, expect, it } from 'vitest';
import { offered, useWorkers } from './support/offers.js';
import { listed, offerTo, startScriptedRuntime } from './support/scripted-runtime.js';
import { useServer } from './support/server.js';

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function runtime(script: Parameters<typeof startScriptedRuntime>[0], defaultDeadlineMs = 1_000) {
  const { address, auth, asked, stop } = await startScriptedRuntime(script);
  const client = new MacpClient({ address, auth, defaultDeadlineMs });
  closing.push(() => client.close(), stop);
  return { client, asked };
}

describe('a list of sessions', () => {
  it('ends with an error when a page token comes twice', async () => {
    const { client, asked } = await runtime({ page: () => ({ nextPageToken: 'same' }) }, 20_000);
    for (const list of [client.listSessions(), openOffers(client)])
      await expect(list).rejects.toMatchObject({ name: 'MacpTransportError', code: 'INTERNAL' });
    expect(asked).toEqual(['page ', 'page ', 'page same', 'page same']);
  });

  it('is given up after the deadline of the client, pages and all', async () => {
    let pages = 0;
    const { client } = await runtime({ page: () => ({ nextPageToken: String(++pages) }) }, 300);
    await expect(client.listSessions()).rejects.toBeInstanceOf(MacpTimeoutError);
    await expect(openOffers(client)).rejects.toBeInstanceOf(MacpTimeoutError);
    const before = pages;
    await expect(client.listSessions({ deadlineMs: 50 })).rejects.toBeInstanceOf(MacpTimeoutError);
    expect(pages).toBeGreaterThan(before);
  });
});

describe('a history that is not answered', () => {
  it('is given up after the deadline of the client', async () => {
    const { client } = await runtime({}, 200);
    const session = new HandoffSession(client, { sessionId: newSessionId() });
    await expect(session.sync()).rejects.toBeInstanceOf(MacpTimeoutError);
  });

  it('keeps a worker from no other session', async () => {
    const ids = Array.from({ length: 12 }, () => newSessionId());
    const silent = new Set(ids.slice(0, 4));
    const { client, asked } = await runtime(
      {
        page: () => ({ sessions: ids.map(listed) }),
        history: (id) => (silent.has(id) ? undefined : offerTo('bob', id)),
      },
      300,
    );
    const asks = new Set<string>();
    const worker = new HandoffWorker({
      client,
      concurrency: 12,
      streams: 0,
      context: { firstMs: 0, quietMs: 0 },
      drainMs: 0,
      decide: ({ sessionId }) => void asks.add(sessionId),
    });
    const run = worker.run();
    await expect.poll(() => asks.size).toBe(8);
    const [first] = ids;
    const reads = () => asked.filter((what) => what === `read ${first}`).length;
    await expect.poll(reads).toBeGreaterThan(2);
    await worker.stop();
    await run;
    expect([...asks].some((id) => silent.has(id))).toBe(false);
  });
});

describe('a session without an offer for the worker', () => {
  const server = useServer();
  const work = useWorkers();

  it('costs no payload, followed or looked at', async () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    const payloads: WeakRef<Uint8Array>[] = [];
    class Noting extends MacpClient {
      override async *subscribe(...args: Parameters<MacpClient['subscribe']>) {
        for await (const item of super.subscribe(...args)) {
          payloads.push(new WeakRef(item.envelope.payload));
          yield item;
        }
      }
      override async *readHistory(...args: Parameters<MacpClient['readHistory']>) {
        for await (const item of super.readHistory(...args)) {
          payloads.push(new WeakRef(item.envelope.payload));
          yield item;
        }
      }
    }
    const alice = server.as('alice');
    for (let n = 0; n < 4; n++) {
      const session = new HandoffSession(alice);
      await session.start({ intent: 'x', participants: ['bob1', 'carol'], ttlMs: 600_000 });
      await session.offer({ handoffId: 'h1', targetParticipant: 'carol' });
      for (const text of ['one', 'two', 'three'])
        await session.sendContext({ handoffId: 'h1', context: Buffer.from(text) });
    }
    const client = new Noting({ address: server.address(), auth: Auth.devAgent('bob1') });
    closing.push(() => client.close());
    const worker = work({ client, streams: 2, decide: () => true });
    await expect.poll(() => payloads.length).toBe(20);
    expect(worker.stats()).toMatchObject({ sessions: 4, decisions: 0 });
    await expect
      .poll(() => {
        gc();
        // The newest may still be held by the stream that brought it.
        return payloads.filter((payload) => payload.deref() !== undefined).length;
      })
      .toBeLessThanOrEqual(2);
    await expect.poll(() => worker.stats().followed).toBe(2);
    // A look goes on where the last one ended: nothing was read twice.
    await offered(alice, [], { to: 'bob1' });
    await expect.poll(() => worker.stats().accepted).toBe(1);
    expect(payloads.length).toBeLessThan(30);
  });
});
