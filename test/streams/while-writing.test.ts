/** Subscribing while others write: no gap, no repeat, one order; also when the server is killed in between. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '@handover/core';
import { afterEach, describe, expect, it } from 'vitest';
import { verifies } from '../conformance/verifies.js';
import { context, offer, start } from '../kit/envelopes.js';
import { events } from '../kit/event-client.js';
import { freePort } from '../kit/free-port.js';
import { GrpcClient } from '../kit/grpc-client.js';
import type { GrpcStream } from '../kit/grpc-stream.js';
import { isRefused } from '../kit/refused.js';
import { type ServerProcess, startServerProcess } from '../kit/server-process.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { until } from '../kit/until.js';

const idsOf = (envelopes: readonly Envelope[]) => envelopes.map(({ messageId }) => messageId);

/** Writes contexts, several at a time. What is not answered is sent again as it was. */
async function write(
  address: () => string,
  id: string,
  writers: number,
  each: number,
): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  const one = async (writer: number) => {
    let client = new GrpcClient(address());
    for (let n = 0; n < each; n++) {
      const message = { ...context(id, 'h1', `${writer} ${n}`), messageId: `w${writer}-${n}` };
      for (;;) {
        const ack = await client.send(message).catch(() => undefined);
        if (ack?.ok) break;
        if (ack) throw new Error(ack.error?.message);
        client.close();
        await sleep(20);
        client = new GrpcClient(address());
      }
      acknowledged.push(message.messageId);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => one(writer)));
  return acknowledged;
}

async function opened(server: ServerProcess): Promise<string> {
  const client = new GrpcClient(server.grpc);
  const id = randomUUID();
  for (const message of [start(id, 'owner', { ttlMs: 600_000 }), offer(id, 'h1', 'a')])
    expect((await client.send(message)).ok).toBe(true);
  client.close();
  return id;
}

async function historyOf(server: ServerProcess, id: string): Promise<readonly string[]> {
  const client = new GrpcClient(server.grpc);
  const history = await client.history(id, 'owner');
  client.close();
  if (isRefused(history)) throw new Error(history.message);
  return idsOf(history);
}

describe('subscribing while writing', () => {
  let server: ServerProcess;
  afterEach(() => server.stop('SIGKILL'));

  it(`${verifies('macp-2026:3.4:no-gap')}at any moment and from any place: everything after it, once, in order`, async () => {
    server = await startServerProcess({ dataDir: temporaryFolder() });
    const id = await opened(server);
    const total = 2 + 8 * 50;
    const client = new GrpcClient(server.grpc);
    const writing = write(() => server.grpc, id, 8, 50);
    const late: { readonly after: number; readonly stream: GrpcStream }[] = [];
    // New subscribers all the time, from places that are stored, are being stored, and are still to come.
    for (let n = 0; n < 40; n++) {
      const after = (n * 31) % 120;
      late.push({ after, stream: client.stream(['a', 'b', 'owner'][n % 3]).subscribe(id, after) });
      await sleep(5);
    }
    const acknowledged = await writing;
    const history = await historyOf(server, id);
    expect(history).toHaveLength(total);
    expect([...history.slice(2)].sort()).toEqual([...acknowledged].sort());
    for (const { after, stream } of late) {
      // A place past the end means from now on; what that was, the first envelope says.
      const first = stream.envelopes[0];
      const begin = first ? history.indexOf(first.messageId) : history.length;
      await until(() => stream.frames.length >= total - begin);
      expect(idsOf(stream.envelopes)).toEqual(history.slice(begin));
      expect(begin).toBeLessThanOrEqual(after);
      stream.cancel();
    }
    client.close();
  });

  it('over kills of the server: resuming by after_sequence, and by Last-Event-ID, leaves no gap and repeats nothing', async () => {
    const dataDir = temporaryFolder();
    const port = await freePort();
    server = await startServerProcess({ dataDir, port });
    const id = await opened(server);
    const total = 2 + 6 * 60;
    const grpc = follow(() => server, id, total);
    const sse = followEvents(() => server, id, total);
    const writing = write(() => server.grpc, id, 6, 60);
    for (let kills = 0; kills < 3; kills++) {
      await until(() => grpc.received.length >= (kills + 1) * 60);
      await server.stop('SIGKILL');
      server = await startServerProcess({ dataDir, port });
    }
    await writing;
    await Promise.all([grpc.done, sse.done]);
    const history = await historyOf(server, id);
    expect(history).toHaveLength(total);
    expect(new Set(history).size).toBe(total);
    expect(grpc.received).toEqual(history);
    expect(sse.received).toEqual(history);
    expect(grpc.resumed).toBeGreaterThanOrEqual(3);
  });
});

/** A client that counts what it has and goes on from there when the stream breaks. */
function follow(server: () => ServerProcess, id: string, total: number) {
  const follower = { received: [] as string[], resumed: 0, done: Promise.resolve() };
  follower.done = (async () => {
    while (follower.received.length < total) {
      const client = new GrpcClient(server().grpc);
      const before = follower.received.length;
      const stream = client.stream('a').subscribe(id, before);
      await until(
        () => {
          follower.received.splice(before, Number.POSITIVE_INFINITY, ...idsOf(stream.envelopes));
          return stream.ended !== undefined || follower.received.length >= total;
        },
        Boolean,
        { timeoutMs: 60_000 },
      );
      stream.cancel();
      client.close();
      if (follower.received.length < total) follower.resumed++;
      await sleep(20);
    }
  })();
  return follower;
}

function followEvents(server: () => ServerProcess, id: string, total: number) {
  const follower = { received: [] as string[], done: Promise.resolve() };
  follower.done = (async () => {
    while (follower.received.length < total)
      try {
        const headers = { authorization: 'Bearer b', 'last-event-id': String(follower.received.length) };
        for await (const { id: ordinal, event, data } of events(
          `${server().http}/macp/session/${id}/events`,
          headers,
        )) {
          if (event !== 'envelope') break;
          expect(ordinal).toBe(follower.received.length + 1);
          follower.received.push((data as { message_id: string }).message_id);
          if (follower.received.length === total) break;
        }
      } catch (error) {
        // A broken connection is what this is about; a wrong ordinal is not.
        if (error instanceof Error && error.name === 'AssertionError') throw error;
        await sleep(20);
      }
  })();
  return follower;
}
