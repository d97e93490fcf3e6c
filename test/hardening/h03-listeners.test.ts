/** What listens is bounded: in number, in bytes for each, and in bytes for all of them. */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { verifies } from '../conformance/verifies.js';
import { context, envelope, offer, start } from '../kit/envelopes.js';
import { openEvents } from '../kit/event-client.js';
import type { GrpcWatch } from '../kit/grpc-watch.js';
import { connectHttp } from '../kit/mcp-clients.js';
import { until } from '../kit/until.js';
import { type Doors, highest, openDoors } from './support/doors.js';
import { stuckConnection } from './support/stuck-connection.js';

const MIB = 1_048_576;
/** A little less than the largest payload: the rest of the message needs room, too. */
const LARGE = MIB - 1_024;

const signal = (sender: string, bytes: number) =>
  envelope(
    '',
    sender,
    'Signal',
    {
      signalType: 'noise',
      data: new Uint8Array(bytes),
      confidence: 0,
      correlationSessionId: '',
    },
    { mode: '' },
  );

let doors: Doors;
afterEach(() => doors.close());

describe('hardening:H3 a listener that does not read', () => {
  it(`${verifies('macp-2026:3.5:lagged')}holds no more than its budget, all of them hold one copy, and each call ends with STREAM_LAGGED`, async () => {
    doors = await openDoors();
    const { listenersPerPrincipal, subscriberBudgetBytes, listenerBytesTotal } = doors.configuration.limits;
    const stuck = Array.from({ length: listenersPerPrincipal }, () =>
      doors.client('mallory').watch('watchSignals'),
    );
    await Promise.all(stuck.map(({ opened }) => opened));
    for (const watch of stuck) watch.pause();
    const waiting = highest(() => doors.deps.mailroom.bytes);
    const sent = highest(() => doors.deps.listeners.bytes);
    const sender = doors.client('mallory');
    for (let n = 0; n < 40; n++) expect((await sender.send(signal('mallory', LARGE))).ok).toBe(true);
    waiting.stop();
    sent.stop();
    // Forty mebibytes for each of 64 listeners: the server held one budget of them, and a share of what may be sent.
    expect(waiting.value).toBeGreaterThan(MIB);
    expect(waiting.value).toBeLessThanOrEqual(subscriberBudgetBytes + MIB);
    expect(sent.value).toBeLessThanOrEqual(listenerBytesTotal / fixedLimits.listenerShares.value + 2 * MIB);
    expect(doors.deps.mailroom.bytes).toBe(0);
    for (const watch of stuck) watch.resume();
    for (const { code, details } of await Promise.all(stuck.map((watch) => watch.status)))
      expect([code, details]).toEqual([status.RESOURCE_EXHAUSTED, expect.stringMatching(/^STREAM_LAGGED: /)]);
    await until(() => doors.deps.listeners.count === 0);
    expect(doors.deps.listeners.bytes).toBe(0);
  });

  it('does not get more by leaving and coming back, while its connection takes nothing', async () => {
    doors = await openDoors();
    const { listenersPerPrincipal, listenerBytesTotal } = doors.configuration.limits;
    const sent = highest(() => doors.deps.listeners.bytes);
    const alice = doors.client('alice');
    const connections = [];
    for (let round = 0; round < 4; round++) {
      const connection = await stuckConnection(doors.grpcPort);
      connections.push(connection);
      const client = doors.client('mallory', connection.port);
      const stuck = Array.from({ length: listenersPerPrincipal }, () => client.watch('watchSignals'));
      await Promise.all(stuck.map(({ opened, status: ended }) => Promise.race([opened, ended])));
      connection.stick();
      for (let n = 0; n < 6; n++) await alice.send(signal('alice', LARGE));
      for (const watch of stuck) watch.cancel();
    }
    sent.stop();
    // All calls are gone, but not what was handed to their connections.
    await until(() => doors.grpc.liveCalls === 0);
    expect(doors.deps.listeners.bytes).toBeGreaterThan(0);
    expect(sent.value).toBeLessThanOrEqual(listenerBytesTotal / fixedLimits.listenerShares.value + 2 * MIB);
    for (const connection of connections) connection.close();
    await until(() => doors.deps.listeners.count === 0);
    expect(doors.deps.listeners.bytes).toBe(0);
  });
});

describe('hardening:H3 all listeners together', () => {
  it('hold no more than the server allows; those that take nothing go, and one that reads misses nothing', async () => {
    const total = 4 * MIB;
    doors = await openDoors({ env: { HANDOVER_LISTENER_BYTES_TOTAL: String(total) } });
    const id = randomUUID();
    const owner = doors.client('owner');
    const people = ['a', 'b', ...Array.from({ length: 12 }, (_, n) => `hog${n}`)];
    await owner.send(start(id, 'owner', { ttlMs: 3_600_000, participants: ['owner', ...people] }));
    await owner.send(offer(id, 'h1', 'a'));
    for (let n = 0; n < 6; n++) await owner.send(context(id, 'h1', 'x'.repeat(512 * 1_024)));
    const connection = await stuckConnection(doors.grpcPort);
    const hogs = people.slice(2).flatMap((who) => {
      const client = doors.client(who, connection.port);
      return Array.from({ length: 4 }, () => client.stream(who));
    });
    await Promise.all(hogs.map(({ opened }) => opened));
    const held = highest(() => doors.deps.listeners.bytes);
    connection.stick();
    // Each from another place, so that they share no read.
    for (const [n, hog] of hogs.entries()) hog.subscribe(id, n % 8);
    await until(() => held.value > total);
    const good = doors.client('b').stream('b').subscribe(id);
    await good.atLeast(8);
    held.stop();
    const frame = 512 * 1_024 + 1_024;
    expect(held.value).toBeLessThanOrEqual(total + fixedLimits.listenerReadBytes.value + 2 * frame);
    // Some were cut, and their connections with them, to let it through.
    expect(doors.deps.listeners.count).toBeLessThan(hogs.length);
    connection.close();
    good.cancel();
    await until(() => doors.deps.listeners.count === 0);
  });
});

describe('hardening:H3 one identity', () => {
  const doorsOf = (who: string) => ({
    watch: (key: 'watchSignals' | 'watchSessions' | 'watchPolicies' | 'watchModeRegistry' | 'watchRoots') =>
      doors.client(who).watch(key),
    stream: () => doors.client(who).stream(),
    events: (id: string) =>
      openEvents(`${doors.http}/macp/session/${id}/events`, { authorization: `Bearer ${who}` }),
    mcp: (era: 'modern' | 'legacy') => connectHttp(doors.mcpUrl, who, era),
  });

  it('has 64 listeners at all doors together; the next is refused at each of them, and others are not', async () => {
    doors = await openDoors();
    const id = randomUUID();
    await doors.client('owner').send(start(id, 'owner', { ttlMs: 3_600_000 }));
    const { watch, stream, events, mcp } = doorsOf('a');
    const keys = [
      'watchSignals',
      'watchSessions',
      'watchPolicies',
      'watchModeRegistry',
      'watchRoots',
    ] as const;
    const open: Pick<GrpcWatch<unknown>, 'opened' | 'cancel'>[] = [...keys.map(watch), stream()];
    const sse = await events(id);
    const [modern, legacy] = [await mcp('modern'), await mcp('legacy')];
    const listening = await modern.listen({ resourcesListChanged: true });
    const { listeners } = doors.deps;
    await until(() => listeners.count === 9);
    while (open.length < 61) open.push(watch('watchRoots'));
    await Promise.all(open.map(({ opened }) => opened));
    expect(listeners.count).toBe(64);

    for (const key of keys) {
      const { code, details } = await watch(key).status;
      expect([code, details]).toEqual([
        status.RESOURCE_EXHAUSTED,
        expect.stringContaining('HANDOVER_LISTENERS_PER_PRINCIPAL'),
      ]);
    }
    expect((await stream().status).details).toContain('HANDOVER_LISTENERS_PER_PRINCIPAL');
    const refused = await events(id);
    expect(refused.status).toBe(429);
    await expect(modern.listen({ resourcesListChanged: true })).rejects.toThrow(
      'HANDOVER_LISTENERS_PER_PRINCIPAL',
    );
    const other = doorsOf('b').watch('watchRoots');
    await other.next();

    open[0]?.cancel();
    await until(() => listeners.count === 64);
    await watch('watchSignals').opened;
    await listening.close();
    sse.close();
    await Promise.all([modern.close(), legacy.close()]);
    for (const one of open) one.cancel();
    other.cancel();
    await until(() => listeners.count === 1);
  });

  it('and all together have a bound that an operator sets', async () => {
    doors = await openDoors({ env: { HANDOVER_LISTENERS_TOTAL: '10' } });
    const open = Array.from({ length: 10 }, (_, n) => doors.client(`agent${n}`).watch('watchRoots'));
    await Promise.all(open.map(({ opened }) => opened));
    const { details } = await doors.client('late').watch('watchRoots').status;
    expect(details).toContain('HANDOVER_LISTENERS_TOTAL');
  });
});
