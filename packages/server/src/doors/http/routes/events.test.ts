import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { verifies } from '../../../../../../test/conformance/verifies.js';
import { type EventClient, openEvents } from '../../../../../../test/kit/event-client.js';
import { until } from '../../../../../../test/kit/until.js';
import {
  createHarness,
  type Harness,
  type HarnessOptions,
  requestInit,
} from '../http-harness.test.helper.js';
import {
  acceptMessage,
  commitMessage,
  contextMessage,
  message,
  offerMessage,
  post,
  SESSION,
  startMessage,
} from '../json-messages.test.helper.js';

const PATH = `/macp/session/${SESSION}/events`;
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(options: HarnessOptions = {}): Promise<{ harness: Harness; url: string; port: number }> {
  const harness = createHarness(options);
  const { url, port } = await harness.door.listen();
  closers.push(() => harness.door.close(0));
  return { harness, url, port };
}

async function open(url: string, as: string, headers = {}, query = ''): Promise<EventClient> {
  const client = await openEvents(`${url}${PATH}${query}`, { authorization: `Bearer ${as}`, ...headers });
  closers.push(() => client.close());
  return client;
}

describe('GET /macp/session/{id}/events', () => {
  it(`${verifies('decision:http:events')}tells the history, then what comes, by ordinal`, async () => {
    const { harness, url } = await serve();
    await post(harness, 'alice', startMessage());
    await post(harness, 'alice', offerMessage());
    const client = await open(url, 'bob');
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(await client.next()).toMatchObject({
      id: 1,
      event: 'envelope',
      data: { message_type: 'SessionStart', sender: 'alice', payload: { participants: ['alice', 'bob'] } },
    });
    expect(await client.next()).toMatchObject({ id: 2, data: { message_id: 'HandoffOffer-1' } });
    await post(harness, 'bob', acceptMessage());
    expect(await client.next()).toEqual({
      id: 3,
      event: 'envelope',
      data: {
        ...acceptMessage(),
        sender: 'bob',
        payload: { handoff_id: 'h1', accepted_by: 'bob', reason: '', implicit: false },
      },
    });
    expect(harness.engine.subscribers).toBe(1);
    client.close();
    await until(() => harness.engine.subscribers === 0);
  });

  it(`${verifies('decision:stream:end')}ends with the session, and then stays away`, async () => {
    const { harness, url } = await serve();
    await post(harness, 'alice', startMessage());
    await post(harness, 'alice', offerMessage());
    await post(harness, 'bob', acceptMessage());
    const live = await open(url, 'bob', {}, '?after=3');
    await post(harness, 'alice', commitMessage());
    const ending = [
      { id: 4, event: 'envelope', data: expect.objectContaining({ message_type: 'Commitment' }) },
      { id: 4, event: 'end', data: { session_id: SESSION, state: 'SESSION_STATE_RESOLVED' } },
    ];
    expect(await live.rest()).toEqual(ending);
    expect((await (await open(url, 'bob')).rest()).map(({ id, event }) => [id, event])).toEqual([
      [1, 'envelope'],
      [2, 'envelope'],
      [3, 'envelope'],
      [4, 'envelope'],
      [4, 'end'],
    ]);
    expect(await (await open(url, 'bob', { 'last-event-id': '3' })).rest()).toEqual(ending);
    for (const place of ['4', '99'])
      expect((await open(url, 'bob', { 'last-event-id': place })).status).toBe(204);
    expect((await open(url, 'bob', {}, '?after=4')).status).toBe(204);
    expect(harness.engine.subscribers).toBe(0);
  });

  it(`${verifies('decision:expiry:no-envelope')}shows the expiry as the end alone`, async () => {
    const { harness, url } = await serve();
    await post(harness, 'alice', startMessage());
    const client = await open(url, 'bob', { 'last-event-id': '1' });
    harness.clock.now += 60_001;
    expect(await (await harness.request(`/macp/session/${SESSION}`, { as: 'bob' })).json()).toMatchObject({
      state: 'SESSION_STATE_EXPIRED',
    });
    expect(await client.rest()).toEqual([
      { id: 2, event: 'end', data: { session_id: SESSION, state: 'SESSION_STATE_EXPIRED' } },
    ]);
    expect((await open(url, 'bob', { 'last-event-id': '2' })).status).toBe(204);
    expect(
      (await (await open(url, 'bob', { 'last-event-id': '1' })).rest()).map(({ event }) => event),
    ).toEqual(['end']);
  });

  it(`${verifies('decision:controls:streamed')}shows controls to those who ask, and ends on cancel`, async () => {
    const { harness, url } = await serve();
    await post(harness, 'alice', startMessage());
    const client = await open(url, 'bob', { 'handover-control': '1' });
    const plain = await open(url, 'bob');
    for (const control of ['suspend', 'resume', 'cancel'])
      await harness.request(`/macp/session/${SESSION}/${control}`, {
        as: 'alice',
        body: { reason: control },
      });
    const events = await client.rest();
    expect(events.map(({ id, event, data }) => [id, event, data.message_type ?? data.state])).toEqual([
      [1, 'envelope', 'SessionStart'],
      [undefined, 'envelope', 'SessionSuspend'],
      [undefined, 'envelope', 'SessionResume'],
      [undefined, 'envelope', 'SessionCancel'],
      [2, 'end', 'SESSION_STATE_CANCELLED'],
    ]);
    expect((await plain.rest()).map(({ id, event }) => [id, event])).toEqual([
      [1, 'envelope'],
      [2, 'end'],
    ]);
  });

  it('loses and repeats nothing, however often a client comes again while others write', async () => {
    const { harness, url } = await serve({ env: { MACP_MESSAGE_LIMIT_PER_MINUTE: '100000' } });
    await post(harness, 'alice', startMessage());
    await post(harness, 'alice', offerMessage());
    const total = 300;
    const writing = (async () => {
      for (let index = 0; index < total; index += 10) {
        const batch = Array.from({ length: 10 }, (_, offset) => contextMessage(`c${index + offset}`, 'x'));
        await Promise.all(batch.map((body) => post(harness, 'alice', body)));
      }
    })();
    const seen: number[] = [];
    let visits = 0;
    while (seen.length < total + 2) {
      const client = await openEvents(`${url}${PATH}`, {
        authorization: 'Bearer bob',
        'last-event-id': String(seen.at(-1) ?? 0),
      });
      visits++;
      const stay = 1 + ((visits * 7) % 40);
      for (let count = 0; count < stay && seen.length < total + 2; count++)
        seen.push((await client.next())?.id ?? -1);
      client.close();
    }
    await writing;
    expect(seen).toEqual(Array.from({ length: total + 2 }, (_, index) => index + 1));
    expect(visits).toBeGreaterThan(5);
    await until(() => harness.engine.subscribers === 0);
  });

  it('tells a long history to its end, and only then that it is over', async () => {
    const { harness, url } = await serve({ env: { MACP_MESSAGE_LIMIT_PER_MINUTE: '100000' } });
    await post(harness, 'alice', startMessage());
    await post(harness, 'alice', offerMessage());
    for (let index = 0; index < 600; index += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, offset) =>
          post(harness, 'alice', contextMessage(`c${index + offset}`, 'x')),
        ),
      );
    await post(harness, 'bob', acceptMessage());
    await post(harness, 'alice', commitMessage());
    const events = await (await open(url, 'bob')).rest();
    expect(events.map(({ id }) => id)).toEqual([
      ...Array.from({ length: 604 }, (_, index) => index + 1),
      604,
    ]);
    expect(events.map(({ event }) => event).indexOf('end')).toBe(604);
  });

  it('gives an outsider nothing', async () => {
    const { harness, url } = await serve();
    await post(harness, 'alice', startMessage());
    const outsider = await open(url, 'mallory');
    expect(outsider.status).toBe(403);
    const text = (await outsider.response.toArray()).join('');
    expect(JSON.parse(text)).toMatchObject({ code: 'FORBIDDEN', session_id: SESSION });
    expect(text).not.toMatch(/alice|bob|hand over/);
    expect(harness.engine.subscribers).toBe(0);
    expect((await openEvents(`${url}/macp/session/nobody-knows-this-session-id/events`)).status).toBe(404);
  });

  it('asks for credentials', async () => {
    const tokens = JSON.stringify([{ token: 'alice', sender: 'alice' }]);
    const harness = createHarness({ env: { MACP_AUTH_TOKENS_JSON: tokens } });
    const answer = await harness.request(PATH);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it.each(['-1', 'x', '1.5', '', '1e3', '99999999999999999999'])('refuses the place %j', async (place) => {
    const harness = createHarness();
    await post(harness, 'alice', startMessage());
    const answer = await harness.request(PATH, { as: 'bob', headers: { 'last-event-id': place } });
    expect(answer.status).toBe(400);
    expect((await harness.request(`${PATH}?after=${place}`, { as: 'bob' })).status).toBe(400);
  });

  it('takes a place beyond the end for: from now on', async () => {
    const { harness, url } = await serve();
    await post(harness, 'alice', startMessage());
    const client = await open(url, 'bob', { 'last-event-id': '500' });
    await post(harness, 'alice', offerMessage());
    expect(await client.next()).toMatchObject({ id: 2 });
  });

  it('answers HEAD without opening anything', async () => {
    const harness = createHarness();
    await post(harness, 'alice', startMessage());
    const answer = await harness.request(PATH, { as: 'bob', method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(harness.engine.subscribers).toBe(0);
  });

  it('says that it is there while nothing happens', async () => {
    const { harness, url } = await serve({ heartbeatMs: 20 });
    await post(harness, 'alice', startMessage());
    const client = await open(url, 'bob');
    await client.next();
    const next = client.next();
    await until(() => client.comments() >= 3);
    await post(harness, 'alice', offerMessage());
    expect(await next).toMatchObject({ id: 2 });
  });

  it('tells a client that was too slow where to go on, and loses nothing', async () => {
    const { harness, url } = await serve({
      env: { HANDOVER_SUBSCRIBER_BUDGET_BYTES: '262144' },
    });
    await post(harness, 'alice', startMessage());
    await post(harness, 'alice', offerMessage());
    const slow = await open(url, 'bob');
    const text = 'x'.repeat(256 * 1024);
    const total = 80; // More than the socket buffers on both sides can hold.
    for (let index = 0; index < total; index++)
      await post(harness, 'alice', contextMessage(`c${index}`, text));
    await until(() => harness.engine.subscribers === 0);
    const first = await slow.rest();
    expect(first.at(-1)).toMatchObject({
      event: 'error',
      data: { code: 'STREAM_LAGGED', session_id: SESSION },
    });
    const place = first.at(-2)?.id ?? 0;
    expect(first.slice(0, -1).map(({ id }) => id)).toEqual(
      Array.from({ length: place }, (_, index) => index + 1),
    );
    expect(place).toBeLessThan(total);
    const again = await open(url, 'bob', { 'last-event-id': String(place) });
    for (let id = place + 1; id <= total + 2; id++) expect(await again.next()).toMatchObject({ id });
  });

  it('lets go of a client that takes nothing any more', async () => {
    const { harness, url, port } = await serve({
      heartbeatMs: 25,
      env: { HANDOVER_SUBSCRIBER_BUDGET_BYTES: '262144' },
    });
    await post(harness, 'alice', startMessage());
    await post(harness, 'alice', offerMessage());
    const text = 'x'.repeat(512 * 1024);
    for (let index = 0; index < 40; index++) await post(harness, 'alice', contextMessage(`c${index}`, text));
    const socket = connect(port, '127.0.0.1');
    closers.push(() => socket.destroy());
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer bob\r\n\r\n`);
    socket.pause();
    await until(() => harness.engine.subscribers === 1);
    await until(() => harness.engine.subscribers === 0);
  });

  it('ends when the door closes, so that the door can close', async () => {
    const { harness, url } = await serve();
    await post(harness, 'alice', startMessage());
    const client = await open(url, 'bob');
    await client.next();
    // Nothing is cut off: it would wait for ever for a stream that does not end by itself.
    await harness.door.close(new AbortController().signal);
    expect(await client.rest()).toEqual([]);
    expect(harness.engine.subscribers).toBe(0);
  });

  it('ends when the engine closes', async () => {
    const { harness, url } = await serve();
    await post(harness, 'alice', startMessage());
    const client = await open(url, 'bob');
    await client.next();
    await harness.engine.close();
    expect(await client.rest()).toEqual([]);
  });

  it('leaves nothing open for a client that is gone at once', async () => {
    const { harness, url, port } = await serve();
    await post(harness, 'alice', startMessage());
    for (let time = 0; time < 20; time++) {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET ${PATH} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer bob\r\n\r\n`);
      await pause(time % 4);
      socket.destroy();
    }
    await pause(50);
    await until(() => harness.engine.subscribers === 0);
  });

  it('opens nothing for a request that was given up while it was judged', async () => {
    const harness = createHarness();
    await post(harness, 'alice', startMessage());
    const given = new AbortController();
    const init = requestInit({ as: 'bob' });
    const answering = harness.door.app.request(PATH, { ...init, signal: given.signal });
    given.abort();
    await answering;
    expect(harness.engine.subscribers).toBe(0);
  });

  it('shows a payload that core does not know as base64', async () => {
    const { harness, url } = await serve();
    const mode = 'ext.notes.v1';
    const principal = harness.deps.authenticator.anonymous;
    if (!principal) throw new Error('dev mode has a default agent');
    const flaw = await harness.services.registries.changeModes(principal, {
      kind: 'register',
      descriptor: {
        mode,
        modeVersion: '1.0.0',
        title: '',
        description: '',
        determinismClass: 'structural-only',
        participantModel: 'declared',
        messageTypes: ['SessionStart', 'Note', 'Commitment'],
        terminalMessageTypes: ['Commitment'],
        schemaUris: {},
      },
    });
    expect(flaw).toBeUndefined();
    await post(harness, 'alice', startMessage({ mode }));
    await post(harness, 'alice', message('Note', undefined, { mode, payload_b64: 'AAEC' }));
    const client = await open(url, 'bob', {}, '?after=1');
    expect(await client.next()).toMatchObject({ id: 2, data: { message_type: 'Note', payload_b64: 'AAEC' } });
  });
});
