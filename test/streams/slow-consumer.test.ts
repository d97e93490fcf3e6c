/** A client that stops reading is cut off, told where to go on, and costs the server a bounded amount of memory. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from 'vitest';
import { verifies } from '../conformance/verifies.js';
import { context, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { isRefused } from '../kit/refused.js';
import { type ServerProcess, startServerProcess } from '../kit/server-process.js';
import { until } from '../kit/until.js';

const MIB = 1024 * 1024;
const SLOW = 20;
const MESSAGES = 120;
/** As large as ten of them are a subscriber's budget; all of them are forty times what the server may keep for one. */
const CONTEXT = 'x'.repeat(400 * 1024);

const rss = (server: ServerProcess) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) * 1024;

describe('slow consumers', () => {
  let server: ServerProcess;
  afterEach(() => server.stop('SIGKILL'));

  it(`${verifies('macp-2026:3.4:lagged')}get RESOURCE_EXHAUSTED with the place to resume from, and the server stays small`, async () => {
    server = await startServerProcess();
    const writer = new GrpcClient(server.grpc);
    const id = randomUUID();
    await writer.send(start(id, 'owner', { ttlMs: 600_000 }));
    await writer.send(offer(id, 'h1', 'a'));
    const reader = new GrpcClient(server.grpc);
    const slow = Array.from({ length: SLOW }, () => reader.stream('a').subscribe(id));
    await until(() => slow.every(({ frames }) => frames.length === 2));
    for (const { call } of slow) call.pause();
    const before = rss(server);
    let highest = before;
    for (let n = 0; n < MESSAGES; n++) {
      expect((await writer.send(context(id, 'h1', CONTEXT))).ok).toBe(true);
      highest = Math.max(highest, rss(server));
    }
    for (const { call } of slow) call.resume();
    await until(() => slow.every(({ ended }) => ended !== undefined), Boolean, { timeoutMs: 30_000 });
    const history = await writer.history(id, 'owner');
    const ids = isRefused(history) ? [] : history.map(({ messageId }) => messageId);
    expect(ids).toHaveLength(MESSAGES + 2);
    for (const { ended, envelopes } of slow) {
      expect(ended?.code).toBe(status.RESOURCE_EXHAUSTED);
      const place = Number(/after_sequence=(\d+)/.exec(ended?.details ?? '')?.[1]);
      expect(place).toBe(envelopes.length);
      expect(place).toBeLessThan(MESSAGES);
      expect(envelopes.map(({ messageId }) => messageId)).toEqual(ids.slice(0, place));
    }
    // Resuming from the place that was given has the rest, and nothing twice.
    const [first] = slow;
    const resumed = reader.stream('a').subscribe(id, first?.envelopes.length);
    await resumed.atLeast(MESSAGES + 2 - (first?.envelopes.length ?? 0));
    expect([...(first?.envelopes ?? []), ...resumed.envelopes].map(({ messageId }) => messageId)).toEqual(
      ids,
    );
    resumed.cancel();
    // Unbounded queues would hold a gigabyte; the log itself is kept in memory here, once.
    const log = MESSAGES * CONTEXT.length;
    expect((highest - before - log) / MIB).toBeLessThan(250);
    writer.close();
    reader.close();
  });

  it('of server-sent events are let go, and a fast one beside them misses nothing', async () => {
    server = await startServerProcess();
    const client = new GrpcClient(server.grpc);
    const id = randomUUID();
    await client.send(start(id, 'owner', { ttlMs: 600_000 }));
    await client.send(offer(id, 'h1', 'a'));
    const gone = new AbortController();
    const url = `${server.http}/macp/session/${id}/events`;
    const slow = await fetch(url, { headers: { authorization: 'Bearer a' }, signal: gone.signal });
    const fast = client.stream('b').subscribe(id);
    const before = rss(server);
    for (let n = 0; n < MESSAGES; n++) await client.send(context(id, 'h1', CONTEXT));
    await fast.atLeast(MESSAGES + 2);
    expect((rss(server) - before - MESSAGES * CONTEXT.length) / MIB).toBeLessThan(250);
    const text = await slow.text();
    const place = [...text.matchAll(/^id: (\d+)$/gm)].map(([, ordinal]) => Number(ordinal));
    expect(place).toEqual(place.map((_, index) => index + 1));
    expect(place.length).toBeLessThan(MESSAGES);
    expect(text).toContain('event: error');
    gone.abort();
    fast.cancel();
    client.close();
  });
});
