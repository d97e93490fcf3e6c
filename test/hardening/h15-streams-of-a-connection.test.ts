/** A connection has many streams, an answer when it has too many, and room for other calls all the time. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:http2';
import { status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { start } from '../kit/envelopes.js';
import { GrpcWatch } from '../kit/grpc-watch.js';
import { until } from '../kit/until.js';
import { type Doors, openDoors } from './support/doors.js';

let doors: Doors;
afterEach(() => doors.close());

describe('hardening:H15 a connection', () => {
  it('has 1,024 streams by default; the next is refused with the reason, and unary calls go on', async () => {
    doors = await openDoors();
    const { maxConcurrentStreams } = doors.configuration.grpc;
    const { listenersPerPrincipal } = doors.configuration.limits;
    expect(maxConcurrentStreams).toBe(1_024);
    const connection = doors.client('owner');
    const open = Array.from({ length: maxConcurrentStreams }, (_, n) => {
      const who = `agent${Math.floor(n / listenersPerPrincipal)}`;
      return n % 2 === 0 ? connection.watch('watchSignals', who) : connection.stream(who);
    });
    await Promise.all(open.map(({ opened }) => opened));
    expect(doors.deps.listeners.count).toBe(maxConcurrentStreams);

    for (const late of [connection.watch('watchRoots', 'late'), connection.stream('late')]) {
      const { code, details } = await late.status;
      expect(code).toBe(status.RESOURCE_EXHAUSTED);
      expect(details).toContain('MACP_MAX_CONCURRENT_STREAMS');
    }
    const acks = await Promise.all(
      Array.from({ length: 50 }, () => connection.send(start(randomUUID(), 'owner', { ttlMs: 60_000 }))),
    );
    expect(acks.filter(({ ok }) => ok)).toHaveLength(50);

    // Another connection has its own, and one that ends makes room.
    await doors.client('late').watch('watchRoots').next();
    open[0]?.cancel();
    await until(() => doors.deps.listeners.count === maxConcurrentStreams);
    await connection.watch('watchRoots', 'late').next();
  });

  it('cannot hold more than the server allows in all, whatever each connection may have', async () => {
    doors = await openDoors({
      env: { HANDOVER_LISTENERS_TOTAL: '100', MACP_MAX_CONCURRENT_STREAMS: '1000000' },
    });
    const connection = doors.client('owner');
    const calls = Array.from({ length: 300 }, (_, n) => connection.watch('watchRoots', `agent${n}`));
    const outcomes = await Promise.all(
      calls.map(({ opened, status: ended }) =>
        Promise.race([opened.then(() => 'open'), ended.then(({ details }) => details)]),
      ),
    );
    expect(doors.deps.listeners.count).toBe(100);
    const refused = outcomes.filter((outcome) => outcome !== 'open');
    expect(refused.length).toBeGreaterThanOrEqual(200);
    for (const details of refused) expect(details).toContain('HANDOVER_LISTENERS_TOTAL');
  });

  it('has few streams that ask for no credential: health and reflection', async () => {
    doors = await openDoors();
    const connection = doors.client('nobody');
    const most = fixedLimits.grpcStreamsWithoutCredential.value;
    const calls = Array.from({ length: most + 20 }, () => {
      const call = connection.bidi('/grpc.health.v1.Health/Watch', null);
      const watch = new GrpcWatch(call, (bytes) => bytes);
      call.end(new Uint8Array(0));
      return watch;
    });
    await until(() => calls.filter(({ ended }) => ended?.code === status.RESOURCE_EXHAUSTED).length === 20);
    await until(() => calls.filter(({ frames }) => frames.length === 1).length === most);
    const reflection = connection.bidi('/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', null);
    expect(await new GrpcWatch(reflection, (bytes) => bytes).statusName()).toBe('RESOURCE_EXHAUSTED');
    // A single check is no stream.
    await connection.unary('/grpc.health.v1.Health/Check', new Uint8Array(0), null);
  });

  it('that asks reflection and reads no answer is not read, either', async () => {
    doors = await openDoors();
    const session = connect(`http://127.0.0.1:${doors.grpcPort}`);
    const call = session.request({
      ':method': 'POST',
      ':path': '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    call.on('error', () => {});
    call.pause();
    // FileContainingSymbol of the service: a short question with a long answer.
    const symbol = Buffer.from('macp.v1.MACPRuntimeService');
    const question = Buffer.concat([Buffer.of(0, 0, 0, 0, symbol.length + 2, 0x22, symbol.length), symbol]);
    let taken = 0;
    const ask = () => void call.write(question, () => ++taken < 20_000 && ask());
    ask();
    let before = -1;
    await until(
      () => taken,
      (now) => {
        const stands = now === before;
        before = now;
        return stands;
      },
      { everyMs: 500 },
    );
    // The windows of both sides are full, and no more.
    expect(taken).toBeLessThan(10_000);
    session.destroy();
  });
});
