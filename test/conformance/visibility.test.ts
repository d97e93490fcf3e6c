/** Who sees which sessions. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { offer, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { isRefused } from '../kit/refused.js';
import { TestServer } from '../kit/test-server.js';
import { until } from '../kit/until.js';
import { verifies } from './verifies.js';

const TOKENS = [
  ...['owner', 'a', 'b', 'mallory'].map((sender) => ({ token: sender, sender })),
  { token: 'watcher', sender: 'watcher', is_observer: true },
  { token: 'owner-of-two', sender: 'owner', tenant: 'two' },
  { token: 'owner-of-default', sender: 'owner', tenant: 'default' },
  { token: 'crowd', sender: 'crowd', tenant: 'crowded' },
];

describe('sessions are seen', () => {
  let server: TestServer;
  let client: GrpcClient;
  const id = randomUUID();
  beforeAll(async () => {
    server = await TestServer.start({
      env: { MACP_ALLOW_INSECURE: '1', MACP_AUTH_TOKENS_JSON: JSON.stringify(TOKENS) },
    });
    client = new GrpcClient(server.grpc);
    await client.send(start(id));
    await client.send(offer(id, 'h1', 'a'));
  });
  afterAll(async () => {
    client.close();
    await server.remove();
  });
  const listed = async (bearer: string, page: { pageSize?: number; pageToken?: string } = {}) => {
    const answer = await client.ask('listSessions', page, bearer);
    if (isRefused(answer)) throw new Error(answer.status);
    return answer;
  };
  const seenIn = (watch: ReturnType<typeof watchSessions>) =>
    watch.frames.map(({ event }) => event?.session?.sessionId ?? '');
  const watchSessions = (bearer: string) => client.watch('watchSessions', bearer);
  /** The sessions of the first sync, and those that are started meanwhile. */
  const watched = async (bearer: string, last: string) => {
    const watch = client.watch('watchSessions', bearer);
    const seen = () => watch.frames.map(({ event }) => event?.session?.sessionId ?? '');
    await watch.opened;
    return {
      get seen() {
        return seen();
      },
      until: () => until(() => seen().includes(last)),
      close: () => watch.cancel(),
    };
  };

  it(`${verifies('decision:outsiders:lists')}by members and observers, in lists and in watches`, async () => {
    const marker = randomUUID();
    const names = ['owner', 'a', 'watcher', 'mallory'];
    const watches = await Promise.all(names.map((name) => watched(name, marker)));
    const private_ = randomUUID();
    await client.send(start(private_, 'b', { participants: ['b', 'owner'] }));
    await client.send(start(marker, 'b', { participants: names }));
    for (const watch of watches) await watch.until();
    expect(watches.map(({ seen }) => seen)).toEqual([
      [id, private_, marker],
      [id, marker],
      [id, private_, marker],
      [marker],
    ]);
    for (const watch of watches) watch.close();
    const lists = await Promise.all(names.map((name) => listed(name)));
    expect(lists.map(({ sessions }) => sessions.length)).toEqual([3, 2, 3, 1]);
  });

  it(`${verifies('decision:outsiders:tenant', 'decision:tenant')}inside their tenant, which is default unless the credential says`, async () => {
    expect(await client.ask('getSession', { sessionId: id }, 'owner-of-default')).toMatchObject({
      metadata: { sessionId: id },
    });
    expect(await client.ask('getSession', { sessionId: id }, 'owner-of-two')).toMatchObject({
      status: 'NOT_FOUND',
    });
    expect(await client.ask('cancelSession', { sessionId: id, reason: '' }, 'owner-of-two')).toMatchObject({
      status: 'NOT_FOUND',
    });
    expect((await client.send(offer(id, 'h2', 'b'), 'owner-of-two')).error?.code).toBe('SESSION_NOT_FOUND');
    expect(await client.stream('owner-of-two').subscribe(id).statusName()).toBe('NOT_FOUND');
    expect((await listed('owner-of-two')).sessions).toEqual([]);
    expect((await client.send(start(id), 'owner-of-two')).ok, 'the same id is free there').toBe(true);
  });

  it(`${verifies('macp-2026:3.5:first-sync')}each once as created at its start, ended ones too, when a watch begins`, async () => {
    const running: string = randomUUID();
    const over: string = randomUUID();
    const before = server.now;
    for (const one of [running, over]) await client.send(start(one, 'b', { participants: ['b', 'a'] }));
    await client.call('cancelSession', { sessionId: over, reason: '' }, 'b');
    server.advance(5_000);
    const watch = watchSessions('b');
    await until(
      () => watch.frames.length >= 2 && [running, over].every((one) => seenIn(watch).includes(one)),
    );
    const told = watch.frames.filter(({ event }) =>
      [running, over].includes(event?.session?.sessionId ?? ''),
    );
    expect(told.map(({ event }) => [event?.eventType, Number(event?.observedAtUnixMs)])).toEqual([
      [1, before],
      [1, before],
    ]);
    for (const { event } of told) expect(event?.observedAtUnixMs).toBe(event?.session?.startedAtUnixMs);
    watch.cancel();
  });

  it(`${verifies('macp-2026:4.1:started-at')}with the time of acceptance as their start, whatever the client's clock says`, async () => {
    const one = randomUUID();
    await client.send({ ...start(one), timestampUnixMs: server.now - 30_000 });
    const { metadata } = await client.call('getSession', { sessionId: one }, 'owner');
    expect([Number(metadata?.startedAtUnixMs), Number(metadata?.expiresAtUnixMs)]).toEqual([
      server.now,
      server.now + 30_000,
    ]);
  });

  it(`${verifies('decision:lists:activity')}with activity only by GetSession`, async () => {
    const one = await client.ask('getSession', { sessionId: id }, 'owner');
    expect(one).toMatchObject({
      metadata: { participantActivity: [{ participantId: 'owner', messageCount: 1 }] },
    });
    const { sessions } = await listed('owner');
    expect(sessions.find(({ sessionId }) => sessionId === id)?.participantActivity).toEqual([]);
  });

  it(`${verifies('decision:lists:page-size')}a hundred at a time when no page size is asked for, a thousand at most, all of them in a watch`, async () => {
    const ids = Array.from({ length: 1_001 }, () => randomUUID()).sort();
    for (let at = 0; at < ids.length; at += 100)
      await Promise.all(
        ids
          .slice(at, at + 100)
          .map((one) => client.send(start(one, 'crowd', { participants: ['crowd', 'x'] }))),
      );
    const few = await listed('crowd');
    expect(few.sessions.map(({ sessionId }) => sessionId)).toEqual(ids.slice(0, 100));
    const first = await listed('crowd', { pageSize: 5_000 });
    expect(first.sessions.map(({ sessionId }) => sessionId)).toEqual(ids.slice(0, 1_000));
    const rest = await listed('crowd', { pageToken: first.nextPageToken });
    expect([rest.sessions.map(({ sessionId }) => sessionId), rest.nextPageToken]).toEqual([
      ids.slice(1_000),
      '',
    ]);
    const watch = await watched('crowd', ids.at(-1) ?? '');
    await watch.until();
    expect([...watch.seen].sort()).toEqual(ids);
    watch.close();
  });
});
