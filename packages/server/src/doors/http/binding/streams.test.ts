import { afterEach, describe, expect, it } from 'vitest';
import { verifies } from '../../../../../../test/conformance/verifies.js';
import type { ReceivedEvent } from '../../../../../../test/kit/event-client.js';
import { until } from '../../../../../../test/kit/until.js';
import {
  acceptMessage,
  commitMessage,
  contextMessage,
  message,
  offerMessage,
  SESSION,
  startMessage,
} from '../json-messages.test.helper.js';
import { closeAll, serve } from './binding.test.helper.js';

afterEach(closeAll);

type Served = Awaited<ReturnType<typeof serve>>;

const subscribe = (after_sequence: unknown = 0, id = SESSION) => ({
  subscribe_session_id: id,
  after_sequence,
});

async function send({ call }: Served, as: string, envelope: object): Promise<void> {
  const { json } = await call('Send', { envelope }, { as });
  if (!json.ack?.ok) throw new Error(JSON.stringify(json));
}

async function steer({ call }: Served, method: string): Promise<void> {
  await call(method, { session_id: SESSION, reason: 'r' }, { as: 'alice' });
}

const shown = (events: readonly (ReceivedEvent | undefined)[]) =>
  events.map((event) => {
    const envelope = event?.data.envelope as { message_type: string } | undefined;
    const error = event?.data.error as { code: string } | undefined;
    return [event?.id, event?.event, envelope?.message_type ?? error?.code];
  });

describe('StreamSession', () => {
  it(`${verifies('macp-2026:17.3:events')}tells the history and what comes, with ordinals`, async () => {
    const served = await serve();
    let text = '';
    await send(served, 'alice', startMessage());
    const client = await served.stream('StreamSession', subscribe(), { as: 'bob' }, (more) => {
      text += more;
    });
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    });
    const first = await client.next();
    expect(first?.data.envelope).toEqual({
      ...startMessage(),
      sender: 'alice',
      timestamp: '2023-11-14T22:13:20Z',
      payload: {
        ...(startMessage().payload as object),
        roots: [],
        context_id: '',
        extensions: {},
        max_suspend_ms: 0,
      },
    });
    await send(served, 'alice', offerMessage());
    expect(shown([first, await client.next()])).toEqual([
      [1, '', 'SessionStart'],
      [2, '', 'HandoffOffer'],
    ]);
    expect(text).not.toMatch(/retry:|event:/);
    expect(text.split('\n\n').filter((block) => block !== '')).toHaveLength(2);
    expect(served.harness.engine.subscribers).toBe(1);
    client.close();
    await until(() => served.harness.engine.subscribers === 0);
  });

  it(`${verifies('macp-2026:17.3:subscribe-only')}takes no envelope`, async () => {
    const { call } = await serve();
    for (const body of [
      { envelope: startMessage() },
      { envelope: {}, ...subscribe() },
      {},
      subscribe(0, ''),
      subscribe(-1),
    ]) {
      const { status, json } = await call('StreamSession', body, { as: 'alice' });
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    }
  });

  it(`${verifies('macp-2026:17.3:refusals')}is refused before it begins`, async () => {
    const served = await serve({ env: { HANDOVER_LISTENERS_PER_PRINCIPAL: '1' } });
    const { call, stream } = served;
    await send(served, 'alice', startMessage());
    const ask = async (as: string, body: object) => {
      const { status, json } = await call('StreamSession', body, { as });
      return [status, json.error.code, json.error.session_id];
    };
    expect(await ask('alice', subscribe(0, 'none'))).toEqual([404, 'SESSION_NOT_FOUND', 'none']);
    expect(await ask('mallory', subscribe())).toEqual([403, 'FORBIDDEN', SESSION]);
    expect(await ask('*', subscribe())).toEqual([401, 'UNAUTHENTICATED', '']);
    await stream('StreamSession', subscribe(), { as: 'alice' });
    expect(await ask('alice', subscribe())).toEqual([429, 'RATE_LIMITED', SESSION]);
    expect((await call('WatchRoots', {}, { as: 'alice' })).json.error.code).toBe('RATE_LIMITED');
  });

  it(`${verifies('macp-2026:17.3:resume')}goes on after Last-Event-ID`, async () => {
    const served = await serve();
    const { call, stream } = served;
    await send(served, 'alice', startMessage());
    await send(served, 'alice', offerMessage());
    await send(served, 'bob', acceptMessage());
    await send(served, 'alice', commitMessage());
    const resumed = async (after: number, header?: string) => {
      const headers = header === undefined ? {} : { 'last-event-id': header };
      const client = await stream('StreamSession', subscribe(after), { as: 'bob', headers });
      return (await client.rest()).map(({ id }) => id);
    };
    expect(await resumed(0)).toEqual([1, 2, 3, 4]);
    expect(await resumed(2)).toEqual([3, 4]);
    expect(await resumed(0, '3')).toEqual([4]);
    expect(await resumed(3, '3')).toEqual([4]);
    expect(await resumed(0, '0')).toEqual([1, 2, 3, 4]);
    expect(await resumed(4)).toEqual([]);
    expect(await resumed(99)).toEqual([]);
    for (const [after, header] of [
      [2, '3'],
      [0, 'x'],
      [0, '-1'],
      [0, ''],
    ] as const) {
      const headers = { 'last-event-id': header };
      const { status, json } = await call('StreamSession', subscribe(after), { as: 'bob', headers });
      expect([header, status, json?.error.code]).toEqual([header, 400, 'INVALID_REQUEST']);
    }
  });

  it(`${verifies('macp-2026:17.3:ends')}ends after the Commitment`, async () => {
    const served = await serve();
    await send(served, 'alice', startMessage());
    await send(served, 'alice', offerMessage());
    await send(served, 'bob', acceptMessage());
    const live = await served.stream('StreamSession', subscribe(3), { as: 'bob' });
    await send(served, 'alice', commitMessage());
    expect(shown(await live.rest())).toEqual([[4, '', 'Commitment']]);
    await until(() => served.harness.engine.subscribers === 0);
  });

  it(`${verifies('macp-2026:17.3:ends')}ends with an error when the session is cancelled or expires`, async () => {
    const served = await serve();
    const other = SESSION.replace('0191', '0192');
    await send(served, 'alice', startMessage());
    await send(served, 'alice', startMessage({ session_id: other, message_id: 'other' }));
    const live = await served.stream('StreamSession', subscribe(1), { as: 'bob' });
    await steer(served, 'CancelSession');
    const events = await live.rest();
    expect(shown(events)).toEqual([[undefined, 'error', 'SESSION_NOT_OPEN']]);
    expect(events[0]?.data.error).toMatchObject({
      session_id: SESSION,
      message: 'the session was cancelled',
    });
    expect(shown(await (await served.stream('StreamSession', subscribe(), { as: 'bob' })).rest())).toEqual([
      [1, '', 'SessionStart'],
      [undefined, 'error', 'SESSION_NOT_OPEN'],
    ]);
    served.harness.clock.now += 60_001;
    const expired = await served.stream('StreamSession', subscribe(0, other), { as: 'bob' });
    expect(shown(await expired.rest())).toEqual([
      [1, '', 'SessionStart'],
      [undefined, 'error', 'SESSION_NOT_OPEN'],
    ]);
  });

  it(`${verifies('macp-2026:17.3:ends')}just ends when the server closes`, async () => {
    const served = await serve();
    await send(served, 'alice', startMessage());
    const client = await served.stream('StreamSession', subscribe(1), { as: 'bob' });
    const watch = await served.stream('WatchSignals', {}, { as: 'bob' });
    await served.harness.door.close(0);
    expect([await client.rest(), await watch.rest()]).toEqual([[], []]);
  });

  it(`${verifies('macp-2026:17.3:controls')}leaves out what the runtime wrote on request`, async () => {
    const served = await serve();
    await send(served, 'alice', startMessage());
    const live = await served.stream('StreamSession', subscribe(), { as: 'bob' });
    for (let round = 0; round < 2; round++) {
      await steer(served, 'SuspendSession');
      await steer(served, 'ResumeSession');
    }
    await send(served, 'alice', offerMessage());
    await steer(served, 'SuspendSession');
    await steer(served, 'ResumeSession');
    await send(served, 'bob', acceptMessage());
    await send(served, 'alice', commitMessage());
    const expected = [
      [1, '', 'SessionStart'],
      [2, '', 'HandoffOffer'],
      [3, '', 'HandoffAccept'],
      [4, '', 'Commitment'],
    ];
    expect(shown(await live.rest())).toEqual(expected);
    for (let after = 0; after <= 4; after++) {
      const client = await served.stream('StreamSession', subscribe(after), { as: 'bob' });
      expect(shown(await client.rest())).toEqual(expected.slice(after));
    }
  });

  it(`${verifies('macp-2026:17.3:controls')}counts without them from wherever it begins`, async () => {
    const served = await serve();
    await send(served, 'alice', startMessage());
    await steer(served, 'SuspendSession');
    await steer(served, 'ResumeSession');
    await send(served, 'alice', offerMessage());
    // Nobody else follows: an entry that was told before keeps its id.
    const live = await served.stream('StreamSession', subscribe(99), { as: 'bob' });
    await send(served, 'bob', acceptMessage());
    expect(shown([await live.next()])).toEqual([[3, '', 'HandoffAccept']]);
    const late = await served.stream('StreamSession', subscribe(1), { as: 'bob' });
    expect(shown([await late.next(), await late.next()])).toEqual([
      [2, '', 'HandoffOffer'],
      [3, '', 'HandoffAccept'],
    ]);
  });

  it(`${verifies('macp-2026:17.3:lagged')}says where a client was cut off that is too slow`, async () => {
    const served = await serve({ env: { HANDOVER_SUBSCRIBER_BUDGET_BYTES: '65536' } });
    await send(served, 'alice', startMessage());
    await send(served, 'alice', offerMessage());
    const slow = await served.stream('StreamSession', subscribe(), { as: 'bob' });
    slow.response.pause();
    const text = 'x'.repeat(60_000);
    for (let index = 0; index < 200 && served.harness.engine.subscribers > 0; index++)
      await send(served, 'alice', contextMessage(`c${index}`, text));
    const events = await slow.rest();
    const last = events.at(-1);
    expect(shown([last])).toEqual([[undefined, 'error', 'STREAM_LAGGED']]);
    const seen = events.slice(0, -1).map(({ id }) => id);
    expect(seen).toEqual(seen.map((_, index) => index + 1));
    const more = await served.stream('StreamSession', subscribe(seen.length), { as: 'bob' });
    expect((await more.next())?.id).toBe(seen.length + 1);
  });

  it(`${verifies('macp-2026:17.3:keepalive')}says now and then that it is there`, async () => {
    const served = await serve({ heartbeatMs: 40 });
    let text = '';
    const onBytes = (more: string) => {
      text += more;
    };
    await send(served, 'alice', startMessage());
    const client = await served.stream('StreamSession', subscribe(1), { as: 'bob' }, onBytes);
    const watch = await served.stream('WatchSignals', {}, { as: 'bob' }, onBytes);
    void client.next();
    void watch.next();
    await until(() => client.comments() >= 2 && watch.comments() >= 2);
    expect(new Set(text.split('\n\n'))).toEqual(new Set([': keepalive', '']));
    // The door beats every 15 seconds: three of them in silence are more than 30 seconds.
    expect(text).not.toContain('retry');
  });
});

describe('watches', () => {
  it(`${verifies('macp-2026:17.3:events')}tell what they tell over gRPC, without ids`, async () => {
    const served = await serve();
    const open = async (method: string) => {
      const client = await served.stream(method, {}, { as: 'alice' });
      expect([method, client.status, client.headers['content-type']]).toEqual([
        method,
        200,
        'text/event-stream',
      ]);
      return client;
    };
    const sessions = await open('WatchSessions');
    const signals = await open('WatchSignals');
    const policies = await open('WatchPolicies');
    const modes = await open('WatchModeRegistry');
    const roots = await open('WatchRoots');
    const at = expect.any(Number);
    expect(await modes.next()).toEqual({
      event: '',
      data: { change: { registry: 'modes', observed_at_unix_ms: at } },
    });
    expect(await roots.next()).toEqual({ event: '', data: { change: { observed_at_unix_ms: at } } });
    const known = (await policies.next())?.data.descriptors as unknown[];
    await send(served, 'alice', startMessage());
    expect(await sessions.next()).toMatchObject({
      data: { event: { event_type: 'EVENT_TYPE_CREATED', session: { session_id: SESSION } } },
    });
    await steer(served, 'CancelSession');
    expect(await sessions.next()).toMatchObject({ data: { event: { event_type: 'EVENT_TYPE_CANCELLED' } } });
    const said = message('Signal', { signal_type: 'busy' }, { session_id: '', mode: '', message_id: 's1' });
    await send(served, 'bob', said);
    expect(await signals.next()).toMatchObject({
      event: '',
      data: { envelope: { sender: 'bob', payload: { signal_type: 'busy', confidence: 0 } } },
    });
    const policy_descriptor = { policy_id: 'p', mode: '*', schema_version: 2, rules: {} };
    await served.call('RegisterPolicy', { policy_descriptor }, { as: 'alice' });
    expect((await policies.next())?.data.descriptors).toHaveLength(known.length + 1);
    const { listeners } = served.harness.deps;
    expect(listeners.count).toBe(5);
    for (const client of [sessions, signals, policies, modes, roots]) client.close();
    await until(() => listeners.count === 0 && listeners.bytes === 0);
  });

  it(`${verifies('macp-2026:17.3:lagged')}are cut off with an error when too much waits`, async () => {
    const served = await serve({ env: { HANDOVER_SUBSCRIBER_BUDGET_BYTES: '65536' } });
    const slow = await served.stream('WatchSignals', {}, { as: 'bob' });
    slow.response.pause();
    const { listeners } = served.harness.deps;
    for (let index = 0; index < 400 && listeners.count > 0; index++)
      await send(
        served,
        'alice',
        message(
          'Signal',
          { signal_type: 'busy', data: Buffer.alloc(40_000).toString('base64') },
          { session_id: '', mode: '', message_id: `s${index}` },
        ),
      );
    expect(listeners.count).toBe(0);
    expect(shown([(await slow.rest()).at(-1)])).toEqual([[undefined, 'error', 'STREAM_LAGGED']]);
    expect(listeners.bytes).toBe(0);
  });
});
