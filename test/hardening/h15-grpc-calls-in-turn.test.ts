/** Many calls at once take turns with everything else, and answers that nobody takes are few. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:http2';
import { status } from '@grpc/grpc-js';
import { methods } from '@handover/wire';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { start } from '../kit/envelopes.js';
import { until } from '../kit/until.js';
import { type Doors, openDoors } from './support/doors.js';
import { useRawConnections } from './support/raw-connections.js';
import type { RawCall } from './support/raw-grpc.js';

const LIST = methods.listSessions.path;
const PER_TURN = fixedLimits.grpcCallsPerTurn.value;

let doors: Doors;
afterEach(async () => {
  vi.useRealTimers();
  await doors.close();
});
// After the other: the last hook runs first, and a server waits for its connections.
const connections = useRawConnections(() => doors.grpcPort);

const allEnded = (calls: readonly RawCall[]) => until(() => calls.every((call) => call.ended !== undefined));

/** How many methods begin in each turn of the event loop. */
function beginnings(): { readonly all: string[]; most(): number; stop(): void } {
  const all: string[] = [];
  const perTurn: number[] = [0];
  let running = true;
  const tick = () => {
    perTurn.push(0);
    if (running) setImmediate(tick);
  };
  tick();
  vi.spyOn(doors.deps.loop, 'entered').mockImplementation((route) => {
    if (!route.startsWith('grpc ')) return;
    all.push(route);
    perTurn[perTurn.length - 1] = (perTurn.at(-1) ?? 0) + 1;
  });
  return {
    all,
    most: () => Math.max(...perTurn),
    stop: () => {
      running = false;
    },
  };
}

/** Its list of sessions is more than a mebibyte. */
async function withLongList(who: string): Promise<void> {
  const participants = [who, ...Array.from({ length: 999 }, (_, n) => `p${n}`.padEnd(200, 'x'))];
  const client = doors.client(who);
  for (let n = 0; n < 6; n++)
    expect((await client.send(start(randomUUID(), who, { participants }))).ok).toBe(true);
}

describe('hardening:H15 a burst of gRPC calls', () => {
  it('that ends without a message is answered, whether or not it has to wait', async () => {
    doors = await openDoors();
    const agent = await connections.open({ bearer: 'alice' });
    const calls = Array.from({ length: 40 }, () => agent.call(methods.streamSession.path));
    for (const { stream } of calls) stream.end();
    await allEnded(calls);
    expect(calls.map(({ ended }) => ended)).toEqual(calls.map(() => ({ status: status.OK })));
  });

  it('on one connection begins in slices', async () => {
    doors = await openDoors();
    const stranger = await connections.open();
    const begun = beginnings();
    const calls = Array.from({ length: 500 }, () => stranger.ask(methods.listRoots.path));
    await allEnded(calls);
    begun.stop();
    const answered = calls.filter((call) => call.ended?.status === status.OK);
    expect(answered).toHaveLength(500);
    expect(begun.all).toHaveLength(500);
    // Between two looks may lie the end of one turn and the begin of the next.
    expect(begun.most()).toBeLessThanOrEqual(2 * PER_TURN);
  });

  it('whose requests all become whole at once begins in slices, too', async () => {
    doors = await openDoors();
    const mallory = await connections.open({ bearer: 'mallory' });
    const calls = Array.from({ length: 500 }, () => mallory.call(methods.listRoots.path, Buffer.alloc(4)));
    await until(() => doors.grpc.arriving.inAll >= 500 * fixedLimits.grpcArrivingCallBytes.value);
    const begun = beginnings();
    for (const { stream } of calls) stream.end(Buffer.alloc(1));
    await allEnded(calls);
    begun.stop();
    expect(begun.all).toHaveLength(500);
    expect(begun.most()).toBeLessThanOrEqual(2 * PER_TURN);
  });

  it('of long lists is answered one after the other', async () => {
    doors = await openDoors();
    await withLongList('mallory');
    const mallory = await connections.open({ bearer: 'mallory' });
    const begun = beginnings();
    const calls = Array.from({ length: 40 }, () => mallory.ask(LIST));
    await allEnded(calls);
    begun.stop();
    for (const call of calls) expect(call.ended).toEqual({ status: status.OK });
    expect(begun.most()).toBeLessThanOrEqual(2);
    expect(doors.grpc.answers.most).toBeLessThanOrEqual(fixedLimits.grpcAnswerBytesOfCaller.value);
    await until(() => doors.grpc.answers.held === 0);
  });
});

describe('hardening:H3 gRPC answers that the client does not take', () => {
  it('are few, whatever it asks for, and others are served', async () => {
    doors = await openDoors();
    await withLongList('mallory');
    const begun = beginnings();
    for (let n = 0; n < 2; n++) {
      const stuck = await connections.open({ bearer: 'mallory', window: 0 });
      for (let call = 0; call < 150; call++) stuck.ask(LIST);
    }
    const alice = doors.client('alice');
    expect((await alice.send(start(randomUUID(), 'alice'))).ok).toBe(true);
    const reader = (await connections.open({ bearer: 'alice' })).ask(LIST);
    await allEnded([reader]);
    expect(reader.ended).toEqual({ status: status.OK });
    begun.stop();
    // A page has more than a mebibyte, and each of mallory's counts as four before it is made.
    const lists = begun.all.filter((route) => route === 'grpc listSessions').length;
    expect(lists - 1).toBeLessThanOrEqual(2);
    expect(doors.grpc.answers.most).toBeLessThanOrEqual(2 * fixedLimits.grpcAnswerBytesOfCaller.value);
    connections.closeAll();
    await until(() => doors.grpc.answers.held === 0);
  });

  it('are dropped with their calls after a while, and those behind them are told', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    doors = await openDoors();
    await withLongList('mallory');
    const stuck = await connections.open({ bearer: 'mallory', window: 0 });
    const calls = Array.from({ length: 5 }, () => stuck.ask(LIST));
    await until(() => doors.grpc.answers.held > 1_000_000);
    vi.advanceTimersByTime(fixedLimits.grpcStalledAnswerMs.value + 3_000);
    await allEnded(calls);
    const [first, ...others] = calls;
    expect(first?.stream.rstCode).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    for (const call of others) expect(call.ended).toEqual({ status: status.DEADLINE_EXCEEDED });
    await until(() => doors.grpc.answers.held === 0);
  });
});
