/** One agent cannot fill the disk: its bytes in the log are counted exactly, through restarts and crashes, at no cost. */
import { join } from 'node:path';
import type { Envelope } from '@handover/core';
import type { Ack } from '@handover/wire';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { verifyData } from '../../packages/server/src/proof/verify-data.js';
import { accept, commit, context, offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { connectHttp } from '../kit/mcp-clients.js';
import { startServerProcess } from '../kit/server-process.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { TestServer } from '../kit/test-server.js';
import type { Wire } from '../operations/support/world.js';

const LIMIT = 200_000;
const SESSION = 'bytes-test-session-0001';
/** What a message is taken to need beyond its payload, before it is stored. */
const HEAD_ROOM = 512;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function opened(env: Record<string, string> = {}) {
  const server = await TestServer.start({
    env: { HANDOVER_QUOTA_BYTES_AGENT: String(LIMIT), ...env },
    flags: { dev: true },
  });
  closing.push(() => server.remove());
  let client = new GrpcClient(server.grpc);
  closing.push(() => client.close());
  const reconnect = () => {
    client.close();
    client = new GrpcClient(server.grpc);
  };
  const send = (envelope: Envelope) => client.send(envelope);
  const usage = (actor?: string) => server.store.usage({ tenant: 'default', ...(actor && { actor }) });
  return { server, send, usage, reconnect };
}

const isFull = ({ error }: Ack): boolean =>
  error?.code === 'RATE_LIMITED' && error.message.includes('HANDOVER_QUOTA_BYTES_AGENT');

/** Sends contexts, several at a time, until each of a round is refused; returns what was accepted. */
async function fill(send: (envelope: Envelope) => Promise<Ack>, size = 10_000): Promise<Envelope[]> {
  const taken: Envelope[] = [];
  for (;;) {
    const round = Array.from({ length: 8 }, () => context(SESSION, 'h1', 'x'.repeat(size)));
    const acks = await Promise.all(round.map(send));
    taken.push(...round.filter((_, i) => acks[i]?.ok));
    for (const ack of acks) expect(ack.ok || isFull(ack)).toBe(true);
    if (acks.every(({ ok }) => !ok)) return taken;
  }
}

describe('bytes', () => {
  it('hardening:H14 an agent stores as many as it may, whatever comes at once, and its answers are still taken', async () => {
    const { server, send, usage } = await opened();
    await send(start(SESSION));
    await send(offer(SESSION, 'h1', 'a'));
    const taken = await fill(send);
    const stored = await usage('owner');
    expect(stored).toBeLessThanOrEqual(LIMIT);
    // Not one more of this size would have fitted.
    expect(stored + 10_000 + HEAD_ROOM).toBeGreaterThan(LIMIT - 8 * (10_000 + HEAD_ROOM));
    expect(taken.length).toBeGreaterThan(10);

    const [first] = taken;
    expect(await send(first as Envelope)).toMatchObject({ ok: true, duplicate: true });
    expect(
      (await send(start('bytes-test-session-0002', 'owner', { intent: 'x'.repeat(10_000) }))).error,
    ).toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringMatching(
        new RegExp(
          `^this agent has stored ${stored} bytes and may store ${LIMIT}, and this may take up to 1\\d{4} more; ask the operator to raise HANDOVER_QUOTA_BYTES_AGENT`,
        ),
      ),
    });
    // What the rules refuse is refused by them.
    expect((await send(context('no-session-of-this-name', 'h1', 'x'))).error?.code).toBe('SESSION_NOT_FOUND');
    expect((await send(start('bytes-test-session-0003', 'other'))).ok).toBe(true);
    expect((await send(accept(SESSION, 'h1', 'a'))).ok).toBe(true);
    expect((await send(commit(SESSION))).ok).toBe(true);
    expect(await usage('owner')).toBeGreaterThan(stored);
    expect((await verifyData(server.folder, { codec })).flaws).toEqual([]);
  });

  it('is counted without reading the log: one question a message, no entry read', async () => {
    const { server, send } = await opened({ HANDOVER_QUOTA_BYTES_AGENT: '100000000' });
    await send(start(SESSION));
    await send(offer(SESSION, 'h1', 'a'));
    for (let i = 0; i < 200; i += 1) await send(context(SESSION, 'h1', 'x'));
    const calls = { usage: 0, load: 0, read: 0, feed: 0, list: 0, count: 0 };
    const { store } = server;
    for (const verb of Object.keys(calls) as (keyof typeof calls)[]) {
      const inner = store[verb] as (...args: unknown[]) => Promise<unknown>;
      Object.assign(store, {
        [verb]: (...args: unknown[]) => {
          calls[verb] += 1;
          return inner(...args);
        },
      });
    }
    for (let i = 0; i < 50; i += 1) await send(context(SESSION, 'h1', 'x'));
    expect(calls).toEqual({ usage: 50, load: 0, read: 0, feed: 0, list: 0, count: 0 });
  });

  it('is the same after a restart, and what assistants and operations store counts, too', async () => {
    const { server, send, usage, reconnect } = await opened();
    await send(start(SESSION));
    await send(offer(SESSION, 'h1', 'a'));
    await fill(send);
    const before = [await usage('owner'), await usage()];
    await server.restart();
    reconnect();
    expect([await usage('owner'), await usage()]).toEqual(before);
    expect(isFull(await send(context(SESSION, 'h1', 'x'.repeat(10_000))))).toBe(true);

    const client = await connectHttp(new URL('/mcp', server.http), 'owner');
    closing.push(() => client.close());
    const tool = async (name: string, args: object): Promise<Wire> => {
      const result = (await client.callTool({ name, arguments: args as Record<string, unknown> })) as Wire;
      return JSON.parse(result.content[0].text);
    };
    const refused = {
      errorCode: 'RATE_LIMITED',
      error: expect.stringContaining('HANDOVER_QUOTA_BYTES_AGENT'),
      details: { quota: 'bytes_agent', limitBytes: LIMIT },
    };
    const large = { notes: 'x'.repeat(12_000) };
    expect(
      await tool('registerSession', { sessionKey: 'k', agentFrom: 'owner', metadata: large }),
    ).toMatchObject(refused);
    expect(
      await tool('create_operation_handoff', {
        type: 'transfer',
        network: 'test',
        chainId: 1,
        summary: large,
        steps: [{ id: 's', txRequest: { to: `0x${'11'.repeat(20)}`, data: '0x' } }],
      }),
    ).toMatchObject(refused);
  });

  it('counts a tenant, too, and an operator raises the limit while the server runs', async () => {
    const { server, send, usage } = await opened({
      HANDOVER_QUOTA_BYTES_AGENT: '0',
      HANDOVER_QUOTA_BYTES_TENANT: '60000',
    });
    await send(start(SESSION));
    await send(offer(SESSION, 'h1', 'a'));
    for (const sender of ['owner', 'b']) {
      const session = `a-session-of-the-tenant-by-${sender}`;
      await send(start(session, sender, { participants: [sender, 'a'] }));
      await send(offer(session, 'h1', 'a', sender));
      for (let i = 0; i < 5; i += 1) await send(context(session, 'h1', 'x'.repeat(5_000), sender));
    }
    const third = await send(start('third-session-of-tenant', 'c', { intent: 'x'.repeat(12_000) }));
    expect(third.error).toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringMatching(/^this tenant has stored \d+ bytes .* HANDOVER_QUOTA_BYTES_TENANT/),
    });
    expect(await usage()).toBeLessThanOrEqual(60_000);
    const admin = await connectHttp(new URL('/mcp', server.http), 'admin');
    closing.push(() => admin.close());
    const updates = { 'limits.quotaBytesTenant': 600_000 };
    await admin.callTool({ name: 'updateConfiguration', arguments: { updates } });
    expect((await send(start('third-session-of-tenant', 'c', { intent: 'x'.repeat(12_000) }))).ok).toBe(true);
  });

  it('is right after a kill', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const env = { HANDOVER_QUOTA_BYTES_AGENT: String(LIMIT) };
    const first = await startServerProcess({ dataDir, env });
    const client = new GrpcClient(first.grpc);
    await client.send(start(SESSION));
    await client.send(offer(SESSION, 'h1', 'a'));
    let acknowledged = 0;
    const sending = (async () => {
      for (;;) {
        const ack = await client.send(context(SESSION, 'h1', 'x'.repeat(10_000)));
        if (ack.ok) acknowledged += 1;
        else return;
      }
    })().catch(() => undefined);
    while (acknowledged < 7) await new Promise((resolve) => setTimeout(resolve, 1));
    await first.stop('SIGKILL');
    await sending;
    client.close();
    expect((await verifyData(dataDir, { codec })).flaws).toEqual([]);

    const second = await startServerProcess({ dataDir, env });
    const again = new GrpcClient(second.grpc);
    const taken = await fill((envelope) => again.send(envelope));
    const most = Math.floor(LIMIT / 10_000);
    expect(acknowledged + taken.length).toBeLessThanOrEqual(most);
    again.close();
    await second.stop();
    expect((await verifyData(dataDir, { codec })).flaws).toEqual([]);
  });
});
