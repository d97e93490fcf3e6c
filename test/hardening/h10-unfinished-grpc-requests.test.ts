/** A gRPC request that never becomes whole costs a bounded time and a bounded number of bytes, whoever sends it. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { status } from '@grpc/grpc-js';
import { methods } from '@handover/wire';
import { afterEach, describe, expect, it } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { start } from '../kit/envelopes.js';
import { until } from '../kit/until.js';
import { type Doors, openDoors } from './support/doors.js';
import { useRawConnections } from './support/raw-connections.js';
import { prefix, type RawCall } from './support/raw-grpc.js';

const SEND = methods.send.path;
const GZIP = { 'grpc-encoding': 'gzip' };
const CHECK = '/grpc.health.v1.Health/Check';

let doors: Doors;
afterEach(async () => {
  await doors.close();
});
// After the other: the last hook runs first, and a server waits for its connections.
const connections = useRawConnections(() => doors.grpcPort);

/** All of it but the last ten bytes. */
const unfinished = (bytes: number) => [prefix(bytes + 10), new Uint8Array(bytes)] as const;
const ended = (calls: readonly RawCall[]) => calls.filter((call) => call.ended !== undefined);

function expectRefused(calls: readonly RawCall[]): void {
  for (const { ended: end, headers } of calls) {
    expect(end).toEqual({ status: status.RESOURCE_EXHAUSTED });
    expect(decodeURI(String(headers['grpc-message']))).toMatch(/^RATE_LIMITED: /);
    expect(headers['retry-after']).toBe('1');
  }
}

describe('hardening:H10 gRPC requests that never become whole', () => {
  it('of strangers are few on a connection, share one budget, and make room for who sends its request', async () => {
    doors = await openDoors();
    const most = fixedLimits.grpcArrivingOfStranger.value;
    const budget = fixedLimits.grpcArrivingBytesOfAddress.value;
    const calls: RawCall[] = [];
    for (let n = 0; n < 3; n++) {
      const stranger = await connections.open();
      const own = Array.from({ length: most + 50 }, () => stranger.call(SEND, ...unfinished(60_000)));
      await until(() => ended(own).length >= 50);
      calls.push(...own);
    }
    // Three times 256 times 60,000 bytes are more than the budget: the oldest had to go.
    await until(() => calls.length - ended(calls).length <= budget / 60_000);
    expectRefused(ended(calls));
    expect(doors.grpc.arriving.most).toBeGreaterThan(budget / 2);
    expect(doors.grpc.arriving.most).toBeLessThanOrEqual(budget);

    const probe = (await connections.open()).ask(CHECK);
    await until(() => probe.ended);
    expect(probe.ended).toEqual({ status: status.OK });
    expect((await doors.client('alice').send(start(randomUUID(), 'alice', { ttlMs: 60_000 }))).ok).toBe(true);
  });

  it('of one caller share its budget, and others are served', async () => {
    doors = await openDoors();
    const budget = fixedLimits.grpcArrivingBytesOfCaller.value;
    const mallory = await connections.open({ bearer: 'mallory' });
    const calls = Array.from({ length: 60 }, () => mallory.call(SEND, ...unfinished(1_000_000)));
    const fit = Math.floor(budget / 1_000_000);
    await until(() => ended(calls).length >= calls.length - fit);
    expectRefused(ended(calls));
    expect(doors.grpc.arriving.most).toBeLessThanOrEqual(budget);
    expect((await doors.client('alice').send(start(randomUUID(), 'alice', { ttlMs: 60_000 }))).ok).toBe(true);
    mallory.close();
    await until(() => doors.grpc.arriving.inAll === 0);
  });

  it('count what they cost: pieces of one byte, and messages that were compressed', async () => {
    doors = await openDoors();
    const mallory = await connections.open({ bearer: 'mallory' });
    const drops = mallory.call(SEND, prefix(65_000));
    for (let n = 0; n < 1_000; n++) {
      drops.stream.write(Buffer.of(1));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => doors.grpc.arriving.inAll >= 100 * fixedLimits.grpcArrivingPieceBytes.value);
    mallory.close();
    await until(() => doors.grpc.arriving.inAll === 0);

    const packed = gzipSync(new Uint8Array(1_000_000));
    const head = prefix(packed.length);
    head[0] = 1;
    const bob = await connections.open({ bearer: 'bob' });
    // Whole, but without an end: a unary call does not begin.
    bob.callWith(GZIP, SEND, head, packed);
    await until(() => doors.grpc.arriving.inAll >= 1_000_000);
    // Of a stranger it would be too long.
    const stranger = (await connections.open()).callWith(GZIP, SEND, head, packed);
    await until(() => stranger.ended);
    expect(stranger.ended).toEqual({ status: status.RESOURCE_EXHAUSTED });
  });

  it('end with DEADLINE_EXCEEDED, counted from their headers on', async () => {
    doors = await openDoors({ env: { MACP_REQUEST_TIMEOUT_SECS: '1' } });
    const known = await connections.open({ bearer: 'mallory' });
    const stranger = await connections.open();
    const quiet = known.call(methods.streamSession.path);
    const calls = [known, stranger].flatMap((client) => [
      client.call(SEND),
      client.call(SEND, prefix(100)),
      client.call(SEND, ...unfinished(1_000)),
      client.call(methods.listRoots.path, prefix(0)),
      client.call(methods.watchRoots.path),
    ]);
    calls.push(stranger.call('/grpc.reflection.v1.ServerReflection/ServerReflectionInfo'));
    await until(() => ended(calls).length === calls.length);
    for (const call of calls) expect(call.ended).toEqual({ status: status.DEADLINE_EXCEEDED });
    expect(doors.grpc.arriving.inAll).toBe(0);
    // A stream may be silent.
    expect(quiet.ended).toBeUndefined();
  });
});
