/** What connections without a credential cost: those that say nothing, and those that say what is no request. */
import { constants } from 'node:http2';
import { methods } from '@handover/wire';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import type { Log } from '../../packages/server/src/observe/log.js';
import { frame } from '../kit/http2-frames.js';
import { until } from '../kit/until.js';
import { type Doors, openDoors } from './support/doors.js';
import { useRawConnections } from './support/raw-connections.js';
import { calls, FrameType, RawSocket } from './support/raw-frames.js';

const CALL = fixedLimits.grpcArrivingCallBytes.value;
const ALLOWANCE = fixedLimits.grpcStrangerBytes.value;
const SEND = methods.send.path;
const CHECK = '/grpc.health.v1.Health/Check';

let doors: Doors;
const sockets: RawSocket[] = [];
afterEach(async () => {
  for (const { socket } of sockets.splice(0)) socket.destroy();
  vi.useRealTimers();
  await doors.close();
});
// After the other: the last hook runs first, and a server waits for its connections.
const connections = useRawConnections(() => doors.grpcPort);

async function open(silent = false): Promise<RawSocket> {
  const raw = await RawSocket.open(doors.grpcPort, silent);
  sockets.push(raw);
  return raw;
}

function spyLog(): { readonly log: Log; readonly lines: object[] } {
  const lines: object[] = [];
  const say = (event: string, facts?: object) => void lines.push({ event, ...facts });
  return { log: { debug: say, info: say, warn: say, error: say } as unknown as Log, lines };
}

/** Frames that ask for nothing. */
const FLOODS = {
  'window updates': frame(FrameType.WINDOW_UPDATE, 0, 0, Buffer.of(0, 0, 0, 1)),
  priorities: frame(FrameType.PRIORITY, 0, 1001, Buffer.of(0, 0, 0, 0, 16)),
  'unknown frames': frame(0xbe, 0, 0),
} as const;

describe('hardening: gRPC calls of strangers', () => {
  it('count before they wait: beyond the allowance of their address they never begin', async () => {
    // Time stands still, so that nothing of the allowance comes back.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { log, lines } = spyLog();
    doors = await openDoors({ log });
    const alice = doors.client('alice');
    await alice.watch('watchRoots').next();
    const begun = vi.spyOn(doors.deps.authenticator, 'authenticate');
    const limited = vi.spyOn(doors.deps.metrics, 'rateLimited');
    const flood = [await open(), await open(), await open(), await open()];
    for (const { socket } of flood) socket.write(calls(SEND, 1_000));
    await until(() => flood.filter(({ closed }) => closed).length >= 3);
    // Of each connection a few are heard all the same.
    expect(begun.mock.calls.length).toBeLessThanOrEqual(ALLOWANCE / CALL + 8 * flood.length);
    expect(flood.some(({ goaway }) => goaway === constants.NGHTTP2_ENHANCE_YOUR_CALM)).toBe(true);

    const late = await open();
    await until(() => late.closed);
    expect(limited).toHaveBeenCalledWith('grpc_connections');
    expect(lines.filter((line) => 'event' in line && line.event === 'grpc.connections_cut')).toHaveLength(1);
    // Who has shown a credential goes on.
    await alice.watch('watchRoots').next();
  });

  it('behind the trusted proxy count for their own connection: who comes next is served', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    doors = await openDoors({ env: { HANDOVER_TRUSTED_PROXY: '127.0.0.1/32' } });
    const flood = [await open(), await open()];
    for (const { socket } of flood) socket.write(calls(SEND, 1_100));
    await until(() => flood.some(({ closed }) => closed));
    const late = (await connections.open()).ask(CHECK);
    await until(() => late.ended);
    expect(late.ended).toEqual({ status: 0 });
  });

  it('are given back when the connection turns out to be somebody', async () => {
    doors = await openDoors();
    const agents = ALLOWANCE / CALL / 8;
    for (let round = 0; round < 20; round++) {
      const some = await Promise.all(
        Array.from({ length: agents / 2 }, () => connections.open({ bearer: 'alice' })),
      );
      const asked = some.map((one) => one.ask(methods.listRoots.path));
      await until(() => asked.every(({ ended }) => ended?.status === 0));
      connections.closeAll();
    }
    const probe = (await connections.open()).ask(CHECK);
    await until(() => probe.ended);
    expect(probe.ended).toEqual({ status: 0 });
  });
});

it('hardening: gRPC connections of one caller are few, and others are served', async () => {
  doors = await openDoors();
  const most = fixedLimits.grpcConnectionsOfCaller.value;
  for (let n = 0; n < most + 10; n++) {
    const call = (await connections.open({ bearer: 'mallory' })).ask(methods.listRoots.path);
    await until(() => call.ended);
  }
  await until(() => doors.grpc.connections.size === most);
  const call = (await connections.open({ bearer: 'alice' })).ask(methods.listRoots.path);
  await until(() => call.ended);
  expect(call.ended).toEqual({ status: 0 });
  connections.closeAll();
  await until(() => doors.grpc.connections.size === 0);
});

describe('hardening: HTTP/2 frames that ask for nothing', () => {
  for (const [kind, one] of Object.entries(FLOODS))
    it(`${kind} of strangers end their connections, which have one allowance together`, async () => {
      doors = await openDoors();
      const flood = [await open(), await open(), await open()];
      const most = Buffer.concat(Array(Math.floor((0.9 * ALLOWANCE) / one.length)).fill(one));
      // No connection alone sends too much.
      for (const { socket } of flood) socket.write(most);
      await until(() => flood.some(({ goaway }) => goaway === constants.NGHTTP2_ENHANCE_YOUR_CALM));
    });
});

describe('hardening: HTTP/2 frames that ask for nothing, of a caller', () => {
  it('may be more, and then end its connection, too', async () => {
    doors = await openDoors();
    const begun = vi.spyOn(doors.deps.authenticator, 'authenticate');
    const mallory = await open();
    mallory.socket.write(calls(methods.listRoots.path, 1, 'mallory'));
    await until(() => begun.mock.calls.length > 0);
    const some = Buffer.concat(Array(Math.ceil(ALLOWANCE / 13)).fill(FLOODS['window updates']));
    mallory.socket.write(some);
    await until(() => mallory.socket.writableLength === 0);
    const probe = (await connections.open()).ask(CHECK);
    await until(() => probe.ended);
    expect(mallory.closed).toBe(false);
    const times = fixedLimits.grpcUselessBytesOfCaller.value / ALLOWANCE;
    for (let n = 0; n < 2 * times; n++) mallory.socket.write(some);
    await until(() => mallory.closed || mallory.goaway === constants.NGHTTP2_ENHANCE_YOUR_CALM);
  });
});

describe('hardening: gRPC connections that say nothing', () => {
  it('are cut; a stranger that is idle is told to go, and who showed a credential stays', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    doors = await openDoors();
    const silent = await open(true);
    const idle = await open();
    const known = await connections.open({ bearer: 'alice' });
    const asked = known.ask(methods.listRoots.path);
    await until(() => asked.ended);
    vi.advanceTimersByTime(fixedLimits.grpcGreetingMs.value + 200);
    await until(() => silent.closed);
    expect(idle.closed).toBe(false);
    vi.advanceTimersByTime(fixedLimits.grpcIdleStrangerMs.value);
    await until(() => idle.closed);
    expect(idle.goaway).toBe(constants.NGHTTP2_NO_ERROR);
    vi.advanceTimersByTime(3_600_000);
    const again = known.ask(methods.listRoots.path);
    await until(() => again.ended);
    expect(again.ended).toEqual({ status: 0 });
    expect(doors.grpc.connections.size).toBe(1);
  });

  it('from one address are few, and the oldest makes room for who comes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    doors = await openDoors();
    const most = fixedLimits.grpcConnectionsOfAddress.value;
    const oldest = await open(true);
    for (let n = 1; n < most + 20; n++) {
      await open(true);
      if (n % 100 === 0) vi.advanceTimersByTime(1_000);
    }
    await until(() => oldest.closed);
    await until(() => doors.grpc.connections.size <= most);
    const probe = (await connections.open()).ask(CHECK);
    await until(() => probe.ended);
    expect(probe.ended).toEqual({ status: 0 });
    expect(doors.grpc.connections.size).toBeLessThanOrEqual(most);
  });
});
